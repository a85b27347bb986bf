// @ts-check
/** Who failed first: an ordered table of rules over sights, the strongest first. */

import { placeOf } from "./matcher.js";
import { isKnown, keyOf, subjectOf } from "./sights.js";
import { head, number, obtain } from "./text.js";

/** Clocks of two hosts may differ by so much, in milliseconds. */
const SKEW = 2000;
/** More suspects than these say nothing. */
const MOST_SUSPECTS = 4;
/** So few ranks may be silent among many that wait. */
const MOST_SILENT = 2;

/** @typedef {import("./sights.js").Sight} Sight */
/** @typedef {import("./sights.js").Subject} Subject */
/** @typedef {import("./matcher.js").Matcher} Matcher */
/**
 * @typedef {object} First who failed first, by which rule
 * @property {number | null} rank
 * @property {string | null} node
 * @property {"certain" | "suspect"} certainty
 * @property {number} rule
 * @property {string} why
 */
/**
 * @typedef {object} Scene all that the rules look at
 * @property {Sight[]} sights in the order of files and lines
 * @property {Set<number>} ranks every rank that printed a line
 * @property {Map<string, Subject>} views who printed reports about others
 * @property {Matcher} matcher
 * @property {number[]} named ranks that are named anywhere at the end
 */

/**
 * @param {Sight[]} sights
 * @returns {Map<string, Subject>} the ranks (else nodes) that printed reports about others
 */
export function viewsOf(sights) {
  /** @type {Map<string, Subject>} */
  const views = new Map();
  for (const sight of sights) {
    if (sight.kind !== "consequence") continue;
    const subject = sight.printedOn !== null ? { rank: sight.printedOn, node: null } : { rank: null, node: sight.node };
    if (isKnown(subject)) views.set(keyOf(subject), subject);
  }
  return views;
}

/** @param {Scene} scene @returns {First[]} by the strongest rule that has something to say */
export function firstFailed(scene) {
  for (const rule of RULES) {
    const found = rule(scene);
    if (found.length) return found;
  }
  return [];
}

/** @param {Scene} scene @returns {First[]} */
function hostCause(scene) {
  const causes = scene.sights.filter((sight) => sight.kind === "host-cause" && sight.certain);
  return decide(causes, scene, 1, (who, text) => `${who}: the host reports a cause (${text})`);
}

/** @param {Scene} scene @returns {First[]} */
function ownException(scene) {
  const named = scene.sights.filter((sight) => sight.kind === "own");
  if (named.length) return decide(named, scene, 2, (who, text) => `${who}: named by its own failure (${text})`);
  const reports = reportsOf(scene);
  // A text that one entry calls a report is nobody's own, whatever others make of it.
  const echoes = placesOf(scene, ["consequence", "lost-peer", "missing"]);
  let own = scene.sights.filter(
    (sight) =>
      ["initiating", "host-cause", "exception"].includes(sight.kind) &&
      !(sight.entry !== null && reports.has(sight.entry)) &&
      !echoes.has(placeOf(sight.file, sight.line)) &&
      (isKnown(subjectOf(sight)) || sight.device !== null),
  );
  const best = own.reduce((most, sight) => Math.max(most, strengthOf(sight)), 0);
  own = own.filter((sight) => strengthOf(sight) === best);
  return decide(own, scene, 2, (who, text) => `${who}: an exception of its own (${text})`);
}

/** A certain text, a shared one, or any exception. @param {Sight} sight @returns {number} */
const strengthOf = (sight) => (sight.certain ? 2 : sight.entry !== null ? 1 : 0);

/** @param {Scene} scene @param {string[]} kinds @returns {Set<number>} */
function placesOf(scene, kinds) {
  const sights = scene.sights.filter((sight) => kinds.includes(sight.kind));
  return new Set(sights.map((sight) => placeOf(sight.file, sight.line)));
}

/** Entries whose text names a peer that is missing: a view on somebody else. @param {Scene} scene */
function reportsOf(scene) {
  const lines = placesOf(scene, ["missing", "lost-peer", "desync"]);
  const sights = scene.sights.filter((sight) => lines.has(placeOf(sight.file, sight.line)));
  return new Set(sights.map((sight) => sight.entry));
}

