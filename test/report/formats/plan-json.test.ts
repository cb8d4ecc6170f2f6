import { expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { renderPlanFile, renderPlanJson } from "../../../src/report/formats/plan-text.ts";
import { change, edit, edited, plan } from "../../stage/plan-samples.ts";

/** The same value with every object's keys in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  );
}

test("the same plan gives the same bytes, and reads back as it was", () => {
  const text = renderPlanFile(edited);
  expect(renderPlanFile(reversed(edited) as Plan)).toBe(text);
  expect(JSON.parse(text)).toEqual(edited);
  expect(text.endsWith("}\n")).toBe(true);
});

test("what is printed differs from what is saved only in the queries of URLs", () => {
  const masked = renderPlanFile(edited).replaceAll(/\?token=[\w-]+/g, "?***");
  expect(masked).not.toBe(renderPlanFile(edited));
  expect(renderPlanJson(edited)).toBe(masked);
});

test("what a reader looks for first comes first", () => {
  expect(Object.keys(JSON.parse(renderPlanJson(edited)))).toEqual([
    "formatVersion",
    "tool",
    "createdAt",
    "target",
    "changes",
    "operations",
    "diagnostics",
    "summary",
    "upcoming",
    "calls",
    "observed",
    "fingerprint",
  ]);
});

test("what a terminal would obey is written in escapes", () => {
  const text = renderPlanJson(
    plan({ changes: [change("event", "events/x", { edits: [edit("name", "a", "\u009b2J\u202e")] })] }),
  );
  expect(text).toContain("\\u009b2J\\u202e");
});
