// A story as it is typed: each line is a command in a folder of files, against a live service, and what it answers.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect } from "vitest";
import { displayWidth } from "../../src/report/text/table.ts";
import { type Fault, type Sandbox, type Seed, startSandbox } from "../../src/sandbox/index.ts";
import { type Files, readFiles, readJson } from "./golden.ts";
import { ticketing } from "./test-world.ts";

interface Options {
  readonly profile?: string;
  /** A key of live.json, in place of the one that may do everything. */
  readonly apiKey?: string;
  readonly organization?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** What goes wrong during the first command. */
  readonly faults?: readonly Fault[];
  /** Links below files/ and where they lead. They are made here, because not every checkout can hold links. */
  readonly links?: Readonly<Record<string, string>>;
}

export interface Transcript {
  readonly text: string;
  /** Every call that was not a read, below the command that made it. */
  readonly calls: string;
  /** The project afterwards, without what the program keeps for itself. */
  readonly files: Files;
}

export const now = Date.parse("2027-01-10T00:00:00.000Z");

export async function transcribe(folder: string): Promise<Transcript> {
  const { profile, apiKey, organization = "acme-live", env, faults = [], links } = optionsOf(folder);
  const place = mkdtempSync(join(tmpdir(), "ticketing-scenario-"));
  cpSync(folder, place, { recursive: true });
  const directory = join(place, "files");
  mkdirSync(directory, { recursive: true });
  for (const [path, target] of Object.entries(links ?? {})) link(join(directory, path), target);
  const sandbox = await startSandbox({ profile, organization: { slug: organization }, now: () => now });
  const service = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: apiKey ?? sandbox.apiKey };
  const parts: string[] = [];
  const calls: string[] = [];
  try {
    sandbox.control.seed(readJson<Seed>(join(folder, "live.json")) ?? {});
    for (const fault of faults) sandbox.control.addFault(fault);
    for (const line of readFileSync(join(folder, "typed.txt"), "utf8").trim().split("\n")) {
      const next = /^\((.+) are the files now\)$/.exec(line)?.[1];
      if (next === undefined) {
        const argv = wordsOf(line);
        sandbox.control.clearCalls();
        // Checking files needs no service.
        const around = argv[0] === "validate" ? { ...env } : { ...service, ...env };
        const { exitCode, stdout, stderr } = await ticketing(argv, { cwd: directory, env: around, now: () => now });
        if (isText(argv)) expectToFit(stdout);
        const said = stderr === "" ? "" : `(to people)\n${stderr}`;
        parts.push(`$ ticketing ${line}\n${stdout}${said}(exit ${exitCode})\n`);
        calls.push(`$ ticketing ${line}\n${writesOf(sandbox)}`);
        sandbox.control.clearFaults();
      } else {
        cpSync(join(folder, next), directory, { recursive: true });
        parts.push(`${line}\n`);
      }
    }
    return {
      text: withoutChance(parts.join("\n"), sandbox.baseUrl),
      calls: withoutChance(calls.join("\n"), sandbox.baseUrl),
      files: Object.fromEntries(Object.entries(readFiles(directory)).filter(([file]) => !file.startsWith("."))),
    };
  } finally {
    await sandbox.close();
    rmSync(place, { recursive: true, force: true });
  }
}

export function optionsOf(folder: string): Options {
  return readJson<Options>(join(folder, "options.json")) ?? {};
}

/** Some systems let only administrators make links. */
export function canLink(): boolean {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-links-"));
  try {
    symlinkSync("nowhere", join(folder, "link"));
    return true;
  } catch {
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function link(path: string, target: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (!existsSync(path)) symlinkSync(target, path);
}

function writesOf(sandbox: Sandbox): string {
  const writes = sandbox.control.calls().filter(({ method }) => method !== "GET");
  return writes
    .map(({ method, path, status }) => `${method} ${path} ${status === 0 ? "no response" : status}\n`)
    .join("");
}

function isText(argv: readonly string[]): boolean {
  return !argv.includes("--format") && !argv.includes("--help");
}

function expectToFit(text: string): void {
  // What happens while it happens is shown in one line each.
  const lines = text.split("\n").filter((line) => !/^ {2}(waiting:|\[\d)/.test(line));
  expect(lines.filter((line) => displayWidth(line) > 80)).toEqual([]);
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
