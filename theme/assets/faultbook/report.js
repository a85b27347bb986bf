// @ts-check
/** The answer as Markdown, to put into an issue or a chat. */

import { pageOf } from "./loading.js";
import { Masker } from "./mask.js";
import { ABOUT, groupedFindings, isCut, many, placeWords, ranksWords, runsOf, verdictWords, whoWords } from "./verdict-words.js";

/** Rows of the timeline that a report holds. */
const MOST_ROWS = 20;
const MOST_TEXT = 160;

/** @param {string} text @param {string} [language] */
const quoted = (text, language = "text") => {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}${language}\n${text}\n${fence}`;
};

/** Text of a log inside a line of Markdown. @param {string} text */
const inline = (text) => `\`${text.trim().slice(0, MOST_TEXT).replaceAll("`", "'").replace(/\s+/g, " ")}\``;

/**
 * @param {import("./reading.js").Diagnosis} diagnosis
 * @param {import("./loading.js").Loaded} loaded
 * @returns {{markdown: string, masked: import("./mask.js").Masked[]}}
 */
export function reportOf({ answer, timeline, unread }, { entries, texts }) {
  const masker = new Masker();
  for (const one of [...answer.findings, ...answer.first]) masker.name("host", one.node);
  for (const { nodes } of timeline?.rows ?? []) for (const node of nodes) masker.name("host", node);
  /** @param {string} text */
  const mask = (text) => masker.mask(text);
  /** What an entry's author wrote stays, what the log put into it is masked. @param {string} text @param {string | null | undefined} written */
  const maskFilled = (text, written) => (text === written ? text : mask(text));
  /** @param {string} id */
  const link = (id) => {
    const entry = entries.get(id);
    if (!entry) return id;
    const page = pageOf(entry);
    const title = entry.title.replace(/[[\]]/g, "\\$&");
    return `${page ? `[${title}](${page})` : title} (${entry.severity}, ${entry.category})`;
  };
  const { scanned, next } = answer;
  const lines = ["## Diagnosis", "", `**${mask(verdictWords(answer, entries).title)}** (${answer.verdict})`, ""];
  lines.push(`Read: ${many(scanned.lines, "line")} in ${many(scanned.files, "file")}${scanned.ranks.length ? `, ranks ${runsOf(scanned.ranks)}` : ""}.`, "");
  if (unread.length) lines.push(`Not read: ${unread.slice(0, MOST_ROWS).map(({ name }) => inline(mask(name))).join(", ")}${unread.length > MOST_ROWS ? " and more" : ""}.`, "");
  if (answer.first.length) {
    lines.push("### First to fail", "");
    for (const one of answer.first) lines.push(`- ${mask(whoWords(one))} (${one.certainty}): ${mask(one.why.replace(ABOUT, ""))}`);
    lines.push("");
  }
  if (timeline) {
    lines.push("### By rank", "");
    for (const row of timeline.rows.slice(0, MOST_ROWS)) {
      const who = row.size > 1 && row.ranks.length ? `ranks ${runsOf(row.ranks)}` : mask(whoWords({ rank: row.ranks[0] ?? null, node: row.nodes[0] ?? null }));
      const what = row.id ? (entries.get(row.id)?.title ?? row.id) : row.text ? inline(mask(row.text)) : "printed no failure";
      const first = row.first && (row.first === "certain" ? "failed first" : "suspected first");
      const role = first ?? (row.role === "collateral" || row.role === "consequence" ? "a consequence" : "");
      lines.push(`- ${[mask(row.time ?? ""), who, role, what].filter(Boolean).join(" · ")}`);
    }
    if (timeline.rows.length > MOST_ROWS) lines.push(`- and ${many(timeline.rows.length - MOST_ROWS, "row")} more`);
    if (timeline.quiet.length) lines.push(`- ranks ${runsOf(timeline.quiet)}: no failure in their lines`);
    lines.push("");
  }
  if (answer.findings.length) lines.push("### Findings", "");
  for (const { id, role, all } of groupedFindings(answer)) {
    const [one] = all;
    const where = [whoWords(one), one.time, placeWords(one)];
    lines.push(`- ${link(id)}, ${role}: ${mask(where.filter(Boolean).join(", "))}`, "", quoted(mask(one.text.trim())), "");
    if (one.why) lines.push(mask(one.why), "");
    if (all.length > 1) lines.push(`${isCut(answer) ? "The first of those alike" : "The same"}: ${ranksWords(all.slice(1)) || many(all.length - 1, "place")}.`, "");
  }
  // Beside a finding, guesses by words are noise.
  const others = answer.suggestions.filter((/** @type {any} */ one) => one.matched || !answer.findings.length);
  if (others.length) {
    lines.push("### May fit as well", "");
    for (const one of others) {
      lines.push(`- ${link(one.id)}, ${one.matched ? `candidate, line ${one.line}: ${inline(mask(one.text ?? ""))}` : "a guess by its words"}`);
    }
    lines.push("");
  }
  if (answer.missing.length) {
    lines.push("### Missing", "");
    for (const one of answer.missing) lines.push(`- ${mask(one.what)}: ${one.why}`, "", quoted(one.run, "sh"), "");
  }
  if (next) {
    const { confirm, fix: written } = texts[next.id] ?? {};
    lines.push("### Confirm", "", `${link(next.id)}: ${maskFilled(next.step, confirm?.step)}`, "");
    if (next.run) lines.push(quoted(maskFilled(next.run, confirm?.run), "sh"), "");
    const fix = next.fix ?? written;
    if (fix) {
      lines.push("### Fix, once confirmed", "", maskFilled(fix.step, written?.step), "");
      if (fix.run) lines.push(quoted(maskFilled(fix.run, written?.run), "sh"), "");
    }
  }
  return { markdown: `${lines.join("\n").trim()}\n`, masked: masker.replaced };
}
