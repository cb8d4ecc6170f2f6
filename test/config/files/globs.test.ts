// Globs are matched in one pass; where a glob is simple, that must mean what the library means.
import fc from "fast-check";
import picomatch from "picomatch";
import { describe, expect, test } from "vitest";
import { globExcess, matcherOf } from "../../../src/config/files/globs.ts";

describe("a glob", () => {
  const paths = ["a.yaml", "events/a.yaml", "events/x/y/a.yml", "events/.a.yaml", "events/.x/a.yaml", "events", "x"];

  test.each([
    ["events/**/*.{yaml,yml}", ["events/a.yaml", "events/x/y/a.yml"]],
    ["events/**", ["events/a.yaml", "events/x/y/a.yml", "events"]],
    ["*.yaml", ["a.yaml"]],
    ["./a.yaml", ["a.yaml"]],
    ["**/a.y*ml", ["a.yaml", "events/a.yaml", "events/x/y/a.yml"]],
    ["events/?.yaml", ["events/a.yaml"]],
    ["events/.a.yaml", ["events/.a.yaml"]],
    ["events/[a-c].yaml", ["events/a.yaml"]],
    ["events/!(b).yaml", ["events/a.yaml", "events/.a.yaml"]],
    ["e**s/*", ["events/a.yaml"]],
  ])("%s matches what it says", (glob, expected) => {
    expect(paths.filter(matcherOf([glob]))).toEqual(expected);
  });

  test("means what the library takes it for", () => {
    const step = fc.oneof(
      fc.constantFrom("**", "*", "a", "b", ".a", "a*", "*a", "*a*b", "?", "a?", "*.{a,b}", "{a,b}*", "{a,ab}", ".*"),
    );
    const name = fc.constantFrom("a", "b", "ab", "ba", "aab", ".a", "a.a", "ab.b", "a.b.a");
    // At the end, `**` takes the folder itself to the library where that is a word, and not where it is a star.
    const last = step.filter((text) => text !== "**");
    const both = fc.tuple(
      fc.tuple(fc.array(step, { maxLength: 3 }), last).map(([steps, end]) => [...steps, end].join("/")),
      fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join("/")),
    );
    fc.assert(
      fc.property(both, ([glob, path]) => {
        expect(matcherOf([glob])(path), `${glob} ${path}`).toBe(picomatch(glob, { dot: false })(path));
      }),
      { numRuns: 3000 },
    );
  });

  test.each([
    ["many stars", "events/*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*b.yaml", /17 stars/],
    ["many stars beside brackets", "events/[a]*a*a*.yaml", /3 stars/],
    ["repeated groups", "events/+(a|aa)b.yaml", /parentheses/],
    ["many alternatives", `events/${"{a,b}".repeat(7)}.yaml`, /more than 64/],
  ])("with %s is refused", (_, glob, message) => {
    expect(globExcess(glob)?.message).toMatch(message);
    expect(matcherOf([glob])("events/aaaa.yaml")).toBe(false);
  });
});
