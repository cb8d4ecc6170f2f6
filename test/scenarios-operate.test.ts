// Each folder below scenarios/operate is a story: files, what is live, what is typed, and what is answered.
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { displayWidth } from "../src/report/text/display-width.ts";
import { type Seed, startSandbox } from "../src/sandbox/index.ts";
import { ticketing } from "./stage/test-world.ts";

interface Options {
  readonly profile?: string;
  /** A key of live.json, in place of the one that may do everything. */
  readonly apiKey?: string;
  readonly organization?: string;
}

const root = join(import.meta.dirname, "scenarios", "operate");
const update = process.env.UPDATE_GOLDEN === "1";
const now = Date.parse("2027-01-10T00:00:00.000Z");

describe("operate", () => {
  for (const name of readdirSync(root).sort()) {
    test(name.replaceAll("-", " "), async () => {
      const folder = join(root, name);
      const transcript = await perform(folder);
      const path = join(folder, "expected.txt");
      if (update) writeFileSync(path, transcript);
      expect(transcript).toBe(existsSync(path) ? readFileSync(path, "utf8") : `(there is no ${path})`);
    });
  }
});

async function perform(folder: string): Promise<string> {
  const options = readJson<Options>(join(folder, "options.json")) ?? {};
  const slug = options.organization ?? "acme-live";
  const sandbox = await startSandbox({ profile: options.profile, organization: { slug }, now: () => now });
  const directory = mkdtempSync(join(tmpdir(), "ticketing-operate-"));
  if (existsSync(join(folder, "files"))) cpSync(join(folder, "files"), directory, { recursive: true });
  const parts: string[] = [];
  try {
    sandbox.control.seed(readJson<Seed>(join(folder, "live.json")) ?? {});
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: options.apiKey ?? sandbox.apiKey };
    for (const line of readFileSync(join(folder, "typed.txt"), "utf8").trim().split("\n")) {
      const argv = wordsOf(line);
      const { exitCode, stdout, stderr } = await ticketing(argv, { cwd: directory, env, now: () => now });
      if (isText(argv)) expectToFit(stdout);
      const said = stderr === "" ? "" : `(to people)\n${stderr}`;
      parts.push(`$ ticketing ${line}\n${stdout}${said}(exit ${exitCode})\n`);
    }
  } finally {
    await sandbox.close();
    rmSync(directory, { recursive: true, force: true });
  }
  return withoutChance(parts.join("\n"), sandbox.baseUrl);
}

function isText(argv: readonly string[]): boolean {
  return !argv.includes("--format") && !argv.includes("--help");
}

function expectToFit(text: string): void {
  expect(text.split("\n").filter((line) => displayWidth(line) > 80)).toEqual([]);
}

/** Words as a shell takes them: quotes hold what belongs together. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? "");
}

/** Ids that the service made at random become numbers, in the order they appear, as long as they were. */
function withoutChance(text: string, baseUrl: string): string {
  const known = new Map<string, string>();
  return text
    .replaceAll(new URL(baseUrl).host, "127.0.0.1:4010")
    .replace(/\(\d+ ms/g, "(1 ms")
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}/g, (id) => {
      const number = known.get(id) ?? `00000000-0000-4000-8000-${String(known.size + 1).padStart(12, "0")}`;
      known.set(id, number);
      return number;
    });
}

function readJson<T>(path: string): T | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, "utf8")) as T) : undefined;
}
