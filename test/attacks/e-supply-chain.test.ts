// What is installed is what was reviewed, and no job of CI runs without an end.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { lintWorkflow } from "../stage/lint-workflow.ts";

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

describe("our own workflows", () => {
  const folder = join(root, ".github/workflows");
  const names = readdirSync(folder);

  test("actionlint finds a mistake where there is one", async () => {
    const wrong =
      "on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - run: echo ${{ github.event.issue.title }}\n";
    expect((await lintWorkflow(wrong, "wrong.yml")).join()).toContain("potentially untrusted");
  });

  test.each(names)("%s: actionlint finds nothing, every action is pinned, and every job has an end", async (name) => {
    const text = readFileSync(join(folder, name), "utf8");
    expect(await lintWorkflow(text, name)).toEqual([]);
    for (const [, pin = ""] of text.matchAll(/uses: \S+@(.*)/g)) expect(pin).toMatch(/^[0-9a-f]{40} # v\d/);
    const { jobs } = parse(text) as { jobs: Record<string, { "timeout-minutes"?: number }> };
    for (const [job, settings] of Object.entries(jobs)) expect(settings["timeout-minutes"], job).toBeGreaterThan(0);
  });

  test("the notes of a release are its section of the changelog, and there is no release without one", () => {
    const file = join(mkdtempSync(join(tmpdir(), "ticketing-changelog-")), "CHANGELOG.md");
    writeFileSync(
      file,
      "# Changelog\n\n## 0.2.0, not yet released\n\n- b\n\n## 0.1.0, 2027-01-01\n\n- a\n\n### Safer\n\n- c\n",
    );
    const notes = (version: string) =>
      spawnSync(process.execPath, [join(root, "scripts/changelog-section.js"), version, file], { encoding: "utf8" });
    expect(notes("0.1.0")).toMatchObject({ status: 0, stdout: "- a\n\n### Safer\n\n- c\n" });
    expect(notes("0.2.0")).toMatchObject({ status: 1, stdout: "" });
    expect(notes("0.3.0").stderr).toContain("no released section for 0.3.0");
  });
});

/** The name belongs to somebody else: what is installed under it is a stranger's program, with a key at hand. */
const installsStranger =
  /\b(?:npm (?:i|install|add|exec|pack|ci)|npx|pnpm (?:i|add|dlx)|yarn (?:add|dlx)|bunx)\b[^\n"'`]*\sticketing(?![\w/.-])/;

test("nothing installs the package `ticketing`: ours is `ticketing-as-code`", () => {
  for (const line of ["npm install --global ticketing@1.2.3", "npx ticketing plan", "pnpm add -D ticketing"])
    expect(line).toMatch(installsStranger);
  for (const line of ["npm install ticketing-as-code", "npm install ./vendor/ticketing-1.2.3.tgz"])
    expect(line).not.toMatch(installsStranger);
  const listed = spawnSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).stdout.split("\0");
  const texts = listed.filter(
    (file) => file !== "" && !file.endsWith("e-supply-chain.test.ts") && existsSync(join(root, file)),
  );
  expect(texts.length).toBeGreaterThan(100);
  for (const file of texts) expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(installsStranger);
  const { name, bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  expect({ name, bin }).toEqual({ name: "ticketing-as-code", bin: { ticketing: "bin/ticketing.js" } });
});
