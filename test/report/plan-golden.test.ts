import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { renderPlanHtml } from "../../src/report/formats/plan-html.ts";
import { renderPlanJson } from "../../src/report/formats/plan-json.ts";
import { renderPlanMarkdown } from "../../src/report/formats/plan-markdown.ts";
import { renderPlanText } from "../../src/report/formats/plan-text.ts";
import { alike, broken, edited, empty, hostile, newEvent, season, series, waiting } from "./plan-samples.ts";

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

test.each(samples)("%s reads well on a terminal", async (name, plan) => {
  const text = renderPlanText(plan, { columns: 80, color: false, verbose: false });
  await expect(text).toMatchFileSnapshot(`./golden/${name}.golden.txt`);
});

test.each(samples)("%s reads well as a comment", async (name, plan) => {
  await expect(renderPlanMarkdown(plan)).toMatchFileSnapshot(`./golden/${name}.golden.md`);
});

test("a plan is one page of HTML", async () => {
  await expect(renderPlanHtml(edited)).toMatchFileSnapshot("./golden/edited.golden.html");
});

test("hostile text stays text in HTML", async () => {
  await expect(renderPlanHtml(hostile)).toMatchFileSnapshot("./golden/hostile.golden.html");
});

test("a plan is JSON with its keys in one order", async () => {
  await expect(renderPlanJson(newEvent)).toMatchFileSnapshot("./golden/new-event.golden.json");
});

test("verbose names every call and shortens nothing", async () => {
  const text = renderPlanText(newEvent, { columns: 80, color: false, verbose: true });
  await expect(text).toMatchFileSnapshot("./golden/new-event-verbose.golden.txt");
});

test("of thousands of new events the first are told in full and the rest by name; verbose tells all", async () => {
  const text = renderPlanText(season, { columns: 80, color: false, verbose: false });
  expect(text.split("\n").length).toBeLessThan(200);
  await expect(text).toMatchFileSnapshot("./golden/season.golden.txt");
  expect(renderPlanText(season, { columns: 80, color: false, verbose: true })).toContain('+ "Show 4999"');
});
