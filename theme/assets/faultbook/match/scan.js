// @ts-check
/**
 * Finds the places of anchors in megabytes of text.
 *
 * Any window of 7 bytes holds one whole word that is aligned to 4 bytes. So the chunk is seen as
 * 32-bit words; each is hashed into a table of 2**18 flags, set for the four words that an anchor
 * can show. What passes is compared as a whole window.
 */

import { ANCHOR_BYTES } from "./patterns.js";
import { encode, obtain } from "./text.js";

const TABLE_BITS = 18;
const MULTIPLIER = 0x9e3779b1;
const SHIFT = 32 - TABLE_BITS;
const BEFORE = 8;
const AFTER = 16;
/** Words that are looked at in one go. */
const STRIDE = 1 << 16;
/** Patterns are numbered below this. */
const PATTERNS = 1 << 20;

/** @typedef {{window: Uint8Array, back: number, fold: boolean, patterns: number[]}} Window */

export class Scanner {
  /**
   * @param {{anchor: string, ignoreCase: boolean}[]} anchors one per pattern; one shorter than
   *   a window is found where it ends a segment, an empty one nowhere
   */
  constructor(anchors) {
    this._table = new Uint8Array(1 << TABLE_BITS);
    /** @type {Map<number, Window[]>} windows by the aligned word that they show */
    this._words = new Map();
    /** @type {{bytes: Uint8Array, ignoreCase: boolean, pattern: number}[]} */
    this._short = [];
    this._hits = new Int32Array(STRIDE);
    /** @type {Map<string, number[]>} */
    const known = new Map();
    anchors.forEach(({ anchor, ignoreCase }, pattern) => {
      const bytes = encode(anchor);
      if (bytes.length === 0) return;
      if (bytes.length < ANCHOR_BYTES - 1) {
        this._short.push({ bytes, ignoreCase, pattern });
        return;
      }
      // With the end of its segment an anchor that lacks one byte is a whole window.
      const windows =
        bytes.length < ANCHOR_BYTES
          ? [10, 13].map((end) => Uint8Array.of(...bytes, end))
          : [bytes.subarray(0, ANCHOR_BYTES)];
      for (const window of windows) {
        const patterns = obtain(known, `${ignoreCase} ${window.join()}`, () => {
          /** @type {number[]} */
          const made = [];
          for (let back = 0; back < 4; back++) this._mark({ window, back, fold: ignoreCase, patterns: made });
          return made;
        });
        patterns.push(pattern);
      }
    });
  }

  /** @param {Window} one */
  _mark(one) {
    const shown = [...one.window.subarray(one.back, one.back + 4)];
    let words = [0];
    shown.forEach((byte, at) => {
      const cases = one.fold && byte >= 97 && byte <= 122 ? [byte, byte - 32] : [byte];
      words = words.flatMap((word) => cases.map((each) => (word | (each << (8 * at))) >>> 0));
    });
    for (const word of words) {
      this._table[Math.imul(word, MULTIPLIER) >>> SHIFT] = 1;
      obtain(this._words, word, () => /** @type {Window[]} */ ([])).push(one);
    }
  }

  /**
   * @param {Uint8Array} data a clean chunk
   * @returns {{length: number, offset: (at: number) => number, pattern: (at: number) => number}}
   *   the anchors found, by offset, then by pattern
   */
  scan(data) {
    const padded = new Uint8Array((BEFORE + data.length + AFTER + 3) & ~3);
    padded.set(data, BEFORE);
    const words = new Uint32Array(padded.buffer);
    /** @type {number[]} */
    const found = [];
    for (let start = 0; start < words.length; start += STRIDE) {
      const end = Math.min(start + STRIDE, words.length);
      const hits = sieve(words, start, end, this._table, this._hits);
      for (let hit = 0; hit < hits; hit++) {
        const at = this._hits[hit];
        const windows = this._words.get(words[at]);
        if (windows === undefined) continue;
        for (const one of windows) {
          const place = at * 4 - one.back;
          if (place < BEFORE || !isThere(padded, place, one)) continue;
          for (const pattern of one.patterns) found.push((place - BEFORE) * PATTERNS + pattern);
        }
      }
    }
    /** @type {Uint8Array | null} in small letters, made once where an anchor needs it */
    let small = null;
    for (const { bytes, ignoreCase, pattern } of this._short) {
      if (ignoreCase) small ??= padded.map((byte) => (byte >= 65 && byte <= 90 ? byte + 32 : byte));
      const text = (ignoreCase && small) || padded;
      let at = text.indexOf(bytes[0]);
      for (; at >= 0; at = text.indexOf(bytes[0], at + 1)) {
        const after = text[at + bytes.length];
        if ((after === 10 || after === 13) && bytes.every((byte, each) => text[at + each] === byte)) {
          found.push((at - BEFORE) * PATTERNS + pattern);
        }
      }
    }
    const sorted = Float64Array.from(found).sort();
    return {
      length: sorted.length,
      offset: (at) => Math.floor(sorted[at] / PATTERNS),
      pattern: (at) => sorted[at] % PATTERNS,
    };
  }
}

/**
 * The inner loop, alone in a function: inlined it takes twice as long.
 * @param {Uint32Array} words
 * @param {number} start
 * @param {number} end
 * @param {Uint8Array} table
 * @param {Int32Array} hits filled with places of words that pass
 * @returns {number} how many pass
 */
function sieve(words, start, end, table, hits) {
  let passed = 0;
  for (let at = start; at < end; at++) {
    if (table[Math.imul(words[at], MULTIPLIER) >>> SHIFT] !== 0) hits[passed++] = at;
  }
  return passed;
}

/** @param {Uint8Array} padded @param {number} place @param {Window} one @returns {boolean} */
function isThere(padded, place, one) {
  for (let each = 0; each < ANCHOR_BYTES; each++) {
    let byte = padded[place + each];
    if (one.fold && byte >= 65 && byte <= 90) byte += 32;
    if (byte !== one.window[each]) return false;
  }
  return true;
}
