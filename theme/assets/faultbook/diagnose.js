// @ts-check
/**
 * The page for whole logs. Everything that an answer needs is loaded before anything can
 * be pasted, so that no request can depend on a log.
 */

import { answerNodes } from "./answer-view.js";
import { announce, copyText } from "./copy.js";
import { element } from "./dom.js";
import { MOST_FILES, chosenFiles, droppedFiles } from "./dropped.js";
import { Jobs } from "./jobs.js";
import { load } from "./loading.js";
import { diagnoseText } from "./reading.js";
import { PASTE, bytesWords, many, verdictWords } from "./verdict-words.js";

/** Texts up to here are matched at once, longer ones and files beside the page. Characters. */
const MOST_AT_ONCE = 20_000;
/** More than this in the textarea makes typing slow; it is kept as a file instead. */
const MOST_IN_AREA = 500_000;
/** Milliseconds: work that takes less shows no progress, which would flicker. */
const SHORT = 150;
const HANDED_OVER = "faultbook.log";
const SHOWN_MS = 1600;

/** @typedef {import("./loading.js").Loaded} Loaded */
/** @typedef {import("./reading.js").Diagnosis} Diagnosis */
/** @typedef {import("./reading.js").Named} Named */

/**
 * Bring the page to life.
 * @param {HTMLElement} page
 */