/** @param {Scene} scene @returns {First[]} */
function death(scene) {
  const deadly = scene.matcher.knowledge.death_signals;
  const deaths = scene.sights.filter((sight) => deadly.includes(signalOf(sight, scene.matcher)));
  return decide(deaths, scene, 3, (who, text) => `${who}: ended by a signal without a traceback (${text})`);
}

/**
 * The signal that a sight says a process died of, null where it says none.
 * @param {Sight} sight
 * @param {Matcher} matcher
 * @returns {number | null}
 */
export function signalOf(sight, matcher) {
  if (sight.event === null || (sight.kind !== "killed" && sight.kind !== "exited")) return null;
  const { signal } = matcher.signal(sight.event.pattern);
  if (signal !== undefined) return signal;
  const { captures } = sight.event;
  const exit = captures.exitcode ?? "";
  if (captures.signal === undefined && !exit.startsWith("-")) return null;
  return number(captures.signal || exit.replace(/^-/, ""));
}

/**
 * Compares enqueued collectives per process group: the rank that is behind is awaited.
 * @param {Scene} scene
 * @returns {First[]}
 */
function hang(scene) {
  const sides = scene.sights.filter((sight) => sight.kind === "desync");
  if (sides.length) return mostNamed(sides, (who) => `${who} runs another collective at the same place`, 4);
  const astray = otherCollective(scene);
  if (astray.length) return astray;
  /** @type {Map<string, Map<number, number>>} */
  const enqueued = new Map();
  for (const { event, printedOn } of scene.sights) {
    if (event === null || printedOn === null) continue;
    const count = sequenceOf(event.captures.last_enqueued);
    if (count !== null) obtain(enqueued, groupOf(event), () => new Map()).set(printedOn, count);
  }
  for (const group of [...enqueued.keys()].sort()) {
    const counts = [.../** @type {Map<number, number>} */ (enqueued.get(group))];
    const least = counts.reduce((low, [, each]) => Math.min(low, each), Infinity);
    const most = counts.reduce((high, [, each]) => Math.max(high, each), 0);
    const behind = counts.filter(([, each]) => each === least).map(([rank]) => rank);
    if (least < most && behind.length * 2 < counts.length) {
      behind.sort((one, other) => one - other);
      return behind
        .slice(0, MOST_SUSPECTS)
        .map((rank) => suspect({ rank, node: null }, 4, `rank ${rank} enqueued ${least} collectives, others ${most}`));
    }
  }
  return [];
}

/**
 * Names both sides where ranks wait in different collectives at one place of one group.
 * @param {Scene} scene
 * @returns {First[]}
 */
function otherCollective(scene) {
  /** @type {Map<string, {group: string, sequence: number, operations: Map<number, string>}>} */
  const places = new Map();
  for (const { event, printedOn } of scene.sights) {
    if (event === null || printedOn === null) continue;
    const sequence = sequenceOf(event.captures.seq);
    const operation = event.captures.op;
    if (sequence === null || !operation) continue;
    const group = groupOf(event);
    const place = obtain(places, `${sequence} ${group}`, () => ({ group, sequence, operations: new Map() }));
    if (!place.operations.has(printedOn)) place.operations.set(printedOn, operation);
  }
  const inOrder = [...places.values()].sort(
    (one, other) => compare(one.group, other.group) || one.sequence - other.sequence,
  );
  for (const { sequence, operations } of inOrder) {
    /** @type {Map<string, number>} */
    const shares = new Map();
    for (const operation of operations.values()) shares.set(operation, (shares.get(operation) ?? 0) + 1);
    if (shares.size < 2) continue;
    const share = (/** @type {string} */ operation) => shares.get(operation) ?? 0;
    // The fewer are likelier to have gone astray.
    return [...operations]
      .sort(([one, mine], [other, theirs]) => share(mine) - share(theirs) || one - other)
      .slice(0, MOST_SUSPECTS)
      .map(([rank, operation]) => {
        const others = [...shares.keys()].filter((each) => each !== operation).sort(compare);
        const why = `rank ${rank} waits in ${operation} at sequence number ${sequence}, others in ${others.join(", ")}`;
        return suspect({ rank, node: null }, 4, why);
      });
  }
  return [];
}

