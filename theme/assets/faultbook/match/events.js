// @ts-check
/** Events: which signature stands in which line, with what it captured. */

import { holds } from "./conditions.js";
import { placeOf } from "./matcher.js";
import { ANCHOR_BYTES } from "./patterns.js";
import { count } from "./read.js";
import { decode, encode, head, obtain, tail, trim } from "./text.js";

/** Events of one pattern that are kept for one origin; the rest are only counted. */
const KEPT = 3;
/** Characters on both sides of a line's end in which a cut anchor is looked for. */
const EDGE = 16;
/** So often is a pattern looked for in one file; what a file prints more often is no event. */
const TRIED = 20_000;
/** So many patterns are looked for in one segment: an honest line shows a few. */
const TRIED_AT_ONCE = 256;
/** Lines before and after an anchor's that a wrapped text may take. */
const JOINED_BEFORE = 3;
const JOINED_AFTER = 6;
/** Bytes that joined lines may take, with all that stands between them. */
const JOINED_BYTES = 16_384;
/** So often is a pattern tried over a line's end in vain in one file. */
const JOINS = 64;
/** Lines of a traceback that are walked to find its end. */
const TRACEBACK_LINES = 400;
/** Longest text of a line that is handed on, in characters. */
const TEXT_LIMIT = 1000;

/**
 * @typedef {object} Event one pattern found in one place
 * @property {number} pattern
 * @property {number} file
 * @property {number} line 1-based; of the first line where it spans several
 * @property {number} segment 0-based segment of the line (carriage returns divide it)
 * @property {number} start its place in the plain line, or in the joined one
 * @property {number} end
 * @property {Record<string, string>} captures
 * @property {Record<string, string>} fields what the line's prefixes say
 * @property {string} text the line, clean, with its prefixes
 * @property {number} lines
 * @property {string[]} reasons comparisons that made its condition hold
 * @property {boolean} certain whether it alone makes a finding
 * @property {boolean} failed its `when` does not hold
 * @property {number} count how often it was found for this origin
 * @property {number} weight how much its line says about a failure
 * @property {number} cut literal bytes printed where the text ends before the pattern does, else 0
 */
/** @typedef {{file: number, line: number, text: string, fields: Record<string, string>}} ExceptionLine */
/**
 * @typedef {object} Segment a piece of a line
 * @property {number} start
 * @property {number} end
 * @property {number} line
 * @property {number} number
 * @property {string} raw
 * @property {string} plain
 * @property {{message: string, plain: string, fields: Record<string, string>} | null} stripped
 */

/** Collects the events of all files; memory depends on origins, not on sizes. */
export class Collector {
  /** @param {import("./matcher.js").Matcher} matcher */
  constructor(matcher) {
    this.matcher = matcher;
    /** @type {Event[]} */
    this.events = [];
    /** @type {ExceptionLine[]} */
    this.exceptions = [];
    /** @type {Map<string, Event[]>} */
    this._seen = new Map();
    /** @type {Map<string, number>} */
    this._tried = new Map();
    /** @type {Map<string, number>} */
    this._inVain = new Map();
    /** @type {Map<string, number>} */
    this._excepted = new Map();
    /** @type {Set<number>} lines of the exceptions */
    this._exceptedLines = new Set();
  }

  /**
   * Takes in a clean chunk of a file.
   * @param {number} file
   * @param {import("./read.js").Chunk} chunk
   * @param {boolean} small whether it is all of a short file
   */
  chunk(file, chunk, small) {
    const view = new View(chunk, this.matcher.fold);
    /** @type {Segment | null} */
    let last = null;
    /** @type {Set<number>} patterns tried on the last segment; all of it is tried at once */
    let done = new Set();
    /** @type {Segment[]} */
    const tracebacks = [];
    const take = (/** @type {Segment} */ segment, /** @type {number} */ pattern) => {
      if (segment !== last) {
        last = segment;
        done = new Set();
      }
      if (done.has(pattern) || done.size >= TRIED_AT_ONCE) return;
      done.add(pattern);
      this._try(file, view, segment, pattern);
      if (this.matcher.isTraceback(pattern)) tracebacks.push(segment);
    };
    const segments = small ? view.all() : [];
    if (small) this._inPlain(file, segments, take);
    else this._inBytes(file, chunk, view, take);
    this._endsOfTracebacks(file, view, tracebacks);
    if (small) this._small(file, segments);
  }

