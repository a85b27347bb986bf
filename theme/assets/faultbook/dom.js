// @ts-check
/** Building elements. Text is always text: nothing here reads markup. */

/**
 * @param {string} tag
 * @param {Record<string, string | boolean | undefined>} [attributes] true sets an empty one, false and undefined none
 * @param {...(Node | string | null | undefined | false)} children
 * @returns {HTMLElement}
 */
export function element(tag, attributes = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(name, "");
    else if (typeof value === "string") made.setAttribute(name, value);
  }
  for (const child of children) if (child) made.append(child);
  return made;
}

/**
 * Prose of an entry with its `code`; other marks stay as they are written.
 * @param {string} text
 * @returns {HTMLElement}
 */
export function prose(text) {
  const made = element("span");
  text.split("`").forEach((piece, at, all) => {
    const code = at % 2 === 1 && at < all.length - 1;
    made.append(code ? element("code", {}, piece) : piece.replaceAll("**", ""));
  });
  return made;
}

/**
 * A command with its copy button, as the entries' pages show it.
 * @param {string} text
 * @param {string} label
 * @returns {HTMLElement}
 */
export function command(text, label) {
  return element(
    "div",
    { class: "fb-cmd", "data-copy": label },
    element(
      "pre",
      { tabindex: "0", role: "group", "aria-label": label },
      element("span", {}, element("code", {}, text)),
    ),
    element("button", { type: "button", class: "fb-copy", "aria-label": `Copy ${label}` }, "Copy"),
  );
}

/**
 * @param {string} level
 * @returns {HTMLElement}
 */
export function severity(level) {
  const bars = element("span", { class: "fb-bars", "aria-hidden": "true" });
  for (let bar = 0; bar < 4; bar++) bars.append(element("i"));
  return element("span", { class: `fb-sev fb-sev--${level}` }, bars, level);
}

/**
 * A list of many places, which scrolls by itself.
 * @param {...(Node | false)} items
 * @returns {HTMLElement}
 */
export function places(...items) {
  return element("div", { class: "fb-places", tabindex: "0", role: "group", "aria-label": "Places" }, element("ul", {}, ...items));
}
