// @ts-check
/** What each rank printed of a failure, in order: a row for each rank, or for many alike. */

import { isFaint } from "./match/ranking.js";
import { Origins, isKnown, keyOf, sightsOf } from "./match/sights.js";
import { shown } from "./match/times.js";

/** Up to so many rows every rank has its own; of more, equal ones are one. */
const MOST_OWN_ROWS = 16;
/** Ranks of a row that are listed one by one. */
const MOST_MEMBERS = 200;
/** Characters of a line that a row shows, and by which rows without an entry are alike. */
const MOST_TEXT = 300;
const ALIKE = 80;

/** Kinds of sights that speak of a failure although no entry is about them. */
const SPEAKS = new Set(["exception", "consequence", "host-cause", "own", "killed", "exited"]);
/** Of one rank the strongest is shown: what it did, what others did to it, how it ended. */
const STRENGTH = ["consequence", "lost-peer", "missing", "waiting", "killed", "exited"];

/** @typedef {import("./match/answer.js").Gathered} Gathered */
/** @typedef {import("./match/answer.js").Report} Report */
/** @typedef {import("./match/sights.js").Sight} Sight */
/** @typedef {{rank: number | null, node: string | null, time: string | null, file: string, line: number}} Member */
/**
 * @typedef {object} Row
 * @property {"certain" | "suspect" | null} first whether it failed first
 * @property {string} role of a finding, else the kind of what was printed, or `silent`
 * @property {string | null} id the entry, null where none is about it
 * @property {string} text what was printed
 * @property {number[]} ranks all that it stands for
 * @property {string[]} nodes
 * @property {number} size how many ranks or nodes it stands for
 * @property {string | null} time of the first
 * @property {string | null} until of the last, where it stands for several
 * @property {Member[]} members the first of them
 */
/** @typedef {{order: "times" | "lines" | "files", rows: Row[], quiet: number[]}} Timeline */

/**
 * @param {Gathered} gathered
 * @param {Report} answer what was made of it
 * @param {import("./match/matcher.js").Matcher} matcher
 * @returns {Timeline | null} null where there is only one rank to speak of
 */
export function timelineOf(gathered, answer, matcher) {
  const sights = sightsOf(
    gathered.events.filter((one) => one.pattern >= matcher.signalStart || !isFaint(one, gathered.whole)),
    gathered.exceptions,
    new Origins(gathered.origins, matcher, gathered.oneNode),
    matcher,
  );
  const roles = new Map(answer.findings.map((one) => [one.id, one.role]));
  const matched = new Set(gathered.standings.filter((one) => one.matched).map((one) => one.entry));
  const first = new Map(answer.first.map((one) => [keyOf(subject(one)), one]));

  /** @type {Map<string, {sight: Sight, strength: number}>} */
  const chosen = new Map();
  for (const sight of sights) {
    if (sight.event?.failed || sight.kind === "context") continue;
    if (!SPEAKS.has(sight.kind) && !(sight.entry !== null && matched.has(sight.entry))) continue;
    const about = aboutOf(sight, gathered.ranks.size > 0);
    if (!isKnown(about)) continue;
    const key = keyOf(about);
    const strength = strengthOf(sight, first.has(key), matcher, roles);
    const held = chosen.get(key);
    if (!held || held.strength < strength) chosen.set(key, { sight, strength });
  }

  const times = new Map(gathered.exceptions.map((one) => [`${one.file} ${one.line}`, shown(one.fields)]));
  const held = [...chosen.values()].map((one) => one.sight);
  const moments = held.flatMap(({ moment }) => (moment ? [moment] : []));
  // The lines of one file are in order already; those of several are where their times compare.
  const order =
    new Set(held.map(({ file }) => file)).size === 1
      ? "lines"
      : moments.length > 1 && new Set(moments.map(({ scale }) => scale)).size === 1
        ? "times"
        : "files";
  /** A traceback has no time: where it failed first it is no later than what it led to. */
  const when = (/** @type {string} */ key, /** @type {Sight} */ { moment }) => moment?.value ?? (first.has(key) ? 0 : Infinity);
  const ordered = [...chosen].sort(([key, { sight: one }], [otherKey, { sight: other }]) => {
    const [here, there] = order === "times" ? [when(key, one), when(otherKey, other)] : [0, 0];
    return here === there ? one.file - other.file || one.line - other.line : here - there;
  });

  /** @type {Row[]} */
  const rows = ordered.map(([key, { sight }]) => {
    const [rank] = JSON.parse(key);
    const id = sight.entry === null ? null : matcher.index.entries[sight.entry].id;
    const time = sight.event ? shown(sight.event.fields) : (times.get(`${sight.file} ${sight.line}`) ?? null);
    return {
      first: first.get(key)?.certainty ?? null,
      role: (id && roles.get(id)) ?? (sight.entry === null || sight.kind === "consequence" ? sight.kind : "shared"),
      id,
      text: sight.text.slice(0, MOST_TEXT),
      ranks: rank === null ? [] : [rank],
      nodes: sight.node ? [sight.node] : [],
      size: 1,
      time,
      until: null,
      members: [{ rank, node: sight.node, time, file: gathered.files[sight.file], line: sight.line }],
    };
  });
  for (const [key, { rank, node, certainty }] of [...first].reverse()) {
    if (chosen.has(key)) continue;
    rows.unshift({
      first: certainty, role: "silent", id: null, text: "", ranks: rank === null ? [] : [rank],
      nodes: node ? [node] : [], size: 1, time: null, until: null, members: [],
    });
  }
  const told = new Set(rows.flatMap((row) => row.ranks));
  const quiet = answer.scanned.ranks.filter((rank) => !told.has(rank));
  if (!rows.length || rows.length + quiet.length < 2) return null;
  return { order, rows: rows.length > MOST_OWN_ROWS ? grouped(rows) : rows, quiet };
}

