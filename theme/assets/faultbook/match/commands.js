// @ts-check
/** Commands of an entry, with what the log showed in the place of their variables. */

/** Text that no shell takes for anything but itself: a log may hope that it is run. */
const HARMLESS = /^[A-Za-z0-9._/][A-Za-z0-9._:/@%+=-]{0,255}$/;
const VARIABLE = /\$(?:([A-Z][A-Z0-9_]*)|\{([A-Z][A-Z0-9_]*)\})/y;
const ASSIGNED = /(?:^|[ \t\n;&|(])([A-Z][A-Z0-9_]*)=/g;
/** What every shell has itself. */
const OWN = ["HOME", "HOSTNAME", "IFS", "LANG", "PATH", "PWD", "SHELL", "TMPDIR", "USER"];

/**
 * Puts values into a command. A variable stays where no value is known or the value might do
 * something in a shell, where the command sets it, in single quotes, and from a here-document on.
 * @param {string} run
 * @param {Map<string, string>} values by the variable's name in small letters
 * @returns {string}
 */
export function fill(run, values) {
  const own = new Set([...OWN, ...[...run.matchAll(ASSIGNED)].map((found) => found[1])]);
  let filled = "";
  let quote = "";
  let at = 0;
  for (; at < run.length; at++) {
    const character = run[at];
    if (!quote && run.startsWith("<<", at)) break;
    if (quote === "'") {
      if (character === "'") quote = "";
    } else if (character === "\\") {
      filled += run.slice(at, at + 2);
      at++;
      continue;
    } else if (character === '"' || (character === "'" && !quote)) {
      quote = quote ? "" : character;
    } else if (character === "$") {
      VARIABLE.lastIndex = at;
      const found = VARIABLE.exec(run);
      if (found) {
        const name = found[1] ?? found[2];
        const value = values.get(name.toLowerCase()) ?? "";
        filled += !own.has(name) && isHarmless(value) ? value : found[0];
        at += found[0].length - 1;
        continue;
      }
    }
    filled += character;
  }
  return filled + run.slice(at);
}

/** @param {string} value @returns {boolean} */
const isHarmless = (value) => HARMLESS.test(value) && !value.includes("..") && /[A-Za-z0-9]/.test(value);
