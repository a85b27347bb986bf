// @ts-check
/** The timeline as a list: when, which rank, what. */

import { element, places } from "./dom.js";
import { many, placeWords, runsOf, whoWords } from "./verdict-words.js";

/** Rows that are shown; the rest is counted. */
const MOST_ROWS = 100;
/** A time of day in whatever a prefix prints; more than milliseconds tells a reader nothing. */
const CLOCK = /(\d{2}:\d{2}:\d{2})(?:([.,]\d{1,3})\d*)?/;

/** @type {Record<string, string>} */
const WORDS = {
  certain: "failed first",
  suspect: "suspected first",
  initiator: "failed first",
  candidate: "found",
  collateral: "a consequence",
  consequence: "a consequence",
  "lost-peer": "a consequence",
  exception: "an exception",
  "host-cause": "a cause on the host",
  own: "its own report",
  killed: "killed",
  exited: "exited",
  shared: "a shared text",
  silent: "suspected",
};
const FOLLOWS = new Set(["collateral", "consequence", "lost-peer", "exited"]);

const ORDERS = {
  times: "In the order of the printed times; clocks of two hosts may differ by seconds.",
  lines: "In the order of the lines.",
  files: "In the order of the files: they print no times that compare.",
};

/** @param {string | null} time */
const clock = (time) => {
  const found = time ? CLOCK.exec(time) : null;
  return found ? found[1] + (found[2] ?? "") : (time ?? "");
};

/**
 * @param {import("./timeline.js").Timeline} timeline
 * @param {Map<string, import("./loading.js").IndexEntry>} entries
 * @returns {HTMLElement}
 */
export function timelineNode({ order, rows, quiet }, entries) {
  const list = element("ol", { class: "fb-timeline" }, ...rows.slice(0, MOST_ROWS).map((row) => rowNode(row, entries)));
  if (rows.length > MOST_ROWS) {
    list.append(element("li", { class: "fb-row" }, element("span", { class: "fb-row__what" }, `and ${many(rows.length - MOST_ROWS, "row")} more`)));
  }
  if (quiet.length) {
    list.append(
      element(
        "li",
        { class: "fb-row fb-row--quiet" },
        element("span", { class: "fb-row__time" }),
        element("span", { class: "fb-row__who" }, `${quiet.length === 1 ? "rank" : "ranks"} ${runsOf(quiet)}`),
        element("span", { class: "fb-row__what" }, "No failure in the lines of ", quiet.length === 1 ? "this rank" : `these ${many(quiet.length, "rank")}`),
      ),
    );
  }
  return element(
    "section",
    { class: "fb-answer__part", "aria-label": "By rank" },
    element("h2", {}, "By rank"),
    element(
      "p",
      { class: "fb-soft" },
      ORDERS[order],
    ),
    list,
  );
}

/**
 * @param {import("./timeline.js").Row} row
 * @param {Map<string, import("./loading.js").IndexEntry>} entries
 */
function rowNode(row, entries) {
  const { first, role, id, members, size } = row;
  const kind = first ?? (FOLLOWS.has(role) ? "follows" : "other");
  const title = id ? (entries.get(id)?.title ?? id) : "";
  const who =
    size === 1
      ? whoWords({ rank: row.ranks[0] ?? null, node: row.nodes[0] ?? null })
      : row.ranks.length
        ? `ranks ${runsOf(row.ranks)}`
        : many(size, "node");
  const until = clock(row.until);
  const what = title || (role === "silent" ? "Its own failure is not printed here" : row.text.trim());
  return element(
    "li",
    { class: `fb-row fb-row--${kind}` },
    element("span", { class: "fb-row__time" }, clock(row.time), until && until !== clock(row.time) && ` to ${until}`),
    element("span", { class: "fb-row__who" }, who, size > 1 && element("span", { class: "fb-soft" }, ` (${size.toLocaleString("en")})`)),
    element(
      "span",
      { class: "fb-row__what" },
      element("span", { class: "fb-role-word" }, first ? WORDS[first] : (WORDS[role] ?? role)),
      " ",
      title || role === "silent" ? what : element("code", {}, what),
      size > 1
        ? element(
            "details",
            { class: "fb-fold" },
            element("summary", {}, "Where each printed it"),
            places(
              ...members.map((one) => element("li", {}, element("span", {}, [whoWords(one), placeWords(one), clock(one.time)].filter(Boolean).join(" · ")))),
              size > members.length && element("li", {}, `and ${(size - members.length).toLocaleString("en")} more`),
            ),
          )
        : members[0] && element("span", { class: "fb-row__where" }, ` ${placeWords(members[0])}`),
    ),
  );
}
