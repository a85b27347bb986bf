// @ts-check
/** Logs to answers, in slices: memory does not grow with the size of a log. */

import { CHUNK_BYTES } from "./match/main.js";
import { PASTE } from "./verdict-words.js";

/** Logs up to so many bytes are looked at a second time, for the lines around a finding. */
const MOST_REREAD = 16 * 1024 * 1024;
/** Lines before and after a finding, and how much of each is shown. */
const AROUND = 2;
const MOST_SHOWN = 600;
/** Packed in ways that browsers do not know; two letters at the start tell. */
const PACKED = /\.(?:zst|xz|bz2|zip|tar|tgz|7z)$/i;

/** @typedef {{name: string, file: Blob}} Named */

/**
 * @param {Blob} file
 * @returns {Promise<boolean>} whether it is gzip
 */
async function isGzip(file) {
  const head = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  return head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * The bytes of a file in blocks of `CHUNK_BYTES`.
 * @param {Named} named
 * @param {(bytes: number) => void} progress bytes read of the file
 * @returns {AsyncGenerator<Uint8Array>}
 */
async function* blocks({ name, file }, progress) {
  if (PACKED.test(name)) {
    throw new Error(`${name}: browsers cannot unpack this. Unpack it first, or use the command faultbook diagnose.`);
  }
  if (!(await isGzip(file))) {
    for (let at = 0; at < file.size; at += CHUNK_BYTES) {
      yield new Uint8Array(await file.slice(at, at + CHUNK_BYTES).arrayBuffer());
      progress(Math.min(at + CHUNK_BYTES, file.size));
    }
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
  if (filled) yield block.subarray(0, filled);
  progress(file.size);
}

/**
 * The lines around each finding, where they are to be had.
 * @param {any} answer
 * @param {(name: string) => Promise<string | null> | string | null} textOf
 * @returns {Promise<any>} the answer, whose findings may have `around`: pairs of line number and text
 */
async function withSurroundings(answer, textOf) {
  /** @type {Map<string, string[]>} */
  const known = new Map();
  for (const one of answer.findings) {
    if (!known.has(one.file)) known.set(one.file, ((await textOf(one.file)) ?? "").split("\n"));
    const lines = known.get(one.file) ?? [];
    if (lines.length < one.line) continue;
    const from = Math.max(1, one.line - AROUND);
    one.around = lines
      .slice(from - 1, one.line + AROUND)
      .map((text, at) => [from + at, text.slice(0, MOST_SHOWN)])
      .filter(([line, text]) => line === one.line || String(text).trim());
  }
  return answer;
}

/**
 * @param {import("./loading.js").Matcher} matcher
 * @param {string} text
 * @returns {Promise<any>}
 */
export function diagnoseText(matcher, text) {
  return withSurroundings(matcher.diagnose(text, { name: PASTE }), () => text);
}

/**
 * Read files as one incident: one log for each rank.
 * @param {import("./loading.js").Matcher} matcher
 * @param {Named[]} files
 * @param {(done: number) => void} progress bytes read so far, of all files
 * @returns {Promise<any>}
 * @throws {Error} a file cannot be read or unpacked; the message names it
 */
export async function diagnoseFiles(matcher, files, progress) {
  const incident = matcher.incident();
  let before = 0;
  for (const named of files) {
    const file = incident.file(named.name);
    const start = before;
    try {
      for await (const block of blocks(named, (bytes) => progress(start + bytes))) file.push(block);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(message.startsWith(named.name) ? message : `${named.name}: ${message}`);
    }
    file.end();
    before += named.file.size;
  }
  const answer = incident.answer(files.length === 1 ? files[0].name : `${files.length} files`);
  return withSurroundings(answer, async (name) => {
    const named = files.find((each) => each.name === name);
    if (!named || named.file.size > MOST_REREAD || (await isGzip(named.file))) return null;
    const text = await named.file.text();
    return text.includes("\0") ? null : text;
  });
}
