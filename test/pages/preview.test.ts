// The preview in a real browser: redrawn as files change, moved through time by the slider.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { openFolder } from "../stage/open-folder.ts";
import { servePreview } from "../stage/serve-preview.ts";
import { expectAccessible, expectFits, type Look, newVisit, openBrowser, type Visit } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

const open: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

const nights = `name: Manila Nights
dateTime: 2027-03-14T19:00
endDateTime: 2027-03-15T02:00
venue: { name: Palace, city: Baguio }
imageUrl: https://images.example.com/nights.jpg
eventCapacity: 250
tickets:
  - { name: Early bird, price: 900, quantity: 50, published: true }
  - { name: Regular, price: 1500, quantity: 200, published: false }
performers: [{ name: DJ Ana, type: DJ }]
schedules:
  - { title: Doors, startTime: 19:00, endTime: 20:00 }
  - { title: DJ Ana, startTime: 20:00, endTime: 23:00, performer: DJ Ana, color: "#FF8800" }
phases:
  - { name: Announce, from: -6w at 10:00, status: PUBLISHED }
  - name: Early bird ends
    from: -2w
    tickets: [{ name: Early bird, soldOut: true }, { name: Regular, published: true }]
ignore: [bare-listing]
`;
const hostileName = "<script>document.title='pwned'</script>\\u202e\\\"'><img src=x onerror=alert(1)>";
const files = {
  "ticketing.yaml": "version: 1\norganization: acme-live\ndefaults: { timezone: Asia/Manila }\n",
  "events/nights.yaml": nights,
  "events/friday.yaml": `name: Friday Club
dateTime: 22:00
endDateTime: +6h
venue: { name: Palace, city: Baguio }
series: { every: friday, from: 2027-01-08, count: 30 }
phases: [{ name: Announce, from: -2w, status: PUBLISHED }]
ignore: [bare-listing]
`,
};

interface Opened extends Visit {
  readonly url: string;
  write(file: string, text: string): void;
}

async function visit(look: Look = {}, written: Readonly<Record<string, string>> = files): Promise<Opened> {
  const { directory, close } = openFolder(written);
  const served = await servePreview(directory);
  const seen = await newVisit(browser, look);
  open.push(() => seen.page.context().close(), served.stop, close);
  await seen.page.route(/^https:/, (route) => route.fulfill({ contentType: "image/svg+xml", body: picture }));
  await seen.page.goto(served.url);
  return { ...seen, url: served.url, write: (file, text) => writeFileSync(join(directory, file), text) };
}

const picture = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 21 9"><rect width="21" height="9"/></svg>';

function shows(page: Page, text: string): Promise<unknown> {
  return page.getByText(text).first().waitFor({ timeout: 15_000 });
}

describe.each([
  [1280, "light"],
  [390, "dark"],
] as const)("at %i pixels, %s", (width, theme) => {
  test("nothing bars anybody from the pages, and they fit", async () => {
    const opened = await visit({ width, theme }, { ...files, "events/bad.yaml": "nam: Bad\n" });
    await expectAccessible(opened);
    await expectFits(opened);
    await opened.page.goto(`${opened.url}events/nights`);
    await expectAccessible(opened);
    await expectFits(opened);
    const outside = opened.requests.filter((address) => !address.startsWith(opened.url));
    expect(new Set(outside)).toEqual(new Set(["https://images.example.com/nights.jpg"]));
  });
});

test("redraws after an edit, with the place, the focus and what is open as it was", async () => {
  const { page, url, write, errors } = await visit({ width: 390 });
  await page.goto(`${url}events/nights`);
  await page.locator("#moments summary").click();
  await page.locator("#all").focus();
  await page.evaluate("scrollTo(0, 200)");
  await page.evaluate("globalThis.sameDocument = true");
  write("events/nights.yaml", nights.replace("Manila Nights", "Bay Nights"));
  await shows(page, "Bay Nights");
  expect(await page.title()).toBe("Bay Nights");
  expect(await page.evaluate("[scrollY, document.activeElement.id, sameDocument]")).toEqual([200, "all", true]);
  expect(await page.locator("#moments").getAttribute("open")).toBe("");
  expect(await page.getByRole("status").textContent()).toBe("events/nights.yaml changed: no problems");
  expect(errors).toEqual([]);
});

