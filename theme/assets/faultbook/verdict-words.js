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
 * @param {{rank: number | null, node: string | null}} one
 * @returns {string} empty where neither is known
 */
export function whoWords({ rank, node }) {
  if (rank !== null && rank !== undefined) return node ? `rank ${rank} on ${node}` : `rank ${rank}`;
  return node ? `node ${node}` : "";
}

/** What a pasted text is called in answers. */
export const PASTE = "paste";

/**
 * @param {{file: string, line: number}} one
 * @returns {string}
 */
export const placeWords = ({ file, line }) => (file === PASTE ? `line ${line}` : `${file}:${line}`);

/** @param {string} text */
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

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
