// @ts-check
/** One incident: logs in, the answer out. */

import { answer } from "./answer.js";
import { Collector, settle } from "./events.js";
import { islandsOf, isWhole } from "./islands.js";
import { placeOf } from "./matcher.js";
import { rank } from "./ranking.js";
import { count, Reader } from "./read.js";
import { decode, number, obtain, trim } from "./text.js";

/** Files up to so many lines and carriage returns are looked at more closely. */
const SMALL_LINES = 10_000;
const SMALL_RETURNS = 30_000;
/** Lines at the start and at the end of a file whose words are looked at. */
const HEAD_LINES = 1000;
const TAIL_LINES = 4000;
/** Bytes of a line whose words are looked at. */
const LONGEST_MESSAGE = 4096;
/** Events whose lines are looked at, wherever they stand. */
const MOST_EVENTS = 2000;
/** Last lines that may say that a run ended. */
const ENDING_LINES = 200;

/** @typedef {import("./islands.js").Message} Message */
/** @typedef {import("./matcher.js").Matcher} Matcher */
/** @typedef {import("./read.js").Chunk} Chunk */

/** Takes in files one after the other, each in blocks of bytes, then answers. */
export class Incident {
  /** @param {Matcher} matcher */
  constructor(matcher) {
    this._matcher = matcher;
    this._collector = new Collector(matcher);
    /** @type {LogFile[]} */
    this._files = [];
  }

  /** @param {string} name @returns {LogFile} to be filled, and ended before the next is begun */
  file(name) {
    const file = new LogFile(this._files.length, name, this._matcher, this._collector);
    this._files.push(file);
    return file;
  }

  /**
   * The layers below the answer; `answer` makes the answer of them.
   * @param {string} name what the answer calls the input
   * @returns {import("./answer.js").Gathered}
   */
  gather(name) {
    const matcher = this._matcher;
    const files = this._files;
    const events = settle(this._collector.events, matcher);
    const messages = this._messages();
    const whole = isWhole(messages);
    const ranks = unionOf(files.map((file) => file.ranks));
    return {
      name,
      files: files.map((file) => file.name),
      origins: files.map((file) => file.origin),
      events,
      exceptions: this._collector.exceptions,
      standings: rank(events, islandsOf(messages), matcher, whole),
      tails: files.map((file) => file.messages().slice(-ENDING_LINES).map((one) => one.text)),
      lines: files.reduce((sum, file) => sum + file.lines, 0),
      bytes: files.reduce((sum, file) => sum + file.bytes, 0),
      ranks: ranks.size ? ranks : unionOf(files.map((file) => file.localRanks)),
      oneNode: unionOf(files.map((file) => file.nodes)).size <= 1,
      whole,
    };
  }

  /** @param {string} name @returns {import("./answer.js").Report} */
  answer(name) {
    return answer(this.gather(name), this._matcher);
  }

  /** The kept lines of all files, with those of events between them. @returns {Message[]} */
  _messages() {
    const kept = this._files.flatMap((file) => file.messages());
    const held = new Set(kept.map((message) => placeOf(message.file, message.line)));
    /** @type {Map<number, Message>} */
    const extra = new Map();
    for (const { file, line, text } of this._collector.events.slice(0, MOST_EVENTS)) {
      const place = placeOf(file, line);
      if (held.has(place)) continue;
      const { message } = this._matcher.prefixes.strip(text);
      extra.set(place, { file, line, text: message, weight: this._matcher.lineWeight(message, text) });
    }
    return [...kept, ...extra.values()].sort((one, other) => one.file - other.file || one.line - other.line);
  }
}

/** @template T @param {Set<T>[]} sets @returns {Set<T>} */
function unionOf(sets) {
  /** @type {Set<T>} */
  const whole = new Set();
  for (const set of sets) for (const one of set) whole.add(one);
  return whole;
}

/** One file: what is kept are its ends, counts, and the ranks in its prefixes. */
export class LogFile {
  /** @param {number} at @param {string} name @param {Matcher} matcher @param {Collector} collector */
  constructor(at, name, matcher, collector) {
    this.name = name;
    this.origin = matcher.originOf(name);
    this.lines = 0;
    this.bytes = 0;
    this._at = at;
    this._matcher = matcher;
    this._collector = collector;
    /** @type {Message[]} */
    this._head = [];
    /** @type {Message[]} */
    this._tail = [];
    /** @type {{whole: Uint8Array, line: number}[]} the last lines, to be stripped at the end */
    this._rawTail = [];
    this._found = new RankFinder(matcher);
    this.ranks = this._found.ranks;
    this.localRanks = this._found.localRanks;
    this.nodes = this._found.nodes;
    // The last chunk waits: a file of one chunk is looked at more closely.
    /** @type {Chunk | null} */
    this._held = null;
    this._chunks = 0;
    this._reader = new Reader((chunk) => this._take(chunk));
  }

  /** @param {Uint8Array} block raw bytes, 4 MB at once */
  push(block) {
    this.bytes += block.length;
    this._reader.push(block);
  }

