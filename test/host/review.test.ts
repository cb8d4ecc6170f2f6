// The hidden marker of a comment: what it carries, and when it does not count.
import { expect, test } from "vitest";
import { eventDigest, markerStart, readReview, reviewMarker } from "../../src/host/review.ts";

const scope = { project: "shows", environment: "production", repository: "acme/events", pullRequest: 7 };
const [one, two] = ["aaaaaaaaaaaa", "bbbbbbbbbbbb"];

test("digests come back as they went", () => {
  const body = `${reviewMarker(scope, [[one], [two]], null)}\n### Plan`;
  expect(body).toContain(markerStart("plan", scope));
  const read = readReview(body, scope, null);
  expect(read.ok && [...read.review.digests]).toEqual([one, two]);
});

test("with a key, what was added to a marker, or copied from another pull request, does not count", () => {
  const marker = reviewMarker(scope, [[one]], "key");
  expect(readReview(marker, scope, "key").ok).toBe(true);
  expect(readReview(marker.replace(one, `${one},${two}`), scope, "key")).toEqual({ ok: false, why: "forged" });
  expect(readReview(marker, { ...scope, pullRequest: 8 }, "key")).toEqual({ ok: false, why: "forged" });
  expect(readReview(marker, { ...scope, repository: "acme/other" }, "key")).toEqual({ ok: false, why: "forged" });
  expect(readReview(reviewMarker(scope, [[one]], "other"), scope, "key")).toEqual({ ok: false, why: "forged" });
  expect(readReview(reviewMarker(scope, [[one]], null), scope, "key")).toEqual({ ok: false, why: "unsigned" });
});

test("a marker of another project or environment, also one whose name begins alike, is another's", () => {
  const marker = reviewMarker(scope, [[one]], null);
  expect(readReview(marker, { ...scope, environment: "prod" }, null)).toEqual({ ok: false, why: "none" });
  expect(readReview(marker, { ...scope, project: "" }, null)).toEqual({ ok: false, why: "none" });
});

test("a name that would end the marker does not", () => {
  const odd = { ...scope, project: "a --> b", environment: "x y=z" };
  const marker = reviewMarker(odd, [[one]], null);
  expect(marker.indexOf("-->")).toBe(marker.length - 3);
  expect(readReview(marker, odd, null).ok).toBe(true);
});

test("more digests than fit become one for each event", () => {
  const many = Array.from({ length: 1_000 }, (_, at) =>
    [0, 1, 2].map((edit) => (at * 3 + edit).toString(16).padStart(12, "0")),
  );
  const marker = reviewMarker(scope, many, null);
  expect(marker.length).toBeLessThan(32_000);
  const read = readReview(marker, scope, null);
  expect(read.ok && read.review.digests.size).toBe(0);
  expect(read.ok && read.review.events.has(eventDigest(many[17] ?? []))).toBe(true);
});
