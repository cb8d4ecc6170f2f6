// The page of a plan in a real browser.
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { renderPlanHtml } from "../../src/report/plan.ts";
import { edited, hostile } from "../report/plan-samples.ts";
import { expectAccessible, expectFits, openBrowser, openPage } from "./browser.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser.close());

describe.each([
  ["of edits", edited],
  ["with hostile names", hostile],
])("%s", (_name, plan) => {
  test.each([1280, 390])("at %i pixels", async (width) => {
    const visit = await openPage(browser, renderPlanHtml(plan), { width });
    await expectAccessible(visit);
    await expectFits(visit);
  });
});
