// A service whose limit is switched off may still send the headers. They then stand still, and there is nothing to keep to.
import type { Reading } from "./rate-headers.ts";

export interface Stillness {
  /** Takes one more answer in; true where the service counts nothing. */
  sees(reading: Reading, now: number): boolean;
  readonly proven: boolean;
}

/** So many answers with the same count, more than it counts, within less than a minute. */
const enoughAnswers = 16;
const withinMs = 50_000;

export function makeStillness(): Stillness {
  let used = -1;
  let limit = -1;
  let answers = 0;
  let since = 0;
  let proven = false;
  return {
    sees(reading, now) {
      const count = reading.limit - reading.remaining;
      // Once proven it may take its time; before that a slow caller could be fooled by a window that slides.
      if (count === used && reading.limit === limit && (proven || now - since < withinMs)) {
        answers++;
      } else {
        used = count;
        limit = reading.limit;
        answers = 1;
        since = now;
        proven = false;
      }
      if (answers >= enoughAnswers && answers > used) proven = true;
      return proven;
    },
    get proven() {
      return proven;
    },
  };
}
