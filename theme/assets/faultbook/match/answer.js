// @ts-check
/** Everything that was gathered to the answer: findings, suggestions, what is missing. */

import { fill } from "./commands.js";
import { placeOf } from "./matcher.js";
import { isFaint } from "./ranking.js";
import { isKnown, keyOf, Origins, sightsOf, subjectOf } from "./sights.js";
import { number, obtain } from "./text.js";
import { shown } from "./times.js";
import { firstFailed, signalOf, viewsOf, who } from "./verdict.js";

/** Version of the answer's shape. */
const SCHEMA = 1;
/** Kinds of sights that speak of a failure. */
const TROUBLE = ["host-cause", "initiating", "consequence", "exception", "own", "killed"];
const MOST_FINDINGS = 200;
const MOST_SUGGESTIONS = 10;
const MOST_GUESSES = 5;
/** A guess has at least this part of the best score. */
const LEAST_SHARE = 5;

/** @typedef {import("./events.js").Event} Event */
/** @typedef {import("./matcher.js").Matcher} Matcher */
/** @typedef {import("./ranking.js").Standing} Standing */
/** @typedef {import("./sights.js").Sight} Sight */
/** @typedef {import("./verdict.js").First} First */
/** @typedef {import("./verdict.js").Scene} Scene */
/** @typedef {"initiator" | "candidates" | "collateral-only" | "not-enough-evidence" | "unknown" | "healthy"} Verdict */
/**
 * @typedef {object} Finding a certain match
 * @property {string} id
 * @property {"initiator" | "candidate" | "collateral"} role
 * @property {number | null} rank whom the text is about
 * @property {number | null} printed_on
 * @property {string | null} node
 * @property {string | null} time
 * @property {string} file
 * @property {number} line
 * @property {string} text
 * @property {string} signature
 * @property {Record<string, string>} captures
 * @property {string} why
 */
/** @typedef {{id: string, score: number, matched: boolean, line: number | null, text: string | null, why: string}} Suggestion */
/** @typedef {{what: string, why: string, run: string}} Missing */
/**
 * @typedef {object} Report
 * @property {number} schema
 * @property {string} input
 * @property {Verdict} verdict
 * @property {Finding[]} findings
 * @property {First[]} first
 * @property {Suggestion[]} suggestions
 * @property {Missing[]} missing
 * @property {{id: string, step: string, run: string, fix?: {step: string, run: string}} | null} next
 * @property {{files: number, lines: number, bytes: number, ranks: number[]}} scanned
 */
/**
 * @typedef {object} Gathered what reading and matching found out
 * @property {string} name
 * @property {string[]} files
 * @property {Record<string, string>[]} origins
 * @property {Event[]} events
 * @property {import("./events.js").ExceptionLine[]} exceptions
 * @property {Standing[]} standings
 * @property {string[][]} tails
 * @property {number} lines
 * @property {number} bytes
 * @property {Set<number>} ranks
 * @property {boolean} oneNode
 * @property {boolean} whole all of it is one short text
 */

/** @param {Gathered} gathered @param {Matcher} matcher @returns {Report} */
export function answer(gathered, matcher) {
  const origins = new Origins(gathered.origins, matcher, gathered.oneNode);
  const clear = gathered.events.filter(
    (event) => event.pattern >= matcher.signalStart || !isFaint(event, gathered.whole),
  );
  const sights = sightsOf(clear, gathered.exceptions, origins, matcher);
  const ranks = new Set(gathered.ranks);
  for (const { printedOn } of sights) if (printedOn !== null) ranks.add(printedOn);
  const speaks = gathered.whole || sights.some((sight) => TROUBLE.includes(sight.kind));
  const named = speaks ? namedRanks(gathered, matcher) : [];
  /** @type {Scene} */
  const scene = { sights, ranks, views: viewsOf(sights), matcher, named };
  const first = firstFailed(scene);
  const findings = findingsOf(gathered, sights, first, matcher);
  const suggestions = suggestionsOf(gathered, matcher);
  const verdict = verdictOf(gathered, findings, suggestions, first, scene);
  return {
    schema: SCHEMA,
    input: gathered.name,
    verdict,
    findings,
    first,
    suggestions,
    missing: missingOf(scene, first),
    next: nextOf(gathered, findings, suggestions, matcher),
    scanned: {
      files: gathered.files.length,
      lines: gathered.lines,
      bytes: gathered.bytes,
      ranks: [...ranks].sort((one, other) => one - other),
    },
  };
}

