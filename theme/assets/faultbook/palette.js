// @ts-check
/** The theme's colour switch is a label without a role: make it reachable by keyboard. */

/**
 * @param {Document} root
 */
export function labelPaletteButtons(root) {
  for (const label of root.querySelectorAll("[data-md-component=palette] label")) {
    if (!(label instanceof HTMLElement)) continue;
    label.setAttribute("role", "button");
    label.setAttribute("aria-label", label.title);
    label.tabIndex = 0;
    label.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      label.click();
      const shown = [...root.querySelectorAll("[data-md-component=palette] label")].find(
        (other) => other instanceof HTMLElement && !other.hidden,
      );
      if (shown instanceof HTMLElement) shown.focus();
    });
  }
}
