// @ts-check
/**
 * The page for whole logs. Everything that an answer needs is loaded before anything can
 * be pasted, so that no request can depend on a log.
 */

import { announce, copyText } from "./copy.js";
import { command, element, prose, severity } from "./dom.js";
import { load, pageOf } from "./loading.js";
import { diagnoseFiles, diagnoseText } from "./reading.js";
import { reportOf } from "./report.js";
import { hit, noneMatches, suggestionRows } from "./results.js";
import { ABOUT, PASTE, many, placeWords, verdictWords, whoWords } from "./verdict-words.js";

/** Texts up to here are matched at once, longer ones and files beside the page. Characters. */
const MOST_AT_ONCE = 200_000;
/** More than this in the textarea makes typing slow; it is kept as a file instead. */
const MOST_IN_AREA = 2_000_000;
const HANDED_OVER = "faultbook.log";
const SHOWN_MS = 1600;

/** @typedef {import("./loading.js").Loaded} Loaded */
/** @typedef {{name: string, file: Blob}} Named */

/** Runs jobs in a worker, or on the page where there is none. */
class Reader {
  /** @param {Loaded} loaded */
  constructor(loaded) {
    this.loaded = loaded;
    this.job = 0;
    /** @type {Worker | undefined} */
    this.worker = undefined;
  }

  /** @returns {Promise<void>} when everything that a job needs is loaded */
  async start() {
    try {
      const worker = new Worker(new URL("diagnose-worker.js", import.meta.url), { type: "module" });
      const ready = await new Promise((resolve) => {
        worker.addEventListener("message", ({ data }) => resolve(data.ready === true), { once: true });
        worker.addEventListener("error", () => resolve(false), { once: true });
      });
      if (ready) this.worker = worker;
      else worker.terminate();
    } catch {
      // A browser without module workers: the page reads by itself.
    }
  }

  /**
   * @param {Named[]} files
   * @param {(done: number) => void} progress
   * @returns {Promise<any>} null where another job or `cancel` came between
   */
  async run(files, progress) {
    const job = ++this.job;
    const { worker } = this;
    if (!worker) {
      const answer = await diagnoseFiles(this.loaded.matcher, files, (done) => job === this.job && progress(done));
      return job === this.job ? answer : null;
    }
    return new Promise((resolve, reject) => {
      this.stop = () => resolve(null);
      worker.onmessage = ({ data }) => {
        if (data.job !== job) return;
        if ("done" in data) progress(data.done);
        else if ("error" in data) reject(new Error(data.error));
        else resolve(data.answer);
      };
      worker.postMessage({ job, files });
    });
  }

  /** Let nothing come of what is under way. */
  forget() {
    this.job++;
    this.stop?.();
  }

  /** Stop what is under way; a fresh worker takes the place of the busy one. */
  async cancel() {
    this.forget();
    if (!this.worker) return;
    this.worker.terminate();
    this.worker = undefined;
    await this.start();
  }
}

/**
 * Bring the page to life.
 * @param {HTMLElement} page
 */
