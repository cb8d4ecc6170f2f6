// What is installed is what was reviewed, and no job of CI runs without an end.
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { workflowText } from "../../src/cli/init/workflow.ts";

const root = join(import.meta.dirname, "../..");
const lockfile = join(root, "package-lock.json");

interface Lockfile {
  packages: Record<string, { integrity?: string; resolved?: string }>;
}

function checked(change: (lock: Lockfile) => void): { status: number | null; said: string } {
  const lock = JSON.parse(readFileSync(lockfile, "utf8")) as Lockfile;
  change(lock);
  const file = join(mkdtempSync(join(tmpdir(), "ticketing-lock-")), "package-lock.json");
  writeFileSync(file, JSON.stringify(lock));
  const ran = spawnSync(process.execPath, [join(root, "scripts/check-lockfile.js"), file], { encoding: "utf8" });
  return { status: ran.status, said: ran.stderr };
}

describe("the lockfile", () => {
  test("has a digest for every package, of every platform, and no address", () => {
    expect(checked(() => undefined)).toEqual({ status: 0, said: "" });
  });

  test.each([
    ["without a digest", { integrity: undefined }, "no integrity"],
    ["with a weak one", { integrity: "sha1-2jmj7l5rSw0yVb/vlWAYkK/YBwk=" }, "no integrity"],
    ["with an address", { resolved: "https://packages.example.com/zod.tgz" }, "an address"],
  ])("is refused %s, by the check that is part of `npm run package`", (_, entry, words) => {
    const ran = checked(({ packages }) => Object.assign(packages["node_modules/zod"] as object, entry));
    expect(ran.status).toBe(1);
    expect(ran.said).toContain(`node_modules/zod: ${words}`);
    expect(JSON.parse(readFileSync(join(root, "package.json"), "utf8")).scripts.package).toContain("check-lockfile");
  });
});

describe("every job has an end", () => {
  const own = join(root, ".github/workflows");
  const written = workflowText({ environment: "production", folder: "", branch: "main", version: "1.2.3" });
  const texts = [written, ...readdirSync(own).map((name) => readFileSync(join(own, name), "utf8"))];

  test("in the workflow that init writes, and in our own", () => {
    for (const text of texts) {
      const { jobs } = parse(text) as { jobs: Record<string, { "timeout-minutes"?: number }> };
      for (const [name, job] of Object.entries(jobs)) expect(job["timeout-minutes"], name).toBeGreaterThan(0);
    }
  });
});
