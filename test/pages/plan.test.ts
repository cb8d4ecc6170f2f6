// The page of a plan in a real browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { renderPlanHtml } from "../../src/report/plan.ts";
import { codeEntry } from "../../src/report/reference/catalog.ts";
import { edited, hostile } from "../stage/plan-samples.ts";
import { seasonPlan } from "../stage/season-plan.ts";
import { expectAccessible, expectFits, type Look, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
let season: string;
beforeAll(async () => {
  browser = await openBrowser();
  const { plan, cards } = await seasonPlan();
  season = renderPlanHtml(plan, { cards: cards?.(), explain: codeEntry });
});
afterAll(() => browser.close());

describe.each([
  ["of edits", () => renderPlanHtml(edited)],
  ["with hostile names", () => renderPlanHtml(hostile)],
  ["with cards", () => season],
  ["with cards and amounts in centavos", () => season.replaceAll(/(₱[\d,]*\d)(?![\d,.])/g, "$1.50")],
])("%s", (_name, render) => {
  test.each<Look>([{ width: 1280 }, { width: 390 }, { width: 1280, theme: "dark" }, { width: 390, theme: "dark" }])(
    "at $width pixels, $theme",
    async (look) => {
      const visit = await openPage(browser, render(), look);
      await expectFits(visit);
      // Also what is folded.
      await visit.page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
      await expectFits(visit);
      await expectAccessible(visit);
    },
  );
});

test("asks for nothing but pictures over https, and shows no hostile text as anything else", async () => {
  const { page, errors, requests } = await openPage(browser, season);
  await page.evaluate("for (const each of document.images) each.loading = 'eager'");
  await page.waitForLoadState("networkidle");
  expect(errors).toEqual([]);
  expect([...new Set(requests)].filter((one) => !one.startsWith("https://images.example.com/"))).toEqual([]);
  expect(await page.evaluate("document.scripts.length + document.querySelectorAll('img[onerror]').length")).toBe(0);
});

test("is read without scripts, and with the keyboard alone", async () => {
  const { page } = await openPage(browser, season, { scripts: false });
  expect(await page.getByText("Weekend Pass of Bayside Sounds 2027").count()).toBe(1);
  const { page: typed } = await openPage(browser, season);
  const reached = new Set<string>();
  for (let step = 0; step < 80; step += 1) {
    await typed.keyboard.press("Tab");
    const tag = await typed.evaluate<string>("document.activeElement.tagName");
    reached.add(tag);
    if (tag === "SUMMARY") break;
  }
  expect([...reached]).toEqual(expect.arrayContaining(["A", "SUMMARY"]));
  await typed.keyboard.press("Enter");
  expect(await typed.evaluate("document.activeElement.parentElement.open")).toBe(true);
});

test("leads from a code to what it means, and back", async () => {
  const { page } = await openPage(browser, season);
  const codes = await page.evaluate<readonly string[]>(
    "[...document.querySelectorAll('a[href^=\"#code-\"]')].map((each) => each.textContent)",
  );
  expect(codes).toContain("delete-ticket-on-sale");
  for (const code of new Set(codes)) {
    await page.locator(`a[href="#code-${code}"]`).first().click();
    expect(await page.locator(`[id="code-${code}"]`).textContent()).toBe(code);
    await page.getByRole("link", { name: `Back to where ${code} is shown` }).click();
    expect(new URL(page.url()).hash).toBe(`#of-${code}`);
  }
  const twice = await page.evaluate(
    "[...document.querySelectorAll('[id]')].map(({ id }) => id).filter((id, at, all) => all.indexOf(id) !== at)",
  );
  expect(twice).toEqual([]);
});

test("lies side by side on a desk and below one another on a phone", async () => {
  const tops = async (width: number) => {
    const { page } = await openPage(browser, season, { width });
    return page.evaluate<readonly number[]>(
      "[...document.querySelector('.pair').children].map((each) => Math.round(each.getBoundingClientRect().top))",
    );
  };
  const [left, right] = await tops(1280);
  expect(left).toBe(right);
  const [first = 0, second = 0] = await tops(390);
  expect(second).toBeGreaterThan(first);
});

test("draws entries to scale, each in its own lane", async () => {
  const { page } = await openPage(browser, season);
  const boxes = await page.evaluate<readonly (readonly [string, number, number, number])[]>(
    `[...document.querySelectorAll('.pair > :last-child .lanes li')].map((each) => {
      const box = each.getBoundingClientRect();
      return [each.querySelector('strong').textContent, Math.round(box.height), box.top, box.left];
    })`,
  );
  const byName = new Map(boxes.map(([name, ...rest]) => [name, rest]));
  const [gates = [], luna = [], tala = [], small = []] = ["Gates open", "Luna Marea", "DJ Tala", "Small stage"].map(
    (name) => byName.get(name),
  );
  expect([(luna[0] ?? 0) / (gates[0] ?? 1), (tala[0] ?? 0) / (gates[0] ?? 1)].map((part) => part.toFixed(1))).toEqual([
    "1.5",
    "2.0",
  ]);
  expect(tala[1]).toBe(small[1]);
  expect(new Set([luna[2], tala[2], small[2]]).size).toBe(3);
});

test("has room for the title of every entry, and colors the whole of a cell that changes", async () => {
  for (const width of [1280, 390]) {
    const { page } = await openPage(browser, season, { width });
    await page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true");
    const cut = await page.evaluate(
      `[...document.querySelectorAll('.pair .lanes li')].filter((each) => each.querySelector('strong').getBoundingClientRect().bottom > each.getBoundingClientRect().bottom).map((each) => each.textContent)`,
    );
    expect(cut).toEqual([]);
    const parts = await page.evaluate<readonly number[]>(
      "[...document.querySelectorAll('td > ins, td > del')].filter((each) => each.querySelector('small')).map((each) => each.getClientRects().length)",
    );
    expect(parts.length).toBeGreaterThan(0);
    expect(parts.filter((count) => count !== 1)).toEqual([]);
  }
});

test("keeps cards whole on paper, with what is folded", async () => {
  const { page } = await openPage(browser, season);
  await page.emulateMedia({ media: "print" });
  const broken = await page.evaluate(
    "[...document.querySelectorAll('.card')].filter((each) => getComputedStyle(each).breakInside !== 'avoid').length",
  );
  expect(broken).toBe(0);
  expect(await page.locator(".fields dl").first().isVisible()).toBe(true);
});