export async function startDiagnose(page) {
  const form = /** @type {HTMLFormElement} */ (page.querySelector("form"));
  const area = /** @type {HTMLTextAreaElement} */ (form.querySelector("textarea"));
  const chooser = /** @type {HTMLInputElement} */ (form.querySelector("input[type=file]"));
  const sample = /** @type {HTMLSelectElement | null} */ (form.querySelector("select"));
  const clear = /** @type {HTMLButtonElement} */ (form.querySelector("button[type=reset]"));
  const work = /** @type {HTMLElement} */ (page.querySelector(".fb-work"));
  const bar = /** @type {HTMLProgressElement} */ (work.querySelector("progress"));
  const told = /** @type {HTMLElement} */ (page.querySelector("[data-told]"));
  const output = /** @type {HTMLElement} */ (page.querySelector(".fb-answer"));
  const logs = JSON.parse(page.dataset.samples || "{}");

  /** @type {Loaded} */
  let loaded;
  try {
    loaded = await load();
  } catch {
    area.placeholder = "The index could not be loaded. Check the connection and reload this page.";
    return;
  }
  const reader = new Reader(loaded);
  await reader.start();
  area.disabled = chooser.disabled = false;
  if (sample) sample.disabled = false;
  area.placeholder = "Paste one line, a traceback, or the whole log";

  /** @param {any} answer */
  const show = (answer) => {
    output.replaceChildren(...answerNodes(answer, loaded));
    told.textContent = verdictWords(answer, loaded.entries).title;
  };
  const empty = () => {
    output.replaceChildren();
    told.textContent = "";
  };

  /** @param {Named[]} files */
  const read = async (files) => {
    const total = files.reduce((sum, { file }) => sum + file.size, 0);
    const label = /** @type {HTMLElement} */ (work.querySelector("span"));
    label.textContent = files.length === 1 ? files[0].name : `${files.length} files`;
    bar.value = 0;
    bar.max = total || 1;
    // Short work needs no bar: it would flicker.
    const late = setTimeout(() => (work.hidden = false), 150);
    clear.hidden = false;
    try {
      const answer = await reader.run(files, (done) => (bar.value = done));
      if (answer) show(answer);
    } catch (error) {
      empty();
      const message = error instanceof Error ? error.message : String(error);
      output.append(element("p", { class: "fb-none" }, message));
      told.textContent = message;
    } finally {
      clearTimeout(late);
      work.hidden = true;
    }
  };

  /** @param {string} text */
  const typed = async (text) => {
    const answer = await diagnoseText(loaded.matcher, text);
    if (area.value === text) show(answer);
  };

  let frame = 0;
  const type = () => {
    frame = 0;
    const text = area.value;
    clear.hidden = !text;
    if (!text.trim()) return empty();
    if (text.length > MOST_AT_ONCE) return void read([{ name: PASTE, file: new Blob([text]) }]);
    reader.forget();
    typed(text);
  };
  area.addEventListener("input", () => {
    if (sample) sample.value = "";
    frame ||= requestAnimationFrame(type);
  });
  area.addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    if (text.length <= MOST_IN_AREA) return;
    event.preventDefault();
    read([{ name: PASTE, file: new Blob([text]) }]);
  });
  sample?.addEventListener("change", () => {
    area.value = logs[sample.value] ?? "";
    type();
  });

  /** @param {Named[]} files */
  const take = (files) => {
    if (!files.length) return;
    area.value = "";
    if (sample) sample.value = "";
    read(files);
  };
  chooser.addEventListener("change", () => {
    take([...(chooser.files ?? [])].map((file) => ({ name: file.webkitRelativePath || file.name, file })));
    chooser.value = "";
  });
  page.addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    form.classList.add("fb-paste--over");
  });
  page.addEventListener("dragleave", () => form.classList.remove("fb-paste--over"));
  page.addEventListener("drop", async (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    form.classList.remove("fb-paste--over");
    take(await droppedFiles(event.dataTransfer));
  });
  work.querySelector("button")?.addEventListener("click", async () => {
    work.hidden = true;
    told.textContent = "Cancelled";
    area.focus();
    await reader.cancel();
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => {
    clear.hidden = true;
    empty();
    area.focus();
  });

  output.addEventListener("click", async (event) => {
    const button = event.target instanceof Element ? event.target.closest("[data-copy-report]") : null;
    const markdown = output.querySelector("[data-report]")?.textContent;
    if (!button || !markdown) return;
    const done = await copyText(markdown);
    announce(done ? "Copied the report" : "Copying was refused");
    button.textContent = done ? "Copied" : "Copying was refused";
    setTimeout(() => (button.textContent = "Copy report"), SHOWN_MS);
  });

  try {
    const text = sessionStorage.getItem(HANDED_OVER);
    sessionStorage.removeItem(HANDED_OVER);
    if (text) area.value = text;
  } catch {
    // Storage is forbidden: nothing was handed over.
  }
  if (area.value) type();
}

/**
 * Files of a drop, folders looked into.
 * @param {DataTransfer} transfer
 * @returns {Promise<Named[]>}
 */
async function droppedFiles(transfer) {
  const roots = [...transfer.items].map((item) => item.webkitGetAsEntry?.()).filter((entry) => !!entry);
  if (!roots.length) return [...transfer.files].map((file) => ({ name: file.name, file }));
  /** @type {Named[]} */
  const found = [];
  /** @param {FileSystemEntry} entry */
  const walk = async (entry) => {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) =>
        /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject),
      );
      found.push({ name: entry.fullPath.replace(/^\//, ""), file });
      return;
    }
    const lister = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => lister.readEntries(resolve, reject));
      if (!some.length) return;
      for (const each of some) await walk(each);
    }
  };
  for (const root of roots) await walk(root);
  return found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

const ROLES = {
  initiator: "failed first",
  candidate: "found",
  collateral: "a consequence",
  context: "context",
};

/**
 * @param {any} finding
 * @param {Loaded} loaded
 * @returns {HTMLElement}
 */
function findingNode(finding, { entries }) {
  const entry = entries.get(finding.id);
  const href = entry && pageOf(entry);
  const place = [
    whoWords(finding),
    finding.printed_on !== null && finding.printed_on !== finding.rank ? `printed by rank ${finding.printed_on}` : "",
    finding.time,
    placeWords(finding),
  ];
  const around = finding.around ?? [[finding.line, finding.text]];
  const lines = element("pre", { class: "fb-lines", tabindex: "0", role: "group", "aria-label": `Lines around ${finding.line}` });
  for (const [number, text] of around) {
    lines.append(
      element(
        number === finding.line ? "mark" : "span",
        {},
        element("span", { class: "fb-lines__number", "aria-hidden": "true" }, String(number)),
        element("span", {}, text || " "),
      ),
    );
  }
  /** @type {Record<string, string>} */
  const roles = ROLES;
  return element(
    "li",
    { class: `fb-finding fb-finding--${finding.role}`, "data-id": finding.id },
    element(
      "p",
      { class: "fb-finding__head" },
      element("span", { class: "fb-role-word" }, roles[finding.role] ?? finding.role),
      element(href ? "a" : "span", { class: "fb-item__title", href }, entry?.title ?? finding.id),
      entry && severity(entry.severity),
      entry && element("span", { class: "fb-soft" }, entry.category),
    ),
    element("p", { class: "fb-finding__place" }, place.filter(Boolean).join(" · ")),
    lines,
    finding.why && element("p", { class: "fb-finding__why" }, finding.why),
  );
}

