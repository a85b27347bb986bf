// @ts-check
/**
 * The texts and whole numbers at the top of a JSON log line. `JSON.parse` refuses the NaN that
 * training logs hold, and hides how a number was printed.
 */

const NUMBER = /-?(?:0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/y;
const NAMES = ["true", "false", "null", "NaN", "Infinity", "-Infinity"];
const DEEPEST = 100;
const MOST_DIGITS = 4300;

/**
 * @param {string} line
 * @returns {Map<string, string> | null} texts as they are, whole numbers as printed; null where
 *   the line is no JSON object
 */
export function jsonTexts(line) {
  let at = 0;
  let failed = false;

  const skip = () => {
    while (at < line.length && " \t\n\r".includes(line[at])) at++;
  };
  const fail = () => {
    failed = true;
    return null;
  };
  /** @returns {string | null} */
  const text = () => {
    let end = at + 1;
    while (end < line.length && line[end] !== '"') end += line[end] === "\\" ? 2 : 1;
    if (end >= line.length) return fail();
    try {
      const value = JSON.parse(line.slice(at, end + 1));
      at = end + 1;
      return value;
    } catch {
      return fail();
    }
  };
  /** A value that is no container. @returns {string | null} what is told of it */
  const scalar = () => {
    if (line[at] === '"') return text();
    const name = NAMES.find((one) => line.startsWith(one, at));
    if (name !== undefined) {
      at += name.length;
      return null;
    }
    NUMBER.lastIndex = at;
    const found = NUMBER.exec(line);
    if (found === null) return fail();
    at += found[0].length;
    if (found[1] !== undefined || found[2] !== undefined) return null;
    if (found[0].replace("-", "").length > MOST_DIGITS) return fail();
    return found[0] === "-0" ? "0" : found[0];
  };

  /** @type {Map<string, string>} */
  const top = new Map();
  /** @type {string[]} closing brackets of what is open */
  const open = [];
  let key = "";
  /** Reads a member's name and colon. */
  const name = () => {
    skip();
    if (line[at] !== '"') return fail();
    const said = text();
    skip();
    if (failed || line[at] !== ":") return fail();
    at++;
    if (open.length === 1) key = /** @type {string} */ (said);
    return null;
  };

  skip();
  if (line[at] !== "{") return null;
  while (!failed) {
    // Here a value begins.
    skip();
    const opening = line[at];
    let complete = true;
    if (opening === "{" || opening === "[") {
      if (open.length === 1) top.delete(key);
      if (open.length >= DEEPEST) return null;
      open.push(opening === "{" ? "}" : "]");
      at++;
      skip();
      if (line[at] === open[open.length - 1]) {
        at++;
        open.pop();
      } else {
        complete = false;
        if (opening === "{") name();
      }
    } else {
      const said = scalar();
      if (open.length === 1) {
        if (said === null) top.delete(key);
        else top.set(key, said);
      }
    }
    // After a value: what closes, then what comes next.
    while (complete && !failed) {
      skip();
      if (open.length === 0) return at === line.length ? top : null;
      const closing = open[open.length - 1];
      if (line[at] === closing) {
        at++;
        open.pop();
      } else if (line[at] === ",") {
        at++;
        if (closing === "}") name();
        complete = false;
      } else {
        fail();
      }
    }
  }
  return null;
}
