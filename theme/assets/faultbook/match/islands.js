// @ts-check
/** Islands: the few lines of a long log whose words say something about a failure. */

import { head, obtain } from "./text.js";

/** Inputs up to so many lines are one island: somebody chose them. */
const WHOLE_LINES = 100;
/** Lines around a telling line that belong to it, and the longest island. */
const AROUND = 3;
const LONGEST = 30;
/** A long log without a telling line is known by its last lines. */
const LAST = 40;
/** Weight of a line that tells of trouble, and of an exception's own line. */
export const TELLING = 3;
const EXCEPTION = 4;
/** Most islands that are looked at: the first half and the last half of these. */
const MOST = 400;
const TRACEBACK = "Traceback (most recent call last)";

/**
 * @typedef {object} Message a line without its prefixes
 * @property {number} file
 * @property {number} line
 * @property {string} text
 * @property {number} weight how much it tells
 */

/**
 * @param {Message[]} messages lines with text, in order of files and lines
 * @returns {Message[][]} the whole of a short input, else telling lines with their neighbours
 */
export function islandsOf(messages) {
  if (isWhole(messages)) return messages.length ? [messages] : [];
  const seeds = seedsOf(messages);
  if (!seeds.length) return [messages.slice(-LAST)];
  /** @type {[number, number][]} */
  const spans = [];
  for (const seed of seeds) {
    const start = Math.max(seed - AROUND, 0);
    const end = Math.min(seed + AROUND + 1, messages.length);
    const last = spans[spans.length - 1];
    if (last && start <= last[1] && end - last[0] <= LONGEST) last[1] = end;
    else spans.push([start, end]);
  }
  const excepting = spans.filter(([start, end]) => messages.slice(start, end).some(isException));
  let chosen = excepting.length ? excepting : spans;
  if (chosen.length > MOST) chosen = [...chosen.slice(0, MOST / 2), ...chosen.slice(-MOST / 2)];
  return chosen.map(([start, end]) => messages.slice(start, end));
}

/**
 * Whether an input is short enough to be one island, chosen by a person.
 * @param {Message[]} messages
 * @returns {boolean}
 */
export const isWhole = (messages) => messages.length <= WHOLE_LINES;

/** Telling lines; one that repeats itself tells once. @param {Message[]} messages */
function seedsOf(messages) {
  /** @type {Map<string, {times: number}>} */
  const seen = new Map();
  /** @type {number[]} */
  const seeds = [];
  messages.forEach((message, at) => {
    if (message.weight < TELLING && !isException(message)) return;
    const shape = head(message.text, 200).replace(/[^A-Za-z]+/g, "").slice(0, 60);
    const times = ++obtain(seen, shape, () => ({ times: 0 })).times;
    if (times === 1 || (isException(message) && times <= LONGEST)) seeds.push(at);
  });
  return seeds;
}

/** Whether a line is an exception, or begins the traceback of one whose end may be cut. @param {Message} message */
const isException = (message) => message.weight >= EXCEPTION || message.text.startsWith(TRACEBACK);
