// @ts-check
/**
 * The index and the matcher, loaded once. What is asked for never depends on what was
 * typed: files of data, and modules. Confirming and fixing texts are loaded only where
 * whole logs are read.
 */

/**
 * @typedef {object} IndexEntry
 * @property {string} id
 * @property {string} title
 * @property {string} category its title
 * @property {string} severity
 * @property {boolean} [page] false where the entry has none
 */
/** @typedef {{step: string, run: string | null}} Step */
/** @typedef {{summary?: string, confirm?: Step, fix?: Step}} Texts */
/** @typedef {ReturnType<typeof import("./match/main.js").makeMatcher>} Matcher */
/**
 * @typedef {object} Loaded
 * @property {Matcher} matcher
 * @property {Map<string, IndexEntry>} entries
 * @property {Record<string, Texts>} texts none where they were not asked for
 */

/** The site's root, wherever the site lies: this module stands two folders below it. */
export const ROOT = new URL("../../", import.meta.url);

/** @type {Map<boolean, Promise<Loaded>>} */
const loading = new Map();

/**
 * @param {{texts?: boolean}} [options] `texts`: with them answers say how to confirm and to fix
 * @returns {Promise<Loaded>}
 * @throws {Error} the network failed; the next call tries again
 */
export function load({ texts = false } = {}) {
  let found = loading.get(texts);
  if (!found) {
    found = begin(texts).catch((error) => {
      loading.delete(texts);
      throw error;
    });
    loading.set(texts, found);
  }
  return found;
}

/**
 * @param {string} path below the root
 * @returns {Promise<any>}
 */
async function data(path) {
  const response = await fetch(new URL(path, ROOT));
  if (!response.ok) throw new Error(`${path} was answered with HTTP ${response.status}`);
  return response.json();
}

/** @param {boolean} withTexts @returns {Promise<Loaded>} */
async function begin(withTexts) {
  const [index, { texts }, titles, { makeMatcher }] = await Promise.all([
    data("api/v1/signatures.json"),
    withTexts ? data("api/v1/texts.json") : { texts: {} },
    data("assets/faultbook/categories.json"),
    import("./match/main.js"),
  ]);
  return {
    matcher: makeMatcher({ ...index, texts }),
    entries: new Map(
      index.entries.map((/** @type {IndexEntry} */ entry) => [
        entry.id,
        { ...entry, category: titles[entry.category] ?? entry.category },
      ]),
    ),
    texts,
  };
}

/**
 * @param {IndexEntry} entry
 * @returns {string | undefined} the address of its page
 */
export function pageOf(entry) {
  return entry.page === false ? undefined : new URL(`failures/${entry.id}/`, ROOT).href;
}
