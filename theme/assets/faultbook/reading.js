// @ts-check
/** Logs to answers, in slices: memory does not grow with the size of a log. */

import { CHUNK_BYTES } from "./match/main.js";
import { Reader } from "./match/read.js";
import { decode, encode, obtain } from "./match/text.js";
import { UnreadableError, isGzip } from "./packed.js";
import { timelineOf } from "./timeline.js";
import { PASTE } from "./verdict-words.js";

/** Lines before and after a finding, how much of each is shown, and of how many findings. */
const AROUND = 2;
const MOST_SHOWN = 600;
const MOST_PLACES = 40;
/** Of longer files only the blocks around a finding are read a second time. Bytes. */
const MOST_REREAD = 8 * CHUNK_BYTES;

/** @typedef {{name: string, file: Blob}} Named */
/** @typedef {{name: string, why: string, run: string}} Unread */
/** @typedef {[line: number, text: string][]} Lines */
/**
 * @typedef {object} Diagnosis
 * @property {any} answer as the command prints it
 * @property {import("./timeline.js").Timeline | null} timeline
 * @property {Record<string, Lines>} around by `placeKey`, the lines around findings
 * @property {Unread[]} unread files that are not part of the answer, or not to their end
 */
/**
 * @typedef {object} Progress
 * @property {number} bytes read so far, of all files
 * @property {string} name of the file that is being read
 * @property {number} number of that file, from 1
 */

/** @param {{file: string, line: number}} one */
export const placeKey = ({ file, line }) => `${line} ${file}`;

/**
 * The bytes of a file in blocks of `CHUNK_BYTES`.
 * @param {Named} named
 * @param {(bytes: number) => void} progress
 * @param {number} [from] where to begin; of a packed file always at its beginning
 */
async function* blocks(named, progress, from = 0) {
  const { file } = named;
  if (!(await isGzip(named))) {
    /** @param {number} at */
    const read = (at) => file.slice(at, at + CHUNK_BYTES).arrayBuffer();
    let following = read(from);
    for (let at = from; at < file.size; at += CHUNK_BYTES) {
      const block = await following;
      // The next one is read while this one is looked at.
      following = read(at + CHUNK_BYTES);
      following.catch(() => undefined); // told when it is waited for, and of no interest after a cancel
      yield new Uint8Array(block);
      progress(Math.min(at + CHUNK_BYTES, file.size));
    }
    await following;
    return;
  }
  let taken = 0;
  const counted = new TransformStream({
    transform(piece, controller) {
      taken += piece.length;
      controller.enqueue(piece);
    },
  });
  const reader = file.stream().pipeThrough(counted).pipeThrough(new DecompressionStream("gzip")).getReader();
  let block = new Uint8Array(CHUNK_BYTES);
  let filled = 0;
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      for (let at = 0; at < value.length; ) {
        const some = value.subarray(at, at + CHUNK_BYTES - filled);
        block.set(some, filled);
        filled += some.length;
        at += some.length;
        if (filled < CHUNK_BYTES) continue;
        yield block;
        block = new Uint8Array(CHUNK_BYTES);
        filled = 0;
        progress(taken);
      }
    }
  } catch (error) {
    // What was unpacked of a damaged file is as good as that of a whole one.
    if (filled) yield block.subarray(0, filled);
    throw error;
  } finally {
    // Where the reading is given up, the unpacking is too.
    reader.cancel().catch(() => {});
  }
  if (filled) yield block.subarray(0, filled);
  progress(file.size);
}

/**
 * @param {ReturnType<import("./loading.js").Matcher["incident"]>} incident all of it read
 * @param {string} name
 */
function answerOf(incident, name) {
  const gathered = incident.gather(name);
  const answer = incident.answer(name, gathered);
  return { answer, timeline: timelineOf(gathered, answer, incident.matcher) };
}

/**
 * The findings that are shown with their lines: of each entry the first in each role.
 * @param {any} answer
 * @returns {{file: string, line: number, text: string}[]}
 */
function shownPlaces(answer) {
  const first = new Map();
  for (const one of answer.findings) {
    const key = `${one.id} ${one.role}`;
    if (!first.has(key)) first.set(key, one);
  }
  return [...first.values()].slice(0, MOST_PLACES);
}

