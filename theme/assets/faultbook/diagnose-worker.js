// @ts-check
/** Reads and matches beside the page, which stays responsive. Loads everything at start. */

import { load } from "./loading.js";
import { diagnoseFiles } from "./reading.js";

const ready = load();

addEventListener("message", async (/** @type {MessageEvent} */ { data }) => {
  try {
    const { matcher } = await ready;
    const answer = await diagnoseFiles(matcher, data.files, (done) => postMessage({ job: data.job, done }));
    postMessage({ job: data.job, answer });
  } catch (error) {
    postMessage({ job: data.job, error: error instanceof Error ? error.message : String(error) });
  }
});

ready.then(
  () => postMessage({ ready: true }),
  (error) => postMessage({ ready: false, error: String(error) }),
);
