import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { buildProgram, cleanEnv, copyExample, program, root, runProgram, startProgram } from "./program.ts";

beforeAll(() => buildProgram());

const examples = readdirSync(join(root, "examples"));

test("shows its version", () => {
  const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { version: string };
  expect(runProgram(["--version"])).toEqual({ exitCode: 0, stdout: `${version}\n`, stderr: "" });
});

describe.each(examples)("the example %s", (name) => {
  test("validates without problems", () => {
    const ran = runProgram(["validate", "--strict", "--verbose"], { cwd: copyExample(name) });
    expect(ran.stderr).toBe("");
    expect(ran.exitCode).toBe(0);
  });

  test("names its schemas for editors", () => {
    const folder = join(root, "examples", name);
    for (const file of readdirSync(folder, { recursive: true, encoding: "utf8" })) {
      if (!/\.ya?ml$/.test(file)) continue;
      const documents = readFileSync(join(folder, file), "utf8").split(/^---$/m);
      for (const document of documents) {
        const [, path] = /^# yaml-language-server: \$schema=(\S+)$/m.exec(document) ?? [];
        expect(path, file).toBeDefined();
        const schema = readFileSync(join(folder, file, "..", path ?? ""), "utf8");
        expect(JSON.parse(schema), file).toHaveProperty("title");
      }
    }
  });

  test("goes live in one apply, and a second run has nothing to do", () => {
    const cwd = copyExample(name);
    expect(runProgram(["plan", "--detailed-exitcode"], { cwd }).exitCode).toBe(2);
    const applied = runProgram(["apply", "--yes", "--format", "json"], { cwd });
    expect(applied.exitCode, applied.stderr).toBe(0);
    expect(JSON.parse(applied.stdout)).toMatchObject({ summary: { failed: 0, skipped: 0, unsure: 0 } });
    const plan = runProgram(["plan", "--detailed-exitcode", "--format", "json"], { cwd });
    expect(JSON.parse(plan.stdout)).toMatchObject({ changes: [], operations: [] });
    expect(plan.exitCode).toBe(0);
    const again = runProgram(["apply", "--yes", "--format", "json"], { cwd });
    expect(JSON.parse(again.stdout)).toMatchObject({ outcomes: [], calls: { writes: 0 } });
    expect(again.exitCode).toBe(0);
  });
});

describe("in a pipe", () => {
  test("closing the pipe early is not a failure", async () => {
    const child = startProgram(["schema", "event"], root);
    child.stdout.destroy();
    let reported = "";
    child.stderr.on("data", (chunk: Buffer) => {
      reported += chunk.toString();
    });
    const [exitCode] = await once(child, "close");
    expect({ exitCode, reported }).toEqual({ exitCode: 0, reported: "" });
  });

  test("all of a long output arrives", () => {
    const { stdout } = runProgram(["schema", "event"]);
    expect(JSON.parse(stdout)).toHaveProperty("properties.tickets");
  });
});

describe("signals", () => {
  const noSignals = process.platform === "win32";

  test.skipIf(noSignals)("the sandbox serves until it is asked to stop", async () => {
    const child = startProgram(["sandbox", "--port", "0", "--format", "json"], copyExample("first-event"));
    const [line] = await once(child.stdout, "data");
    const { baseUrl, apiKey } = JSON.parse(String(line)) as { baseUrl: string; apiKey: string };
    const response = await fetch(`${baseUrl}/me`, { headers: { "api-key": apiKey } });
    expect(response.status).toBe(200);
    child.kill("SIGINT");
    const [exitCode] = await once(child, "close");
    expect(exitCode).toBe(130);
  });

  test.skipIf(noSignals)("one Ctrl-C ends a plan that waits for the service", async () => {
    const silent = createServer(() => undefined).listen(0, "127.0.0.1");
    await once(silent, "listening");
    const { port } = silent.address() as AddressInfo;
    const child = spawn(process.execPath, [program, "plan"], {
      cwd: copyExample("first-event"),
      env: cleanEnv({ TICKETING_BASE_URL: `http://127.0.0.1:${port}/open-api/v1`, TICKETING_API_KEY: "a-key" }),
      stdio: "ignore",
    });
    await once(silent, "request");
    child.kill("SIGINT");
    const [exitCode] = await once(child, "exit");
    expect(exitCode).toBe(130);
    silent.closeAllConnections();
    silent.close();
  });
});

