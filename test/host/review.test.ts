// The hidden marker of a comment: what it carries, and when it does not count.
import { expect, test } from "vitest";
import { markerStart, readReview, reviewMarker, unlistedWarning } from "../../src/host/review.ts";

const scope = { project: "shows", environment: "production", repository: "acme/events", pullRequest: 7 };
const [one, two] = ["aaaaaaaaaaaa", "bbbbbbbbbbbb"];

test("what is listed only if there is room for it leaves the rest as it is", () => {
  const many = Array.from({ length: 2_299 }, (_, index) => index.toString(16).padStart(12, "0"));
  const read = (digests: readonly string[]) =>
    readReview(reviewMarker(scope, { digests, also: [one, two], events: ["e".repeat(12)] }, null), scope, null);
  expect(read(many)).toMatchObject({ review: { digests: new Set([...many, one].sort()), events: new Set() } });
  expect(read([...many, "f".repeat(12), "e".repeat(12)])).toMatchObject({ review: { digests: new Set() } });
});

test("digests come back as they went", () => {
  const body = `${reviewMarker(scope, { digests: [one, two], events: [] }, null)}\n### Plan`;
  expect(body).toContain(markerStart("plan", scope));
  const read = readReview(body, scope, null);
  expect(read.ok && [...read.review.digests]).toEqual([one, two]);
});

test("with a key, what was added to a marker, or copied from another pull request, does not count", () => {
  const marker = reviewMarker(scope, { digests: [one], events: [] }, "key");
  expect(readReview(marker, scope, "key").ok).toBe(true);
  expect(readReview(marker.replace(one, `${one},${two}`), scope, "key")).toEqual({ ok: false, reason: "forged" });
  const based = reviewMarker(scope, { digests: [one], events: [], into: "abc" }, "key");
  expect(readReview(based, scope, "key")).toMatchObject({ review: { into: "abc" } });
  expect(readReview(based.replace(" into=abc", ""), scope, "key")).toEqual({ ok: false, reason: "forged" });
  expect(readReview(marker, { ...scope, pullRequest: 8 }, "key")).toEqual({ ok: false, reason: "forged" });
  expect(readReview(marker, { ...scope, repository: "acme/other" }, "key")).toEqual({ ok: false, reason: "forged" });
  expect(readReview(reviewMarker(scope, { digests: [one], events: [] }, "other"), scope, "key")).toEqual({
    ok: false,
    reason: "forged",
  });
  expect(readReview(reviewMarker(scope, { digests: [one], events: [] }, null), scope, "key")).toEqual({
    ok: false,
    reason: "unsigned",
  });
});

test("a marker of another project or environment, even one whose name begins alike, is another's", () => {
  const marker = reviewMarker(scope, { digests: [one], events: [] }, null);
  expect(readReview(marker, { ...scope, environment: "prod" }, null)).toEqual({ ok: false, reason: "none" });
  expect(readReview(marker, { ...scope, project: "" }, null)).toEqual({ ok: false, reason: "none" });
});

test("a marker further down is a text of the files, and says nothing", () => {
  const marker = reviewMarker(scope, { digests: [one], events: [] }, null);
  const other = reviewMarker({ ...scope, environment: "staging" }, { digests: [], events: [] }, null);
  expect(readReview(`${other}\n+ ${marker}`, scope, null)).toEqual({ ok: false, reason: "none" });
});

test("a name that would end the marker does not", () => {
  const odd = { ...scope, project: "a --> b", environment: "x y=z" };
  const marker = reviewMarker(odd, { digests: [one], events: [] }, null);
  expect(marker.indexOf("-->")).toBe(marker.length - 3);
  expect(readReview(marker, odd, null).ok).toBe(true);
});

test("more digests than fit become one for each event", () => {
  const digests = Array.from({ length: 3_000 }, (_, at) => at.toString(16).padStart(12, "0"));
  const marker = reviewMarker(scope, { digests, events: ["cccccccccccc"] }, null);
  expect(marker.length).toBeLessThan(32_000);
  const read = readReview(marker, scope, null);
  expect(read.ok && [...read.review.digests]).toEqual([]);
  expect(read.ok && [...read.review.events]).toEqual(["cccccccccccc"]);
});

test("a warning counts the events for which there is no room, because they will be held", () => {
  const digests = Array.from({ length: 4_000 }, (_, at) => at.toString(16).padStart(12, "0"));
  const events = digests.slice(0, 2_301);
  expect(unlistedWarning({ digests, events: events.slice(1) })).toBeNull();
  expect(unlistedWarning({ digests: digests.slice(0, 2_300), events })).toBeNull();
  expect(unlistedWarning({ digests, events })).toMatchObject({
    severity: "warning",
    message:
      "The comment can list 2,300 events as reviewed, and the plan has 1 more. When this branch is merged, the changes of 1 event will be held.",
  });
});

test("documents with phases take no room from events, and are not counted as events that will be held", () => {
  const digests = Array.from({ length: 4_000 }, (_, at) => at.toString(16).padStart(12, "0"));
  const listed = { digests, documents: digests.slice(0, 2_000), events: digests.slice(2_000) };
  expect(unlistedWarning(listed)).toBeNull();
  const read = readReview(reviewMarker(scope, listed, null), scope, null);
  expect(read.ok && listed.events.every((digest) => read.review.events.has(digest))).toBe(true);
  expect(read.ok && read.review.events.size).toBe(2_300);
});