/** The process group that an event is about. @param {import("./events.js").Event} event @returns {string} */
const groupOf = ({ captures, fields }) => captures.group || (fields.group ?? "");

/** Orders ASCII texts. @param {string} one @param {string} other @returns {number} */
const compare = (one, other) => (one < other ? -1 : Number(one > other));

/** A printed count of collectives. @param {string | undefined} text @returns {number | null} */
const sequenceOf = (text) => (text !== undefined && /^[0-9]{1,15}$/.test(text) ? Number(text) : null);

/** @param {Scene} scene @returns {First[]} */
function silent(scene) {
  const missing = scene.sights.filter((sight) => sight.kind === "missing");
  if (missing.length) return mostNamed(missing, (who) => `${who} is named as missing by others`);
  const lost = scene.sights.filter((sight) => sight.kind === "lost-peer");
  const found = mostNamed(lost, (who) => `others lost the connection to ${who}`);
  if (found.length) return found;
  const waiting = new Set([...scene.views.values()].flatMap(({ rank }) => (rank === null ? [] : [rank])));
  if (waiting.size < 2 || highest(waiting) >= 100_000) return [];
  /** @type {number[]} */
  const quiet = [];
  const last = Math.max(highest(waiting), highest(scene.ranks));
  for (let rank = 0; rank <= last && quiet.length <= MOST_SILENT; rank++) {
    if (!waiting.has(rank)) quiet.push(rank);
  }
  if (!quiet.length || quiet.length > MOST_SILENT || quiet.length >= waiting.size) return [];
  return quiet.map((rank) => suspect({ rank, node: null }, 5, `all others wait, rank ${rank} reports nothing`));
}

/** @param {Set<number>} ranks @returns {number} */
function highest(ranks) {
  let most = 0;
  for (const rank of ranks) most = Math.max(most, rank);
  return most;
}

/** @param {Subject} subject @param {number} rule @param {string} why @returns {First} */
const suspect = ({ rank, node }, rule, why) => ({ rank, node, certainty: "suspect", rule, why });

/**
 * @param {Sight[]} sights
 * @param {(who: string) => string} why
 * @param {number} [rule]
 * @returns {First[]} of equals the first named stands first
 */
function mostNamed(sights, why, rule = 5) {
  /** @type {Map<string, {subject: Subject, node: string | null, times: number}>} */
  const counts = new Map();
  for (const sight of sights) {
    const subject = subjectOf(sight);
    if (!isKnown(subject)) continue;
    obtain(counts, keyOf(subject), () => ({ subject, node: sight.node, times: 0 })).times++;
  }
  const named = [...counts.values()];
  const most = named.reduce((high, { times }) => Math.max(high, times), 0);
  return named
    .filter(({ times }) => times === most)
    .slice(0, MOST_SUSPECTS)
    .map(({ subject: { rank }, node }) => suspect({ rank, node }, rule, why(who(rank, node))));
}

/** @param {Scene} scene @returns {First[]} */
function earliest(scene) {
  /** @type {Map<string, {subject: Subject, began: number}>} */
  const begun = new Map();
  const scales = new Set();
  for (const sight of scene.sights) {
    const subject = subjectOf(sight);
    if (sight.kind !== "consequence" || sight.moment === null || !isKnown(subject)) continue;
    // A watchdog speaks after it has waited.
    const waited = sight.event ? number(sight.event.captures.ran_ms) ?? 0 : 0;
    const began = sight.moment.value - waited;
    scales.add(sight.moment.scale);
    const held = obtain(begun, keyOf(subject), () => ({ subject, began }));
    held.began = Math.min(held.began, began);
  }
  if (begun.size < 2 || scales.size !== 1) return [];
  const [one, second] = [...begun.values()].sort((a, b) => a.began - b.began);
  const gap = second.began - one.began;
  if (gap <= SKEW) return [];
  const { rank, node } = one.subject;
  return [suspect(one.subject, 6, `${who(rank, node)} stopped ${Math.floor(gap / 1000)} s before the next`)];
}