/** Takes the lines around wanted ones out of the chunks of one file. */
class LinePicker {
  /**
   * @param {{line: number, text: string}[]} wanted
   * @param {string} file
   * @param {Record<string, Lines>} into
   * @param {number} [before] lines before the first chunk
   */
  constructor(wanted, file, into, before = 0) {
    this.last = Math.max(...wanted.map(({ line }) => line)) + AROUND;
    this._before = before;
    this._wanted = wanted;
    this._file = file;
    this._into = into;
    /** @type {import("./match/read.js").Chunk | null} a chunk's last line is known when the next begins */
    this._held = null;
    this.line = 0;
  }

  /** @param {import("./match/read.js").Chunk} chunk */
  take({ data, line }) {
    this.line = line + this._before;
    if (this._held) this._pick(this._held, this.line);
    this._held = { data, line: this.line };
  }

  end() {
    if (this._held) this._pick(this._held, Infinity);
  }

  /** @param {import("./match/read.js").Chunk} chunk @param {number} next the line after it */
  _pick({ data, line }, next) {
    const near = this._wanted.filter((one) => one.line + AROUND >= line && one.line - AROUND < next);
    if (!near.length) return;
    const to = Math.max(...near.map((one) => one.line)) + AROUND;
    for (let start = 0; start < data.length && line <= to; line++) {
      const found = data.indexOf(10, start);
      const end = found < 0 ? data.length : found;
      for (const one of near) {
        if (Math.abs(one.line - line) > AROUND) continue;
        const segments = decode(data.subarray(start, Math.min(end, start + 65_536))).split("\r");
        const text = (segments.filter((each) => each.trim()).at(-1) ?? "").slice(0, MOST_SHOWN).trimEnd();
        const lines = (this._into[placeKey({ file: this._file, line: one.line })] ??= []);
        // A line of several chunks comes more than once.
        if (lines.at(-1)?.[0] !== line) lines.push([line, one.line === line ? one.text : text]);
      }
      start = end + 1;
    }
  }
}

/**
 * @param {import("./loading.js").Matcher} matcher
 * @param {string} text
 * @returns {Diagnosis}
 */
export function diagnoseText(matcher, text) {
  const incident = matcher.incident();
  const file = incident.file(PASTE);
  const bytes = encode(text); // a lone surrogate becomes U+FFFD
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) file.push(bytes.subarray(at, at + CHUNK_BYTES));
  file.end();
  const { answer, timeline } = answerOf(incident, PASTE);
  /** @type {Record<string, Lines>} */
  const around = {};
  const wanted = shownPlaces(answer);
  if (wanted.length) {
    const picker = new LinePicker(wanted, PASTE, around);
    const reader = new Reader((chunk) => picker.take(chunk));
    reader.push(bytes);
    reader.end();
    picker.end();
  }
  return { answer, timeline, around, unread: [] };
}

/**
 * Read files as one incident: one log for each rank.
 * @param {import("./loading.js").Matcher} matcher
 * @param {Named[]} files
 * @param {(done: Progress) => void} progress
 * @param {AbortSignal} signal ends the reading between two blocks
 * @returns {Promise<Diagnosis>} its answer is null where no file could be read
 * @throws {DOMException} the signal was given
 */
export async function diagnoseFiles(matcher, files, progress, signal) {
  const incident = matcher.incident();
  /** @type {Unread[]} */
  const unread = [];
  /** @type {Named[]} */
  const readable = [];
  /** @type {Map<Named, number[]>} */
  const lineFeeds = new Map();
  let before = 0;
  for (const [at, named] of files.entries()) {
    const { name } = named;
    /** @type {ReturnType<typeof incident.file> | undefined} */
    let file;
    progress({ bytes: before, name, number: at + 1 });
    try {
      for await (const block of blocks(named, (bytes) => progress({ bytes: before + bytes, name, number: at + 1 }))) {
        signal.throwIfAborted();
        file ??= incident.file(name);
        file.push(block);
        if (named.file.size > MOST_REREAD) obtain(lineFeeds, named, () => /** @type {number[]} */ ([])).push(lineFeedsIn(block));
      }
      file ??= incident.file(name);
    } catch (error) {
      signal.throwIfAborted();
      unread.push(whyUnread(name, error, file !== undefined));
    }
    if (file) {
      file.end();
      readable.push(named);
    }
    before += named.file.size;
    signal.throwIfAborted();
  }
  if (!readable.length) return { answer: null, timeline: null, around: {}, unread };
  const name = readable.length === 1 ? readable[0].name : `${readable.length} files`;
  const { answer, timeline } = answerOf(incident, name);
  return { answer, timeline, around: await linesAround(answer, readable, lineFeeds, signal), unread };
}