  /**
   * Tells the anchors of a chunk, with their segments.
   * @param {number} file
   * @param {import("./read.js").Chunk} chunk
   * @param {View} view
   * @param {(segment: Segment, pattern: number) => void} tell
   */
  _inBytes(file, chunk, view, tell) {
    /** @type {Segment | null} */
    let segment = null;
    const hits = this.matcher.scanner.scan(chunk.data);
    for (let hit = 0; hit < hits.length; hit++) {
      const offset = hits.offset(hit);
      const pattern = hits.pattern(hit);
      if (!this._isWanted(file, pattern)) continue;
      if (segment === null || offset < segment.start || offset >= segment.end) segment = view.segment(offset);
      tell(segment, pattern);
    }
  }

  /**
   * Counts an anchor.
   * @param {number} file
   * @param {number} pattern
   * @returns {boolean} false where its pattern has been looked for often enough
   */
  _isWanted(file, pattern) {
    return countUp(this._tried, `${file} ${pattern}`) <= TRIED;
  }

  /**
   * Tells the anchors in plain forms: a paste has hard blanks and printer's quotes.
   * @param {number} file
   * @param {Segment[]} segments
   * @param {(segment: Segment, pattern: number) => void} tell
   */
  _inPlain(file, segments, tell) {
    const plain = segments.map((segment) => segment.plain);
    this._hits(this.matcher.scanner, plain, (at, _, pattern) => {
      if (this._isWanted(file, pattern)) tell(segments[at], pattern);
    });
  }

  /**
   * Finds the exceptions in which tracebacks end. All that are open are followed in one walk,
   * since many ranks print at once.
   * @param {number} file
   * @param {View} view
   * @param {Segment[]} starts
   */
  _endsOfTracebacks(file, view, starts) {
    /** @type {Map<string, number>} until which line each origin is followed */
    const waiting = new Map();
    let walked = 0;
    let last = 0;
    let at = 0;
    /** @type {Segment | null} */
    let current = null;
    for (;;) {
      if (current === null || waiting.size === 0 || walked > last) {
        if (at === starts.length) return;
        waiting.clear();
        current = starts[at];
      }
      const { message, fields } = this.matcher.prefixes.strip(current.raw);
      const origin = JSON.stringify([fields.rank, fields.pid]);
      if (message !== "" && !" \t|+".includes(message[0]) && !message.startsWith("File ")) {
        const until = waiting.get(origin) ?? -1;
        waiting.delete(origin);
        if (walked <= until && this.matcher.isException(message)) this._except(file, current, message, fields);
      }
      for (; at < starts.length && starts[at].start <= current.start; at++) {
        last = walked + TRACEBACK_LINES;
        waiting.set(origin, last);
      }
      current = view.next(current);
      if (current === null) return;
      walked++;
    }
  }

  /** @param {number} file @param {Segment} segment @param {string} text @param {Record<string, string>} fields */
  _except(file, segment, text, fields) {
    const key = JSON.stringify([file, fields.rank, fields.local_rank, fields.node]);
    const place = placeOf(file, segment.line);
    const before = this._excepted.get(key) ?? 0;
    if (before >= KEPT || this._exceptedLines.has(place)) return;
    this._excepted.set(key, before + 1);
    this._exceptedLines.add(place);
    this.exceptions.push({ file, line: segment.line, text: head(text, TEXT_LIMIT), fields });
  }

  /** @param {number} file @param {View} view @param {Segment} segment @param {number} pattern */
  _try(file, view, segment, pattern) {
    const compiled = this.matcher.patterns[pattern];
    const found = compiled.find(compiled.wholeLine ? this._message(segment) : segment.plain);
    if (found !== null) this._add(file, segment, pattern, found, 1);
    else if (!compiled.wholeLine && this._mayJoin(file, pattern)) {
      this._tryJoined(file, view.around(segment), pattern);
    }
  }

  /** @param {number} file @param {number} pattern @returns {boolean} */
  _mayJoin(file, pattern) {
    return (this._inVain.get(`${file} ${pattern}`) ?? 0) < JOINS;
  }

  /** @param {number} file @param {Around} around @param {number} pattern */
  _tryJoined(file, { earlier, later }, pattern) {
    if (earlier.length + later.length < 2) return;
    if (this._join(file, later, pattern) || this._join(file, [...earlier, ...later], pattern)) return;
    countUp(this._inVain, `${file} ${pattern}`);
  }

