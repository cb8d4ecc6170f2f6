// The page of sales in a real browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type EventFigures, renderStatusHtml, type StatusReport } from "../../src/report/status.ts";
import { aYear, eventOf, reportOf } from "../stage/status-samples.ts";
import { expectAccessible, expectFits, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const year = aYear();
const nothingSold = eventOf({
  name: "Nothing sold",
  start: "2027-03-01T11:00:00Z",
  types: [{ name: "GA", price: 500, quantity: 100, sold: 0 }],
});
const soldOut = eventOf({
  name: "Sold out",
  start: "2027-03-02T11:00:00Z",
  types: [{ name: "GA", price: 500, quantity: 40, sold: 40 }],
  refunded: 2,
});
const hostileName = '<img src="x" onerror="alert(1)"></title></svg><script>alert(1)</script>"\' \u202e';
const hostile = eventOf({
  name: hostileName,
  start: "2027-03-02T11:00:00Z",
  types: [{ name: hostileName, price: 500, quantity: 40, sold: 4 }],
});
const alone = (event: EventFigures, index: number): EventFigures => ({ ...event, series: null, id: `id-${index}` });

const reports: readonly (readonly [string, StatusReport])[] = [
  ["of one event", reportOf(year.filter(({ series }) => series === null))],
  ["of twelve events", reportOf([...year.slice(2, 12).map(alone), nothingSold, soldOut])],
  ["of a year", reportOf(year)],
  ["of no event", reportOf([])],
  ["of nothing sold", reportOf([nothingSold])],
  ["with hostile names", reportOf([hostile, { ...hostile, id: "other", series: hostileName }])],
];

describe.each(reports)("%s", (_name, report) => {
  test.each([
    [1280, "light"],
    [390, "dark"],
    [390, "light"],
  ] as const)("at %i pixels, %s", async (width, theme) => {
    const visit = await openPage(browser, renderStatusHtml(report, "date"), { width, theme });
    await expectAccessible(visit);
    await expectFits(visit);
    expect(visit.requests).toEqual([]);
  });
});

test("on a phone, all figures of every event are on the screen", async () => {
  const { page } = await openPage(browser, renderStatusHtml(reportOf(year), "date"), { width: 390 });
  expect(
    await page
      .locator(".sums")
      .first()
      .evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth),
  ).toBe(0);
});

test("with everything opened and scripts off, nothing is lost and nothing is wider than a phone", async () => {
  const html = renderStatusHtml(reportOf(year), "date").replaceAll("<details", "<details open");
  const visit = await openPage(browser, html, { width: 390, scripts: false });
  await expectFits(visit);
  const charts = visit.page.locator("svg.chart[role=img]");
  expect(await charts.count()).toBeGreaterThan(40);
  const text = await visit.page.locator("body").innerText();
  expect(text).toContain("Not counted: 3 refunded orders (₱4,500.00).");
  expect(text).toContain("sold out");
});

test("what each chart shows is also in words, and its line is as high as its sum", async () => {
  const visit = await openPage(browser, renderStatusHtml(reportOf([soldOut]), "date"));
  const chart = visit.page.getByRole("img", { name: /^Tickets so far of Sold out, by day: 40 by 10 Jan 2027$/ });
  expect(await chart.count()).toBe(1);
  const lines = (await chart.locator("line").all()).length;
  // 0, 10, 20, 30, 40: the last sum reaches the topmost line.
  expect(lines).toBe(5);
  expect(await chart.locator("path.line").getAttribute("d")).toMatch(/V0H1000$/);
});

test("no buyer is on the page", () => {
  const html = renderStatusHtml(reportOf(year), "date");
  expect(html).not.toMatch(/Ana Buyer|buyers\.example/);
});
