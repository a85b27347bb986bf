// @ts-check
/** Reading files beside the page, in a worker; on the page itself where there is none. */

import { diagnoseFiles } from "./reading.js";

/** @typedef {import("./reading.js").Diagnosis} Diagnosis */
/** @typedef {import("./reading.js").Named} Named */
/** @typedef {import("./reading.js").Progress} Progress */

/** One job at a time: a new one ends the one before. */
export class Jobs {
  /** @param {import("./loading.js").Matcher} matcher for where no worker can be had */
  constructor(matcher) {
    this._matcher = matcher;
    this._job = 0;
    this._under = new AbortController();
    /** @type {Worker | undefined} */
    this._worker = undefined;
  }

  /** @returns {Promise<void>} when everything that a job needs is loaded */
  async start() {
    try {
      const worker = new Worker(new URL("diagnose-worker.js", import.meta.url), { type: "module" });
      const ready = await new Promise((resolve) => {
        worker.addEventListener("message", ({ data }) => resolve(data.ready === true), { once: true });
        worker.addEventListener("error", () => resolve(false), { once: true });
      });
      if (ready) this._worker = worker;
      else worker.terminate();
    } catch {
      // A browser without module workers: the page reads by itself.
    }
  }

  /**
   * @param {Named[]} files
   * @param {(progress: Progress) => void} progress
   * @returns {Promise<Diagnosis | null>} null where another job or `end` came between
   */
  async run(files, progress) {
    this.end();
    const job = this._job;
    const { signal } = (this._under = new AbortController());
    const worker = this._worker;
    if (!worker) {
      try {
        return await diagnoseFiles(this._matcher, files, progress, signal);
      } catch (error) {
        if (signal.aborted) return null;
        throw error;
      }
    }
    return new Promise((resolve, reject) => {
      signal.addEventListener("abort", () => resolve(null));
      worker.onmessage = ({ data }) => {
        if (data.job !== job) return;
        if (data.progress) progress(data.progress);
        else if (data.done) resolve(data.done);
        else reject(new Error(data.error));
      };
      worker.onerror = (event) => reject(new Error(event.message || "The reading stopped"));
      worker.postMessage({ job, files });
    });
  }

  /** Let nothing come of what is under way. The worker stays: a new one would ask the server. */
  end() {
    this._job++;
    this._under.abort();
    this._worker?.postMessage({ job: this._job });
  }
}