/** @param {{rank: number | null, node: string | null}} one */
const subject = ({ rank, node }) => (rank === null ? { rank, node } : { rank, node: null });

/**
 * Whose row a sight belongs to: a report about others to who printed it.
 * @param {Sight} sight
 * @param {boolean} ranksKnown where none is, a device says which of one node's it was
 */
function aboutOf(sight, ranksKnown) {
  if (sight.kind === "consequence" && sight.printedOn !== null) return { rank: sight.printedOn, node: null };
  if (sight.rank === null && sight.device !== null && !ranksKnown) return { rank: sight.device, node: null };
  return subject(sight);
}

/**
 * @param {Sight} sight
 * @param {boolean} isFirst
 * @param {import("./match/matcher.js").Matcher} matcher
 * @param {Map<string, string>} roles of the findings
 * @returns {number}
 */
function strengthOf(sight, isFirst, matcher, roles) {
  const found = sight.entry !== null && roles.has(matcher.index.entries[sight.entry].id);
  const weak = STRENGTH.indexOf(sight.kind);
  const own = weak < 0 ? STRENGTH.length : STRENGTH.length - 1 - weak;
  // Of the one that failed first its own failure is shown, of others what is written up.
  return isFirst ? own * 2 + Number(found) : Number(found) * 100 + own;
}

/**
 * @param {Row[]} rows in order
 * @returns {Row[]} where the first of those alike stood
 */
function grouped(rows) {
  /** @type {Map<string, Row>} */
  const groups = new Map();
  for (const row of rows) {
    const alike = row.id ?? row.text.replace(/\d+/g, "#").slice(0, ALIKE);
    const key = JSON.stringify([row.first, row.role, alike, row.first && row.ranks]);
    const held = groups.get(key);
    if (!held) {
      groups.set(key, row);
      continue;
    }
    held.ranks.push(...row.ranks);
    if (held.nodes.length < MOST_MEMBERS) held.nodes = [...new Set([...held.nodes, ...row.nodes])];
    held.size++;
    held.until = row.time ?? held.until;
    if (held.members.length < MOST_MEMBERS) held.members.push(...row.members);
  }
  for (const row of groups.values()) row.ranks.sort((one, other) => one - other);
  return [...groups.values()];
}
