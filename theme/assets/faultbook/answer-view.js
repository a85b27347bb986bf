// @ts-check
/** The answer as a page shows it: what to do first, then who and why, then where it stands. */

import { command, element, places, prose, severity } from "./dom.js";
import { pageOf } from "./loading.js";
import { placeKey } from "./reading.js";
import { reportOf } from "./report.js";
import { hit, noneMatches, suggestionRows } from "./results.js";
import { timelineNode } from "./timeline-view.js";
import { ABOUT, groupedFindings, isCut, many, placeWords, ranksWords, sentence, verdictWords, whoWords } from "./verdict-words.js";

/** Further places of one finding that are listed, and characters of a masked value. */
const MOST_PLACES = 200;
const MOST_VALUE = 200;

/** @typedef {import("./loading.js").Loaded} Loaded */
/** @typedef {import("./reading.js").Diagnosis} Diagnosis */
/** @typedef {import("./verdict-words.js").FindingGroup} FindingGroup */

/** Where the evidence is not here, fetching it comes before confirming. */
const FETCH_FIRST = new Set(["collateral-only", "not-enough-evidence"]);

/** @type {Record<string, string>} the sections of findings, in their order */
const ROLES = { initiator: "Failed first", candidate: "Found", collateral: "Consequences" };

/**
 * @param {string} title
 * @param {...(Node | string | null | undefined | false)} children
 */
const part = (title, ...children) =>
  element("section", { class: "fb-answer__part", "aria-label": title }, element("h2", {}, title), ...children);

/**
 * @param {string} title
 * @param {...(Node | string | null | undefined | false)} children
 */
const folded = (title, ...children) =>
  element("details", { class: "fb-fold" }, element("summary", {}, title), ...children);

/**
 * @param {Diagnosis} diagnosis
 * @param {Loaded} loaded
 * @returns {HTMLElement[]}
 */
export function answerNodes(diagnosis, loaded) {
  const { answer, timeline, around, unread } = diagnosis;
  if (!answer) return [unreadNode(unread)];
  const { entries } = loaded;
  const rows = suggestionRows(answer, entries);
  const candidates = rows.filter((row) => row.grade === "candidate");
  const guesses = rows.filter((row) => row.grade === "guess");
  const missing = answer.missing.length > 0 && missingNode(answer.missing);
  const fetchFirst = FETCH_FIRST.has(answer.verdict);
  const groups = groupedFindings(answer);
  /** @type {(HTMLElement | null | false)[]} */
  const nodes = [
    verdictNode(answer, loaded),
    !answer.findings.length && !candidates.length && answer.verdict !== "healthy" && noneMatches(),
    fetchFirst && missing,
    nextNode(answer, loaded),
    unread.length > 0 && unreadNode(unread),
    !fetchFirst && missing,
    timeline && timelineNode(timeline, entries),
  ];
  for (const role of Object.keys(ROLES)) {
    const some = groups.filter((group) => group.role === role);
    if (!some.length) continue;
    nodes.push(
      part(ROLES[role], element("ol", { class: "fb-findings" }, ...some.map((group) => findingNode(group, around, loaded, isCut(answer))))),
    );
  }
  if (candidates.length) {
    nodes.push(
      part(
        "Candidates",
        element("p", { class: "fb-soft" }, "The text matches, but other failures print it too."),
        element("ul", { class: "fb-list" }, ...candidates.map(hit)),
      ),
    );
  }
  if (guesses.length) {
    const lead = element("p", { class: "fb-soft" }, "Nearest by their words; nothing that they print was found.");
    const list = element("ul", { class: "fb-list" }, ...guesses.map(hit));
    nodes.push(answer.findings.length || candidates.length ? folded("Guesses, by words alone", lead, list) : part("Guesses", lead, list));
  }
  nodes.push(reportNode(diagnosis, loaded));
  return /** @type {HTMLElement[]} */ (nodes.filter(Boolean));
}

