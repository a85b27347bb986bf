// @ts-check
/** Templates against one line: segments from the left, each a bounded expression. */

import { byteLength, encode } from "./text.js";

/** Bytes of an anchor, and literal bytes with which a text that was cut says enough. */
export const ANCHOR_BYTES = 7;
const CUT_BYTES = 32;
/**
 * A template that begins with a placeholder is tried where the first literal after it stands,
 * so often at most.
 */
const LEADS = 1000;
/** A class that is a repeated set of characters: what stands before a literal is its match. */
const SET = /^(\[[^\]]+\])\{1,([0-9]+)\}$/;

/** @typedef {string | string[]} Part a literal, or a placeholder's kind and name */
/**
 * @typedef {object} PatternRecord a template as the index holds it
 * @property {Part[]} parts
 * @property {string} anchor
 * @property {number} size literal bytes
 * @property {boolean} [ignore_case]
 * @property {boolean} [whole_line]
 */
/**
 * @typedef {object} Found where a pattern stands in a plain line
 * @property {number} start
 * @property {number} end
 * @property {[number, number][]} spans start and end of each run between gaps
 * @property {Record<string, string>} captures
 */

/**
 * How a first run that begins with a placeholder is found: searched for as an expression it would
 * be tried from each character of a long word.
 * @typedef {object} Lead
 * @property {RegExp} literal what follows the placeholder
 * @property {boolean[]} taken codes of characters that the placeholder takes
 * @property {number} most so many of them
 */
/** @typedef {{expression: RegExp, names: string[], lead: Lead | null}[]} Segments the runs between gaps */

export class Pattern {
  /**
   * @param {PatternRecord} record
   * @param {Record<string, string>} classes expressions of the placeholders' kinds
   */
  constructor(record, classes) {
    this.anchor = record.anchor;
    this.size = record.size;
    this.wholeLine = record.whole_line ?? false;
    this.ignoreCase = record.ignore_case ?? false;
    this.parts = record.parts;
    this._classes = classes;
    const only = this.parts.length === 1 ? this.parts[0] : null;
    this._literal = typeof only === "string" && !this.ignoreCase ? only : null;
    /** @type {Segments | null} */
    this._segments = null;
    /** @type {Segments | null} */
    this._loose = null;
    /** @type {{beginning: Pattern, rest: string, size: number}[] | null} */
    this._cuts = null;
  }

  /**
   * A gap is never part of an expression, so that time is linear in the line.
   * @param {(text: string, ignoreCase: boolean) => string} source of a literal
   * @returns {Segments}
   */
  _compile(source) {
    /** @type {{source: string, names: string[]}[]} */
    const runs = [{ source: "", names: [] }];
    for (const part of this.parts) {
      const run = runs[runs.length - 1];
      if (typeof part === "string") {
        run.source += source(part, this.ignoreCase);
      } else if (part[0] === "...") {
        runs.push({ source: "", names: [] });
      } else if (part.length === 2) {
        run.source += `(${this._classes[part[0]]})`;
        run.names.push(part[1]);
      } else {
        run.source += `(?:${this._classes[part[0]]})`;
      }
    }
    return runs.map(({ source: run, names }, at) => {
      const lead = at === 0 ? this._makeLead(source) : null;
      return { expression: new RegExp(run, lead ? "y" : "g"), names, lead };
    });
  }

  /** @param {(text: string, ignoreCase: boolean) => string} source @returns {Lead | null} */
  _makeLead(source) {
    const [first, following] = this.parts;
    if (typeof first === "string" || typeof following !== "string") return null;
    const set = SET.exec(this._classes[first[0]]);
    if (set === null) return null;
    const one = new RegExp(set[1]);
    const taken = Array.from({ length: 128 }, (_, code) => one.test(String.fromCharCode(code)));
    return { literal: new RegExp(source(following, this.ignoreCase), "g"), taken, most: Number(set[2]) };
  }

  /** The beginning by which a text that was cut is found; empty where there is none. */
  get head() {
    const first = this.parts[0];
    if (this.wholeLine || this.ignoreCase || this.size < CUT_BYTES || this.parts.length < 2) return "";
    if (typeof first !== "string") return "";
    let beginning = "";
    for (const character of first) {
      beginning += character;
      if (encode(beginning).length >= ANCHOR_BYTES) return beginning;
    }
    return "";
  }

