// @ts-check
/** Ranking: which entries a text is about, by templates first and words second; all integers. */

import { TELLING } from "./islands.js";
import { ORDINARY, placeOf } from "./matcher.js";
import { obtain, wordsOf } from "./text.js";

/** @typedef {import("./events.js").Event} Event */
/** @typedef {import("./islands.js").Message} Message */
/** @typedef {import("./matcher.js").Matcher} Matcher */
/**
 * @typedef {object} Standing how one entry stands for a text
 * @property {number} entry
 * @property {number} score
 * @property {number} words
 * @property {number} coverage
 * @property {number} template
 * @property {Event | null} best
 * @property {boolean} certain
 * @property {boolean} matched
 * @property {Event[]} events
 * @property {number | null} explainedBy
 */

/**
 * Ranks all entries that have anything to do with a text, best first.
 * @param {Event[]} events
 * @param {Message[][]} islands an entry counts by its best one
 * @param {Matcher} matcher
 * @param {boolean} whole the only island is a whole input that a person chose
 * @returns {Standing[]}
 */
export function rank(events, islands, matcher, whole) {
  const weights = matcher.knowledge.weights.ranking;
  /** @type {Map<number, Standing>} */
  const standings = new Map();
  for (const island of islands) addWords(queryWords(island, matcher, whole), standings, matcher);
  const told = new Set(islands.flat().map((message) => placeOf(message.file, message.line)));
  addTemplates(events, told, standings, matcher, whole);
  const all = [...standings.values()];
  for (const held of all) {
    held.score =
      held.template +
      Math.floor((held.words * weights.words) / 100) +
      Math.floor((held.coverage * weights.coverage) / 100);
  }
  explain(all, matcher);
  const isExplained = (/** @type {Standing} */ held) => Number(held.certain && held.explainedBy !== null);
  return all.sort(
    (one, other) =>
      Number(other.certain) - Number(one.certain) || isExplained(one) - isExplained(other) ||
      other.score - one.score || one.entry - other.entry,
  );
}

/** @param {Map<number, Standing>} standings @param {number} entry @returns {Standing} */
function standingOf(standings, entry) {
  return obtain(standings, entry, () => ({
    entry, score: 0, words: 0, coverage: 0, template: 0, best: null,
    certain: false, matched: false, events: [], explainedBy: null,
  }));
}

/**
 * The words of an island with the weight of the weightiest line of each. Amid a long log ordinary
 * lines weigh less (what stands around a telling line is often another rank's), and the words of
 * healthy runs weigh a third.
 * @param {Message[]} island
 * @param {Matcher} matcher
 * @param {boolean} whole
 * @returns {Map<string, number>}
 */
function queryWords(island, matcher, whole) {
  /** @type {Map<string, number>} */
  const weights = new Map();
  for (const message of island) {
    const weight = message.weight === ORDINARY && !whole ? ORDINARY - 1 : message.weight;
    if (!weight) continue;
    for (const word of wordsOf(message.text)) {
      if ((weights.get(word) ?? 0) < weight) weights.set(word, weight);
    }
  }
  if (whole) return weights;
  for (const [word, weight] of weights) {
    if (!matcher.background.has(word)) continue;
    const fair = Math.floor(weight / 3);
    if (fair) weights.set(word, fair);
    else weights.delete(word);
  }
  return weights;
}

/**
 * Adds impacts of words, and how much of any one signature they cover.
 * @param {Map<string, number>} words
 * @param {Map<number, Standing>} standings
 * @param {Matcher} matcher
 */
function addWords(words, standings, matcher) {
  /** @type {Map<number, number>} */
  const impacts = new Map();
  /** @type {Map<number, number>} */
  const have = new Map();
  for (const [word, weight] of words) {
    const row = matcher.term(word);
    if (row === undefined) continue;
    // Entries are written as steps from one to the next.
    let entry = 0;
    for (let at = 1; at < row.length; at += 2) {
      entry += row[at];
      impacts.set(entry, (impacts.get(entry) ?? 0) + row[at + 1] * weight);
    }
    for (const signature of matcher.holders.get(word) ?? []) {
      have.set(signature, (have.get(signature) ?? 0) + row[0]);
    }
  }
  /** @type {Map<number, number>} */
  const covers = new Map();
  const { slack } = matcher.knowledge.weights.ranking;
  for (const [signature, found] of have) {
    const { entry } = matcher.index.signatures[signature];
    const covered = Math.floor((found * found) / (matcher.rarity[signature] + slack));
    covers.set(entry, Math.max(covers.get(entry) ?? 0, covered));
  }
  for (const [entry, impact] of impacts) {
    const held = standingOf(standings, entry);
    held.words = Math.max(held.words, impact);
    held.coverage = Math.max(held.coverage, covers.get(entry) ?? 0);
  }
}

