// @ts-check
/**
 * The published index to what the matcher works with: places made texts, words made impacts. What
 * follows from titles and signatures is not published. All of this is whole numbers below 2^53.
 */

import { decode, encode, obtain, wordsOf } from "./text.js";

/** Bytes of an anchor, where any literal has as many. */
const ANCHOR_BYTES = 7;
/** Rarities are published as so many parts of one. */
const RARITY_SCALE = 1024;
const DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
/** Digits from here on say that more follow. */
const LAST = 32;
const VALUES = new Map([...DIGITS].map((digit, value) => [digit, value]));

/**
 * The index as the matcher uses it.
 * @param {any} index
 */
export function expand(index) {
  const terms = termsOf(index);
  const words = [...terms.keys()];
  return {
    entries: index.entries.map((/** @type {any} */ { signatures, ...entry }) => ({ leads_to: [], ...entry })),
    /** @type {any[]} */
    signatures: index.entries.flatMap((/** @type {any} */ entry, /** @type {number} */ at) =>
      entry.signatures.map(([anchor, kind, ...parts]) => ({
        entry: at,
        role: entry.usual ?? entry.role ?? "initiating",
        ...patternOf({ ...(kind === 1 ? { specific: true } : kind || {}), parts, anchor }),
      })),
    ),
    /** @type {any[]} */
    withs: index.withs.map(patternOf),
    /** @type {any[]} */
    signals: index.signals.map(patternOf),
    terms,
    background: unpackSteps(index.background).map((at) => words[at]),
    knowledge: index.knowledge,
    texts: index.texts ?? {},
  };
}

/**
 * A pattern with its anchor as text, and how many literal bytes it has.
 * @param {any} record
 */
function patternOf(record) {
  const literals = record.parts.filter((/** @type {any} */ part) => typeof part === "string");
  const bytes = encode(literals.join(""));
  const longest = Math.max(0, ...literals.map((/** @type {string} */ one) => encode(one).length));
  let end = record.anchor + Math.min(longest, ANCHOR_BYTES);
  while (end < bytes.length && (bytes[end] & 0xc0) === 0x80) end++; // the rest of a character
  const window = decode(bytes.subarray(record.anchor, end));
  const small = (/** @type {string} */ text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  return { ...record, anchor: record.ignore_case ? small(window) : window, size: bytes.length };
}

/**
 * The places that a text of steps names: each the distance from one after the last, its lowest
 * five bits first.
 * @param {string} text
 * @returns {number[]}
 */
function unpackSteps(text) {
  const places = [];
  let last = -1;
  let step = 0;
  let factor = 1;
  for (const digit of text) {
    const value = VALUES.get(digit) ?? 0;
    step += (value % LAST) * factor;
    factor *= LAST;
    if (value >= LAST) continue;
    last += step + 1;
    places.push(last);
    step = 0;
    factor = 1;
  }
  return places;
}

/**
 * Each word's rarity and impacts: [rarity, step, impact, step, impact, ...].
 * @param {any} index
 * @returns {Map<string, number[]>}
 */
function termsOf(index) {
  const weigh = index.bm25;
  /** @type {Map<string, Map<number, number>>} */
  const counts = new Map();
  /** @type {number[]} */
  const sizes = index.entries.map(() => 0);
  const add = (/** @type {Map<number, number>} */ held, /** @type {number} */ at, /** @type {number} */ weight) => {
    held.set(at, (held.get(at) ?? 0) + weight);
    sizes[at] += weight;
  };
  index.entries.forEach((/** @type {any} */ entry, /** @type {number} */ at) => {
    const names = [entry.title, entry.id, ...(entry.aliases ?? [])];
    const printed = entry.signatures.flatMap((/** @type {any[]} */ record) => record.slice(2));
    for (const [texts, weight] of [[names, weigh.title], [printed, weigh.signature]]) {
      const words = texts.filter((/** @type {any} */ text) => typeof text === "string").flatMap(wordsOf);
      // What is said twice is not said louder.
      for (const word of new Set(words)) add(obtain(counts, word, () => new Map()), at, weight);
    }
  });
  for (const word of index.words.split(" ")) if (word) counts.set(word, new Map());
  const rows = index.more.split(" ");
  [...counts.values()].forEach((held, word) => {
    for (const at of unpackSteps(rows[word])) add(held, at, weigh.more);
  });
  /** @type {Map<number, number>} */
  const rarities = new Map();
  for (let at = 0; at < weigh.rarities.length; at += 2) rarities.set(weigh.rarities[at], weigh.rarities[at + 1]);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const { k1, b } = weigh; // in tenths
  const shares = sizes.map((size) => k1 * ((10 - b) * total + b * size * sizes.length));
  /** @type {Map<string, number[]>} */
  const terms = new Map();
  for (const [word, held] of counts) {
    const rarity = rarities.get(held.size) ?? 0;
    const row = [half(weigh.rarity * rarity, RARITY_SCALE)];
    let last = 0;
    for (const [at, count] of [...held].sort(([one], [other]) => one - other)) {
      // rarity * count * (k1 + 1) / (count + k1 * (1 - b + b * size / mean))
      const above = weigh.impact * rarity * count * (k1 + 10) * 10 * total;
      const impact = half(above, RARITY_SCALE * (100 * count * total + shares[at]));
      if (impact <= 0) continue;
      row.push(at - last, impact);
      last = at;
    }
    terms.set(word, row);
  }
  return terms;
}

/** A division that rounds. @param {number} above @param {number} below @returns {number} */
const half = (above, below) => Math.floor((2 * above + below) / (2 * below));
