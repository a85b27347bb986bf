// @ts-check
/** Answers of the matcher as rows, and rows as a page shows them. */

import { element, severity } from "./dom.js";
import { ROOT, pageOf } from "./loading.js";
import { sentence } from "./verdict-words.js";

/** @typedef {"certain" | "candidate" | "guess"} Grade */
/**
 * @typedef {object} Row one entry that was found
 * @property {import("./loading.js").IndexEntry} entry
 * @property {Grade} grade
 * @property {number | null} line
 * @property {string | null} text what matched
 * @property {string} why
 */

/** @type {Record<Grade, {title: string, lead: string, one: string, many: string}>} */
const GROUPS = {
  certain: { title: "Certain", lead: "the printed text points to this failure", one: "certain", many: "certain" },
  candidate: { title: "Candidates", lead: "the text matches, but other failures print it too", one: "candidate", many: "candidates" },
  guess: { title: "Guesses", lead: "nearest by their words; nothing that they print was found", one: "guess", many: "guesses" },
};

/**
 * @param {import("./match/main.js").Result[]} results of `search`, best first
 * @param {Map<string, import("./loading.js").IndexEntry>} entries
 * @returns {Row[]}
 */
export function rowsOf(results, entries) {
  return results.flatMap(({ id, grade, line, text, why }) => {
    const entry = entries.get(id);
    return entry ? [{ entry, grade, line, text, why }] : [];
  });
}

/**
 * What an answer suggests beside its findings.
 * @param {import("./match/main.js").Report} answer
 * @param {Map<string, import("./loading.js").IndexEntry>} entries
 * @returns {Row[]}
 */
export function suggestionRows(answer, entries) {
  return answer.suggestions.flatMap(({ id, matched, line, text, why }) => {
    const entry = entries.get(id);
    /** @type {Grade} */
    const grade = matched ? "candidate" : "guess";
    return entry ? [{ entry, grade, line, text, why }] : [];
  });
}

/**
 * @param {Row} row
 * @returns {HTMLElement}
 */
export function hit(row) {
  const { entry, text, why, line } = row;
  const href = pageOf(entry);
  return element(
    "li",
    { class: "fb-item" },
    element(href ? "a" : "span", { class: "fb-item__title", href }, entry.title),
    element("span", { class: "fb-item__facts" }, severity(entry.severity), element("span", {}, entry.category)),
    text && element("code", { class: "fb-hit__text" }, line && line > 1 ? element("span", { class: "fb-hit__line" }, `${line} `) : null, text.trim().slice(0, 400)),
    row.grade !== "guess" && why && element("span", { class: "fb-item__summary" }, sentence(why)),
  );
}

/** @returns {HTMLElement} */
export function noneMatches() {
  return element(
    "p",
    { class: "fb-none" },
    "Once you know why it failed, ",
    element("a", { href: new URL("contribute/", ROOT).href }, "contribute an entry"),
    ", so that the next person finds it.",
  );
}

/**
 * @param {Row[]} rows
 * @returns {{nodes: HTMLElement[], words: string}} groups, and how many there are in words
 */
export function hitGroups(rows) {
  const nodes = [];
  const words = [];
  if (!rows.some((row) => row.grade !== "guess")) {
    words.push("No entry matches this text");
  }
  for (const grade of /** @type {Grade[]} */ (["certain", "candidate", "guess"])) {
    const group = GROUPS[grade];
    const some = rows.filter((row) => row.grade === grade);
    if (!some.length) continue;
    words.push(`${some.length} ${some.length === 1 ? group.one : group.many}`);
    nodes.push(
      element(
        "section",
        { class: `fb-hits fb-hits--${grade}`, "aria-label": group.title },
        element("p", { class: "fb-hits__title" }, element("strong", {}, group.title), ` ${group.lead}`),
        element("ul", { class: "fb-list" }, ...some.map(hit)),
      ),
    );
  }
  if (!rows.some((row) => row.grade !== "guess")) nodes.push(noneMatches());
  return { nodes, words: words.join(", ") };
}
