// The page of a plan with the cards of its events.
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderPlanHtml } from "../../../src/report/plan.ts";
import { editLine } from "../../../src/report/plan-view/edit-line.ts";
import { safeText } from "../../../src/report/text/sanitize.ts";
import type { Seed } from "../../../src/sandbox/index.ts";
import { expectGolden, readFiles, readJson } from "../../stage/golden.ts";
import { planOf, type Setup, type Staged } from "../../stage/plan-of.ts";
import { seasonPlan } from "../../stage/season-plan.ts";

test("the page of a job says what a merge leaves out, not which flag an apply needs", async () => {
  const { plan } = await seasonPlan();
  expect(renderPlanHtml(plan)).toContain("apply will refuse this plan");
  const page = renderPlanHtml(plan, { inJob: true });
  expect(page).toMatch(/Left out: \d+ blocked/);
  expect(page).not.toMatch(/apply will refuse|--skip-blocked/);
});

const scenarios = join(import.meta.dirname, "../../scenarios/plan");

test("a plan is a page of cards", async () => {
  const html = renderPlanHtml((await season).plan, { cards: (await season).cards?.() });
  expectGolden(join(import.meta.dirname, "golden/season.golden.html"), html.replace(/<style>.*<\/style>/s, ""));
});

const season = seasonPlan();

test("a price that people have paid is shown on top, with what it means", async () => {
  const text = wordsIn(await pageOf(await season));
  const [top = ""] = text.split("Go to the changes").slice(1);
  expect(top).toContain("Weekend Pass of Bayside Sounds 2027: ₱3,500.00 → ₱3,900.00; buyer pays ₱3,900.00");
  expect(top).toContain(", 500 sold");
});

test.each(readdirSync(scenarios))("the page of %s has every edit, block and remark", async (name) => {
  const staged = await planOf(setupOf(join(scenarios, name)));
  const html = await pageOf(staged);
  expectBalanced(html);
  expectWhole(staged, wordsIn(html));
});

test("so has the page of a plan with everything in it, with and without cards", async () => {
  const staged = await season;
  expect(staged.plan.changes.length).toBeGreaterThan(20);
  for (const html of [await pageOf(staged), renderPlanHtml(staged.plan)]) {
    expectBalanced(html);
    expectWhole(staged, wordsIn(html));
  }
});

test("what files and service say never becomes markup, style or an address", async () => {
  const html = await pageOf(await season);
  expect(html.match(/<script|<img src=x|url\(https|javascript:[^<]*"|\u202e/g)).toBeNull();
  expect(html).not.toContain("secret");
  const pictures = [...html.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, address]) => address);
  expect(pictures.length).toBeGreaterThan(2);
  expect(pictures.filter((address) => !address?.startsWith("https://images.example.com/"))).toEqual([]);
});

async function pageOf({ plan, cards }: Staged): Promise<string> {
  return renderPlanHtml(plan, { cards: cards?.() });
}

function setupOf(folder: string): Setup {
  const live = readJson<Seed>(join(folder, "live.json"));
  const base = join(folder, "base");
  return {
    ...readJson<Partial<Setup>>(join(folder, "options.json")),
    files: readFiles(join(folder, "files")),
    ...(existsSync(base) ? { base: readFiles(base) } : {}),
    ...(live === undefined ? {} : { live }),
  };
}

/** All that text, Markdown and JSON say of the changes is somewhere on the page. */
function expectWhole({ plan }: Staged, page: string): void {
  for (const change of plan.changes) {
    for (const edit of change.edits.filter(({ before, after }) => before !== null || after !== null)) {
      const line = editLine(change, edit, { full: true });
      const texts =
        line.type === "field" ? line.spans : line.type === "text" ? line.lines.flatMap(({ spans }) => spans) : [];
      const words = texts.map(({ text }) => plain(text)).filter((text) => text !== "" && text !== "→");
      for (const text of words) expect(page).toContain(text);
    }
    for (const { code, message, hint } of change.blockedBy) {
      expect(page).toContain(`[${code}]`);
      for (const line of message.split("\n")) expect(page).toContain(plain(safeText(line)));
      expect(page).toContain(plain(safeText(hint)));
    }
  }
  const shown = new Set(plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ message }) => message)));
  for (const { message, code } of plan.diagnostics.filter((one) => !shown.has(one.message))) {
    expect(page).toContain(`[${code}]`);
    for (const line of message.split("\n")) expect(page).toContain(plain(safeText(line)));
  }
  for (const { method, path } of plan.operations) expect(page).toContain(safeText(`${method} ${path}`));
}

const entities: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** What a reader sees: no tags, no signs of code. */
function wordsIn(html: string): string {
  const text = html.replace(/<style>.*<\/style>/s, "").replace(/<[^>]*>/g, "");
  return plain(text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? ""));
}

function plain(text: string): string {
  return text.replace(/[`"]/g, "").replace(/\s+/g, " ").trim();
}

function expectBalanced(html: string): void {
  const open: string[] = [];
  for (const [, slash, name = ""] of html.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/g)) {
    if (["meta", "img", "br"].includes(name)) continue;
    if (slash === "") open.push(name);
    else expect(open.pop()).toBe(name);
  }
  expect(open).toEqual([]);
}
