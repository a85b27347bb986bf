// @ts-check
/**
 * Texts as the Python matcher sees them: its blanks, its lengths, its plain form of a line.
 * A regular expression with `+$` would take quadratic time on a line of blanks, so ends are
 * found by hand.
 */

const encoder = new TextEncoder();
// A mark in the middle of a log is a character like any other.
const decoder = new TextDecoder("utf-8", { ignoreBOM: true });

/** @param {string} text @returns {Uint8Array} */
export const encode = (text) => encoder.encode(text);

/** @param {Uint8Array} bytes @returns {string} invalid bytes become U+FFFD */
export const decode = (bytes) => decoder.decode(bytes);

/** @param {number} code @returns {boolean} whether Python's `str.strip` drops it */
function isBlank(code) {
  if (code < 0x80) return code === 32 || (code >= 9 && code <= 13) || (code >= 28 && code <= 31);
  return (
    code === 0x85 || code === 0xa0 || code === 0x1680 || (code >= 0x2000 && code <= 0x200a) ||
    code === 0x2028 || code === 0x2029 || code === 0x202f || code === 0x205f || code === 0x3000
  );
}

/** @param {string} text @returns {string} */
export function trimEnd(text) {
  let end = text.length;
  while (end > 0 && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(0, end);
}

/** @param {string} text @returns {string} */
export function trim(text) {
  let start = 0;
  while (start < text.length && isBlank(text.charCodeAt(start))) start++;
  return trimEnd(text.slice(start));
}

/**
 * The first characters of a text; a pair of surrogates is one.
 * @param {string} text
 * @param {number} count
 * @returns {string}
 */
export function head(text, count) {
  if (text.length <= count) return text;
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left--) {
    at += /** @type {number} */ (text.codePointAt(at)) > 0xffff ? 2 : 1;
  }
  return text.slice(0, at);
}

/**
 * The last characters of a text; a pair of surrogates is one.
 * @param {string} text
 * @param {number} count
 * @returns {string}
 */
export function tail(text, count) {
  if (text.length <= count) return text;
  let at = text.length;
  for (let left = count; left > 0 && at > 0; left--) {
    const pair = at > 1 && /** @type {number} */ (text.codePointAt(at - 2)) > 0xffff;
    at -= pair ? 2 : 1;
  }
  return text.slice(at);
}

/** @param {string} text @returns {number} */
export const byteLength = (text) => encoder.encode(text).length;

/**
 * Makes the function that gives the plain form of a line, in which templates are compared.
 * @param {Record<string, string>} table characters and what stands for them
 * @returns {(text: string) => string}
 */
export function makeFold(table) {
  const escaped = Object.keys(table).map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);
  const special = new RegExp(`[${escaped.join("")}]`, "g");
  return (text) => text.replace(special, (one) => table[one]).replace(/ {2,}/g, " ");
}

/**
 * A printed rank as a number, null where it is none.
 * @param {string | null | undefined} text
 * @returns {number | null}
 */
export function number(text) {
  return typeof text === "string" && /^[0-9]{1,7}$/.test(text) ? Number(text) : null;
}

/**
 * The value of a map, made where there is none.
 * @template K, V
 * @param {Map<K, V>} map
 * @param {K} key
 * @param {() => V} make
 * @returns {V}
 */
export function obtain(map, key, make) {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}

const RUN = /[A-Za-z0-9_]{1,200}/g;
const PIECE = /[A-Z]{2,}(?![a-z])|[A-Z]?[a-z]+|[A-Z]+|[0-9]+/g;
/** @type {[string, number][]} */
const ENDINGS = [["ing", 6], ["ed", 5], ["es", 5], ["s", 4]];

/**
 * The words of a text in order: identifiers whole, then their pieces.
 * @param {string} text
 * @returns {string[]}
 */
export function wordsOf(text) {
  /** @type {string[]} */
  const words = [];
  for (const run of text.match(RUN) ?? []) {
    const whole = stem(run.toLowerCase());
    if (isWord(whole)) words.push(whole);
    const pieces = run.match(PIECE) ?? [];
    if (pieces.length < 2) continue;
    for (const piece of pieces) {
      const part = stem(piece.toLowerCase());
      if (part !== whole && isWord(part)) words.push(part);
    }
  }
  return words;
}

/** @param {string} word @returns {boolean} */
function isWord(word) {
  if (/^[0-9]+$/.test(word)) return word.length <= 3;
  return word.length >= 2 && word.length <= 32 && !word.startsWith("0x");
}

/** @param {string} word @returns {string} */
function stem(word) {
  for (const [ending, least] of ENDINGS) {
    if (word.endsWith(ending) && word.length >= least && !word.endsWith("ss")) {
      return word.slice(0, -ending.length);
    }
  }
  return word;
}
