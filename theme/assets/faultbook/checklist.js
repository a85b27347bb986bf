// @ts-check
/** Ticks of checklists, remembered in this browser only. */

const PREFIX = "faultbook.checklist.";

/**
 * @param {string} key
 * @returns {Set<string>} keys of ticked steps
 */
function read(key) {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "[]");
    return new Set(Array.isArray(stored) ? stored.filter((item) => typeof item === "string") : []);
  } catch {
    return new Set();
  }
}

/**
 * @param {string} key
 * @param {Set<string>} ticked
 */
function write(key, ticked) {
  try {
    if (ticked.size) localStorage.setItem(key, JSON.stringify([...ticked]));
    else localStorage.removeItem(key);
  } catch {
    // Storage is full or forbidden: the ticks last as long as the page.
  }
}

/**
 * Restore the ticks of each checklist, keep them, and offer to clear them.
 * @param {Document} root
 */
export function rememberTicks(root) {
  for (const list of root.querySelectorAll("[data-checklist]")) {
    const key = PREFIX + list.getAttribute("data-checklist");
    /** @type {HTMLInputElement[]} */
    const boxes = [...list.querySelectorAll("input[data-key]")].filter(
      (box) => box instanceof HTMLInputElement,
    );
    const clear = root.createElement("button");
    clear.type = "button";
    clear.className = "fb-clear";
    clear.textContent = "Clear the ticks";

    const show = () => {
      const ticked = read(key);
      for (const box of boxes) box.checked = ticked.has(box.dataset.key ?? "");
      clear.hidden = ticked.size === 0;
    };
    for (const box of boxes) {
      box.addEventListener("change", () => {
        const ticked = read(key);
        if (box.checked) ticked.add(box.dataset.key ?? "");
        else ticked.delete(box.dataset.key ?? "");
        write(key, ticked);
        clear.hidden = ticked.size === 0;
      });
    }
    clear.addEventListener("click", () => {
      write(key, new Set());
      show();
      boxes[0]?.focus();
    });
    // Another tab may hold the same checklist.
    addEventListener("storage", (event) => {
      if (event.key === key) show();
    });
    list.after(clear);
    show();
  }
}
