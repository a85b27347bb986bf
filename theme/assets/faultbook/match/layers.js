// @ts-check
/**
 * The layers of an answer as plain data, by which two matchers are compared: the first layer in
 * which they differ is the one that is wrong.
 */

import { answer } from "./answer.js";

/** Places of the ranking that are compared. */
const PLACES = 20;

/** @typedef {import("./matcher.js").Matcher} Matcher */

/**
 * @param {import("./answer.js").Gathered} gathered
 * @param {Matcher} matcher
 */
export function layersOf(gathered, matcher) {
  const idOf = (/** @type {number} */ entry) => matcher.index.entries[entry].id;
  return {
    events: gathered.events.map((event) => eventData(event, matcher)),
    exceptions: gathered.exceptions.map(({ file, line, text }) => ({ file, line, text })),
    ranking: gathered.standings.slice(0, PLACES).map((one) => ({
      id: idOf(one.entry),
      score: one.score,
      template: one.template,
      words: one.words,
      coverage: one.coverage,
      certain: one.certain,
      matched: one.matched,
      explained_by: one.explainedBy === null ? null : idOf(one.explainedBy),
    })),
    report: answer(gathered, matcher),
  };
}

/** @param {import("./events.js").Event} event @param {Matcher} matcher */
function eventData(event, matcher) {
  const { file, line, segment, pattern, captures, fields, count } = event;
  /** @type {Record<string, unknown>} */
  const data = { file, line, segment, captures, fields, count };
  if (pattern >= matcher.signalStart) {
    data.signal = pattern - matcher.signalStart;
  } else {
    const { entry } = matcher.index.signatures[pattern];
    Object.assign(data, { signature: pattern, id: matcher.index.entries[entry].id, certain: event.certain });
  }
  if (event.cut) data.cut = event.cut;
  if (event.failed) data.failed = true;
  if (event.reasons.length) data.reasons = event.reasons;
  if (event.lines > 1) data.lines = event.lines;
  return data;
}