/**
 * A signature as a contributor writes it.
 * @param {import("./patterns.js").PatternRecord} record
 * @returns {string}
 */
export function templateText(record) {
  return record.parts
    .map((part) => (typeof part === "string" ? part.replaceAll("<", "\\<") : `<${part.join(":")}>`))
    .join("");
}

/** The ranks that the last lines and all events name anywhere. @param {Gathered} gathered @param {Matcher} matcher */
function namedRanks(gathered, matcher) {
  const expression = new RegExp(matcher.knowledge.named_rank, "g");
  /** @type {Set<number>} */
  const ranks = new Set();
  for (const text of [...gathered.tails.flat(), ...gathered.events.map((event) => event.text)]) {
    for (const found of text.matchAll(expression)) {
      const rank = number(found[1]);
      if (rank !== null) ranks.add(rank);
    }
  }
  return [...ranks];
}

// --- findings ---------------------------------------------------------------

/**
 * @param {Gathered} gathered
 * @param {Sight[]} sights
 * @param {First[]} first
 * @param {Matcher} matcher
 * @returns {Finding[]}
 */
function findingsOf(gathered, sights, first, matcher) {
  /** @type {Map<number, Sight[]>} */
  const byEntry = new Map();
  for (const sight of sights) {
    if (sight.entry !== null && sight.certain) obtain(byEntry, sight.entry, () => /** @type {Sight[]} */ ([])).push(sight);
  }
  const named = namesOf(first);
  return gathered.standings
    .filter((standing) => standing.certain)
    .flatMap((standing) => ofEntry(standing, byEntry.get(standing.entry) ?? [], gathered, named, matcher))
    .slice(0, MOST_FINDINGS);
}

/**
 * The best sight of each subject.
 * @param {Standing} standing
 * @param {Sight[]} sights
 * @param {Gathered} gathered
 * @param {Set<string>} named subjects that failed first for certain
 * @param {Matcher} matcher
 * @returns {Finding[]}
 */
function ofEntry(standing, sights, gathered, named, matcher) {
  const sizeOf = (/** @type {Sight} */ sight) => (sight.event ? matcher.patterns[sight.event.pattern].size : 0);
  /** @type {Map<string, Sight>} */
  const best = new Map();
  for (const sight of sights) {
    const key = keyOf(subjectOf(sight));
    const held = best.get(key);
    if (held === undefined || sizeOf(sight) > sizeOf(held)) best.set(key, sight);
  }
  const ordered = [...best].sort(
    ([key, one], [otherKey, other]) =>
      Number(named.has(otherKey)) - Number(named.has(key)) || one.file - other.file || one.line - other.line,
  );
  return ordered.map(([key, sight]) => {
    const event = /** @type {Event} */ (sight.event);
    const record = matcher.index.signatures[event.pattern];
    return {
      id: matcher.index.entries[standing.entry].id,
      role: roleOf(standing, sight, named.has(key)),
      rank: sight.rank,
      printed_on: sight.printedOn,
      node: sight.node,
      time: shown(event.fields),
      file: gathered.files[event.file],
      line: event.line,
      text: event.text,
      signature: templateText(record),
      captures: event.captures,
      why: whyOf(standing, event, record, matcher),
    };
  });
}

/** @param {First[]} first @returns {Set<string>} */
function namesOf(first) {
  /** @type {Set<string>} */
  const names = new Set();
  for (const { rank, node, certainty } of first) {
    if (certainty !== "certain") continue;
    for (const subject of [{ rank, node: null }, { rank: null, node }]) {
      if (isKnown(subject)) names.add(keyOf(subject));
    }
  }
  return names;
}

