// @ts-check
/** Verdicts in words. */

/** The reason why a rank failed first begins with the rank, which is said before it. */
export const ABOUT = /^(?:rank \d+(?: on [^:]+)?|node [^:]+): /;

/**
 * @param {number} n
 * @param {string} one
 * @returns {string}
 */
export const many = (n, one) => `${n.toLocaleString("en")} ${one}${n === 1 ? "" : "s"}`;

/**
 * @param {number} bytes
 * @returns {string}
 */
export function bytesWords(bytes) {
  const power = Math.min(3, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power && value < 10 ? 1 : 0)} ${["B", "kB", "MB", "GB"][power]}`;
}

/**
 * @param {{rank: number | null, node: string | null}} one
 * @returns {string} empty where neither is known
 */
export function whoWords({ rank, node }) {
  if (rank !== null && rank !== undefined) return node ? `rank ${rank} on ${node}` : `rank ${rank}`;
  return node ? `node ${node}` : "";
}

/** What a pasted text is called in answers, as for the command: no file's name, so none in a command. */
export const PASTE = "-";

/**
 * @param {{file: string, line: number}} one
 * @returns {string}
 */
export const placeWords = ({ file, line }) => (file === PASTE ? `line ${line}` : `${file}:${line}`);

/**
 * Whole numbers as people write them: `0–3, 7`.
 * @param {number[]} sorted
 * @param {number} [most] runs that are shown
 * @returns {string}
 */
export function runsOf(sorted, most = 6) {
  /** @type {[number, number][]} */
  const runs = [];
  for (const one of sorted) {
    const last = runs.at(-1);
    if (last && one === last[1] + 1) last[1] = one;
    else runs.push([one, one]);
  }
  const said = runs.slice(0, most).map(([from, to]) => (to === from ? `${from}` : to === from + 1 ? `${from}, ${to}` : `${from}–${to}`));
  const left = runs.slice(most).reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return said.join(", ") + (left ? ` and ${left.toLocaleString("en")} more` : "");
}

/** Findings that an answer lists at most. */
const MOST_FINDINGS = 200;

/** Whether there may be more findings than are listed. @param {any} answer @returns {boolean} */
export const isCut = (answer) => answer.findings.length >= MOST_FINDINGS;

/** @typedef {{id: string, role: string, all: any[]}} FindingGroup what was found in one role, in order */

/**
 * Findings of one entry in one role: hundreds of ranks print the same.
 * @param {any} answer
 * @returns {FindingGroup[]}
 */
export function groupedFindings(answer) {
  /** @type {Map<string, FindingGroup>} */
  const groups = new Map();
  for (const one of answer.findings) {
    const key = `${one.id} ${one.role}`;
    const group = groups.get(key);
    if (group) group.all.push(one);
    else groups.set(key, { id: one.id, role: one.role, all: [one] });
  }
  return [...groups.values()];
}

/**
 * @param {{rank: number | null}[]} found
 * @returns {string} empty where a rank is not known
 */
export function ranksWords(found) {
  const ranks = [...new Set(found.map(({ rank }) => rank))];
  if (!ranks.every((rank) => rank !== null)) return "";
  ranks.sort((one, other) => Number(one) - Number(other));
  return `${ranks.length === 1 ? "rank" : "ranks"} ${runsOf(/** @type {number[]} */ (ranks))}`;
}

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

/** @param {string} text @returns {string} */
export const sentence = (text) => capital(text) + (/[.!?]$/.test(text) ? "" : ".");

/**
 * @param {any} answer
 * @param {Map<string, import("./loading.js").IndexEntry>} entries
 * @returns {{title: string, lead: string}}
 */
export function verdictWords(answer, entries) {
  const { verdict, first, findings, suggestions } = answer;
  const named = findings[0] && (entries.get(findings[0].id)?.title ?? findings[0].id);
  const who = first.length ? first.map(whoWords).filter(Boolean).join(", ") : "";
  switch (verdict) {
    case "initiator":
      return who
        ? { title: `${capital(who)} failed first${named ? `: ${named}` : ""}`, lead: "The log itself shows it; the confirming step proves the cause." }
        : { title: named ?? "One failure stands out", lead: "Its own text was printed. An entry describes a failure; the confirming step proves that it is yours." };
    case "candidates":
      return who
        ? { title: `Suspected to have failed first: ${who}`, lead: "The evidence points there but does not prove it." }
        : {
            title: suggestions.length > 1 ? "More than one failure prints this text" : "A text matches that other failures print too",
            lead: "The candidates are below, with what tells them apart.",
          };
    case "collateral-only":
      return { title: "Only consequences are in this log", lead: "The failure that caused them was printed elsewhere, or not at all. What to fetch is below." };
    case "not-enough-evidence":
      return { title: named ? `${named}; who failed first is not decided` : "Not enough evidence to say who failed first", lead: "One rank's view of a collective failure never proves its initiator. What to fetch is below." };
    case "healthy":
      return { title: "This run ended, and nothing in it matches a failure", lead: "A line that ends a run was found, and no finding." };
    default:
      return { title: "No entry matches this log", lead: "No failure that is written up prints any of its lines." };
  }
}
