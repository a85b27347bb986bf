// @ts-check
/**
 * The theme's colour switch is a pair of labels, which the keyboard cannot reach:
 * a button takes their place.
 */

/**
 * @param {Document} root
 */
export function replacePaletteLabels(root) {
  const form = root.querySelector("[data-md-component=palette]");
  if (!(form instanceof HTMLFormElement)) return;
  const labels = /** @type {HTMLLabelElement[]} */ ([...form.querySelectorAll("label")]);
  const button = root.createElement("button");
  button.type = "button";
  button.className = "fb-scheme";

  const shown = () => labels.find((label) => !label.hidden) ?? labels[0];
  const show = () => {
    const label = shown();
    button.setAttribute("aria-label", label.title);
    button.title = label.title;
    button.replaceChildren(...[...label.children].map((child) => child.cloneNode(true)));
  };
  button.addEventListener("click", () => shown().click());
  // The theme shows the label of the other scheme once it has switched.
  const observer = new MutationObserver(show);
  for (const label of labels) observer.observe(label, { attributeFilter: ["hidden"] });
  form.classList.add("fb-scheme-on");
  form.append(button);
  show();
}