test("what no terminal reads is not broken into lines, unless COLUMNS says how wide they may be", () => {
  const cwd = mkdtempSync(join(tmpdir(), "ticketing-lines-"));
  mkdirSync(join(cwd, "events"));
  writeFileSync(
    join(cwd, "events", "gala.yaml"),
    "name: Gala\ndateTime: 2027-03-14T19:00\nvenueID: palace\nperformers: [Ana]\n",
  );
  const linesWith = (env: Record<string, string>) => runProgram(["validate"], { cwd, env }).stdout.split("\n");
  const message = /^error\[wrong-type\] events\/gala\.yaml:4:14 .* where fields are expected\.$/;
  expect(linesWith({}).filter((line) => message.test(line))).toHaveLength(1);
  expect(linesWith({ COLUMNS: "60" }).filter((line) => message.test(line))).toEqual([]);
  expect(Math.max(...linesWith({ COLUMNS: "60" }).map(({ length }) => length))).toBeLessThanOrEqual(60);
});

test("a bad TICKETING_NOW is refused", () => {
  const ran = runProgram(["validate", "--format", "json"], { env: { TICKETING_NOW: "yesterday" } });
  expect(JSON.parse(ran.stdout)).toMatchObject({ formatVersion: 1, ok: false, diagnostics: [{ code: "bad-clock" }] });
  expect(ran.exitCode).toBe(1);
  expect(ran.stderr).toContain("TICKETING_NOW");
});

test("TICKETING_NOW makes two runs print the same bytes", () => {
  const cwd = copyExample("festival");
  const env = { TICKETING_NOW: "2027-01-01T00:00:00Z" };
  const [one, other] = [1, 2].map(() => runProgram(["plan", "--format", "json"], { cwd, env }).stdout);
  expect(one).toBe(other);
  expect(JSON.parse(one ?? "")).toHaveProperty("createdAt", "2027-01-01T00:00:00.000Z");
});

test("it is a library too", async () => {
  const code = `import { TicketingClient } from "ticketing-as-code"; console.log(typeof TicketingClient);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { cwd: root, env: cleanEnv() });
  const [chunk] = await once(child.stdout, "data");
  expect(String(chunk)).toBe("function\n");
});

test("the entry that is installed is the one that is tested", () => {
  const { bin } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { bin: Record<string, string> };
  expect(join(root, bin.ticketing ?? "")).toBe(program);
  expect(readFileSync(program, "utf8")).toMatch(/^#!\/usr\/bin\/env node\n/);
});

test("goes through the proxy of the environment", async () => {
  const asked: (string | undefined)[] = [];
  const proxy = createServer().on("connect", ({ url }, socket) => {
    asked.push(url);
    socket.end("HTTP/1.1 403 Forbidden\r\n\r\n");
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  const child = spawn(process.execPath, [program, "whoami", "--base-url", "https://api.example.com/v1"], {
    cwd: copyExample("club"),
    env: cleanEnv({
      TICKETING_API_KEY: "k",
      https_proxy: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
      no_proxy: "",
    }),
    stdio: ["ignore", "ignore", "pipe"],
  });
  let said = "";
  child.stderr.on("data", (text) => (said += text));
  await once(child, "close");
  proxy.close();
  expect(said).toContain("refused to connect to api.example.com (it responded with 403)");
  expect(asked).toContain("api.example.com:443");
});

/** Runs a plan with a flag of Node's; gives what was printed. */
function planUnder(...flags: readonly string[]): string {
  const ran = spawnSync(process.execPath, [...flags, program, "plan"], {
    cwd: copyExample("club"),
    env: cleanEnv(),
    encoding: "utf8",
  });
  expect(ran.status, ran.stderr).toBe(0);
  return ran.stdout;
}

describe("what V8 compiles", () => {
  test("what reads responses is compiled once, not a second time for speed", () => {
    const compiled = planUnder("--trace-wasm-compilation-times").match(/using \w+/gi) ?? [];
    expect(new Set(compiled)).toEqual(new Set(["using Liftoff"]));
  });

  // The caches are of the release that has built the program.
  test.runIf(process.versions.node.startsWith("20."))("what was compiled at build time is taken", () => {
    const hook = `process.on("exit", () => {
      for (const { file, script } of globalThis[Symbol.for("ticketing.bundles")].values())
        console.log("bundle", file.replace(/.*[/](.*)-.*/, "$1"), script.cachedDataRejected);
      for (const loaded of process.moduleLoadList) if (loaded.includes("undici")) console.log("bundle", loaded);
    });`;
    const printed = planUnder("--import", `data:text/javascript,${encodeURIComponent(hook)}`);
    expect(printed.match(/^bundle .*$/gm)?.sort()).toEqual([
      "bundle command-line false",
      "bundle online false",
      "bundle series false",
      "bundle undici false",
    ]);
  });

  test("the parser comes without the kinds, which each command brings along", () => {
    const dist = join(root, "dist");
    const parser = readdirSync(dist).find((file) => /^command-line-.*\.cjs$/.test(file)) ?? "";
    expect(statSync(join(dist, parser)).size).toBeLessThan(200_000);
  });
});