/** @param {Scene} scene @returns {First[]} */
function launcher(scene) {
  const titles = scene.sights.filter((sight) => sight.kind === "first-observed-title");
  const observed = scene.sights.filter((sight) => sight.kind === "first-observed");
  for (const title of titles) {
    const below = observed.find(
      (sight) => sight.file === title.file && title.line < sight.line && sight.line <= title.line + 6,
    );
    if (!below) continue;
    const why = "torchrun names it as first observed: a hint, since every agent names its own";
    return [suspect({ rank: below.rank, node: null }, 7, why)];
  }
  const listed = new Set(observed.map((sight) => sight.rank));
  if (!titles.length && listed.size === 1 && !listed.has(null)) {
    const why = "the launcher lists it alone as failed, which is a hint";
    return [suspect({ rank: observed[0].rank, node: null }, 7, why)];
  }
  const exits = new Map(
    scene.sights
      .filter((sight) => sight.kind === "exited")
      .map(subjectOf)
      .map((subject) => [keyOf(subject), subject]),
  );
  const [only] = exits.values();
  if (exits.size === 1 && isKnown(only)) {
    return [suspect(only, 7, `the launcher saw ${who(only.rank, only.node)} exit first`)];
  }
  // Whoever reports about others names itself, too.
  const named = scene.named.filter((rank) => !scene.views.has(keyOf({ rank, node: null })));
  if (named.length === 1) {
    const [rank] = named;
    return [suspect({ rank, node: null }, 7, `rank ${rank} is the only one that is named`)];
  }
  return [];
}

const RULES = [hostCause, ownException, death, hang, silent, earliest, launcher];

/**
 * Names the subject of sights: certain only where others show that they are victims.
 * @param {Sight[]} sights
 * @param {Scene} scene
 * @param {number} rule
 * @param {(who: string, text: string) => string} why
 * @returns {First[]}
 */
function decide(sights, scene, rule, why) {
  /** @type {Map<string, {rank: number | null, sight: Sight}>} */
  const bySubject = new Map();
  for (const sight of sights) {
    const byDevice = sight.rank === null && sight.device !== null && scene.ranks.size === 0;
    const subject = byDevice ? { rank: sight.device, node: sight.node } : subjectOf(sight);
    if (isKnown(subject)) obtain(bySubject, keyOf(subject), () => ({ rank: subject.rank, sight }));
  }
  if (!bySubject.size) return [];
  const ordered = inTime([...bySubject.values()]);
  // Whoever else printed a report only is a victim; their view proves what one rank's cannot.
  const victims = [...scene.views].filter(([key]) => !bySubject.has(key)).map(([, subject]) => subject);
  const { printedOn } = ordered[0].sight;
  const lone =
    printedOn !== null && victims.length === 1 && victims[0].rank === printedOn && victims[0].node === null;
  const certain = bySubject.size === 1 && victims.length > 0 && !lone;
  return ordered.slice(0, MOST_SUSPECTS).map(({ rank, sight }) => ({
    rank,
    node: sight.node,
    certainty: certain ? "certain" : "suspect",
    rule,
    why: why(byDevice(rank, sight), short(sight.text)),
  }));
}

/** @param {number | null} rank @param {Sight} sight @returns {string} */
function byDevice(rank, sight) {
  const said = who(rank, sight.node);
  return sight.rank === null && rank !== null ? `${said} (by its device)` : said;
}

/**
 * Orders by time where all have one and clocks can tell, else by place.
 * @param {{rank: number | null, sight: Sight}[]} held
 */
function inTime(held) {
  const moments = held.flatMap(({ sight }) => (sight.moment ? [sight.moment] : []));
  if (moments.length < held.length || new Set(moments.map((one) => one.scale)).size !== 1) return held;
  const values = moments.map((one) => one.value).sort((one, other) => one - other);
  if (values.length > 1 && values[1] - values[0] <= SKEW) return held;
  return [...held].sort((one, other) => (one.sight.moment?.value ?? 0) - (other.sight.moment?.value ?? 0));
}

/** Says whom a statement is about. @param {number | null} rank @param {string | null} node */
export function who(rank, node) {
  if (rank !== null) return `rank ${rank}${node ? ` on ${node}` : ""}`;
  return node ? `node ${node}` : "a process";
}

/** @param {string} text @returns {string} */
const short = (text) => (head(text, 160) === text ? text : `${head(text, 159)}…`);
