// A real Chromium, and what every page must hold in it.
import axe from "axe-core";
import { type Browser, type ConsoleMessage, chromium, type Page, type Request } from "playwright-core";
import { expect, onTestFinished } from "vitest";

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

/** Tabs that no test is using. To open one takes the browser three times as long as to load another page in it. */
const idleTabs = new WeakMap<Browser, Page[]>();

/** Opens a page that is all in one text, as from a file. Pictures are answered with nothing, so that none is fetched. */
export async function openPage(browser: Browser, html: string, look: Look = {}): Promise<Visit> {
  const idle = idleTabs.get(browser) ?? [];
  idleTabs.set(browser, idle);
  const { width = 1280, theme = "light", scripts = true } = look;
  // Scripts are allowed or not for as long as a tab is open.
  const page = (scripts ? idle.pop() : undefined) ?? (await openTab(browser, look));
  const stopWatching = new AbortController();
  const { errors, requests } = watch(page, stopWatching.signal);
  onTestFinished(async () => {
    stopWatching.abort();
    // The page that is leaving may still ask for pictures.
    await page.goto("about:blank");
    await page.unrouteAll();
    if (scripts) idle.push(page);
  });
  await page.setViewportSize({ width, height });
  await page.emulateMedia({ media: null, colorScheme: theme });
  const address = "https://page.example/plan.html";
  await page.route("**/*", (route) =>
    route.request().url() === address
      ? route.fulfill({ contentType: "text/html; charset=utf-8", body: html })
      : route.fulfill({ contentType: "image/svg+xml", body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }),
  );
  await page.goto(address);
  return { page, errors, requests: requests.filter((one) => one !== address) };
}

/** In a tab that remembers nothing. */
export async function newVisit(browser: Browser, look: Look): Promise<Visit> {
  const page = await openTab(browser, look);
  return { page, ...watch(page) };
}

const height = 900;

async function openTab(browser: Browser, { width = 1280, theme = "light", scripts = true }: Look): Promise<Page> {
  const viewport = { width, height };
  const context = await browser.newContext({ viewport, colorScheme: theme, javaScriptEnabled: scripts });
  return context.newPage();
}

function watch(page: Page, until?: AbortSignal): Pick<Visit, "errors" | "requests"> {
  const errors: string[] = [];
  const requests: string[] = [];
  const onError = (error: Error) => void errors.push(String(error));
  const onMessage = (message: ConsoleMessage) => {
    if (message.type() === "error" || message.type() === "warning") errors.push(message.text());
  };
  const onRequest = (request: Request) => void requests.push(request.url());
  page.on("pageerror", onError).on("console", onMessage).on("request", onRequest);
  until?.addEventListener("abort", () =>
    page.off("pageerror", onError).off("console", onMessage).off("request", onRequest),
  );
  return { errors, requests };
}

/** No barrier that axe can find, and no error of the page. */
export async function expectAccessible({ page, errors }: Visit): Promise<void> {
  // Not as a script tag, which the page's own policy rightly refuses.
  await page.evaluate(axe.source);
  const found = await page.evaluate(async () => {
    const loaded = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: readonly Violation[] }> };
    };
    // Of what passes, it then lists no element.
    const { violations } = await loaded.axe.run({ resultTypes: ["violations"] });
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
