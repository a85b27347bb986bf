// @ts-check
/** Conditions of the index over captured texts, with what made them hold. */

const NUMBER = /^([-+]?[0-9]*[.]?[0-9]*(?:[eE][-+]?[0-9]+)?) ?([A-Za-z]*)$/;
const CLOCK = /([0-9]{1,3}):([0-9]{2})(?::([0-9]{2})(?:[.,]([0-9]{1,9}))?)?/;

/** @typedef {Record<string, Record<string, number>>} Units factors by kind and unit */
/** @typedef {Record<string, string>} Captures */

/**
 * A capture as a number: sizes in bytes, times in seconds; null where it is none.
 * @param {string} text
 * @param {string} kind
 * @param {Units} units
 * @returns {number | null}
 */
export function valueOf(text, kind, units) {
  const clock = kind === "time" ? CLOCK.exec(text) : null;
  if (clock) {
    const [, first, second, third, part] = clock;
    if (third === undefined) return Number(first) * 60 + Number(second);
    const fraction = part ? Number(`0.${part}`) : 0;
    return Number(first) * 3600 + Number(second) * 60 + Number(third) + fraction;
  }
  const found = NUMBER.exec(text);
  if (found === null || found[1] === "") return null;
  const value = Number(found[1]);
  if (Number.isNaN(value)) return null;
  const unit = found[2];
  if (kind === "size") return value * factor(units.size, unit.slice(0, 1));
  if (kind === "time" && unit) {
    return value * (Object.hasOwn(units.time, unit) ? units.time[unit] : factor(units.time, unit.replace(/s+$/, "")));
  }
  return value;
}

/** @param {Record<string, number>} factors @param {string} unit @returns {number} */
function factor(factors, unit) {
  return Object.hasOwn(factors, unit) ? factors[unit] : 1;
}

/**
 * Judges a condition.
 * @param {any} tree
 * @param {Captures} captures
 * @param {Units} units
 * @returns {string[] | null} the comparisons that made it hold; null where it does not
 */
export function holds(tree, captures, units) {
  const [operator, ...sides] = tree;
  if (operator === "and") {
    /** @type {Set<string>} */
    const reasons = new Set();
    for (const inner of sides) {
      const one = holds(inner, captures, units);
      if (one === null) return null;
      for (const reason of one) reasons.add(reason);
    }
    return [...reasons];
  }
  if (operator === "or") {
    for (const inner of sides) {
      const one = holds(inner, captures, units);
      if (one !== null) return one;
    }
    return null;
  }
  const [one, other] = sides.map((/** @type {any} */ side) => value(side, captures, units));
  if (one === null || other === null || !compare(operator, one, other)) return null;
  if (operator === "==" && !sides.every(isName)) {
    const [name, fixed] = isName(sides[0]) ? sides : [sides[1], sides[0]];
    return [`${inWords(name)} is ${say(fixed, captures)}`];
  }
  return [`${say(sides[0], captures)} ${operator} ${say(sides[1], captures)}`];
}

/** @param {any} side @returns {boolean} whether it is a capture */
const isName = (side) => typeof side === "object" && "name" in side;

/** @param {{name: string}} capture @returns {string} */
const inWords = ({ name }) => name.replaceAll("_", " ");

/** @param {any} side @param {Captures} captures @param {Units} units @returns {number | string | null} */
function value(side, captures, units) {
  if (typeof side === "number") return side;
  if ("text" in side) return side.text;
  if (!Object.hasOwn(captures, side.name)) return null;
  const captured = captures[side.name];
  return ["int", "num", "size", "time"].includes(side.kind) ? valueOf(captured, side.kind, units) : captured;
}

/** @param {string} operator @param {any} one @param {any} other @returns {boolean} */
function compare(operator, one, other) {
  if (typeof one !== typeof other) return false;
  switch (operator) {
    case "==": return one === other;
    case "!=": return one !== other;
    case "<": return one < other;
    case "<=": return one <= other;
    case ">": return one > other;
    default: return one >= other;
  }
}

/** @param {any} side @param {Captures} captures @returns {string} */
function say(side, captures) {
  if (typeof side === "number") return sayNumber(side);
  return "text" in side ? `'${side.text}'` : `${inWords(side)} ${captures[side.name]}`;
}

/** @type {[number, string][]} */
const LARGE = [[1e12, "TB"], [1e9, "GB"], [1e6, "MB"]];

/** A threshold; from a million on it is bytes. @param {number} number @returns {string} */
function sayNumber(number) {
  for (const [large, unit] of LARGE) {
    if (number < large || (number * 10) % large !== 0) continue;
    const tenths = Math.floor((number * 10) / large);
    return `${Math.floor(tenths / 10)}${tenths % 10 ? `.${tenths % 10}` : ""} ${unit}`;
  }
  return String(number);
}
