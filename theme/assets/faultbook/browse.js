// @ts-check
/**
 * Facets of the browse page. Within a facet any of the chosen values will do,
 * between facets all must hold. The address holds the choices and nothing else,
 * so that it can be shared and the browser's own back and forward work.
 */

/** @typedef {Map<string, Set<string>>} Choice values chosen in each facet */
/** @typedef {Record<string, string[]>} Values values of one entry in each facet */

/**
 * @param {Values} values
 * @param {Choice} choice
 * @param {string} [except] a facet that is not asked
 * @returns {boolean}
 */
export function matches(values, choice, except) {
  for (const [facet, chosen] of choice) {
    if (facet === except || chosen.size === 0) continue;
    if (!(values[facet] ?? []).some((value) => chosen.has(value))) return false;
  }
  return true;
}

/**
 * How many entries each value would show, given the choices in the other facets.
 * @param {Values[]} entries
 * @param {Choice} choice
 * @param {string} facet
 * @returns {Map<string, number>}
 */
export function counts(entries, choice, facet) {
  /** @type {Map<string, number>} */
  const found = new Map();
  for (const values of entries) {
    if (!matches(values, choice, facet)) continue;
    for (const value of values[facet] ?? []) found.set(value, (found.get(value) ?? 0) + 1);
  }
  return found;
}

/**
 * @param {string} query what stands after `?`
 * @param {Map<string, Set<string>>} known values of each facet; others are dropped
 * @returns {Choice}
 */
export function parse(query, known) {
  const given = new URLSearchParams(query);
  /** @type {Choice} */
  const choice = new Map();
  for (const [facet, values] of known) {
    const chosen = (given.get(facet) ?? "").split(",").filter((value) => values.has(value));
    choice.set(facet, new Set(chosen));
  }
  return choice;
}

/**
 * @param {Choice} choice
 * @returns {string} with its `?`, or empty where nothing is chosen
 */
export function format(choice) {
  const parts = [];
  for (const [facet, chosen] of choice) {
    if (chosen.size) parts.push(`${facet}=${[...chosen].map(encodeURIComponent).join(",")}`);
  }
  return parts.length ? `?${parts.join("&")}` : "";
}

/**
 * Bring the page to life.
 * @param {HTMLElement} page
 */
export function startBrowse(page) {
  const form = page.querySelector("form");
  if (!form) return;
  const boxes = /** @type {HTMLInputElement[]} */ ([...form.querySelectorAll("input[type=checkbox]")]);
  const items = /** @type {HTMLElement[]} */ ([...page.querySelectorAll(".fb-list > li")]);
  const facets = [...new Set(boxes.map((box) => box.name))];
  /** @type {Map<string, Set<string>>} */
  const known = new Map(
    facets.map((facet) => [
      facet,
      new Set(boxes.filter((box) => box.name === facet).map((box) => box.value)),
    ]),
  );
  /** @type {Values[]} */
  const entries = items.map((item) =>
    Object.fromEntries(facets.map((facet) => [facet, (item.dataset[facet] ?? "").split(" ")])),
  );
  const count = page.querySelector(".fb-facets__count");
  const none = page.querySelector(".fb-browse__none");
  const reset = form.querySelector("button[type=reset]");

  // Beside the list there is room for the second facet; above it there is not.
  const second = form.querySelectorAll("details")[1];
  if (second && matchMedia("(min-width: 60em)").matches) second.open = true;

  /** @returns {Choice} */
  const chosen = () => {
    /** @type {Choice} */
    const choice = new Map(facets.map((facet) => [facet, new Set()]));
    for (const box of boxes) if (box.checked) choice.get(box.name)?.add(box.value);
    return choice;
  };

  const show = () => {
    const choice = chosen();
    let shown = 0;
    entries.forEach((values, index) => {
      const visible = matches(values, choice);
      items[index].hidden = !visible;
      if (visible) shown++;
    });
    for (const facet of facets) {
      const found = counts(entries, choice, facet);
      for (const box of boxes) {
        if (box.name !== facet) continue;
        const number = found.get(box.value) ?? 0;
        const label = box.parentElement;
        const shownNumber = label?.querySelector(".fb-number");
        if (shownNumber) shownNumber.textContent = String(number);
        label?.classList.toggle("fb-facets__empty", number === 0 && !box.checked);
      }
    }
    if (count) count.textContent = `${shown} of ${items.length} entries`;
    if (none instanceof HTMLElement) none.hidden = shown > 0;
    if (reset instanceof HTMLElement) reset.hidden = ![...choice.values()].some((set) => set.size);
  };

  const readAddress = () => {
    const choice = parse(location.search, known);
    for (const box of boxes) {
      box.checked = choice.get(box.name)?.has(box.value) ?? false;
      const group = box.closest("details");
      if (box.checked && group) group.open = true;
    }
    show();
  };

  const writeAddress = () => {
    const query = format(chosen());
    if (query !== location.search) history.pushState(null, "", location.pathname + query);
    show();
  };

  form.addEventListener("change", writeAddress);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    for (const box of boxes) box.checked = false;
    writeAddress();
    boxes[0]?.focus();
  });
  addEventListener("popstate", readAddress);
  readAddress();
}
