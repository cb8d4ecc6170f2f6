// A sandbox in a separate process, killed while it is being written to.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { build } from "esbuild";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.ts";

const folder = mkdtempSync(join(tmpdir(), "killed-"));
const program = join(folder, "standing.mjs");

beforeAll(async () => {
  const entry = join(folder, "standing.ts");
  const room = join(import.meta.dirname, "../../../src/sandbox/index.ts");
  writeFileSync(
    entry,
    `import { startSandbox } from ${JSON.stringify(room)};
     const { baseUrl, apiKey } = await startSandbox({ dataFile: process.argv[2], standalone: true });
     console.log(JSON.stringify({ baseUrl, apiKey }));`,
  );
  await build({ entryPoints: [entry], outfile: program, bundle: true, platform: "node", format: "esm" });
});

test.each([1, 7, 20])(
  "killed after %i answered writes, all of them are there, and the next one can start",
  async (count) => {
    const dataFile = join(folder, `${count}.json`);
    const child = spawn(process.execPath, [program, dataFile], { stdio: ["ignore", "pipe", "inherit"] });
    const [line] = await once(createInterface(child.stdout), "line");
    const { baseUrl, apiKey } = JSON.parse(line);
    const answered: string[] = [];
    async function write(name: string): Promise<void> {
      const response = await fetch(`${baseUrl}/events`, {
        method: "POST",
        headers: { "api-key": apiKey, "content-type": "application/json" },
        body: JSON.stringify({ name, dateTime: "2027-03-14" }),
      });
      if (response.status === 201) answered.push(name);
      if (answered.length === count) child.kill("SIGKILL");
    }
    await Promise.allSettled(Array.from({ length: 30 }, (_, n) => write(`Event ${n}`)));
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    const next = await startSandbox({ dataFile });
    const names = next.control.dump().events.map((event) => (event as unknown as { name: string }).name);
    await next.close();
    expect(next.apiKey).toBe(apiKey);
    expect(answered.length).toBeGreaterThanOrEqual(count);
    expect(names).toEqual(expect.arrayContaining(answered));
    expect(new Set(names).size).toBe(names.length);
  },
);

test.runIf(existsSync("/proc/self/stat"))("killed, and looked after by no one, it does not hold its data", async () => {
  const dataFile = join(folder, "orphan.json");
  // The shell turns into a program that never asks what became of the sandbox it started.
  const script = '"$0" "$1" "$2" & exec sleep 60';
  const parent = spawn("sh", ["-c", script, process.execPath, program, dataFile], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void parent.kill("SIGKILL"));
  await once(createInterface(parent.stdout), "line");
  const { pid } = JSON.parse(readFileSync(`${dataFile}.lock`, "utf8"));
  process.kill(pid, "SIGKILL");
  await expect.poll(() => readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) Z /);
  const next = await startSandbox({ dataFile, lockWaitMs: 0 });
  await next.close();
});
