// @ts-check
/**
 * The matcher for the browser: the same answers as the command's, from the same index. It makes
 * no request and keeps nothing. `Incident` is for a Worker that reads large files in blocks.
 */

import { Incident } from "./incident.js";
import { layersOf } from "./layers.js";
import { Matcher } from "./matcher.js";
import { encode } from "./text.js";

export { CHUNK_BYTES } from "./read.js";

/** Version of the index that this code reads. */
const VERSION = 2;

/** @typedef {import("./answer.js").Report} Report */
/**
 * @typedef {object} Result one entry that a text is about
 * @property {string} id
 * @property {string} title
 * @property {string} category
 * @property {string} severity
 * @property {"certain" | "candidate" | "guess"} grade
 * @property {number | null} line
 * @property {string | null} text what was printed
 * @property {string} why
 */

/**
 * Prepares an index.
 * @param {any} index as `/api/v1/signatures.json` holds it; with the `texts` of `/api/v1/texts.json`
 *   answers say how to confirm and to fix
 * @throws {RangeError} it is of another version
 */
export function makeMatcher(index) {
  if (index?.schema !== VERSION) throw new RangeError(`this is no index of version ${VERSION}`);
  const matcher = new Matcher(index);
  /** @type {Map<string, any>} */
  const entries = new Map(index.entries.map((/** @type {any} */ entry) => [entry.id, entry]));

  /** An incident of several or large files: `file(name)`, its `push` and `end`, then `answer(name)`. */
  const incident = () => new Incident(matcher);

  /** @param {string} text @param {string} name @returns {Incident} */
  const pasted = (text, name) => {
    const whole = incident();
    const file = whole.file(name);
    file.push(encode(text)); // a lone surrogate becomes U+FFFD
    file.end();
    return whole;
  };

  /**
   * Diagnoses a paste.
   * @param {string} text
   * @param {{name?: string}} [options] what the answer calls the input
   * @returns {Report}
   */
  const diagnose = (text, { name = "-" } = {}) => pasted(text, name).answer(name);

  /** The layers of an answer, for tests. @param {string} text @param {string} name */
  const layers = (text, name = "-") => layersOf(pasted(text, name).gather(name), matcher);

  /**
   * Finds entries by words, an error line or a traceback.
   * @param {string} text
   * @returns {Result[]} best first
   */
  const search = (text) => {
    const report = diagnose(text, { name: "search" });
    /** @type {Map<string, Result>} */
    const found = new Map();
    /** @param {import("./answer.js").Finding | import("./answer.js").Suggestion} one @param {Result["grade"]} grade */
    const add = (one, grade) => {
      if (found.has(one.id)) return;
      const { id, title, category, severity } = entries.get(one.id);
      found.set(id, { id, title, category, severity, grade, line: one.line, text: one.text, why: one.why });
    };
    for (const finding of report.findings) add(finding, "certain");
    for (const suggestion of report.suggestions) add(suggestion, suggestion.matched ? "candidate" : "guess");
    return [...found.values()];
  };

  return { diagnose, search, incident, layers };
}