  end() {
    this._reader.end();
    if (this._held !== null) {
      const small =
        this._chunks === 1 && this.lines <= SMALL_LINES &&
        count(this._held.data, 13, 0, this._held.data.length) <= SMALL_RETURNS;
      this._collector.chunk(this._at, this._held, small);
      this._held = null;
    }
    for (const { whole, line } of this._rawTail) this._strip(whole, line, this._tail);
    this._rawTail = [];
    const { rank: own, local_rank: local, node } = this.origin;
    if (number(own) !== null) this.ranks.add(Number(own));
    if (number(local) !== null) this.localRanks.add(Number(local));
    if (node) this.nodes.add(node);
  }

  /** @returns {Message[]} the first and last lines with text, without their prefixes */
  messages() {
    return [...this._head, ...this._tail];
  }

  /** @param {Chunk} chunk */
  _take(chunk) {
    if (this._held !== null) this._collector.chunk(this._at, this._held, false);
    this._held = chunk;
    this._chunks++;
    this._keepEnds(chunk);
    this.lines += count(chunk.data, 10, 0, chunk.data.length);
    this._found.look(chunk.data);
  }

  /** @param {Chunk} chunk */
  _keepEnds({ data, line }) {
    let start = 0;
    for (let left = HEAD_LINES - this.lines; left > 0; left--) {
      const end = data.indexOf(10, start);
      if (end < 0) break;
      this._strip(data.subarray(start, end), line++, this._head);
      start = end + 1;
    }
    // What follows the last line feed is a piece of a line that goes on.
    const last = data.lastIndexOf(10) + 1;
    let from = last;
    for (let left = TAIL_LINES; left > 0 && from > start; left--) {
      from--;
      while (from > start && data[from - 1] !== 10) from--;
    }
    line += count(data, 10, start, from);
    /** @type {{whole: Uint8Array, line: number}[]} */
    const lines = [];
    while (from < last) {
      const end = data.indexOf(10, from);
      // A copy, since a view would hold the whole chunk.
      lines.push({ whole: data.slice(from, end), line: line++ });
      from = end + 1;
    }
    this._rawTail = [...this._rawTail, ...lines].slice(-TAIL_LINES);
  }

  /** @param {Uint8Array} whole a line @param {number} line @param {Message[]} into */
  _strip(whole, line, into) {
    for (let start = 0; start <= whole.length; ) {
      const found = whole.indexOf(13, start);
      const end = found < 0 ? whole.length : found;
      const raw = trim(decode(whole.subarray(start, Math.min(end, start + LONGEST_MESSAGE))));
      start = end + 1;
      if (!raw) continue;
      const { message, fields } = this._matcher.prefixes.strip(raw);
      this._found.add(fields);
      if (!message) continue;
      into.push({ file: this._at, line, text: message, weight: this._matcher.lineWeight(message, raw) });
    }
  }
}

/**
 * Finds the ranks and nodes in the prefixes of all lines.
 *
 * Every prefix of a file's first and last lines is read. Only those grammars that show there are
 * then looked for in the whole, and in bulk.
 */
class RankFinder {
  /** @param {Matcher} matcher */
  constructor(matcher) {
    /** @type {Set<number>} */
    this.ranks = new Set();
    /** @type {Set<number>} */
    this.localRanks = new Set();
    /** @type {Set<string>} */
    this.nodes = new Set();
    this._prefixes = matcher.prefixes;
    /** @type {Map<number, {expression: RegExp, groups: string[]}>} grammars that showed */
    this._shown = new Map();
  }

  /** Takes in what the prefixes of the line just stripped say. @param {Record<string, string>} fields */
  add(fields) {
    for (const name of ["rank", "local_rank", "node"]) this._add(name, fields[name]);
    for (const at of this._prefixes.last) obtain(this._shown, at, () => this._prefixes.bulk(at));
  }

  /** @param {Uint8Array} data a clean chunk */
  look(data) {
    const telling = [...this._shown.values()].filter(({ groups }) =>
      groups.some((name) => name === "rank" || name === "local_rank"),
    );
    if (!telling.length) return;
    // One character per byte.
    const text = new TextDecoder("latin1").decode(data);
    /** @type {(value: string | undefined, from: number) => string | undefined} */
    const asUtf8 = (value, from) => {
      if (value === undefined || !/[^\0-\x7f]/.test(value)) return value;
      const start = text.indexOf(value, from);
      return decode(data.subarray(start, start + value.length));
    };
    for (const { expression, groups } of telling) {
      const seen = new Set();
      for (let at = 0; at >= 0 && at < text.length; ) {
        expression.lastIndex = at;
        const found = expression.exec(text);
        if (found !== null && !seen.has(found[0])) {
          seen.add(found[0]);
          groups.forEach((name, group) => this._add(name, asUtf8(found[group + 1], at)));
        }
        // The next line; a match may end exactly where one begins.
        const next = text.indexOf("\n", found ? Math.max(at, at + found[0].length - 1) : at);
        at = next < 0 ? -1 : next + 1;
      }
    }
  }

  /** @param {string} name @param {string | undefined} value */
  _add(name, value) {
    if (name === "node") {
      if (value) this.nodes.add(value);
      return;
    }
    const rank = number(value);
    if (rank === null) return;
    if (name === "rank") this.ranks.add(rank);
    else if (name === "local_rank") this.localRanks.add(rank);
  }
}
