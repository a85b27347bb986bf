// @ts-check
/** Filters, highlighting and zoom of the drawing; without them it is complete all the same. */

const STEP = 1.25;
const SMALLEST = 0.15;
const LARGEST = 2;
/** Labels are 12 px at scale 1. */
const LEGIBLE = 0.8;
/** On a phone every pixel of a label counts. */
const LEAST_WIDTH = 700;

/**
 * @param {HTMLElement} page
 */
export function startGraph(page) {
  const svg = page.querySelector("svg.fb-graph__svg");
  const frame = page.querySelector(".fb-graph__frame");
  const form = page.querySelector("form");
  if (!(svg instanceof SVGSVGElement) || !(frame instanceof HTMLElement) || !form) return;
  const nodes = /** @type {SVGAElement[]} */ ([...svg.querySelectorAll("a.fb-node")]);
  const edges = /** @type {SVGPathElement[]} */ ([...svg.querySelectorAll(".fb-edge")]);
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[type=checkbox]")]);
  const width = svg.viewBox.baseVal.width;
  const height = svg.viewBox.baseVal.height;

  /** @param {string} name */
  const chosen = (name) =>
    new Set(boxes.filter((box) => box.name === name && box.checked).map((box) => box.value));

  const filter = () => {
    const kinds = chosen("kind");
    const categories = chosen("category");
    /** @type {Set<string>} */
    const shown = new Set();
    for (const node of nodes) {
      const visible = categories.has(node.dataset.category ?? "");
      node.classList.toggle("fb-off", !visible);
      if (visible) shown.add(node.dataset.id ?? "");
    }
    for (const edge of edges) {
      const kind = [...edge.classList].find((name) => name.startsWith("fb-edge--"))?.slice(9) ?? "";
      const ends = shown.has(edge.dataset.from ?? "") && shown.has(edge.dataset.to ?? "");
      edge.classList.toggle("fb-off", !ends || !kinds.has(kind));
      edge.classList.toggle("fb-on", ends && kinds.has(kind));
    }
  };

  /** @param {string | undefined} id the entry whose links stand out, none for all */
  const highlight = (id) => {
    /** @type {Set<string>} */
    const near = new Set(id ? [id] : []);
    for (const edge of edges) {
      const touches = id !== undefined && (edge.dataset.from === id || edge.dataset.to === id);
      edge.classList.toggle("fb-near", touches);
      if (touches && !edge.classList.contains("fb-off")) {
        near.add(edge.dataset.from ?? "");
        near.add(edge.dataset.to ?? "");
      }
    }
    svg.classList.toggle("fb-dim", id !== undefined);
    for (const node of nodes) node.classList.toggle("fb-near", near.has(node.dataset.id ?? ""));
  };

  let scale = 1;
  /** @param {number} wanted */
  const zoom = (wanted) => {
    const middle = {
      x: (frame.scrollLeft + frame.clientWidth / 2) / scale,
      y: (frame.scrollTop + frame.clientHeight / 2) / scale,
    };
    scale = Math.min(LARGEST, Math.max(SMALLEST, wanted));
    svg.setAttribute("width", String(Math.round(width * scale)));
    svg.setAttribute("height", String(Math.round(height * scale)));
    frame.scrollLeft = middle.x * scale - frame.clientWidth / 2;
    frame.scrollTop = middle.y * scale - frame.clientHeight / 2;
  };

  for (const node of nodes) {
    const id = node.dataset.id;
    node.addEventListener("pointerenter", () => highlight(id));
    node.addEventListener("pointerleave", () => highlight(undefined));
    node.addEventListener("focus", () => highlight(id));
    node.addEventListener("blur", () => highlight(undefined));
  }
  form.addEventListener("change", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest("button") : null;
    if (!button) return;
    if ("all" in button.dataset || "none" in button.dataset) {
      for (const box of boxes) if (box.name === "category") box.checked = "all" in button.dataset;
      filter();
    }
    if (button.dataset.zoom === "in") zoom(scale * STEP);
    if (button.dataset.zoom === "out") zoom(scale / STEP);
    if (button.dataset.zoom === "fit") {
      zoom(Math.min(frame.clientWidth / width, frame.clientHeight / height));
    }
  });
  filter();
  // A little smaller is still legible, and may show all of it.
  const whole = Math.min(frame.clientWidth / width, frame.clientHeight / height);
  if (whole < 1 && frame.clientWidth >= LEAST_WIDTH) zoom(Math.max(LEGIBLE, whole));
  // The middle of the drawing is its densest part.
  frame.scrollLeft = (width * scale - frame.clientWidth) / 2;
  frame.scrollTop = (height * scale - frame.clientHeight) / 2;
}
