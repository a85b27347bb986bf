// @ts-check
/** What stands before a message: rank, node, time and process, stripped repeatedly. */

import { jsonTexts } from "./json.js";
import { decode, encode, trimEnd } from "./text.js";

const DEPTH = 8;
const LONGEST_JSON = 65536;

/** @typedef {Record<string, string>} Fields */

export class Prefixes {
  /** @param {any} knowledge */
  constructor(knowledge) {
    /** @type {{source: string, expression: RegExp, groups: string[], rest: RegExp | null, longest: number | null}[]} */
    this._grammars = knowledge.prefixes.map((/** @type {any} */ one) => ({
      source: one.regex,
      expression: new RegExp(one.regex, "y"),
      groups: one.groups,
      rest: one.rest === undefined ? null : new RegExp(one.rest, "y"),
      longest: one.longest ?? null,
    }));
    // Which grammars may match is told by the first character: most lines have none.
    /** @type {Map<string, number[]>} */
    this._byStart = new Map();
    knowledge.prefixes.forEach((/** @type {any} */ one, /** @type {number} */ at) => {
      for (const start of one.starts) {
        const held = this._byStart.get(start);
        if (held) held.push(at);
        else this._byStart.set(start, [at]);
      }
    });
    /** @type {[string, string[]][]} */
    this._json = Object.entries(knowledge.json_fields);
    /** @type {number[]} places of the grammars that the last line showed */
    this.last = [];
  }

  /**
   * Strips every prefix of a line. Of a field that stands twice the outermost counts.
   * @param {string} line
   * @returns {{message: string, fields: Fields}}
   */
  strip(line) {
    /** @type {Fields} */
    const fields = {};
    this.last = [];
    for (let depth = 0; depth < DEPTH; depth++) {
      if (line.startsWith("{")) {
        const inner = this._fromJson(line, fields);
        if (inner !== null) {
          line = inner;
          continue;
        }
      }
      const rest = this._one(line, fields);
      if (rest === null) break;
      line = rest;
    }
    return { message: line, fields };
  }

  /** @param {string} line @param {Fields} fields @returns {string | null} */
  _one(line, fields) {
    for (const at of this._byStart.get(startOf(line)) ?? []) {
      const { expression, groups, rest } = this._grammars[at];
      expression.lastIndex = 0;
      const found = expression.exec(line);
      if (found === null || found[0] === "") continue;
      const left = line.slice(found[0].length);
      if (rest !== null) {
        rest.lastIndex = 0;
        if (!rest.test(left)) continue;
      }
      groups.forEach((name, group) => {
        const value = found[group + 1];
        if (value !== undefined && !Object.hasOwn(fields, name)) fields[name] = value;
      });
      this.last.push(at);
      return left;
    }
    return null;
  }

  /**
   * A grammar that finds itself where a line begins: `^` after a line feed.
   * @param {number} at
   * @returns {{expression: RegExp, groups: string[], longest: number | null}} `longest`: bytes of a line
   *   that decide, null where any may
   */
  bulk(at) {
    const { source, groups, rest, longest } = this._grammars[at];
    // What is excluded from a class excludes the end of a line or segment, too.
    const inLine = source.replaceAll("[^", "[^\\r\\n");
    const following = rest === null ? "" : `(?=${rest.source.replace(/^\^/, "")})`;
    return { expression: new RegExp(inLine + following, "my"), groups, longest };
  }

  /** @param {string} line @param {Fields} fields @returns {string | null} */
  _fromJson(line, fields) {
    if (line.length > LONGEST_JSON || !trimEnd(line).endsWith("}")) return null;
    const data = jsonTexts(line);
    if (data === null) return null;
    /** @type {string | null} */
    let text = null;
    /** @type {Fields} */
    const said = {};
    for (const [name, keys] of this._json) {
      const key = keys.find((one) => data.get(one));
      if (key === undefined) continue;
      // An escape may give half a pair; as bytes it becomes U+FFFD.
      const value = decode(encode(/** @type {string} */ (data.get(key))));
      if (name === "text") text = value;
      else said[name] = value;
    }
    if (text === null) return null;
    for (const name of Object.keys(said)) {
      if (!Object.hasOwn(fields, name)) fields[name] = said[name];
    }
    let end = text.length;
    while (end > 0 && (text[end - 1] === "\n" || text[end - 1] === "\r")) end--;
    return text.slice(0, end);
  }
}

/** The kind of a line's first character: `A` a letter, `0` a digit, or itself. @param {string} line */
function startOf(line) {
  const code = line.charCodeAt(0);
  if (!(code < 0x80)) return "";
  if ((code >= 65 && code <= 90) || (code >= 97 && code <= 122)) return "A";
  return code >= 48 && code <= 57 ? "0" : line[0];
}
