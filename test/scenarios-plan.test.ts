// Each folder below scenarios/plan is a story: files, what is live, and what the plan says about it.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";
import type { JournalEntry } from "../src/apply/journal/journal-entry.ts";
import { replayJournal } from "../src/apply/journal/replay-journal.ts";
import type { Operation, Plan } from "../src/model/plan.ts";
import { renderPlanJson } from "../src/report/formats/plan-json.ts";
import { renderPlanText } from "../src/report/formats/plan-text.ts";
import type { Seed } from "../src/sandbox/index.ts";
import { type Files, perform, planOf, type Setup, type Staged } from "./stage/plan-of.ts";
import { expectPlanShape } from "./stage/plan-shape.ts";

const root = join(import.meta.dirname, "scenarios", "plan");
const update = process.env.UPDATE_GOLDEN === "1";

describe("plan", () => {
  for (const name of readdirSync(root).sort()) {
    test(name.replaceAll("-", " "), async () => {
      const folder = join(root, name);
      const setup = readSetup(folder);
      const staged = await planOf(setup);
      compare(join(folder, "expected.txt"), renderPlanText(staged.plan, { columns: 80, color: false, verbose: false }));
      compare(join(folder, "expected.json"), `${JSON.stringify(planCore(staged), null, 2)}\n`);
      expectPlanShape(renderPlanJson(staged.plan));
      expect(staged.plan.calls.reads).toBe(staged.calls.length);
      compare(join(folder, "calls.txt"), `${staged.calls.join("\n")}\n`);
      expect(writesIn(staged)).toEqual([]);
      // The second run is empty: every call succeeds, and then nothing is left to do.
      const done = await perform(staged.service, staged.plan.operations);
      const { live: _, ...again } = setup;
      const second = await planOf({ ...again, ...memoryOf(setup, staged, done), service: staged.service });
      expect(second.plan.operations).toEqual([]);
      expectPlanShape(renderPlanJson(second.plan));
      if (staged.plan.summary.blocked === 0) expect(second.plan.changes).toEqual([]);
    });
  }
});

// Other readings of the same story may see less, and so block or stay silent; none may make or take away what the
// likeliest one would not, and none may write.
describe.each(["strict", "lax", "minimal", "hostile"])("plan under the reading %s", (profile) => {
  const names = readdirSync(root).filter((name) => readSetup(join(root, name)).profile === undefined);
  test.each(names.sort())("%s", async (name) => {
    const folder = join(root, name);
    const staged = await planOf({ ...readSetup(folder), profile });
    expect(writesIn(staged)).toEqual([]);
    expectPlanShape(renderPlanJson(staged.plan));
    const expected = readJson<Pick<Plan, "operations">>(join(folder, "expected.json"));
    expect(lasting(expected?.operations ?? [])).toEqual(expect.arrayContaining([...lasting(staged.plan.operations)]));
  });
});

/** What operations make, and what they take away. */
function lasting(operations: readonly Operation[]): readonly string[] {
  const kept = operations.filter(({ verb }) => verb === "create" || verb === "delete" || verb === "archive");
  return kept.map(({ verb, address }) => `${verb} ${address}`);
}

/** Where the service does not show everything, the second run needs what the first one remembers. */
function memoryOf({ profile, state }: Setup, { matched }: Staged, done: readonly JournalEntry[]): Partial<Setup> {
  if (profile === undefined) return {};
  const objects = replayJournal({ ...state?.objects, ...matched }, done);
  return { state: { formatVersion: 1, lineage: "x", serial: 2, organization: null, objects } };
}

function readSetup(folder: string): Setup {
  const options = readJson<Partial<Setup>>(join(folder, "options.json")) ?? {};
  const base = join(folder, "base");
  const live = readJson<Seed>(join(folder, "live.json"));
  return {
    ...options,
    files: readFiles(join(folder, "files")),
    ...(existsSync(base) ? { base: readFiles(base) } : {}),
    ...(live === undefined ? {} : { live }),
  };
}

function readFiles(folder: string): Files {
  if (!existsSync(folder)) return {};
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative(folder, path).split(sep).join("/"), readFileSync(path, "utf8")];
    }),
  );
}

function readJson<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}

function planCore({ plan }: Staged) {
  const { changes, operations, diagnostics, summary } = plan;
  return { changes: changes.map(({ context: _, ...change }) => change), operations, diagnostics, summary };
}

function compare(path: string, actual: string): void {
  if (update) writeFileSync(path, actual);
  expect(actual).toBe(existsSync(path) ? readFileSync(path, "utf8") : `(there is no ${path})`);
}

function writesIn(staged: Staged): readonly string[] {
  return staged.calls.filter((call) => !call.startsWith("GET "));
}
