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
/**
 * Lines of all files together whose words are looked at: a file gets a hundredth of what the files
 * before it left for its end and a quarter of that for its start, these at least.
 */
const MOST_LINES = 500_000;
const LEAST_HEAD = 10;
const LEAST_TAIL = 50;
/** Bytes of a segment whose words are looked at, and of a line: its last segments count. */
const LONGEST_MESSAGE = 4096;
const LONGEST_LINE = 16_384;
/** Chunks that wait until it is known whether they hold the file's last lines. */
const WAITING = 2;
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
    this.matcher = matcher;
    this._collector = new Collector(matcher);
    /** @type {LogFile[]} */
    this._files = [];
    /** Lines that may still be kept, after so many files. */
    this._left = MOST_LINES;
    this._counted = 0;
  }

  /** @param {string} name @returns {LogFile} to be filled, and ended before the next is begun */
  file(name) {
    for (; this._counted < this._files.length; this._counted++) {
      this._left = Math.max(this._left - this._files[this._counted].messages().length, 0);
    }
    const ends = {
      head: Math.min(Math.max(Math.floor(this._left / 400), LEAST_HEAD), HEAD_LINES),
      tail: Math.min(Math.max(Math.floor(this._left / 100), LEAST_TAIL), TAIL_LINES),
    };
    const file = new LogFile(this._files.length, name, ends, this.matcher, this._collector);
    this._files.push(file);
    return file;
  }

  /**
   * The layers below the answer; `answer` makes the answer of them.
   * @param {string} name what the answer calls the input
   * @returns {import("./answer.js").Gathered}
   */
  gather(name) {
    const matcher = this.matcher;
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

  /**
   * @param {string} name what the answer calls the input
   * @param {import("./answer.js").Gathered} [gathered] the layers below, where they are there already
   * @returns {import("./answer.js").Report}
   */
  answer(name, gathered = this.gather(name)) {
    return answer(gathered, this.matcher);
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
      const { message } = this.matcher.prefixes.strip(text);
      extra.set(place, { file, line, text: message, weight: this.matcher.lineWeight(message, text) });
    }
    return [...kept, ...extra.values()].sort((one, other) => one.file - other.file || one.line - other.line);
  }
}

/**
 * The last segments of a line, each cut; of a progress bar there are thousands.
 * @param {Uint8Array} line
 * @returns {Uint8Array[]}
 */
function segmentsOf(line) {
  /** @type {Uint8Array[]} */
  const kept = [];
  let size = 0;
  for (let end = line.length; end >= 0 && size < LONGEST_LINE; ) {
    let start = end;
    while (start > 0 && line[start - 1] !== 13) start--;
    const segment = line.subarray(start, Math.min(end, start + LONGEST_MESSAGE));
    kept.push(segment);
    size += segment.length + 1;
    end = start - 1;
  }
  return kept.reverse();
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
  /**
   * @param {number} at
   * @param {string} name
   * @param {{head: number, tail: number}} ends lines at its start and end that are kept
   * @param {Matcher} matcher
   * @param {Collector} collector
   */
  constructor(at, name, ends, matcher, collector) {
    this.name = name;
    this.origin = matcher.originOf(name);
    this.lines = 0;
    this.bytes = 0;
    this._at = at;
    this._ends = ends;
    this._matcher = matcher;
    this._collector = collector;
    /** @type {Message[]} */
    this._head = [];
    /** @type {Message[]} */
    this._tail = [];
    /** @type {{segments: Uint8Array[], line: number}[]} the last lines, to be stripped at the end */
    this._rawTail = [];
    /** @type {{data: Uint8Array, start: number, line: number}[]} chunks that may hold the last lines */
    this._waiting = [];
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
    this._settleTail();
    for (const { segments, line } of this._rawTail) this._strip(segments, line, this._tail);
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
    this.lines += chunk.lines;
    this._found.look(chunk.data);
  }

  /** @param {Chunk} chunk */
  _keepEnds({ data, line, lines }) {
    let start = 0;
    for (let left = this._ends.head - this.lines; left > 0; left--) {
      const end = data.indexOf(10, start);
      if (end < 0) break;
      this._strip(segmentsOf(data.subarray(start, end)), line++, this._head);
      lines--;
      start = end + 1;
    }
    if (lines >= this._ends.tail) {
      // All that was held before is no tail any more.
      this._waiting = [];
      this._rawTail = [];
    } else if (this._waiting.length >= WAITING) {
      this._settleTail();
    }
    this._waiting.push({ data, start, line });
  }

  /** Takes the last lines out of the chunks that wait, and lets go of these. */
  _settleTail() {
    for (let { data, start, line } of this._waiting) {
      // What follows the last line feed is a piece of a line that goes on.
      const last = data.lastIndexOf(10) + 1;
      let from = last;
      for (let left = this._ends.tail; left > 0 && from > start; left--) {
        from--;
        while (from > start && data[from - 1] !== 10) from--;
      }
      line += count(data, 10, start, from);
      /** @type {{segments: Uint8Array[], line: number}[]} */
      const lines = [];
      while (from < last) {
        const end = data.indexOf(10, from);
        // Copies, since a view would hold the whole chunk.
        lines.push({ segments: segmentsOf(data.subarray(from, end)).map((one) => one.slice()), line: line++ });
        from = end + 1;
      }
      this._rawTail = [...this._rawTail, ...lines].slice(-this._ends.tail);
    }
    this._waiting = [];
  }

  /** @param {Uint8Array[]} segments of a line @param {number} line @param {Message[]} into */
  _strip(segments, line, into) {
    for (const segment of segments) {
      const raw = trim(decode(segment));
      if (!raw) continue;
      const { message, fields } = this._matcher.prefixes.strip(raw);
      this._found.add(fields);
      if (!message) continue;
      into.push({ file: this._at, line, text: message, weight: this._matcher.lineWeight(message, raw) });
    }
  }
}