  /**
   * Matches over the ends of lines; no end may fall into a gap.
   * @param {number} file
   * @param {Segment[]} held
   * @param {number} pattern
   * @returns {boolean}
   */
  _join(file, held, pattern) {
    if (held.length < 2) return false;
    let text = held[0].plain;
    const starts = [0];
    for (const one of held.slice(1)) {
      starts.push(text.length);
      text += this._message(one);
    }
    const found = this.matcher.patterns[pattern].findLoose(text);
    if (found === null) return false;
    const lineOf = (/** @type {number} */ place) => starts.filter((start) => start <= place).length - 1;
    const first = lineOf(found.start);
    const last = lineOf(found.end - 1);
    const seams = starts.slice(first + 1, last + 1);
    // A run of the pattern must go across each seam, so that it was cut there.
    const isCovered = (/** @type {number} */ seam) => found.spans.some(([start, end]) => start < seam && seam < end);
    if (!seams.length || !seams.every(isCovered)) return false;
    this._add(file, held[first], pattern, found, last - first + 1);
    return true;
  }

  /** @param {Segment} segment @returns {string} its plain form without prefixes */
  _message(segment) {
    return this._stripped(segment).plain;
  }

  /** @param {Segment} segment its message, the plain form of that, and what the prefixes say */
  _stripped(segment) {
    if (segment.stripped === null) {
      const { message, fields } = this.matcher.prefixes.strip(trim(segment.raw));
      segment.stripped = { message, plain: trim(this.matcher.fold(message)), fields };
    }
    return segment.stripped;
  }

  /**
   * Looks at a small input more closely: bare exceptions, and what a paste cuts.
   * @param {number} file
   * @param {Segment[]} segments
   */
  _small(file, segments) {
    for (const segment of segments) {
      const { message, fields } = this._stripped(segment);
      if (this.matcher.isException(message)) this._except(file, segment, message, fields);
    }
    this._cutAnchors(file, segments);
    this._cutEnds(file, segments);
  }

  /**
   * Looks for anchors that the end of a line cuts in two.
   * @param {number} file
   * @param {Segment[]} segments
   */
  _cutAnchors(file, segments) {
    /** @type {string[]} */
    const pieces = [];
    /** @type {[number, number][]} */
    const bounds = [];
    for (let at = 1; at < segments.length; at++) {
      const before = tail(segments[at - 1].plain, EDGE);
      const after = head(this._message(segments[at]), EDGE);
      const low = encode(before).length;
      bounds.push([low, low], [low, low + 1]);
      pieces.push(before + after, `${before} ${after}`);
    }
    const tried = new Set();
    this._hits(this.matcher.scanner, pieces, (at, offset, pattern) => {
      const [low, high] = bounds[at];
      if (offset >= high || offset + ANCHOR_BYTES <= low) return;
      const pair = at >> 1;
      const key = `${pair} ${pattern}`;
      if (tried.has(key) || !this._mayJoin(file, pattern)) return;
      tried.add(key);
      this._tryJoined(file, aroundIn(segments, pair), pattern);
    });
  }

  /**
   * Looks for texts that were cut before their end.
   * @param {number} file
   * @param {Segment[]} segments
   */
  _cutEnds(file, segments) {
    /** @type {Set<number>[]} patterns that begin in a segment */
    const begun = segments.map(() => new Set());
    const plain = segments.map((segment) => segment.plain);
    this._hits(this.matcher.heads, plain, (at, _, pattern) => begun[at].add(pattern));
    segments.forEach((segment, at) => {
      const patterns = [...begun[at]].sort((one, other) => one - other);
      for (const pattern of patterns.slice(0, TRIED_AT_ONCE)) {
        const compiled = this.matcher.patterns[pattern];
        const found = compiled.find(segment.plain) ? null : compiled.findCut(segment.plain);
        if (found !== null) this._add(file, segment, pattern, found[0], 1, found[1]);
      }
    });
  }

  /**
   * Tells the anchors in many short pieces.
   * @param {import("./scan.js").Scanner} scanner
   * @param {string[]} pieces
   * @param {(piece: number, offset: number, pattern: number) => void} tell
   */
  _hits(scanner, pieces, tell) {
    const data = encode(pieces.map((piece) => `${piece}\n`).join(""));
    const hits = scanner.scan(data);
    let piece = 0;
    let start = 0;
    let end = data.indexOf(10);
    for (let hit = 0; hit < hits.length; hit++) {
      const offset = hits.offset(hit);
      while (end >= 0 && offset > end) {
        piece++;
        start = end + 1;
        end = data.indexOf(10, start);
      }
      tell(piece, offset - start, hits.pattern(hit));
    }
  }

