import { expect, test } from "vitest";
import { renderPlanHtml } from "../../../src/report/page/plan-page.ts";
import { alike, broken, edited, empty, hostile, newEvent, waiting } from "../../stage/plan-samples.ts";

const samples = Object.entries({ alike, broken, edited, empty, hostile, newEvent, waiting });
const closesItself = new Set(["meta", "br"]);

test.each(samples)("%s is a page whose tags all close", (_, plan) => {
  const open: string[] = [];
  for (const [, slash, name = ""] of renderPlanHtml(plan).matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (slash === "/") expect(open.pop()).toBe(name);
    else if (!closesItself.has(name)) open.push(name);
  }
  expect(open).toEqual([]);
});

test.each(samples)("%s needs nothing from elsewhere and runs nothing", (_, plan) => {
  const html = renderPlanHtml(plan);
  expect(html).not.toMatch(/<script|<img|<link|<iframe|<[^>]*\son\w+=|href="[^#]|url\(|@import/i);
  expect(html).toContain("default-src 'none'");
});

test("every link within the page leads somewhere, and no id is used twice", () => {
  const html = renderPlanHtml(edited);
  const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map((match) => match[1]);
  expect(new Set(ids).size).toBe(ids.length);
  for (const [, target] of html.matchAll(/href="#([^"]+)"/g)) expect(ids).toContain(target);
});

test("what color and arrows say can also be heard", () => {
  const html = renderPlanHtml(edited);
  expect(html).toContain('<span aria-hidden="true">→</span><span class="spoken">becomes</span>');
  expect(html).toContain('<span class="spoken">changed: </span>');
});