/**
 * @param {string} name
 * @param {unknown} error
 * @param {boolean} begun whether a part of it was read
 * @returns {Unread}
 */
function whyUnread(name, error, begun) {
  if (error instanceof UnreadableError) return { name, why: error.message, run: error.run };
  if (begun) return { name, why: "damaged or still being written: read up to there", run: "" };
  return { name, why: `cannot be read: ${error instanceof Error ? error.message : String(error)}`, run: "" };
}

/** @param {Uint8Array} block @returns {number} */
function lineFeedsIn(block) {
  let found = 0;
  for (let at = block.indexOf(10); at >= 0; at = block.indexOf(10, at + 1)) found++;
  return found;
}

/**
 * Files are read a second time, since only at their end it is known which lines are wanted.
 * @param {any} answer
 * @param {Named[]} files
 * @param {Map<Named, number[]>} lineFeeds of long files, for each block
 * @param {AbortSignal} signal
 * @returns {Promise<Record<string, Lines>>}
 */
async function linesAround(answer, files, lineFeeds, signal) {
  /** @type {Record<string, Lines>} */
  const around = {};
  const places = shownPlaces(answer);
  for (const named of files) {
    const wanted = places.filter(({ file }) => file === named.name);
    if (!wanted.length) continue;
    const counts = await seekable(named, lineFeeds.get(named));
    for (const [start, some] of byStart(wanted, counts)) {
      const before = start ? counts.slice(0, start).reduce((sum, each) => sum + each, 0) + 1 : 0;
      const picker = new LinePicker(some, named.name, around, before);
      const reader = new Reader((chunk) => picker.take(chunk));
      // The first line of a block in the middle began in the one before.
      let skip = start > 0;
      try {
        for await (const block of blocks(named, () => {}, start * CHUNK_BYTES)) {
          signal.throwIfAborted();
          reader.push(skip ? block.subarray(block.indexOf(10) + 1) : block);
          skip = false;
          if (picker.line > picker.last) break;
        }
        reader.end();
      } catch {
        signal.throwIfAborted(); // else it ends early, as when it was read first
      }
      picker.end();
    }
  }
  return around;
}

/**
 * Line feeds of each block, where a file can be read from the middle.
 * @param {Named} named
 * @param {number[]} [counts]
 * @returns {Promise<number[]>} none where it has to be read from its beginning
 */
async function seekable(named, counts = []) {
  // In UTF-16 a byte says little.
  const head = new Uint8Array(await named.file.slice(0, 4).arrayBuffer());
  const isWide = head.includes(0) || (head[0] === 0xff && head[1] === 0xfe) || (head[0] === 0xfe && head[1] === 0xff);
  return isWide || (await isGzip(named)) ? [] : counts;
}

/**
 * Wanted lines by the block in which reading begins, a whole line before them.
 * @template {{line: number}} Wanted
 * @param {Wanted[]} wanted
 * @param {number[]} counts
 * @returns {Map<number, Wanted[]>}
 */
function byStart(wanted, counts) {
  /** @type {Map<number, Wanted[]>} */
  const starts = new Map();
  for (const one of wanted) {
    let start = 0;
    let before = 0;
    for (let at = 0; at < counts.length && before + 2 <= one.line - AROUND; at++) {
      if (counts[at]) start = at;
      before += counts[at];
    }
    obtain(starts, start, () => /** @type {Wanted[]} */ ([])).push(one);
  }
  return starts;
}
