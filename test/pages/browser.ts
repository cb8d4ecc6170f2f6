// A real Chromium, and what every page must hold in it.
import axe from "axe-core";
import { type Browser, chromium, type Page } from "playwright-core";
import { expect } from "vitest";

export interface Visit {
  readonly page: Page;
  /** Errors of the page itself: scripts, the console, and what its security policy refused. */
  readonly errors: readonly string[];
  /** Addresses that the page asked for, besides its own. */
  readonly requests: readonly string[];
}

export interface Look {
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly scripts?: boolean;
}

export async function openBrowser(): Promise<Browser> {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  return chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
}

/** Opens a page that is all in one text, as from a file. Pictures are answered with nothing, so that none is fetched. */
export async function openPage(browser: Browser, html: string, look: Look = {}): Promise<Visit> {
  const visit = await newVisit(browser, look);
  const address = "https://page.example/plan.html";
  await visit.page.route("**/*", (route) =>
    route.request().url() === address
      ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html })
      : route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  await visit.page.goto(address);
  return { ...visit, requests: visit.requests.filter((one) => one !== address) };
}

export async function newVisit(
  browser: Browser,
  { width = 1280, theme = "light", scripts = true }: Look,
): Promise<Visit> {
  const context = await browser.newContext({
    viewport: { width, height: 900 },
    colorScheme: theme,
    javaScriptEnabled: scripts,
  });
  const page = await context.newPage();
  const errors: string[] = [];
  const requests: string[] = [];
  page.on("pageerror", (error) => errors.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  });
  page.on("request", (request) => requests.push(request.url()));
  return { page, errors, requests };
}

/** No barrier that axe can find, and no error of the page. */
export async function expectAccessible({ page, errors }: Visit): Promise<void> {
  // Not as a script tag, which the page's own policy rightly refuses.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const loaded = globalThis as unknown as { axe: { run(): Promise<{ violations: readonly Violation[] }> } };
    const { violations } = await loaded.axe.run();
    return violations.map(({ id, help, nodes }) => `${id}: ${help}: ${nodes.map(({ html }) => html).join("\n")}`);
  });
  expect(found).toEqual([]);
  expect(errors).toEqual([]);
}

interface Violation {
  readonly id: string;
  readonly help: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Nothing is cut off at this width: the page does not scroll sideways, and no card or cell is narrower than what it holds. */
export async function expectFits({ page }: Visit): Promise<void> {
  const wider = `[document.documentElement, ...document.querySelectorAll(".card, .tickets td")]
    .map((box) => box.scrollWidth - box.clientWidth)`;
  expect(Math.max(...(await page.evaluate<readonly number[]>(wider)))).toBeLessThanOrEqual(0);
}
