// What `npm pack` makes is all that a machine needs: no registry, and nothing else.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { buildProgram, cleanEnv, copyExample, root } from "./program.ts";

const onWindows = process.platform === "win32";
/** A port where nothing listens: whoever asks a registry fails. */
const noRegistry = { npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0" };
let empty: string;

function npm(args: readonly string[], cwd: string): string {
  const ran = spawnSync("npm", [...args, "--ignore-scripts", "--no-audit", "--no-fund"], {
    cwd,
    env: cleanEnv({ ...noRegistry, npm_config_cache: join(empty, "cache") }),
    encoding: "utf8",
    shell: onWindows,
  });
  expect(ran.status, ran.stderr).toBe(0);
  return ran.stdout;
}

/** Not in step with it: the sandbox may be in this process. */
async function installed(args: readonly string[], cwd: string, env: Record<string, string> = {}) {
  const file = join(empty, "node_modules/ticketing-as-code/bin/ticketing.js");
  const child = spawn(process.execPath, [file, ...args], {
    cwd,
    env: cleanEnv(env),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [exitCode] = await once(child, "close");
  return { exitCode, stderr };
}

beforeAll(() => {
  buildProgram();
  empty = mkdtempSync(join(tmpdir(), "ticketing-tarball-"));
  npm(["pack", "--pack-destination", empty], root);
  const [tarball = ""] = readdirSync(empty).filter((name) => name.endsWith(".tgz"));
  npm(["install", `./${tarball}`], empty);
}, 60_000);

test("it is installed alone, under its own name, with its command", () => {
  const found = readdirSync(join(empty, "node_modules")).filter((name) => !name.startsWith("."));
  expect(found).toEqual(["ticketing-as-code"]);
  expect(readdirSync(join(empty, "node_modules/.bin"))).toContain(onWindows ? "ticketing.cmd" : "ticketing");
  expect(npm(["exec", "--offline", "--", "ticketing", "--version"], empty).trim()).toBe(
    (JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string }).version,
  );
});

test("it plans in the embedded sandbox, and calls a service over the network", async () => {
  const cwd = copyExample("first-event");
  expect(await installed(["plan", "--detailed-exitcode"], cwd)).toEqual({ exitCode: 2, stderr: "" });
  const sandbox = await startSandbox({ now: () => Date.parse("2026-12-01T00:00:00Z") });
  const service = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  expect(await installed(["plan", "--detailed-exitcode"], cwd, service)).toMatchObject({ exitCode: 2 });
  await sandbox.close();
});