/** @param {Standing} standing @param {Sight} sight @param {boolean} isFirst @returns {Finding["role"]} */
function roleOf(standing, sight, isFirst) {
  if (standing.explainedBy !== null || sight.kind === "consequence") return "collateral";
  return isFirst ? "initiator" : "candidate";
}

/** @param {Standing} standing @param {Event} event @param {any} record @param {Matcher} matcher @returns {string} */
function whyOf(standing, event, record, matcher) {
  const reasons = [];
  if (event.reasons.length) {
    const note = record.note === undefined ? "" : `. ${record.note}`;
    reasons.push(`its condition holds: ${event.reasons.join(" and ")}${note}`);
  } else if (record.with !== undefined) {
    const company = templateText(matcher.index.withs[record.with]);
    reasons.push(`shared text, decided by company: '${company}' stands in the same incident`);
  } else {
    reasons.push("this text alone points here");
  }
  if (standing.explainedBy !== null) reasons.push(explained(standing.explainedBy, matcher));
  return reasons.join("; ");
}

/** @param {number} by @param {Matcher} matcher @returns {string} */
const explained = (by, matcher) => `explained by ${matcher.index.entries[by].id}, which leads to it`;

// --- suggestions ------------------------------------------------------------

/** @param {Gathered} gathered @param {Matcher} matcher @returns {Suggestion[]} */
function suggestionsOf(gathered, matcher) {
  const { entries } = matcher.index;
  // Beside what was really printed a faint guess only distracts.
  const best = gathered.standings.reduce((high, { score }) => Math.max(high, score), 0);
  const least = Math.max(matcher.knowledge.weights.least_guess, Math.floor(best / LEAST_SHARE));
  const rest = gathered.standings.filter((standing) => !standing.certain);
  const matched = rest.filter((one) => one.matched).slice(0, MOST_SUGGESTIONS);
  const guesses = rest.filter((one) => !one.matched && one.score >= least).slice(0, MOST_GUESSES);
  return [...matched, ...guesses].map((standing) => ({
    id: entries[standing.entry].id,
    score: standing.score,
    matched: standing.matched,
    line: standing.matched ? standing.best?.line ?? null : null,
    text: standing.matched ? standing.best?.text ?? null : null,
    why: standing.matched
      ? sharedWith(standing, gathered.standings, matcher)
      : "a guess by its words: no text of this entry was printed",
  }));
}

/**
 * Says what else prints the same text, and what would decide.
 * @param {Standing} standing
 * @param {Standing[]} others
 * @param {Matcher} matcher
 * @returns {string}
 */
function sharedWith(standing, others, matcher) {
  if (standing.explainedBy !== null) return explained(standing.explainedBy, matcher);
  let why = "its text is shared with other failures";
  const event = standing.best;
  if (event === null) return why;
  const place = placeOf(event.file, event.line);
  const same = others
    .filter((other) => other.matched && other !== standing)
    .filter((other) => other.events.some((one) => placeOf(one.file, one.line) === place))
    .map((other) => matcher.index.entries[other.entry].id);
  if (same.length) why += `, here with ${same.slice(0, 4).join(", ")}`;
  const record = matcher.index.signatures[event.pattern];
  if (record.with !== undefined) {
    const company = templateText(matcher.index.withs[record.with]);
    why += `; '${company}' in the same incident would decide for it`;
  }
  return why;
}

// --- verdict ----------------------------------------------------------------

/**
 * @param {Gathered} gathered
 * @param {Finding[]} findings
 * @param {Suggestion[]} suggestions
 * @param {First[]} first
 * @param {Scene} scene
 * @returns {Verdict}
 */
function verdictOf(gathered, findings, suggestions, first, scene) {
  if (first.some((one) => one.certainty === "certain")) return "initiator";
  if (first.length) return "candidates";
  if (findings.length) {
    if (findings.every((finding) => finding.role === "collateral")) return "collateral-only";
    // Where nothing speaks of other ranks, the process's own failure is the first.
    return scene.ranks.size > 1 || scene.views.size > 0 ? "not-enough-evidence" : "initiator";
  }
  if (suggestions.some((suggestion) => suggestion.matched)) return "candidates";
  if (scene.views.size) return "not-enough-evidence";
  if (gathered.exceptions.length) return "unknown";
  /** @type {RegExp[]} */
  const endings = scene.matcher.knowledge.endings.map((/** @type {string} */ text) => new RegExp(text));
  const ended = gathered.tails.some((tail) => tail.some((line) => endings.some((ending) => ending.test(line))));
  return ended ? "healthy" : "unknown";
}

