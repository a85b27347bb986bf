// @ts-check
/** Reads and matches beside the page, which stays responsive. Loads everything at start. */

import { load } from "./loading.js";
import { diagnoseFiles } from "./reading.js";

/** Milliseconds between two words about how far it is. */
const TOLD_EVERY = 50;

const ready = load({ texts: true });
let under = new AbortController();

addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
  // A new job ends the one before; without files it does only that.
  under.abort();
  if (!data.files) return;
  const { job, files } = data;
  const { signal } = (under = new AbortController());
  let told = 0;
  try {
    const { matcher } = await ready;
    const done = await diagnoseFiles(matcher, files, (progress) => {
      const now = performance.now();
      if (now - told < TOLD_EVERY) return;
      told = now;
      postMessage({ job, progress });
    }, signal);
    postMessage({ job, done });
  } catch (error) {
    if (!signal.aborted) postMessage({ job, error: error instanceof Error ? error.message : String(error) });
  }
});

ready.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ ready: false, error: String(error) }),
);