  /**
   * @param {number} file
   * @param {Segment} segment
   * @param {number} pattern
   * @param {import("./patterns.js").Found} found
   * @param {number} lines
   * @param {number} [cut]
   */
  _add(file, segment, pattern, found, lines, cut = 0) {
    const text = trim(segment.raw);
    const { fields } = this._stripped(segment);
    const { captures } = found;
    const key = JSON.stringify([
      pattern, file, fields.rank, fields.local_rank, fields.node, captures.rank, captures.node,
    ]);
    const held = obtain(this._seen, key, () => /** @type {Event[]} */ ([]));
    const again = (/** @type {Event} */ one) =>
      one.line === segment.line && one.segment === segment.number && one.start === found.start;
    if (held.some(again)) return;
    if (held.length >= KEPT) {
      held[0].count++;
      return;
    }
    /** @type {Event} */
    const event = {
      pattern,
      file,
      line: segment.line,
      segment: segment.number,
      start: found.start,
      end: found.end,
      captures,
      fields,
      text: head(text, TEXT_LIMIT),
      lines,
      reasons: [],
      certain: false,
      failed: false,
      count: 1,
      cut,
      weight: 0,
    };
    held.push(event);
    this.events.push(event);
  }
}

/** @typedef {{earlier: Segment[], later: Segment[]}} Around segments before one, then it and those after */

/**
 * What may be joined with a segment.
 * @param {Segment[]} segments
 * @param {number} at
 * @returns {Around}
 */
function aroundIn(segments, at) {
  const most = segments[at].start + JOINED_BYTES;
  const after = segments.slice(at + 1, at + JOINED_AFTER + 1);
  const later = [segments[at], ...after.filter((one) => one.end <= most)];
  const least = later[later.length - 1].end - JOINED_BYTES;
  const before = segments.slice(Math.max(at - JOINED_BEFORE, 0), at);
  return { earlier: before.filter((one) => one.start >= least), later };
}

/** @param {Map<string, number>} counts @param {string} key @returns {number} its new count */
function countUp(counts, key) {
  const times = (counts.get(key) ?? 0) + 1;
  counts.set(key, times);
  return times;
}

/** A chunk as segments. */
class View {
  /** @param {import("./read.js").Chunk} chunk @param {(text: string) => string} fold */
  constructor(chunk, fold) {
    this._data = chunk.data;
    this._fold = fold;
    // Where the last segment and its line begin, and their numbers: neighbours count from there.
    this._start = 0;
    this._lineStart = 0;
    this._line = chunk.line;
    this._number = 0;
    /** @type {Around} what is around the segment last asked for, and where that begins */
    this._around = { earlier: [], later: [] };
    this._aroundStart = -1;
  }

  /** @param {number} offset @returns {Segment} the segment that holds it */
  segment(offset) {
    const data = this._data;
    let start = offset;
    while (start > 0 && data[start - 1] !== 10 && data[start - 1] !== 13) start--;
    let end = offset;
    while (end < data.length && data[end] !== 10 && data[end] !== 13) end++;
    this._move(start);
    const raw = decode(data.subarray(start, end));
    return {
      start,
      end,
      line: this._line,
      number: this._number,
      raw,
      plain: trim(this._fold(raw)),
      stripped: null,
    };
  }

  /** @param {number} start of the segment that is looked at now */
  _move(start) {
    const data = this._data;
    const known = start >= this._lineStart ? Math.min(start, this._start) : 0;
    let lineStart = start;
    while (lineStart > known && data[lineStart - 1] !== 10) lineStart--;
    if (start >= this._lineStart && lineStart === known) {
      // The same line still, unless `known` itself begins one.
      lineStart = this._lineStart;
      if (start >= this._start) this._number += count(data, 13, this._start, start);
      else this._number -= count(data, 13, start, this._start);
    } else {
      if (lineStart >= this._lineStart) this._line += count(data, 10, this._lineStart, lineStart);
      else this._line -= count(data, 10, lineStart, this._lineStart);
      this._number = count(data, 13, lineStart, start);
    }
    this._lineStart = lineStart;
    this._start = start;
  }

  /** @param {number} at @returns {boolean} whether an end of a line, or a blank, stands there */
  _isBlank(at) {
    const byte = this._data[at];
    return byte === 32 || (byte >= 9 && byte <= 13) || (byte >= 28 && byte <= 31);
  }

  /**
   * The next segment with text.
   * @param {Segment} segment
   * @param {number} [most] where it must have ended
   * @returns {Segment | null}
   */
  next(segment, most = this._data.length) {
    for (let at = segment.end + 1; at < Math.min(most, this._data.length); ) {
      if (this._isBlank(at)) {
        at++;
        continue;
      }
      const found = this.segment(at);
      if (found.plain) return found.end <= most ? found : null;
      at = found.end + 1;
    }
    return null;
  }

