// @ts-check
/** Sights: what the lines say about who failed, each with the rank or node it is about. */

import { placeOf } from "./matcher.js";
import { number, trim } from "./text.js";
import { momentOf } from "./times.js";

/** @typedef {import("./events.js").Event} Event */
/** @typedef {import("./matcher.js").Matcher} Matcher */
/** @typedef {Record<string, string>} Fields */
/**
 * @typedef {object} Subject whom a statement is about: the rank alone where known, else the node
 * @property {number | null} rank
 * @property {string | null} node
 */
/**
 * @typedef {object} Sight one statement about a rank or node
 * @property {string} kind a signature's role, a signal's kind, or `exception`
 * @property {number | null} rank
 * @property {string | null} node
 * @property {number | null} printedOn the rank that printed it
 * @property {import("./times.js").Moment | null} moment
 * @property {number} file
 * @property {number} line
 * @property {string} text
 * @property {number | null} entry null for signals and exceptions
 * @property {boolean} certain
 * @property {Event | null} event null for a bare exception
 * @property {number | null} device the GPU of an NCCL line, on a single node where no rank is known
 */

/** @param {Sight} sight @returns {Subject} */
export const subjectOf = (sight) =>
  sight.rank !== null ? { rank: sight.rank, node: null } : { rank: null, node: sight.node };

/** @param {Subject} subject @returns {string} a name for maps */
export const keyOf = ({ rank, node }) => JSON.stringify([rank, node]);

/** @param {Subject} subject @returns {boolean} */
export const isKnown = ({ rank, node }) => rank !== null || node !== null;

/** Says which rank and node a line comes from. */
export class Origins {
  /**
   * @param {Fields[]} files what each file's name says
   * @param {Matcher} matcher
   * @param {boolean} oneNode whether a local rank is as good as a rank
   */
  constructor(files, matcher, oneNode) {
    this._files = files;
    this._inline = new RegExp(matcher.knowledge.inline_rank, "g");
    this._oneNode = oneNode;
  }

  /** @param {number} file @param {Fields} fields @returns {number | null} */
  rank(file, fields) {
    for (const name of this._oneNode ? ["rank", "local_rank"] : ["rank"]) {
      for (const held of [fields, this._files[file]]) {
        const rank = number(held[name]);
        if (rank !== null) return rank;
      }
    }
    return null;
  }

  /** @param {number} file @param {Fields} fields @returns {string | null} */
  node(file, fields) {
    return fields.node || (this._files[file].node ?? null);
  }

  /** @param {Fields} fields @returns {number | null} */
  device(fields) {
    return this._oneNode ? number(fields.device) : null;
  }

  /** The rank in the last `[Rank 3]` before a place. @param {string} text @param {number} before */
  inline(text, before) {
    let found = null;
    for (found of text.slice(0, before).matchAll(this._inline));
    return found ? number(found[1]) : null;
  }
}

/** A captured host or address without the shell around it. @param {string | undefined} text */
function nodeName(text) {
  return text?.replace(/^\[/, "").replace(/\]$/, "").replace(/^::ffff:/, "") || null;
}

/**
 * What all events and exceptions say, in the order of files and lines.
 * @param {Event[]} events
 * @param {import("./events.js").ExceptionLine[]} exceptions
 * @param {Origins} origins
 * @param {Matcher} matcher
 * @returns {Sight[]}
 */
export function sightsOf(events, exceptions, origins, matcher) {
  /** @type {Sight[]} */
  const sights = [];
  const told = new Set();
  for (const event of events) {
    const sight = fromEvent(event, origins, matcher);
    sights.push(sight);
    if (sight.entry === null || event.failed || sight.kind === "context") continue;
    for (let more = 0; more < event.lines; more++) told.add(placeOf(event.file, event.line + more));
  }
  // A lost connection to a hub or a store of files is the rank's own, not a peer's.
  const { consequence_texts: consequences, own_texts: own } = matcher.knowledge;
  for (const one of exceptions) {
    if (told.has(placeOf(one.file, one.line))) continue;
    const rank = origins.rank(one.file, one.fields);
    sights.push({
      kind: has(one.text, consequences) && !has(one.text, own) ? "consequence" : "exception",
      rank,
      node: origins.node(one.file, one.fields),
      printedOn: rank,
      moment: momentOf(one.fields),
      file: one.file,
      line: one.line,
      text: one.text,
      entry: null,
      certain: false,
      event: null,
      device: null,
    });
  }
  return sights.sort((one, other) => one.file - other.file || one.line - other.line);
}

/** @param {Event} event @param {Origins} origins @param {Matcher} matcher @returns {Sight} */
function fromEvent(event, origins, matcher) {
  const { file, line, text, fields, captures } = event;
  const printedOn = origins.rank(file, fields) ?? origins.inline(trim(matcher.fold(text)), event.start);
  const node = origins.node(file, fields);
  const about = nodeName(captures.node);
  const said = { printedOn, moment: momentOf(fields), file, line, text, event, device: origins.device(fields) };
  if (event.pattern >= matcher.signalStart) {
    const signal = matcher.signal(event.pattern);
    const captured = number(captures.rank) ?? number(captures.local_rank) ?? signal.rank ?? null;
    const saysWho = captured !== null || about !== null;
    return {
      ...said,
      kind: signal.kind,
      rank: saysWho ? captured : printedOn,
      node: saysWho ? about : node,
      entry: null,
      certain: true,
    };
  }
  const record = matcher.index.signatures[event.pattern];
  return {
    ...said,
    kind: record.role,
    rank: number(captures.rank) ?? (about ? null : printedOn),
    node: about ?? node,
    entry: record.entry,
    certain: event.certain,
  };
}

/** @param {string} text @param {string[]} parts @returns {boolean} whether any of them stands in it */
const has = (text, parts) => parts.some((part) => text.includes(part));