/** @param {Scene} scene @param {First[]} first @returns {Missing[]} */
function missingOf(scene, first) {
  const { matcher, sights } = scene;
  /** @type {[string, string][]} */
  const wanted = [];
  if (scene.views.size && !first.some((one) => one.certainty === "certain")) {
    const suspects = first.map((one) => who(one.rank, one.node));
    const silent = suspects.filter((_, at) => {
      const { rank } = first[at];
      return rank === null || !scene.ranks.has(rank);
    });
    wanted.push(["other-ranks", (silent.length ? silent : suspects).join(", ") || "the ranks that are not here"]);
    if (sights.some(isTimeout)) wanted.push(["stacks", ""]);
  }
  const killed = sights.find((sight) => signalOf(sight, matcher) === 9);
  const isCause = (/** @type {Sight} */ sight) =>
    sight.kind === "host-cause" && sight.certain && sight.event !== killed?.event;
  if (killed && !sights.some(isCause)) wanted.push(["kernel-log", who(killed.rank, killed.node)]);
  const launched = sights.some(({ kind }) => kind.startsWith("exited") || kind.startsWith("first-observed"));
  if (launched && !sights.some(({ kind }) => kind === "exception" || kind === "initiating")) {
    wanted.push(["traceback", ""]);
  }
  return wanted.map(([key, about]) => {
    const { what, why, run } = matcher.knowledge.missing[key];
    return { what: what.replaceAll("{who}", () => about), why, run };
  });
}

/** @param {Sight} sight @returns {boolean} */
function isTimeout({ kind, event }) {
  if (kind !== "consequence" || event === null) return false;
  return event.captures.ran_ms !== undefined || event.captures.last_enqueued !== undefined;
}

// --- next -------------------------------------------------------------------

/**
 * How to confirm and to fix the best answer that has a text for it.
 * @param {Gathered} gathered
 * @param {Finding[]} findings
 * @param {Suggestion[]} suggestions
 * @param {Matcher} matcher
 * @returns {Report["next"]}
 */
function nextOf(gathered, findings, suggestions, matcher) {
  const { texts } = matcher.index;
  for (const { id } of [...findings, ...suggestions.filter((one) => one.matched)]) {
    const { confirm, fix } = Object.hasOwn(texts, id) ? texts[id] : {};
    if (!confirm) continue;
    const values = valuesOf(id, gathered, findings, matcher);
    const next = { id, step: confirm.step, run: fill(confirm.run, values) };
    return fix ? { ...next, fix: { step: fix.step, run: fill(fix.run, values) } } : next;
  }
  return null;
}

/**
 * What the log says for the variables of an entry's commands. What is said twice counts as it was
 * said first, in the findings before other lines.
 * @param {string} id
 * @param {Gathered} gathered
 * @param {Finding[]} findings
 * @param {Matcher} matcher
 * @returns {Map<string, string>}
 */
function valuesOf(id, gathered, findings, matcher) {
  /** @type {Map<string, string>} */
  const values = new Map();
  const add = (/** @type {Record<string, string | null>} */ said) => {
    for (const [name, value] of Object.entries(said)) {
      if (value && !values.has(name)) values.set(name, value);
    }
  };
  for (const finding of findings) {
    if (finding.id !== id) continue;
    add(finding.captures);
    add({ rank: finding.rank === null ? null : String(finding.rank), node: finding.node, log: finding.file });
  }
  for (const { entry, best, events } of gathered.standings) {
    if (matcher.index.entries[entry].id !== id) continue;
    for (const event of best ? [best, ...events] : events) {
      add({ ...event.fields, ...event.captures, log: gathered.files[event.file] });
    }
  }
  return values;
}