export async function startDiagnose(page) {
  const form = /** @type {HTMLFormElement} */ (page.querySelector("form"));
  const area = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea"));
  const choosers = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[type=file]")]);
  const sample = /** @type {HTMLSelectElement | null} */ (form.querySelector("select"));
  const source = /** @type {HTMLElement} */ (form.querySelector("[data-source]"));
  const clear = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=reset]"));
  const work = /** @type {HTMLElement} */ (page.querySelector(".fb-work"));
  const bar = /** @type {HTMLProgressElement} */ (work.querySelector("progress"));
  const far = /** @type {HTMLElement} */ (work.querySelector("[data-far]"));
  const told = /** @type {HTMLElement} */ (page.querySelector("[data-told]"));
  const output = /** @type {HTMLElement} */ (page.querySelector(".fb-answer"));
  const hints = /** @type {HTMLElement | null} */ (page.querySelector(".fb-hints"));
  const logs = JSON.parse(page.dataset.samples || "{}");

  /** @type {Loaded} */
  let loaded;
  try {
    loaded = await load({ texts: true });
  } catch {
    area.placeholder = "The index could not be loaded. Check the connection and reload this page.";
    return;
  }
  const jobs = new Jobs(loaded.matcher);
  await jobs.start();
  for (const field of [area, ...choosers, ...(sample ? [sample] : [])]) field.disabled = false;
  area.placeholder = "Paste one line, a traceback, or the whole log. Or drop files here.";

  /** @param {...(Node | string)} nodes */
  const put = (...nodes) => {
    output.replaceChildren(...nodes);
    output.classList.remove("fb-answer--old");
    if (hints) hints.hidden = nodes.length > 0;
  };
  /** @param {Diagnosis} diagnosis */
  const show = (diagnosis) => {
    put(...answerNodes(diagnosis, loaded));
    told.textContent = diagnosis.answer ? verdictWords(diagnosis.answer, loaded.entries).title : "Nothing could be read";
  };
  /** @param {string} [message] */
  const empty = (message = "") => {
    put(...(message ? [element("p", { class: "fb-none" }, message)] : []));
    told.textContent = message;
  };
  /** @param {string} [words] what the answer is about, where the textarea does not show it */
  const about = (words = "") => {
    source.textContent = words;
    clear.hidden = !words && !area.value;
  };

  /** @param {Named[]} files */
  const read = async (files) => {
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    far.textContent = "";
    bar.removeAttribute("value");
    const late = setTimeout(() => {
      work.hidden = false;
      told.textContent = "Reading";
    }, SHORT);
    let diagnosis = null;
    try {
      diagnosis = await jobs.run(files, ({ bytes, name, number }) => {
        bar.max = total || 1;
        bar.value = bytes;
        const which = files.length > 1 ? `file ${number.toLocaleString("en")} of ${files.length.toLocaleString("en")}, ${name}` : name === PASTE ? "" : name;
        far.textContent = [`${bytesWords(bytes)} of ${bytesWords(total)}`, which].filter(Boolean).join(" · ");
      });
      if (diagnosis) show(diagnosis);
    } catch (error) {
      empty(error instanceof Error ? error.message : String(error));
      diagnosis = error;
    } finally {
      clearTimeout(late);
      // Where another job took over, the bar is that job's.
      if (diagnosis) work.hidden = true;
    }
  };

  /** Ends what is under way, and its bar. */
  const stop = () => {
    jobs.end();
    work.hidden = true;
  };

  let frame = 0;
  const type = () => {
    frame = 0;
    const text = area.value;
    about();
    if (text.length > MOST_AT_ONCE) {
      output.classList.add("fb-answer--old");
      read([{ name: PASTE, file: new Blob([text]) }]);
      return;
    }
    stop();
    if (!text.trim()) return empty();
    show(diagnoseText(loaded.matcher, text));
  };
  area.addEventListener("input", () => {
    if (sample) sample.value = "";
    frame ||= requestAnimationFrame(type);
  });
  /** @param {Named[]} files @param {string} words */
  const take = (files, words) => {
    if (frame) cancelAnimationFrame(frame);
    frame = 0;
    area.value = "";
    if (sample) sample.value = "";
    empty();
    if (hints) hints.hidden = true;
    about(words);
    read(files);
  };
  /** @param {string} text */
  const takeText = (text) =>
    take([{ name: PASTE, file: new Blob([text]) }], `Pasted text, ${many(text.length, "character")}: too long to be shown here`);

  area.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= MOST_IN_AREA) return;
    event.preventDefault();
    takeText(text);
  });
  sample?.addEventListener("change", () => {
    area.value = logs[sample.value] ?? "";
    area.scrollTo(0, 0);
    type();
  });

  /** @param {Named[]} files */
  const takeFiles = (files) => {
    if (files.length > MOST_FILES) {
      stop();
      about();
      empty(`More than ${MOST_FILES.toLocaleString("en")} files: choose the folder of one incident.`);
      return;
    }
    if (!files.length) return empty("No file in there. Choose the folder with the logs.");
    const size = bytesWords(files.reduce((sum, { file }) => sum + file.size, 0));
    take(files, files.length === 1 ? `${files[0].name}, ${size}` : `${many(files.length, "file")}, ${size}: ${files[0].name} to ${files[files.length - 1].name}`);
  };
  for (const chooser of choosers) {
    // No attribute of HTML, but all browsers know it.
    chooser.webkitdirectory = "folder" in chooser.dataset;
    chooser.addEventListener("change", () => {
      takeFiles(chosenFiles(chooser.files));
      chooser.value = "";
    });
  }
  // Beside the form, too: a browser would leave the page and show the file.
  const root = page.ownerDocument;
  const hasFiles = (/** @type {DragEvent} */ event) => event.dataTransfer?.types.includes("Files") ?? false;
  root.addEventListener("dragover", (event) => {
    if (!hasFiles(event)) return;
    event.preventDefault();
    form.classList.add("fb-paste--over");
  });
  root.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) form.classList.remove("fb-paste--over");
  });
  root.addEventListener("drop", async (event) => {
    if (!hasFiles(event) || !event.dataTransfer) return;
    event.preventDefault();
    form.classList.remove("fb-paste--over");
    try {
      takeFiles(await droppedFiles(event.dataTransfer));
    } catch {
      empty("What was dropped cannot be read. Choose the files instead.");
    }
  });

  work.querySelector("button")?.addEventListener("click", () => {
    stop();
    area.focus();
    about();
    empty(`Cancelled${far.textContent ? ` after ${far.textContent}` : ""}. Nothing of it was kept.`);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    stop();
    area.value = "";
    about();
    empty();
    area.focus();
  });

  output.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-copy-report]") : null;
    const markdown = output.querySelector("[data-report]")?.textContent;
    if (!button || !markdown) return;
    const label = button.textContent;
    const done = await copyText(markdown);
    announce(done ? "Copied the report" : "Copying was refused");
    button.textContent = done ? "Copied" : "Copying was refused";
    setTimeout(() => (button.textContent = label), SHOWN_MS);
  });

  let given = null;
  try {
    given = sessionStorage.getItem(HANDED_OVER);
    sessionStorage.removeItem(HANDED_OVER);
  } catch {
    // Storage is forbidden: nothing was handed over.
  }
  if (given && given.length > MOST_IN_AREA) takeText(given);
  else if (given) area.value = given;
  if (area.value) type();
}