/** @param {any} answer @param {Loaded} loaded */
function verdictNode(answer, { entries }) {
  const words = verdictWords(answer, entries);
  const { scanned } = answer;
  const ranks = scanned.ranks.length;
  const read = [many(scanned.lines, "line"), scanned.files > 1 && many(scanned.files, "file"), ranks > 1 && many(ranks, "rank")];
  return element(
    "section",
    { class: `fb-verdict fb-verdict--${answer.verdict}`, "aria-label": "Verdict" },
    element("p", { class: "fb-verdict__title" }, words.title),
    ...answer.first.map((/** @type {any} */ one) =>
      element(
        "p",
        { class: `fb-first fb-first--${one.certainty}` },
        element("strong", {}, whoWords(one) || "first"),
        element("span", { class: "fb-first__grade" }, ` ${one.certainty}`),
        `: ${one.why.replace(ABOUT, "")}`,
      ),
    ),
    element("p", { class: "fb-soft" }, `${words.lead} ${read.filter(Boolean).join(", ")} read.`),
  );
}

/** How to confirm and how to fix, side by side. @param {any} answer @param {Loaded} loaded */
function nextNode(answer, { entries, texts }) {
  const { next } = answer;
  if (!next) return null;
  const entry = entries.get(next.id);
  const href = entry && pageOf(entry);
  const finding = answer.findings.find((/** @type {any} */ one) => one.id === next.id);
  const fix = next.fix ?? texts[next.id]?.fix;
  return element(
    "div",
    { class: "fb-acts" },
    element(
      "p",
      { class: "fb-acts__about" },
      element(href ? "a" : "span", { class: "fb-item__title", href }, entry?.title ?? next.id),
      entry && severity(entry.severity),
      entry && element("span", { class: "fb-soft" }, entry.category),
    ),
    element(
      "section",
      { class: "fb-act", "aria-label": "Confirm" },
      element("h2", {}, "Confirm"),
      element("p", {}, prose(next.step)),
      next.run && command(next.run, "confirming command"),
    ),
    fix &&
      element(
        "section",
        { class: "fb-act", "aria-label": "Fix" },
        element("h2", {}, "Fix, once confirmed"),
        finding?.role === "collateral" &&
          element("p", { class: "fb-soft" }, "This fixes the consequence. Its cause, found or not, comes first."),
        element("p", {}, prose(fix.step)),
        fix.run && command(fix.run, "fix command"),
      ),
  );
}

/** @param {any[]} missing */
function missingNode(missing) {
  return part(
    "Missing",
    element(
      "ul",
      { class: "fb-missing" },
      ...missing.map((one, at) =>
        element(
          "li",
          {},
          element("p", {}, element("strong", {}, sentence(one.what)), " ", prose(one.why)),
          one.run && command(one.run, `command ${at + 1} that fetches it`),
        ),
      ),
    ),
  );
}

/** @param {import("./reading.js").Unread[]} unread */
function unreadNode(unread) {
  return part(
    "Not read",
    element(
      "ul",
      { class: "fb-missing" },
      ...unread.slice(0, MOST_PLACES).map((one, at) =>
        element(
          "li",
          {},
          element("p", {}, element("strong", {}, one.name), `: ${one.why}`),
          one.run && command(one.run, `command ${at + 1} that unpacks it`),
        ),
      ),
      unread.length > MOST_PLACES && element("li", {}, `and ${many(unread.length - MOST_PLACES, "file")} more`),
    ),
  );
}

/**
 * @param {FindingGroup} group
 * @param {Diagnosis["around"]} around
 * @param {Loaded} loaded
 * @param {boolean} cut whether there are more than the answer lists
 */
