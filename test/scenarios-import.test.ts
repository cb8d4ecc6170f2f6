// Each folder below scenarios/import is a story: what is live, the project before, and the project after `ticketing import`.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { describe, expect, test } from "vitest";
import { importText } from "../src/app/importing/report-import.ts";
import { reportProblems } from "../src/app/session/report-problems.ts";
import { lint } from "../src/lint/lint.ts";
import type { Seed } from "../src/sandbox/index.ts";
import { type Import, importInto, serviceWith } from "./stage/import-into.ts";
import { type Files, load, now, planOf } from "./stage/plan-of.ts";
import { testWorld } from "./stage/test-world.ts";

const root = join(import.meta.dirname, "scenarios", "import");
const update = process.env.UPDATE_GOLDEN === "1";

describe("import", () => {
  for (const name of readdirSync(root).sort()) {
    test(name.replaceAll("-", " "), async () => {
      const folder = join(root, name);
      const { profile, ...options } =
        readJson<Partial<Import> & { profile?: string }>(join(folder, "options.json")) ?? {};
      const service = serviceWith(readJson<Seed>(join(folder, "live.json")) ?? {}, profile);
      const before = readFiles(join(folder, "files"));
      const ran = await importInto({ ...options, service, files: before });
      const { world, written } = testWorld([]);
      reportProblems(world, "text", ran.diagnostics);
      compareText(join(folder, "output.txt"), `${importText(ran.imported, "ticketing plan", 80)}\n${written.stderr}`);
      compareFiles(join(folder, "expected"), ran.files);

      const project = await load(ran.files);
      const errors = [...project.diagnostics, ...lint(project, { now, environment: "production" })];
      expect(errors.filter(({ severity }) => severity === "error")).toEqual([]);
      const { plan } = await planOf({ files: ran.files, service });
      expect(plan.changes).toEqual([]);
      const again = await importInto({ ...options, service, files: ran.files });
      expect(again.imported.files).toEqual([]);
    });
  }
});

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

function compareText(path: string, actual: string): void {
  if (update) writeFileSync(path, actual);
  expect(actual).toBe(existsSync(path) ? readFileSync(path, "utf8") : `(there is no ${path})`);
}

function compareFiles(folder: string, actual: Files): void {
  if (update) {
    rmSync(folder, { recursive: true, force: true });
    for (const [file, text] of Object.entries(actual)) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), text);
    }
  }
  expect(actual).toEqual(readFiles(folder));
}