/**
 * @param {Event[]} events
 * @param {Set<number>} told places of the lines whose words count
 * @param {Map<number, Standing>} standings
 * @param {Matcher} matcher
 * @param {boolean} whole
 */
function addTemplates(events, told, standings, matcher, whole) {
  const weights = matcher.knowledge.weights.ranking;
  const least = leastWeight(events, told, matcher, whole);
  for (const event of events) {
    if (event.pattern >= matcher.withStart) continue;
    const record = matcher.index.signatures[event.pattern];
    const held = standingOf(standings, record.entry);
    held.events.push(event);
    const isContext = record.role === "context";
    let { size } = weights;
    let value;
    if (!isContext && counts(event, told, least)) {
      value = event.certain ? weights.certain : weights.shared;
      held.matched = true;
    } else {
      // What decides nothing is only a hint, however long it is.
      value = isContext ? weights.context : weights.failed;
      size = Math.floor(size / 3);
    }
    if (event.reasons.length) value += weights.condition;
    value += size * Math.min(matcher.sizeOf(event.pattern, event.cut), weights.size_cap);
    if (value > held.template) {
      held.template = value;
      held.best = event;
    }
    held.certain ||= event.certain;
  }
}

/**
 * Whether a text makes its entry at least a candidate.
 * @param {Event} event
 * @param {Set<number>} told
 * @param {number} least
 * @returns {boolean}
 */
function counts(event, told, least) {
  if (event.failed || event.certain) return !event.failed;
  if (event.weight >= TELLING) return told.has(placeOf(event.file, event.line));
  return event.weight >= least;
}

/**
 * How much a line must tell for a shared text in it to count. Healthy runs print shared texts, too:
 * in a long log ordinary lines count only where nothing else does.
 * @param {Event[]} events
 * @param {Set<number>} told
 * @param {Matcher} matcher
 * @param {boolean} whole
 * @returns {number}
 */
function leastWeight(events, told, matcher, whole) {
  if (whole) return 0;
  const clear = events.some(
    (event) =>
      event.pattern < matcher.withStart &&
      matcher.index.signatures[event.pattern].role !== "context" &&
      counts(event, told, TELLING),
  );
  return clear ? TELLING : ORDINARY;
}

/**
 * Whether a shared text stands in a line of a long log that tells of no trouble.
 * @param {Event} event
 * @param {boolean} whole
 * @returns {boolean}
 */
export const isFaint = (event, whole) => !(whole || event.certain || event.weight >= TELLING);

/**
 * Lets what a failure leads to stand behind it, where both are printed.
 * @param {Standing[]} standings
 * @param {Matcher} matcher
 */
function explain(standings, matcher) {
  const matched = standings.filter((held) => held.matched);
  const roots = new Map(
    matched.map((held) => [held, matched.filter((other) => other !== held && explains(other, held, matcher))]),
  );
  const rootsOf = (/** @type {Standing} */ held) => roots.get(held) ?? [];
  for (const held of matched) {
    // What is itself explained explains nothing; its own root does.
    const firm = rootsOf(held).filter((root) => rootsOf(root).length === 0);
    if (!firm.length) continue;
    const root = firm.reduce((best, one) => (isBefore(one, best) ? one : best));
    held.explainedBy = root.entry;
    // Beside a mere candidate it would hide what should be read first.
    held.certain = held.certain && root.certain;
    held.score = Math.min(held.score, root.score - 1);
  }
}

/** @param {Standing} one @param {Standing} other @returns {boolean} */
function isBefore(one, other) {
  if (one.certain !== other.certain) return one.certain;
  return one.score !== other.score ? one.score > other.score : one.entry < other.entry;
}

/** @param {Standing} root @param {Standing} report @param {Matcher} matcher @returns {boolean} */
function explains(root, report, matcher) {
  const [one, other] = [matcher.isConsequence(root.entry), matcher.isConsequence(report.entry)];
  if (one && !other) return false;
  if (!matcher.leadsTo[root.entry].has(report.entry) && !(other && !one)) return false;
  if (matcher.leadsTo[report.entry].has(root.entry)) return false;
  // The same text cannot be both the cause and its echo.
  const echoes = new Set(report.events.map((event) => placeOf(event.file, event.line)));
  return root.events.some(
    (event) =>
      !event.failed &&
      !["context", "consequence"].includes(matcher.index.signatures[event.pattern].role) &&
      !echoes.has(placeOf(event.file, event.line)),
  );
}
