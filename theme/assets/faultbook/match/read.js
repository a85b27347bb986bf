// @ts-check
/**
 * Bytes of logs to clean chunks of whole lines, whatever their encoding and size.
 *
 * A clean chunk is UTF-8 without colour codes, NUL and carriage returns before line feeds. A
 * carriage return that is left divides a line into segments, and so does the end of a piece of
 * an overlong line; only line feeds count as lines.
 */

import { encode } from "./text.js";

/** Bytes to be pushed at once. */
export const CHUNK_BYTES = 4 * 1024 * 1024;
const SEGMENT_BYTES = 65536;
const OVERLAP_BYTES = 4096;

/**
 * @typedef {object} Chunk
 * @property {Uint8Array} data ends with a line feed, or with CR where a line goes on
 * @property {number} line number of its first line
 * @property {number} lines how many end in it
 */

/** @param {Uint8Array} data @param {number} byte @param {number} start @param {number} end */
export function count(data, byte, start, end) {
  let found = 0;
  for (let at = start; at < end; at++) if (data[at] === byte) found++;
  return found;
}

/** @param {...Uint8Array} pieces @returns {Uint8Array} */
export function joined(...pieces) {
  const whole = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

const LF = Uint8Array.of(10);
const CR = Uint8Array.of(13);

/** Turns blocks of raw bytes into clean chunks. */
export class Reader {
  /** @param {(chunk: Chunk) => void} emit told every chunk in order */
  constructor(emit) {
    this._emit = emit;
    /** @type {Chunk | null} the last chunk: a rest without a line feed belongs to it */
    this._pending = null;
    this._line = 1;
    /** @type {Uint8Array} */
    this._carry = new Uint8Array(0);
    /** @type {Uint8Array} */
    this._first = new Uint8Array(0);
    this._started = false;
    /** @type {TextDecoder | null} */
    this._decoder = null;
    /** @type {Uint8Array[]} what is held until `CHUNK_BYTES` are there, and its length */
    this._held = [];
    this._heldLength = 0;
  }

  /** @param {Uint8Array} block raw bytes of any size: chunks are the same for all */
  push(block) {
    if (this._started) {
      this._even(this._decoder ? encode(this._decoder.decode(block, { stream: true })) : block);
      return;
    }
    this._first = this._first.length ? joined(this._first, block) : block;
    if (this._first.length >= 4) this._start();
  }

  end() {
    if (!this._started) this._start();
    if (this._decoder) this._even(encode(this._decoder.decode()));
    if (this._heldLength) this._take(joined(...this._held));
    this._held = [];
    this._heldLength = 0;
    const pending = this._pending;
    this._pending = null;
    if (!this._carry.length) {
      if (pending) this._emit(pending);
      return;
    }
    const rest = joined(clean(this._carry, survey(this._carry).marked), LF);
    const isWhole = pending !== null && pending.data[pending.data.length - 1] === 10;
    if (pending && isWhole) {
      this._emit({ data: joined(pending.data, rest), line: pending.line, lines: pending.lines + 1 });
    } else {
      if (pending) this._emit(pending);
      this._emit({ data: rest, line: this._line, lines: 1 });
    }
  }

  /** @param {Chunk} chunk */
  _complete(chunk) {
    if (this._pending) this._emit(this._pending);
    this._pending = chunk;
  }

  _start() {
    this._started = true;
    const first = this._first;
    const encoding = encodingOf(first);
    if (encoding === null) {
      const marked = first[0] === 0xef && first[1] === 0xbb && first[2] === 0xbf;
      this._even(marked ? first.subarray(3) : first);
      return;
    }
    // PowerShell writes UTF-16.
    this._decoder = new TextDecoder(encoding, { ignoreBOM: true });
    const text = this._decoder.decode(first, { stream: true });
    this._even(encode(text.startsWith("\ufeff") ? text.slice(1) : text));
  }

  /** Takes the same bytes as blocks of `CHUNK_BYTES`. @param {Uint8Array} block */
  _even(block) {
    if (!block.length) return;
    if (!this._heldLength && block.length === CHUNK_BYTES) {
      this._take(block);
      return;
    }
    this._held.push(block);
    this._heldLength += block.length;
    if (this._heldLength < CHUNK_BYTES) return;
    const whole = joined(...this._held);
    let at = 0;
    for (; at + CHUNK_BYTES <= whole.length; at += CHUNK_BYTES) this._take(whole.subarray(at, at + CHUNK_BYTES));
    this._held = at < whole.length ? [whole.slice(at)] : [];
    this._heldLength = whole.length - at;
  }

  /** @param {Uint8Array} block */
  _take(block) {
    const data = this._carry.length ? joined(this._carry, block) : block;
    const end = data.lastIndexOf(10) + 1;
    if (end > 0) {
      this._carry = data.slice(end);
      const raw = data.subarray(0, end);
      // Cleaning takes no line feed away.
      const { lines, marked } = survey(raw);
      this._complete({ data: clean(raw, marked), line: this._line, lines });
      this._line += lines;
    } else if (data.length < CHUNK_BYTES) {
      this._carry = data;
    } else {
      // One line of many megabytes: let go of what is complete as pieces.
      const cut = wholeCharacter(data, data.length);
      const raw = data.subarray(0, cut);
      this._complete({ data: joined(clean(raw, survey(raw).marked), CR), line: this._line, lines: 0 });
      this._carry = data.slice(Math.max(cut - OVERLAP_BYTES, 0));
    }
  }
}

/** @param {Uint8Array} first @returns {string | null} */
function encodingOf(first) {
  const [a, b, c, d] = first;
  if (a === 0xff && b === 0xfe) return "utf-16le";
  if (a === 0xfe && b === 0xff) return "utf-16be";
  if (first.length < 4) return null;
  if (b === 0 && d === 0 && a && c) return "utf-16le";
  if (a === 0 && c === 0 && b && d) return "utf-16be";
  return null;
}

/**
 * Counts lines and looks for what must be cleaned, in one pass: four bytes at once, of which nearly
 * always none is below a blank.
 * @param {Uint8Array} data
 * @returns {{lines: number, marked: boolean}} whether an ESC, NUL or CR is there
 */
function survey(data) {
  let lines = 0;
  let marked = false;
  /** @param {number} from @param {number} to */
  const look = (from, to) => {
    for (let at = from; at < to; at++) {
      if (data[at] === 10) lines++;
      else if (data[at] === 27 || data[at] === 13 || data[at] === 0) marked = true;
    }
  };
  const first = Math.min(-data.byteOffset & 3, data.length);
  const words = new Int32Array(data.buffer, data.byteOffset + first, (data.length - first) >> 2);
  look(0, first);
  for (let at = nextControl(words, 0); at < words.length; at = nextControl(words, at + 1)) {
    look(first + at * 4, first + at * 4 + 4);
  }
  look(first + words.length * 4, data.length);
  return { lines, marked };
}

/** The next word that may hold a byte below a blank; alone, to be quick. @param {Int32Array} words @param {number} at */
function nextControl(words, at) {
  for (; at < words.length; at++) if ((words[at] - 0x20202020) & ~words[at] & 0x80808080) break;
  return at;
}

/** @param {Uint8Array} data @param {boolean} marked as `survey` says @returns {Uint8Array} */
function clean(data, marked) {
  if (!marked) return cutLong(data);
  if (data.includes(27)) data = withoutColours(data);
  if (data.includes(0)) data = without(data, 0, -1);
  if (data.includes(13)) data = without(data, 13, 10);
  return cutLong(data);
}

/**
 * @param {Uint8Array} data
 * @param {number} byte what is dropped
 * @param {number} next only before this byte; any where negative
 * @returns {Uint8Array}
 */
function without(data, byte, next) {
  const kept = new Uint8Array(data.length);
  let length = 0;
  for (let at = 0; at < data.length; at++) {
    if (data[at] !== byte || (next >= 0 && data[at + 1] !== next)) kept[length++] = data[at];
  }
  return kept.subarray(0, length);
}

/** @param {Uint8Array} data @returns {Uint8Array} */
function withoutColours(data) {
  const kept = new Uint8Array(data.length);
  let length = 0;
  for (let at = 0; at < data.length; ) {
    const end = data[at] === 27 ? escapeEnd(data, at) : at;
    if (end > at) at = end;
    else kept[length++] = data[at++];
  }
  return kept.subarray(0, length);
}

/** @param {Uint8Array} data @param {number} at place of an ESC @returns {number} or `at` itself */
function escapeEnd(data, at) {
  const kind = data[at + 1];
  let end = at + 2;
  if (kind === 0x5b) {
    for (let left = 64; left > 0 && data[end] >= 0x30 && data[end] <= 0x3f; left--) end++;
    for (let left = 8; left > 0 && data[end] >= 0x20 && data[end] <= 0x2f; left--) end++;
    return data[end] >= 0x40 && data[end] <= 0x7e ? end + 1 : at;
  }
  if (kind === 0x5d) {
    // No sequence goes over the end of a line or segment, so that lines keep their numbers.
    for (let left = 2048; left > 0 && end < data.length; left--, end++) {
      if (data[end] === 7 || data[end] === 27 || data[end] === 10 || data[end] === 13) break;
    }
    if (data[end] === 7) return end + 1;
    return data[end] === 27 && data[end + 1] === 0x5c ? end + 2 : at;
  }
  const short = (kind >= 0x40 && kind <= 0x5a) || kind === 0x5c || kind === 0x5e || kind === 0x5f;
  return short ? end : at;
}

/**
 * Divides lines longer than a segment into pieces that overlap.
 * @param {Uint8Array} data
 * @returns {Uint8Array}
 */
function cutLong(data) {
  /** @type {Uint8Array[]} */
  const pieces = [];
  let kept = 0;
  for (let at = 0; at < data.length; ) {
    const stop = Math.min(at + SEGMENT_BYTES + 1, data.length);
    // A view keeps the search from going back further than this piece.
    const piece = data.subarray(at, stop);
    let newline = piece.lastIndexOf(10);
    if (newline < 0 && stop < data.length) newline = piece.lastIndexOf(13);
    if (newline >= 0) {
      at += newline + 1;
    } else if (stop === data.length) {
      break;
    } else {
      const cut = wholeCharacter(data, at + SEGMENT_BYTES);
      pieces.push(data.subarray(kept, cut), CR);
      at = kept = wholeCharacter(data, cut - OVERLAP_BYTES);
    }
  }
  return pieces.length ? joined(...pieces, data.subarray(kept)) : data;
}

/** Moves an offset back to where a UTF-8 character begins. @param {Uint8Array} data @param {number} at */
function wholeCharacter(data, at) {
  for (let back = 0; back < 4 && at - back > 0; back++) {
    if (at - back >= data.length || (data[at - back] & 0xc0) !== 0x80) return at - back;
  }
  return at;
}
