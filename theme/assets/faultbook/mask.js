// @ts-check
/**
 * Takes out of a text what should not be shared: secrets, users, hosts, addresses, paths.
 *
 * What stands in their place has the same form (an address of the documentation range for
 * an address), so that a masked text still matches the same signatures; and the same value
 * gets the same stand-in, so that one rank's host can be told from another's.
 */

import { RULES } from "./mask-rules.js";

/** @typedef {{kind: string, from: string, to: string}} Masked */

/** The most text that is masked at once, in characters. */
const MOST = 400_000;

/** Names that are masked wherever they stand, once something said what they are. */
const MOST_NAMES = 300;
const COMMON = /^(?:root|user|users|admin|ubuntu|train|training|test|none|null|host|node|default|model|shared|data|public|work|worker|python|torch|conda|cuda|slurm|runner|app)$/i;
/** Colour codes, also without their ESC, and NUL: a rule would not see what begins after them. */
const COLOURS = /\x1b\[[0-?]{0,64}[ -/]{0,8}[@-~]|\[\d{1,3}(?:;\d{1,3}){0,6}m|[\0\x1b]/g;
/** A home folder says who its user is. */
const HOME = /(?:\/(?:home|Users|users|homes)|[\\/]Users)[\\/]{1,2}([A-Za-z][\w.-]{2,31})|(?:^|[\s"'=:])~([A-Za-z][\w.-]{2,31})\//gm;
/** Heads of tables, such as that of `squeue`, and the columns that name somebody. */
const HEAD = /^(?=.*\b(?:USER|NODELIST|HOST|NODE|NODENAME|HOSTNAMES?)\b)[ \t]*[A-Z%][A-Z%()_-]*(?:[ \t]+[A-Z%][A-Z%()_:-]*){2,20}[ \t]*$/;
/** @type {Record<string, string>} */
const COLUMNS = { USER: "user", "NODELIST(REASON)": "host", NODELIST: "host", HOST: "host", NODE: "host", NODENAME: "host", HOSTNAMES: "host" };
const MOST_TABLE_ROWS = 200;

/** Masks several texts with the same stand-ins for the same values. */
export class Masker {
  constructor() {
    /** @type {Map<string, Masked & {at: number}>} by kind and value */
    this.known = new Map();
    /** @type {Masked[]} in the order in which they were found, or named before */
    this._all = [];
    /** @type {Set<number>} places of those that stood in a text */
    this._used = new Set();
    /** @type {Map<string, number>} how many values of a kind there are */
    this.counts = new Map();
  }

  /**
   * Have a name masked wherever it stands, for example a node that the log's prefixes name.
   * @param {string} kind
   * @param {string | null | undefined} value
   */
  name(kind, value) {
    if (value && value.length > 2 && !/^\d+$/.test(value)) this.standIn(kind, value, (n) => `${kind}-${n}`);
  }

  /**
   * @param {string} text
   * @returns {string}
   */
  mask(text) {
    // What is replaced becomes a number between two private characters, so that no later
    // rule takes a stand-in for a value.
    let masked = text.slice(0, MOST).replace(COLOURS, "").replace(/[\uE000\uE001]/g, " ");
    for (const found of masked.matchAll(HOME)) this._person(found[1] ?? found[2]);
    this._table(masked);
    for (const rule of RULES) {
      masked = masked.replace(rule.find, (...found) => {
        const value = rule.group ? found[2] : found[0];
        return (rule.group ? found[1] : "") + this.standIn(rule.kind, value, rule.to);
      });
    }
    const names = this._all
      .filter(({ kind, from }) => (kind === "host" || kind === "user") && from.length > 3 && !COMMON.test(from))
      .slice(0, MOST_NAMES);
    if (names.length) {
      const byName = new Map(names.map(({ kind, from }) => [from, kind]));
      const any = names.map(({ from }) => from.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
      masked = masked.replace(new RegExp(`(?<![\\w.])(?:${any})(?!\\w)`, "g"), (value) =>
        this.standIn(byName.get(value) ?? "host", value, () => null),
      );
    }
    return masked.replace(/\uE000(\d+)\uE001/g, (_, at) => {
      this._used.add(Number(at));
      return this._all[Number(at)].to;
    });
  }

  /** @returns {Masked[]} what stood in the texts so far */
  get replaced() {
    return this._all.filter((_, at) => this._used.has(at));
  }

  /** @param {string} name of a user, masked wherever it stands */
  _person(name) {
    if (!COMMON.test(name)) this.name("user", name);
  }

  /** The columns of tables have no names beside their values. @param {string} text */
  _table(text) {
    if (!/\b(?:USER|NODELIST|HOST|NODE|NODENAME|HOSTNAMES?)\b/.test(text)) return;
    /** @type {string[]} */
    let columns = [];
    let left = 0;
    for (const line of text.split("\n")) {
      if (line.length < 400 && HEAD.test(line)) {
        columns = line.trim().split(/\s+/);
        left = MOST_TABLE_ROWS;
        continue;
      }
      if (!left) continue;
      left = line.trim() ? left - 1 : 0;
      const cells = line.slice(0, 1000).trim().split(/\s+/);
      columns.forEach((column, at) => {
        const kind = COLUMNS[column];
        if (!kind || !/^[A-Za-z][\w.[\],-]*$/.test(cells[at] ?? "")) return;
        if (kind === "user") this._person(cells[at]);
        else this.name(kind, cells[at]);
      });
    }
  }

  /**
   * @param {string} kind
   * @param {string} value
   * @param {(n: number, value: string) => string | null} to
   * @returns {string} the number of the stand-in, or the value where it may stay
   */
  standIn(kind, value, to) {
    const key = `${kind} ${value}`;
    let known = this.known.get(key);
    if (!known) {
      const n = (this.counts.get(kind) ?? 0) + 1;
      const made = to(n, value);
      if (made === null) return value;
      this.counts.set(kind, n);
      known = { kind, from: value, to: made, at: this._all.length };
      this.known.set(key, known);
      this._all.push({ kind, from: value, to: made });
    }
    return `\uE000${known.at}\uE001`;
  }
}

/**
 * @param {string} text
 * @returns {string}
 */
export function mask(text) {
  return new Masker().mask(text);
}
