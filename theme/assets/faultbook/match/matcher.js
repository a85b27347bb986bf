// @ts-check
/** The index as the matcher uses it: patterns and expressions made once, the rest as it stands. */

import { expand } from "./expand.js";
import { Pattern } from "./patterns.js";
import { Prefixes } from "./prefixes.js";
import { Scanner } from "./scan.js";
import { head, makeFold, obtain, wordsOf } from "./text.js";

/** Characters at a line's start that are weighed: long lines are dumps of settings. */
const WEIGHED = 200;
/** Weight of a line of words that tells nothing in particular. */
export const ORDINARY = 2;

export class Matcher {
  /** @param {any} published the index, see `docs/index-format.md` */
  constructor(published) {
    const index = expand(published);
    const known = index.knowledge;
    this.index = index;
    this.knowledge = known;
    this.fold = makeFold(known.fold);
    this.withStart = index.signatures.length;
    this.signalStart = this.withStart + index.withs.length;
    /** @type {Pattern[]} signatures, then `with` templates, then signals, in the index' order */
    this.patterns = [...index.signatures, ...index.withs, ...index.signals].map(
      (record) => new Pattern(record, known.classes),
    );
    /** @type {Map<string, number[]>} the signatures that hold a word */
    this.holders = new Map();
    /** @type {number[]} sum of the rarities of each signature's words */
    this.rarity = index.signatures.map((/** @type {any} */ record, /** @type {number} */ at) => {
      let sum = 0;
      const texts = record.parts.filter((/** @type {any} */ part) => typeof part === "string");
      for (const word of new Set(/** @type {string[]} */ (texts).flatMap(wordsOf))) {
        // A context stands in healthy logs, too: its words are no sign of the failure.
        if (record.role !== "context") obtain(this.holders, word, () => /** @type {number[]} */ ([])).push(at);
        sum += this.term(word)?.[0] ?? 0;
      }
      return sum;
    });
    /** @type {Set<string>} words that healthy runs print */
    this.background = new Set(index.background);
    /**
     * Expressions or small-letter texts, tried in order, and whether they count in the message alone.
     * @type {[RegExp | string[], number, boolean][]}
     */
    this._lines = known.lines.map((/** @type {any} */ rule) => [
      rule.regex === undefined ? rule.words : new RegExp(rule.regex),
      rule.weight,
      rule.message_only ?? false,
    ]);
    /** @type {[RegExp, string[]][]} */
    this._origins = known.file_origins.map((/** @type {any} */ one) => [new RegExp(one.regex), one.groups]);
    /** @type {Set<number>[]} for each entry those that it leads to */
    this.leadsTo = index.entries.map((/** @type {any} */ entry) => new Set(entry.leads_to));
    this._exception = new RegExp(known.exception_line, "y");
    this.prefixes = new Prefixes(known);
    this.scanner = new Scanner(this.patterns);
    this.heads = new Scanner(
      this.patterns.slice(0, this.withStart).map((one) => ({ anchor: one.head, ignoreCase: false })),
    );
  }

  /** @param {string} word @returns {number[] | undefined} rarity, then entries and impacts */
  term(word) {
    return this.index.terms.get(word);
  }

  /** Literal bytes of a pattern that were printed. @param {number} pattern @param {number} cut */
  sizeOf(pattern, cut) {
    return cut || this.patterns[pattern].size;
  }

  /** Whether an entry only reports on others. @param {number} entry @returns {boolean} */
  isConsequence(entry) {
    return this.index.entries[entry].role === "consequence";
  }

  /** @param {number} pattern @returns {boolean} whether it is the first line of a traceback */
  isTraceback(pattern) {
    return pattern >= this.signalStart && this.signal(pattern).kind === "traceback";
  }

  /** @param {number} pattern @returns {any} the signal's record */
  signal(pattern) {
    return this.index.signals[pattern - this.signalStart];
  }

  /** @param {string} text a message @returns {boolean} whether it ends a traceback */
  isException(text) {
    this._exception.lastIndex = 0;
    return this._exception.test(text);
  }

  /**
   * How much a line says about a failure, 0 for nothing.
   * @param {string} message the line without prefixes
   * @param {string} raw the line with them: its level tells, too
   * @returns {number}
   */
  lineWeight(message, raw) {
    const weight = this._weigh(head(message, WEIGHED), false);
    return weight === ORDINARY ? this._weigh(head(raw, WEIGHED), true) || weight : weight;
  }

  /** @param {string} text @param {boolean} withPrefixes @returns {number} */
  _weigh(text, withPrefixes) {
    let small = "";
    for (const [rule, weight, messageOnly] of this._lines) {
      if (messageOnly && withPrefixes) continue;
      if (rule instanceof RegExp) {
        if (rule.test(text)) return weight;
        continue;
      }
      // Only ASCII: other letters differ between languages.
      small ||= text.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
      if (rule.some((word) => small.includes(word))) return weight;
    }
    return 0;
  }

  /** What a file's name says about rank and node. @param {string} name @returns {Record<string, string>} */
  originOf(name) {
    for (const [expression, groups] of this._origins) {
      const found = expression.exec(name);
      if (found === null) continue;
      /** @type {Record<string, string>} */
      const said = {};
      groups.forEach((group, at) => {
        if (found[at + 1] !== undefined) said[group] = found[at + 1];
      });
      return said;
    }
    return {};
  }
}

/** A line of a file as one number. @param {number} file @param {number} line @returns {number} */
export const placeOf = (file, line) => file * 2 ** 36 + line;