test("a page that cannot listen yet as files change is redrawn once it can", async () => {
  const { page, url, write } = await visit();
  let listens: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    listens = resolve;
  });
  await page.route("**/changes*", async (route) => {
    write("events/nights.yaml", nights.replace("Manila Nights", "Bay Nights"));
    const isRedrawn = async () => (await (await fetch(`${url}events/nights`)).text()).includes("Bay Nights");
    while (!(await isRedrawn())) await setTimeout(20);
    listens();
    await route.continue();
  });
  await page.goto(`${url}events/nights`);
  await asked;
  await shows(page, "Bay Nights");
});

test("a problem appears above the last good event, and disappears", async () => {
  const { page, url, write, errors } = await visit();
  await page.goto(`${url}events/nights`);
  write("events/nights.yaml", nights.replace("price: 900", "price: cheap"));
  await shows(page, "1 error in the files");
  await shows(page, "events/nights.yaml:8:");
  await shows(page, "fix: ");
  expect(await page.getByText("₱900").first().isVisible()).toBe(true);
  write("events/nights.yaml", nights.replace("price: 900", "price: 800"));
  await shows(page, "₱800");
  expect(await page.getByText("error").count()).toBe(0);
  expect(errors).toEqual([]);
});

test("the slider moves to a phase by keys, says which, and keeps its place through a redraw", async () => {
  const { page, url, write, errors } = await visit();
  await page.goto(`${url}events/nights`);
  const slider = page.getByRole("slider", { name: "Shown:" });
  expect(await slider.getAttribute("aria-valuetext")).toBe("Now");
  await shows(page, "Draft");
  await slider.focus();
  await page.keyboard.press("ArrowRight");
  await shows(page, "Published");
  await page.keyboard.press("ArrowRight");
  await shows(page, "Sold out");
  expect(await slider.getAttribute("aria-valuetext")).toBe("Sun 28 Feb 2027 19:00 Asia/Manila: Early bird ends");
  expect(await page.evaluate("document.activeElement.id")).toBe("moment");
  expect(page.url()).toContain("at=2027-02-28T11%3A00%3A00.000Z".replaceAll("%3A", ":"));
  write("events/nights.yaml", nights.replace("Manila Nights", "Bay Nights"));
  await shows(page, "Bay Nights");
  await shows(page, "Sold out");
  await page.keyboard.press("Home");
  await shows(page, "Draft");
  expect(errors).toEqual([]);
});

test("without scripts each time is a link", async () => {
  const { page, url } = await visit({ scripts: false });
  await page.goto(`${url}events/nights`);
  expect(await page.locator("#moment").isVisible()).toBe(false);
  await page.locator("#moments summary").click();
  await page.getByRole("link", { name: "Early bird ends" }).click();
  await shows(page, "Sold out");
  await page.locator("#all").click();
  await shows(page, "dates: ");
});

test("names of files stay text", async () => {
  const opened = await visit(
    {},
    {
      ...files,
      "events/odd.yaml": nights.replace("Manila Nights", `"${hostileName}"`).replace("Announce", `"${hostileName}"`),
    },
  );
  const { page, url, requests } = opened;
  for (const address of [url, `${url}events/odd`]) {
    await page.goto(address);
    await shows(page, "document.title=");
    expect(await page.title()).not.toBe("pwned");
    expect(await page.locator("main script, main img[src='x']").count()).toBe(0);
    await expectAccessible(opened);
  }
  expect(requests.filter((address) => address.endsWith("/x"))).toEqual([]);
});

test("a page says that the preview was stopped", async () => {
  const { page } = await visit();
  await page.waitForLoadState("load");
  await open.splice(1, 1)[0]?.();
  await shows(page, "The preview has stopped");
});
