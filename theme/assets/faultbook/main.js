// @ts-check
/** What every page starts. Reading needs none of it. */

import { startCopyButtons, copySectionLinks } from "./copy.js";
import { rememberTicks } from "./checklist.js";
import { replacePaletteLabels } from "./palette.js";
import { startSearch } from "./search.js";

startCopyButtons(document);
copySectionLinks(document);
rememberTicks(document);
replacePaletteLabels(document);
startSearch(document);

const nearest = document.querySelector("[data-faultbook-nearest]");
if (nearest instanceof HTMLElement) {
  const { showNearest } = await import("./not-found.js");
  await showNearest(nearest);
}

const browse = document.querySelector("[data-faultbook-browse]");
if (browse instanceof HTMLElement) {
  const { startBrowse } = await import("./browse.js");
  startBrowse(browse);
}

const graph = document.querySelector("[data-faultbook-graph]");
if (graph instanceof HTMLElement) {
  const { startGraph } = await import("./graph.js");
  startGraph(graph);
}

const diagnose = document.querySelector("[data-faultbook-diagnose]");
if (diagnose instanceof HTMLElement) {
  const { startDiagnose } = await import("./diagnose.js");
  await startDiagnose(diagnose);
}