  /**
   * @param {string} text a plain line
   * @returns {Found | null}
   */
  find(text) {
    if (this._literal !== null) {
      const start = text.indexOf(this._literal);
      if (start < 0 || (this.wholeLine && text !== this._literal)) return null;
      const end = start + this._literal.length;
      return { start, end, spans: [[start, end]], captures: {} };
    }
    this._segments ??= this._compile(literal);
    const found = search(text, this._segments);
    return found && this.wholeLine && (found.start !== 0 || found.end !== text.length) ? null : found;
  }

  /**
   * Where the pattern stands in lines joined without blanks. Where a literal has a blank, the
   * text may have none: the line's end was there.
   * @param {string} text
   * @returns {Found | null}
   */
  findLoose(text) {
    this._loose ??= this._compile(looseLiteral);
    return search(text, this._loose);
  }

  /**
   * Where a beginning of the pattern ends a plain line, the longest, and its literal bytes.
   * @param {string} text
   * @returns {[Found, number] | null}
   */
  findCut(text) {
    this._cuts ??= this._makeCuts();
    for (const { beginning, rest, size } of this._cuts) {
      const found = beginning.find(text);
      if (found === null) continue;
      const left = text.slice(found.end);
      if (!rest.startsWith(left)) continue;
      const whole = size + byteLength(left);
      if (whole >= CUT_BYTES) return [{ ...found, end: text.length }, whole];
    }
    return null;
  }

  _makeCuts() {
    const cuts = [];
    for (let at = this.parts.length - 1; at > 0; at--) {
      const rest = this.parts[at];
      const parts = this.parts.slice(0, at);
      const last = parts[at - 1];
      if (typeof rest !== "string" || (typeof last !== "string" && last[0] === "...")) continue;
      let size = 0;
      for (const part of parts) if (typeof part === "string") size += byteLength(part);
      cuts.push({ beginning: new Pattern({ parts, anchor: "", size }, this._classes), rest, size });
    }
    return cuts;
  }
}

/**
 * @param {string} text
 * @param {Segments} segments
 * @returns {Found | null}
 */
function search(text, segments) {
  /** @type {[number, number][]} */
  const spans = [];
  /** @type {Record<string, string>} */
  const captures = {};
  let at = 0;
  for (const { expression, names, lead } of segments) {
    expression.lastIndex = at;
    const found = lead ? searchLead(text, expression, lead) : expression.exec(text);
    if (found === null) return null;
    at = found.index + found[0].length;
    spans.push([found.index, at]);
    for (let each = 0; each < names.length; each++) captures[names[each]] = found[each + 1] ?? "";
  }
  return { start: spans[0][0], end: at, spans, captures };
}

/** @param {string} text @param {RegExp} run sticky @param {Lead} lead @returns {RegExpExecArray | null} */
function searchLead(text, run, { literal: following, taken, most }) {
  let at = 0;
  let tried = -1;
  for (let left = LEADS; left > 0; left--) {
    following.lastIndex = at;
    const end = following.exec(text)?.index;
    if (end === undefined) return null;
    const least = Math.max(end - most, 0);
    let start = end;
    while (start > least && taken[text.charCodeAt(start - 1)]) start--;
    if (tried < start && start < end) {
      tried = start;
      run.lastIndex = start;
      const found = run.exec(text);
      if (found !== null) return found;
    }
    at = end + 1;
  }
  return null;
}

/** @param {string} text @param {boolean} ignoreCase @returns {string} an expression */
function literal(text, ignoreCase) {
  const escaped = text.replace(/[\\^$.*+?()[\]{}|/-]/g, "\\$&");
  if (!ignoreCase) return escaped;
  return escaped.replace(/[A-Za-z]/g, (one) => `[${one.toLowerCase()}${one.toUpperCase()}]`);
}

/** @param {string} text @param {boolean} ignoreCase @returns {string} an expression */
function looseLiteral(text, ignoreCase) {
  return text.split(" ").map((word) => literal(word, ignoreCase)).join(" ?");
}
