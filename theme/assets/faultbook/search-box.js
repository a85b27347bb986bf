// @ts-check
/**
 * The box: a textarea that takes words, an error line or a traceback, and the entries
 * found for it. The same box stands on the home page and in the dialog of every page.
 */

import { announce, copyText } from "./copy.js";
import { element } from "./dom.js";
import { ROOT, load } from "./loading.js";
import { mask } from "./mask.js";
import { hitGroups, rowsOf } from "./results.js";

/** Longer texts are logs: the box looks at their ends, `/diagnose/` reads them whole. Characters. */
const MOST_CHARACTERS = 20_000;
/** A longer paste does not go into the textarea, where it would make typing slow. */
const MOST_IN_AREA = 200_000;
const MOST_IN_LINK = 1800;
const SHOWN_MS = 1600;
/** Where the text waits while the browser goes to the page for logs. It never leaves the tab. */
export const HANDED_OVER = "faultbook.log";

/**
 * @param {string} text
 * @returns {string} the link to it, masked
 */
export function linkTo(text) {
  const url = new URL(ROOT);
  // After the `#`, since what stands there is not sent to any server.
  url.hash = `q=${encodeURIComponent(mask(text.trim()).slice(0, MOST_IN_LINK).toWellFormed())}`;
  return url.href;
}

/** @param {string} text @returns {string} its beginning and its end, where a log is long */
const endsOf = (text) => {
  const half = MOST_CHARACTERS / 2;
  return text.length > MOST_CHARACTERS ? `${text.slice(0, half)}\n${text.slice(-half)}` : text;
};

/** @returns {string} the text that a copied link brought */
function textOfAddress() {
  const given = new URLSearchParams(location.hash.slice(1)).get("q");
  return given ?? new URLSearchParams(location.search).get("q") ?? "";
}

/** @returns {HTMLElement} a box as `theme/pages/home.html` has it */
function emptyBox() {
  return element(
    "form",
    { class: "fb-search", role: "search", "aria-label": "Entries" },
    element("label", { class: "fb-search__label", for: "fb-find" }, "What did the program print?"),
    element("textarea", {
      id: "fb-find",
      rows: "2",
      spellcheck: "false",
      autocapitalize: "off",
      autocomplete: "off",
      placeholder: "An error line, a traceback, or words",
    }),
  );
}

/**
 * Bring a box to life.
 * @param {HTMLElement} box holds a textarea
 */
export function attachBox(box) {
  const area = /** @type {HTMLTextAreaElement} */ (box.querySelector("textarea"));
  const status = element("output", { class: "fb-search__count" });
  const link = element("button", { type: "button", class: "fb-clear", hidden: true }, "Copy link");
  const whole = element(
    "a",
    { class: "fb-search__whole", href: new URL("diagnose/", ROOT).href, hidden: true },
    "Read it as a whole log",
  );
  const found = element("div", { class: "fb-search__found" });
  const tools = box.querySelector(".fb-search__tools") ?? element("p", { class: "fb-search__tools" });
  tools.replaceChildren(status, whole, link);
  area.after(tools, found);

  /** @type {import("./loading.js").Loaded | undefined} */
  let loaded;
  let frame = 0;
  let shown = "";
  /** A paste that is too long for the textarea, which then holds its ends. */
  let long = "";

  const show = () => {
    frame = 0;
    if (!loaded) return;
    const text = area.value.trim();
    if (text === shown) return;
    shown = text;
    link.hidden = whole.hidden = !text;
    whole.hidden = !text.includes("\n");
    if (!text) {
      status.textContent = "";
      found.replaceChildren();
      return;
    }
    const groups = hitGroups(rowsOf(loaded.matcher.search(endsOf(text)), loaded.entries));
    const cut = long || text.length > MOST_CHARACTERS;
    status.textContent = groups.words + (cut ? "; only its beginning and its end were searched" : "");
    found.replaceChildren(...groups.nodes);
  };
  const soon = () => {
    frame ||= requestAnimationFrame(show);
  };

  const begin = async () => {
    if (loaded) return;
    status.textContent = "Loading the index";
    try {
      loaded = await load();
      status.textContent = "";
      soon();
    } catch {
      status.textContent = "The index could not be loaded. Check the connection and type again.";
    }
  };

  /** @returns {HTMLAnchorElement[]} */
  const hits = () => [...found.querySelectorAll("a")];

  area.addEventListener("focus", begin);
  area.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= MOST_IN_AREA) return;
    event.preventDefault();
    area.value = endsOf(text);
    area.dispatchEvent(new Event("input", { bubbles: true }));
    long = text;
  });
  area.addEventListener("input", () => {
    long = "";
    if (location.hash.startsWith("#q=")) history.replaceState(null, "", location.pathname);
    begin();
    soon();
  });
  box.addEventListener("submit", (event) => event.preventDefault());
  box.addEventListener("keydown", (event) => {
    if (event.isComposing) return;
    const all = hits();
    if (event.target === area) {
      const rest = area.value.slice(area.selectionEnd);
      if (event.key === "ArrowDown" && all.length && !rest.includes("\n")) {
        event.preventDefault();
        all[0].focus();
      } else if (event.key === "Enter" && !event.shiftKey && !event.ctrlKey) {
        event.preventDefault();
        if (frame) cancelAnimationFrame(frame);
        show();
        hits()[0]?.click();
      }
      return;
    }
    const at = all.indexOf(/** @type {HTMLAnchorElement} */ (event.target));
    if (at < 0) return;
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: all.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    if (to < 0) area.focus();
    else all[Math.min(to, all.length - 1)].focus();
  });
  link.addEventListener("click", async () => {
    const done = await copyText(linkTo(area.value));
    announce(done ? "Copied the link; names, addresses and paths in it are masked" : "Copying was refused");
    link.textContent = done ? "Copied, masked" : "Copying was refused";
    setTimeout(() => (link.textContent = "Copy link"), SHOWN_MS);
  });
  whole.addEventListener("click", (event) => {
    try {
      sessionStorage.setItem(HANDED_OVER, long || area.value);
    } catch {
      // Storage is full or forbidden. The page would open empty, and the log be lost.
      event.preventDefault();
      status.textContent = "Too long to be handed over. Open Diagnose and paste it there, or choose its file.";
    }
  });

  if (!area.value && box.hasAttribute("data-faultbook-search")) area.value = textOfAddress();
  begin();
  return { focus: () => area.focus() };
}

/**
 * @param {Document} root
 */
export function makeDialog(root) {
  const close = element("button", { type: "button", class: "fb-clear fb-dialog__close" }, "Close");
  const dialog = /** @type {HTMLDialogElement} */ (
    element("dialog", { class: "fb-dialog md-typeset", "aria-label": "Search" }, emptyBox(), close)
  );
  root.body.append(dialog);
  close.addEventListener("click", () => dialog.close());
  // A click beside it falls on the dialog itself, whose content covers all of it.
  dialog.addEventListener("click", (event) => {
    const box = dialog.getBoundingClientRect();
    const inside =
      event.clientX >= box.left && event.clientX <= box.right && event.clientY >= box.top && event.clientY <= box.bottom;
    if (event.target === dialog && !inside) dialog.close();
  });
  const area = /** @type {HTMLTextAreaElement} */ (dialog.querySelector("textarea"));
  attachBox(/** @type {HTMLElement} */ (dialog.querySelector(".fb-search")));
  return {
    open() {
      if (!dialog.open) dialog.showModal();
      area.focus();
      area.select();
    },
  };
}
