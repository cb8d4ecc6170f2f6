// Each folder below scenarios/validate is a story: files, what is typed, and what people and CI then read.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { ticketing } from "./stage/test-world.ts";

const root = join(import.meta.dirname, "scenarios", "validate");
const update = process.env.UPDATE_GOLDEN === "1";

interface Options {
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Links below files/ and where they lead. They are made here, because not every checkout can hold links. */
  readonly links?: Readonly<Record<string, string>>;
}

describe("validate", () => {
  for (const name of readdirSync(root).sort()) {
    const folder = join(root, name);
    const { args = [], env = {}, links } = readOptions(folder);
    test.skipIf(links !== undefined && !canLink())(name.replaceAll("-", " "), async () => {
      const stage = links === undefined ? folder : withLinks(folder, links);
      const ran = await validate(stage, args, env);
      const typed = ["$ ticketing", "validate", ...args].join(" ");
      compare(join(folder, "expected.txt"), `${typed}\n${ran.stdout}${ran.stderr}exit code ${ran.exitCode}\n`);
      for (const line of ran.stdout.split("\n"))
        if (!args.includes("--format")) expect(line.length).toBeLessThanOrEqual(80);
      const json = join(folder, "expected.json");
      if (!existsSync(json)) return;
      const machine = await validate(stage, [...args, "--format", "json"], env);
      expect(machine.exitCode).toBe(ran.exitCode);
      compare(json, machine.stdout);
    });
  }
});

function validate(folder: string, args: readonly string[], env: Readonly<Record<string, string>>) {
  return ticketing(["validate", ...args], {
    cwd: join(folder, "files"),
    env,
    now: () => Date.parse("2026-11-15T00:00:00Z"),
  });
}

/** A copy of the story with its links. */
function withLinks(folder: string, links: Readonly<Record<string, string>>): string {
  const copy = mkdtempSync(join(tmpdir(), "ticketing-links-"));
  cpSync(folder, copy, { recursive: true });
  for (const [path, target] of Object.entries(links)) {
    const link = join(copy, "files", path);
    mkdirSync(dirname(link), { recursive: true });
    symlinkSync(target, link);
  }
  return copy;
}

// Some systems let only administrators make links.
function canLink(): boolean {
  try {
    symlinkSync("nowhere", join(mkdtempSync(join(tmpdir(), "ticketing-links-")), "link"));
    return true;
  } catch {
    return false;
  }
}

function readOptions(folder: string): Options {
  const path = join(folder, "options.json");
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as Options) : {};
}

function compare(path: string, text: string): void {
  if (update) writeFileSync(path, text);
  expect(text).toBe(readFileSync(path, "utf8"));
}