  /**
   * The segment with text before one.
   * @param {Segment} segment
   * @param {number} least where it must not have begun yet
   * @returns {Segment | null}
   */
  previous(segment, least) {
    for (let at = segment.start - 2; at >= least && at >= 0; ) {
      if (this._isBlank(at)) {
        at--;
        continue;
      }
      const found = this.segment(at);
      if (found.plain) return found.start >= least ? found : null;
      at = found.start - 1;
    }
    return null;
  }

  /** @param {Segment} segment @returns {Around} what may be joined with it */
  around(segment) {
    if (this._aroundStart !== segment.start) {
      const later = [segment];
      const most = segment.start + JOINED_BYTES;
      while (later.length <= JOINED_AFTER) {
        const one = this.next(later[later.length - 1], most);
        if (one === null) break;
        later.push(one);
      }
      /** @type {Segment[]} */
      const earlier = [];
      const least = later[later.length - 1].end - JOINED_BYTES;
      while (earlier.length < JOINED_BEFORE) {
        const one = this.previous(earlier[0] ?? segment, least);
        if (one === null) break;
        earlier.unshift(one);
      }
      this._around = { earlier, later };
      this._aroundStart = segment.start;
    }
    return this._around;
  }

  /** @returns {Segment[]} every segment with text */
  all() {
    const segments = [];
    for (let at = 0; at < this._data.length; ) {
      if (this._isBlank(at)) {
        at++;
        continue;
      }
      const found = this.segment(at);
      if (found.plain) segments.push(found);
      at = found.end + 1;
    }
    return segments;
  }
}

/**
 * Judges conditions and overlaps.
 * @param {Event[]} events
 * @param {import("./matcher.js").Matcher} matcher
 * @returns {Event[]} those of signatures and signals in the order of files and lines, without
 *   those that a longer text of another entry covers
 */
export function settle(events, matcher) {
  const { withStart, signalStart } = matcher;
  const { units } = matcher.knowledge;
  const isCompany = (/** @type {Event} */ one) => one.pattern >= withStart && one.pattern < signalStart;
  const company = new Set(events.filter(isCompany).map((one) => one.pattern - withStart));
  const judged = events.filter((one) => !isCompany(one)).map((event) => {
    if (event.pattern >= signalStart) return event;
    const record = matcher.index.signatures[event.pattern];
    let certain = record.specific ?? false;
    /** @type {string[]} */
    let reasons = [];
    let failed = false;
    if (event.cut) {
      certain = false;
    } else {
      if (record.when !== undefined) {
        const why = holds(record.when, event.captures, units);
        certain = why !== null;
        failed = why === null;
        reasons = why ?? [];
      }
      // A template may not be its own company.
      if (record.with !== undefined && !failed) certain = company.has(record.with);
    }
    if (record.role === "context") certain = false;
    const weight = matcher.lineWeight(matcher.prefixes.strip(event.text).message, event.text);
    return { ...event, certain, reasons, failed, weight };
  });
  judged.sort(
    (one, other) =>
      one.file - other.file || one.line - other.line || one.segment - other.segment ||
      one.start - other.start || one.pattern - other.pattern,
  );
  return withoutCovered(judged, matcher);
}

/** @param {Event[]} events @param {import("./matcher.js").Matcher} matcher @returns {Event[]} */
function withoutCovered(events, matcher) {
  const entryOf = (/** @type {number} */ pattern) => matcher.index.signatures[pattern].entry;
  const keyOf = (/** @type {Event} */ { file, line, segment }, more = 0) => `${file} ${line + more} ${segment}`;
  /** @type {Map<string, Event[]>} what may cover others, by each line that it spans */
  const covers = new Map();
  for (const event of events) {
    if (event.pattern >= matcher.withStart || event.failed) continue;
    for (let more = 0; more < event.lines; more++) {
      obtain(covers, keyOf(event, more), () => /** @type {Event[]} */ ([])).push(event);
    }
  }
  return events.filter((event) => {
    if (event.pattern >= matcher.signalStart) return true;
    const record = matcher.index.signatures[event.pattern];
    if (event.certain && (record.when !== undefined || record.with !== undefined)) return true;
    const size = matcher.sizeOf(event.pattern, event.cut);
    return !(covers.get(keyOf(event)) ?? []).some(
      (other) =>
        other.start <= event.start && event.end <= other.end &&
        matcher.sizeOf(other.pattern, other.cut) > size && entryOf(other.pattern) !== record.entry &&
        // A text that is not whole decides nothing, so it takes no decision away either.
        !(other.cut && event.certain),
    );
  });
}