function findingNode({ id, role, all }, around, { entries }, cut) {
  const entry = entries.get(id);
  const href = entry && pageOf(entry);
  const [one] = all;
  const place = [
    whoWords(one),
    one.printed_on !== null && one.printed_on !== one.rank && `printed by rank ${one.printed_on}`,
    one.time,
    placeWords(one),
  ];
  return element(
    "li",
    { class: `fb-finding fb-finding--${role}`, "data-id": id },
    element(
      "p",
      { class: "fb-finding__head" },
      element(href ? "a" : "span", { class: "fb-item__title", href }, entry?.title ?? id),
      entry && severity(entry.severity),
      entry && element("span", { class: "fb-soft" }, entry.category),
    ),
    one.why && element("p", { class: "fb-finding__why" }, sentence(withTitles(one.why, entries))),
    element("p", { class: "fb-finding__place" }, place.filter(Boolean).join(" · ")),
    linesNode(around[placeKey(one)] ?? [[one.line, one.text]], one.line),
    all.length > 1 &&
      folded(
        `${cut ? "The first of those alike" : "The same"}: ${ranksWords(all.slice(1)) || many(all.length - 1, "place")}`,
        places(
          ...all.slice(1, MOST_PLACES + 1).map((each) =>
            element("li", {}, element("span", {}, [whoWords(each), placeWords(each), each.time].filter(Boolean).join(" · ")), element("code", {}, each.text.trim())),
          ),
        ),
      ),
  );
}

/**
 * The matcher names entries by their ids.
 * @param {string} why
 * @param {Loaded["entries"]} entries
 */
const withTitles = (why, entries) =>
  why.replace(/\bexplained by ([a-z0-9-]+)/, (whole, id) => {
    const title = entries.get(id)?.title;
    return title ? `explained by “${title}”` : whole;
  });

/** @param {import("./reading.js").Lines} lines @param {number} marked */
function linesNode(lines, marked) {
  return element(
    "pre",
    { class: "fb-lines", tabindex: "0", role: "group", "aria-label": `Lines around ${marked}` },
    ...lines.map(([number, text]) =>
      element(
        number === marked ? "mark" : "span",
        {},
        element("span", { class: "fb-lines__number", "aria-hidden": "true" }, String(number)),
        element("span", {}, text || " "),
      ),
    ),
  );
}

/** @param {Diagnosis} diagnosis @param {Loaded} loaded */
function reportNode(diagnosis, loaded) {
  const { markdown, masked } = reportOf(diagnosis, loaded);
  const words = masked.length
    ? `${many(masked.length, "value")} masked: secrets, users, hosts, addresses, paths. Read it before you share it.`
    : "Nothing in it looks like a secret, user, host, address or path. Read it before you share it.";
  return part(
    "Report",
    element(
      "p",
      { class: "fb-report" },
      element("button", { type: "button", class: "fb-button", "data-copy-report": true }, "Copy as Markdown"),
      element("span", { class: "fb-soft" }, words),
    ),
    masked.length > 0 &&
      folded(
        "What was masked",
        element(
          "div",
          { class: "fb-masked" },
          element(
            "table",
            {},
            element("thead", {}, element("tr", {}, ...["What", "In the log", "In the report"].map((name) => element("th", { scope: "col" }, name)))),
            element(
              "tbody",
              {},
              ...masked.map(({ kind, from, to }) =>
                element(
                  "tr",
                  {},
                  element("td", {}, kind),
                  element("td", {}, element("code", {}, from.length > MOST_VALUE ? `${from.slice(0, MOST_VALUE)}…` : from)),
                  element("td", {}, element("code", {}, to)),
                ),
              ),
            ),
          ),
        ),
      ),
    folded(
      "Preview",
      element(
        "pre",
        { class: "fb-preview", tabindex: "0", role: "group", "aria-label": "Report" },
        element("span", { "data-report": true }, ...marked(markdown, masked.map(({ to }) => to))),
      ),
    ),
  );
}

/**
 * The text with its stand-ins marked.
 * @param {string} text
 * @param {string[]} standIns
 */
function marked(text, standIns) {
  if (!standIns.length) return [text];
  const known = new Set(standIns);
  const longestFirst = [...known].sort((one, other) => other.length - one.length).slice(0, 1000);
  const any = longestFirst.map((each) => each.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")).join("|");
  return text.split(new RegExp(`(${any})`)).map((piece) => (known.has(piece) ? element("mark", {}, piece) : piece));
}
