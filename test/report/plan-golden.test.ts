import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { renderPlanMarkdown } from "../../src/report/formats/plan-markdown.ts";
import { renderPlanJson, renderPlanText } from "../../src/report/formats/plan-text.ts";
import { renderPlanHtml } from "../../src/report/page/plan-page.ts";
import { expectGolden } from "../stage/golden.ts";
import { alike, broken, edited, empty, hostile, newEvent, season, series, waiting } from "../stage/plan-samples.ts";

const samples: readonly (readonly [string, Plan])[] = [
  ["new-event", newEvent],
  ["edited", edited],
  ["alike", alike],
  ["waiting", waiting],
  ["series", series],
  ["empty", empty],
  ["broken", broken],
  ["hostile", hostile],
];

function golden(file: string): string {
  return join(import.meta.dirname, "golden", file);
}

test.each(samples)("%s reads well on a terminal", (name, plan) => {
  const text = renderPlanText(plan, { columns: 80, color: false, verbose: false });
  expectGolden(golden(`${name}.golden.txt`), text);
});

test.each(samples)("%s reads well as a comment", (name, plan) => {
  expectGolden(golden(`${name}.golden.md`), renderPlanMarkdown(plan));
});

test("a plan is one page of HTML", () => {
  expectGolden(golden("edited.golden.html"), renderPlanHtml(edited));
});

test("hostile text stays text in HTML", () => {
  expectGolden(golden("hostile.golden.html"), renderPlanHtml(hostile));
});

test("a plan is JSON with its keys in one order", () => {
  expectGolden(golden("new-event.golden.json"), renderPlanJson(newEvent));
});

test("verbose names every call and shortens nothing", () => {
  const text = renderPlanText(newEvent, { columns: 80, color: false, verbose: true });
  expectGolden(golden("new-event-verbose.golden.txt"), text);
});

test("of thousands of new events the first are shown in full and the rest by name; verbose shows all", () => {
  const text = renderPlanText(season, { columns: 80, color: false, verbose: false });
  expect(text.split("\n").length).toBeLessThan(200);
  expectGolden(golden("season.golden.txt"), text);
  expect(renderPlanText(season, { columns: 80, color: false, verbose: true })).toContain('+ "Show 4999"');
});
