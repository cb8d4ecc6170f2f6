// What was read before is forgotten list by list after a large apply: eight times the lists take about eight times the time.
import { test } from "vitest";
import { type CachedResponse, makeReader } from "../../src/snapshot/reader.ts";
import { expectLinear } from "./growth.ts";

test("forgetting one list after the other", async () => {
  const client = { request: async () => Promise.reject(new Error("asked")), pause: async () => undefined };
  await expectLinear((lists) => {
    const paths = Array.from({ length: lists }, (_, index) => `/events/${index}/tickets`);
    const empty: CachedResponse = { data: [], meta: null };
    const reader = makeReader(
      client,
      paths.map((path) => [`${path}?{}`, empty]),
    );
    for (const path of paths) reader.forget(path);
  }, 16_000);
});