/**
 * @param {any} answer
 * @param {Loaded} loaded
 * @returns {HTMLElement[]}
 */
function answerNodes(answer, loaded) {
  const { entries, texts } = loaded;
  const words = verdictWords(answer, entries);
  const { scanned } = answer;
  const ranks = scanned.ranks.length;
  const read = [many(scanned.lines, "line"), scanned.files > 1 && many(scanned.files, "file"), ranks > 1 && many(ranks, "rank")];
  const nodes = [
    element(
      "section",
      { class: `fb-verdict fb-verdict--${answer.verdict}`, "aria-label": "Verdict" },
      element("p", { class: "fb-verdict__title" }, words.title),
      element("p", {}, words.lead, " ", element("span", { class: "fb-soft" }, `${read.filter(Boolean).join(", ")} read.`)),
      ...answer.first.map((/** @type {any} */ one) =>
        element(
          "p",
          { class: "fb-first" },
          element("strong", {}, whoWords(one) || "first"),
          ` ${one.certainty}: `,
          one.why.replace(ABOUT, ""),
        ),
      ),
    ),
  ];
  /** @param {string} title @param {...(HTMLElement | null | undefined | false | "")} children */
  const section = (title, ...children) =>
    nodes.push(element("section", { class: "fb-answer__part", "aria-label": title }, element("h2", {}, title), ...children));

  const rows = suggestionRows(answer, entries);
  const candidates = rows.filter((row) => row.grade === "candidate");
  const guesses = rows.filter((row) => row.grade === "guess");
  if (!answer.findings.length && !candidates.length && answer.verdict !== "healthy") nodes.push(noneMatches());

  if (answer.next) {
    const about = entries.get(answer.next.id)?.title ?? answer.next.id;
    section(
      "Next step",
      element("p", {}, element("span", { class: "fb-label" }, `Confirm ${about}`), element("br"), prose(answer.next.step)),
      answer.next.run && command(answer.next.run, "confirming command"),
    );
  }
  const fix = answer.findings.length ? texts[answer.findings[0].id]?.fix : undefined;
  if (fix) {
    section("Fix, once confirmed", element("p", {}, prose(fix.step)), fix.run && command(fix.run, "fix command"));
  }
  if (answer.findings.length) {
    section(
      "Findings",
      element("ol", { class: "fb-findings" }, ...answer.findings.map((/** @type {any} */ one) => findingNode(one, loaded))),
    );
  }
  if (answer.missing.length) {
    section(
      "Missing",
      element(
        "ul",
        { class: "fb-missing" },
        ...answer.missing.map((/** @type {any} */ one, /** @type {number} */ at) =>
          element(
            "li",
            {},
            element("strong", {}, one.what),
            element("br"),
            prose(one.why),
            one.run && command(one.run, `command ${at + 1} that fetches it`),
          ),
        ),
      ),
    );
  }
  if (candidates.length) section("Candidates", element("ul", { class: "fb-list" }, ...candidates.map(hit)));
  if (guesses.length && answer.findings.length) {
    nodes.push(
      element(
        "details",
        { class: "fb-masked" },
        element("summary", {}, "Further guesses, by words alone"),
        element("ul", { class: "fb-list" }, ...guesses.map(hit)),
      ),
    );
  } else if (guesses.length) {
    section(
      "Guesses",
      element("p", { class: "fb-soft" }, "Nearest by their words; nothing that they print was found."),
      element("ul", { class: "fb-list" }, ...guesses.map(hit)),
    );
  }
  const { markdown, masked } = reportOf(answer, loaded);
  section(
    "Report",
    element(
      "p",
      {},
      element("button", { type: "button", class: "fb-button", "data-copy-report": true }, "Copy report"),
      element(
        "span",
        { class: "fb-soft" },
        masked.length
          ? ` Markdown; ${many(masked.length, "value")} masked.`
          : " Markdown; nothing in it looks like a secret, user, host, address or path.",
      ),
    ),
    masked.length > 0 &&
      element(
        "details",
        { class: "fb-masked" },
        element("summary", {}, "What was masked"),
        element(
          "table",
          {},
          element("thead", {}, element("tr", {}, ...["What", "In the log", "In the report"].map((name) => element("th", { scope: "col" }, name)))),
          element(
            "tbody",
            {},
            ...masked.map(({ kind, from, to }) =>
              element("tr", {}, element("td", {}, kind), element("td", {}, element("code", {}, from.slice(0, 200))), element("td", {}, element("code", {}, to))),
            ),
          ),
        ),
      ),
    element(
      "details",
      { class: "fb-masked" },
      element("summary", {}, "Preview"),
      element("pre", { class: "fb-preview", tabindex: "0", role: "group", "aria-label": "Report" }, element("span", { "data-report": true }, markdown)),
    ),
  );
  return nodes;
}
