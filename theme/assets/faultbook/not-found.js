// @ts-check
/** Nearest entries for an address that does not exist. */

const MOST = 6;
const LEAST_LIKENESS = 0.28;

/**
 * Pairs of neighbouring letters, counted.
 * @param {string} text
 * @returns {Map<string, number>}
 */
function pairs(text) {
  /** @type {Map<string, number>} */
  const counts = new Map();
  for (let at = 0; at + 1 < text.length; at++) {
    const pair = text.slice(at, at + 2);
    counts.set(pair, (counts.get(pair) ?? 0) + 1);
  }
  return counts;
}

/**
 * Dice's coefficient over letter pairs: 1 for equal texts, 0 without a common pair.
 * @param {string} a
 * @param {string} b
 * @returns {number}
 */
export function likeness(a, b) {
  const left = pairs(a);
  const right = pairs(b);
  let common = 0;
  let total = 0;
  for (const [pair, count] of left) {
    common += Math.min(count, right.get(pair) ?? 0);
    total += count;
  }
  for (const count of right.values()) total += count;
  return total ? (2 * common) / total : 0;
}

/**
 * Order entries by how near one of their ids comes to what was asked for.
 * @param {string} wanted last part of the address
 * @param {string[][]} names id, title and former ids of each entry
 * @returns {{id: string, title: string}[]} best first
 */
export function nearestEntries(wanted, names) {
  const text = wanted.toLowerCase();
  const parts = new Set(text.split("-").filter(Boolean));
  const scored = names.map(([id, title, ...aliases]) => {
    const best = Math.max(...[id, ...aliases].map((name) => likeness(text, name)));
    const words = id.split("-").filter((word) => parts.has(word)).length;
    return { id, title, score: best + 0.1 * words };
  });
  return scored
    .filter(({ score }) => score >= LEAST_LIKENESS)
    .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
    .slice(0, MOST)
    .map(({ id, title }) => ({ id, title }));
}

/**
 * The name that was asked for: what follows `failures/`, else the last part of the address.
 * @param {string} path
 * @returns {string}
 */
export function wantedName(path) {
  const parts = path.split("/").filter((part) => part && part !== "index.html");
  const folder = parts.lastIndexOf("failures");
  const name = (folder >= 0 && parts[folder + 1]) || (parts.pop() ?? "");
  try {
    return decodeURIComponent(name).replace(/\.(html|json|ya?ml|md)$/, "");
  } catch {
    return name; // no valid UTF-8
  }
}

/**
 * Fill the page's list; it stays hidden where nothing is near.
 * @param {HTMLElement} box
 */
export async function showNearest(box) {
  const wanted = wantedName(location.pathname);
  const root = new URL("./", document.baseURI);
  const response = await fetch(new URL("assets/faultbook/names.json", root));
  if (!response.ok) return;
  const found = nearestEntries(wanted, await response.json());
  const list = box.querySelector("ul");
  if (!list || !found.length) return;
  for (const { id, title } of found) {
    const item = document.createElement("li");
    const link = document.createElement("a");
    link.href = new URL(`failures/${id}/`, root).href;
    link.className = "fb-item__title";
    link.textContent = title;
    item.className = "fb-item";
    item.append(link);
    list.append(item);
  }
  box.hidden = false;
}
