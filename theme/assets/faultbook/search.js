// @ts-check
/** Opens the search: by a key, by the button in the header, or in the home page's box. */

/**
 * @param {EventTarget | null} target
 * @returns {boolean} whether keys typed there are text
 */
function takesText(target) {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || target.matches("input:not([type=checkbox], [type=radio]), textarea, select"))
  );
}

/**
 * @param {Document} root
 */
export function startSearch(root) {
  const home = root.querySelector("[data-faultbook-search]");
  const area = home?.querySelector("textarea");
  /** @type {Promise<{focus(): void}> | undefined} */
  let box;
  /** @type {Promise<{open(): void}> | undefined} */
  let dialog;

  const wake = () => {
    if (home instanceof HTMLElement) box ??= import("./search-box.js").then((made) => made.attachBox(home));
    return box;
  };
  if (home && area) {
    home.addEventListener("focusin", wake, { once: true });
    home.addEventListener("pointerenter", wake, { once: true });
    // A browser restores what was typed; a copied link brings its text.
    if (area.value || /[?#&]q=/.test(location.href)) wake();
  }

  const open = async () => {
    if (area?.checkVisibility() && !root.querySelector("dialog[open]")) {
      area.focus();
      area.select();
      return;
    }
    dialog ??= import("./search-box.js").then((made) => made.makeDialog(root));
    (await dialog).open();
  };

  for (const button of root.querySelectorAll("[data-faultbook-open-search]")) {
    button.addEventListener("click", open);
  }
  root.addEventListener("keydown", (event) => {
    const plain = !event.ctrlKey && !event.metaKey && !event.altKey;
    const slash = event.key === "/" && plain && !takesText(event.target);
    const k = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
    if (!slash && !k) return;
    event.preventDefault();
    event.stopPropagation();
    open();
  }, { capture: true });
}