/** One character per byte. */
const LATIN = new TextDecoder("latin1");

/**
 * One line for each different beginning: few of millions, where all begin with a rank.
 * @param {Uint8Array} data
 * @param {number} longest bytes of a beginning
 * @returns {number[]} where they begin
 */
function beginnings(data, longest) {
  /** @type {Map<number, number[]>} places of different beginnings, by a hash of them */
  const known = new Map();
  /** @type {number[]} */
  const found = [];
  for (let start = 0; start < data.length; ) {
    const hash = hashOf(data, start, Math.min(start + longest, data.length));
    const alike = obtain(known, hash, () => /** @type {number[]} */ ([]));
    if (!alike.some((other) => isSame(data, start, other, longest))) {
      alike.push(start);
      found.push(start);
    }
    const end = data.indexOf(10, start);
    if (end < 0) break;
    start = end + 1;
  }
  return found;
}

/** Alone in a function, to be quick. @param {Uint8Array} data @param {number} start @param {number} end */
function hashOf(data, start, end) {
  let hash = 0x811c9dc5;
  for (let at = start; at < end; at++) hash = Math.imul(hash ^ data[at], 0x01000193);
  return hash;
}

/** @param {Uint8Array} data @param {number} one @param {number} other @param {number} longest @returns {boolean} */
function isSame(data, one, other, longest) {
  for (let at = 0; at < longest; at++) if (data[one + at] !== data[other + at]) return false;
  return true;
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
    /** @type {Map<number, ReturnType<typeof matcher.prefixes.bulk>>} grammars that showed */
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
    for (const { expression, groups, longest } of telling) {
      const starts = longest === null ? null : beginnings(data, longest);
      if (starts) this._lookAt(data, starts, longest ?? 0, expression, groups);
      else this._lookThrough(data, expression, groups);
    }
  }

  /**
   * @param {Uint8Array} data
   * @param {number[]} starts of lines
   * @param {number} longest
   * @param {RegExp} expression
   * @param {string[]} groups
   */
  _lookAt(data, starts, longest, expression, groups) {
    for (const start of starts) {
      expression.lastIndex = 0;
      const found = expression.exec(LATIN.decode(data.subarray(start, start + longest)));
      groups.forEach((name, group) => this._add(name, found?.[group + 1]));
    }
  }

  /** @param {Uint8Array} data @param {RegExp} expression @param {string[]} groups */
  _lookThrough(data, expression, groups) {
    // One character per byte.
    const text = LATIN.decode(data);
    /** @type {(value: string | undefined, from: number) => string | undefined} */
    const asUtf8 = (value, from) => {
      if (value === undefined || !/[^\0-\x7f]/.test(value)) return value;
      const start = text.indexOf(value, from);
      return decode(data.subarray(start, start + value.length));
    };
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
