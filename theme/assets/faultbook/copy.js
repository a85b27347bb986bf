// @ts-check
/** Copying commands, signatures, code and links to sections with one click. */

const SHOWN_MS = 1600;

/**
 * Put text on the clipboard, also where the asynchronous interface is refused
 * (an address without TLS other than localhost).
 * @param {string} text
 * @returns {Promise<boolean>} whether it worked
 */
export async function copyText(text) {
  if (navigator.clipboard && window.isSecureContext) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      // Permission refused: the older way may still work.
    }
  }
  const area = document.createElement("textarea");
  area.value = text;
  area.setAttribute("readonly", "");
  area.className = "fb-sr";
  document.body.append(area);
  area.select();
  const done = document.execCommand("copy");
  area.remove();
  return done;
}

/** @type {HTMLElement | undefined} */
let status;

/**
 * Say something to screen readers without moving the focus.
 * @param {string} message
 */
export function announce(message) {
  if (!status) {
    status = document.createElement("div");
    status.className = "fb-sr";
    status.setAttribute("role", "status");
    document.body.append(status);
  }
  // The same words twice are no change, and would be said once.
  status.textContent = "";
  const element = status;
  requestAnimationFrame(() => (element.textContent = message));
}

/**
 * Make the copy buttons work. One listener for all of them: a page has dozens.
 * @param {Document} root
 */
export function startCopyButtons(root) {
  root.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("button.fb-copy") : null;
    const code = button?.closest("[data-copy]")?.querySelector("code");
    if (!button || !code) return;
    const done = await copyText(code.textContent ?? "");
    button.textContent = done ? "Copied" : "Press Ctrl+C";
    announce(done ? "Copied" : "Copying was refused; the text is selected");
    if (!done) getSelection()?.selectAllChildren(code);
    setTimeout(() => (button.textContent = "Copy"), SHOWN_MS);
  });
}

/**
 * A click on a section's mark copies its link; the address changes as usual.
 * @param {Document} root
 */
export function copySectionLinks(root) {
  for (const link of root.querySelectorAll("a.fb-anchor")) {
    if (!(link instanceof HTMLAnchorElement)) continue;
    link.addEventListener("click", async () => {
      if (!(await copyText(link.href))) return;
      announce("Copied the link to this section");
      link.dataset.copied = "";
      setTimeout(() => delete link.dataset.copied, SHOWN_MS);
    });
  }
}
