// @ts-check
/** The answer as Markdown, to put into an issue or a chat. */

import { pageOf } from "./loading.js";
import { Masker } from "./mask.js";
import { ABOUT, many, placeWords, verdictWords, whoWords } from "./verdict-words.js";

/** @param {string} text */
const quoted = (text) => {
  const fence = "`".repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([run]) => run.length + 1)));
  return `${fence}text\n${text}\n${fence}`;
};

/**
 * @param {any} answer
 * @param {import("./loading.js").Loaded} loaded
 * @returns {{markdown: string, masked: import("./mask.js").Masked[]}}
 */
export function reportOf(answer, { entries, texts }) {
  const masker = new Masker();
  for (const one of [...answer.findings, ...answer.first]) masker.name("host", one.node);
  /** @param {string} text */
  const mask = (text) => masker.mask(text);
  /** @param {string} id */
  const link = (id) => {
    const entry = entries.get(id);
    if (!entry) return id;
    const page = pageOf(entry);
    const title = entry.title.replace(/[[\]]/g, "\\$&");
    return `${page ? `[${title}](${page})` : title} (${entry.severity}, ${entry.category})`;
  };
  const { scanned } = answer;
  const lines = ["## Diagnosis", "", `**${mask(verdictWords(answer, entries).title)}** (${answer.verdict})`, ""];
  lines.push(`Read: ${many(scanned.lines, "line")} in ${many(scanned.files, "file")}${scanned.ranks.length ? `, ranks ${scanned.ranks.join(", ")}` : ""}.`, "");
  if (answer.first.length) {
    lines.push("### First to fail", "");
    for (const one of answer.first) lines.push(`- ${mask(whoWords(one))} (${one.certainty}): ${mask(one.why.replace(ABOUT, ""))}`);
    lines.push("");
  }
  if (answer.findings.length) lines.push("### Findings", "");
  for (const one of answer.findings) {
    const where = [whoWords({ rank: one.rank, node: one.node }), one.time, placeWords(one)];
    lines.push(`- ${link(one.id)}, ${one.role}: ${mask(where.filter(Boolean).join(", "))}`, "", quoted(mask(one.text.trim())), "");
    if (one.why) lines.push(mask(one.why), "");
  }
  // Beside a finding, guesses by words are noise.
  const others = answer.suggestions.filter((/** @type {any} */ one) => one.matched || !answer.findings.length);
  if (others.length) {
    lines.push("### May fit as well", "");
    for (const one of others) {
      lines.push(`- ${link(one.id)}, ${one.matched ? `candidate, line ${one.line}: \`${mask((one.text ?? "").trim()).replaceAll("`", "'")}\`` : "a guess by its words"}`);
    }
    lines.push("");
  }
  if (answer.missing.length) {
    lines.push("### Missing", "");
    for (const one of answer.missing) lines.push(`- ${mask(one.what)}: ${one.why}`, "", quoted(mask(one.run)), "");
  }
  if (answer.next) {
    lines.push("### Next", "", answer.next.step, "");
    if (answer.next.run) lines.push(quoted(answer.next.run), "");
  }
  const best = answer.findings[0]?.id ?? "";
  const fix = texts[best]?.fix;
  if (fix) {
    lines.push("### Fix", "", fix.step, "");
    if (fix.run) lines.push(quoted(fix.run), "");
  }
  return { markdown: `${lines.join("\n").trim()}\n`, masked: masker.replaced };
}
