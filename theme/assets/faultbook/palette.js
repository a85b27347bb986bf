// @ts-check
/**
 * The theme's colour switch is a pair of labels, which the keyboard cannot reach and
 * which wait for the theme's scripts: a button takes their place. The choice is kept
 * where the theme keeps it.
 */

/**
 * @param {Document} root
 */
export function replacePaletteLabels(root) {
  const form = root.querySelector("[data-md-component=palette]");
  if (!(form instanceof HTMLFormElement)) return;
  const inputs = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input")]);
  const labels = /** @type {HTMLLabelElement[]} */ ([...form.querySelectorAll("label")]);
  const button = root.createElement("button");
  button.type = "button";
  button.className = "fb-scheme";

  /** Index of the scheme that the page has. */
  const current = () => {
    const scheme = root.body.getAttribute("data-md-color-scheme");
    return Math.max(
      0,
      inputs.findIndex((input) => input.dataset.mdColorScheme === scheme),
    );
  };

  const show = () => {
    const label = labels[current()];
    button.setAttribute("aria-label", label.title);
    button.title = label.title;
    button.replaceChildren(...[...label.children].map((child) => child.cloneNode(true)));
  };

  button.addEventListener("click", () => {
    const index = (current() + 1) % inputs.length;
    const input = inputs[index];
    const color = {
      media: input.dataset.mdColorMedia,
      scheme: input.dataset.mdColorScheme,
      primary: input.dataset.mdColorPrimary,
      accent: input.dataset.mdColorAccent,
    };
    input.checked = true;
    for (const [key, value] of Object.entries(color)) {
      root.body.setAttribute(`data-md-color-${key}`, value ?? "");
    }
    /** @type {any} */ (window).__md_set("__palette", { index, color });
    // Where the theme has come meanwhile, it keeps its own count.
    input.dispatchEvent(new Event("change", { bubbles: true }));
    show();
  });

  // The theme, once there, follows the system's scheme too.
  new MutationObserver(show).observe(root.body, { attributeFilter: ["data-md-color-scheme"] });
  form.classList.add("fb-scheme-on");
  form.append(button);
  show();
}
