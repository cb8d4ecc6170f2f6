// Many calls that wait at once, as somebody sees them on the terminal.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { startSandbox } from "../../src/sandbox/index.ts";
import { removeFolder } from "../stage/remove-folder.ts";

const program = fileURLToPath(new URL("../../bin/ticketing.js", import.meta.url));

test("as many as --parallelism says may wait, and nothing but our own words is shown", async () => {
  const sandbox = await startSandbox({});
  const directory = mkdtempSync(join(tmpdir(), "ticketing-waits-"));
  mkdirSync(join(directory, "events"));
  const numbers = Array.from({ length: 24 }, (_, index) => index);
  sandbox.control.seed({
    events: numbers.map((n) => ({ name: `Night ${n}`, dateTime: "2027-03-14T11:00:00.000Z", slug: `night-${n}` })),
  });
  for (const n of numbers) {
    const text = `name: Night ${n}\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\nperformers: []\n`;
    writeFileSync(join(directory, "events", `night-${n}.yaml`), text);
  }
  sandbox.control.addFault({ kind: "error-before", path: "/performers", times: 0 });
  const env = { ...process.env, TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const child = spawn(process.execPath, [program, "plan", "-C", directory, "--parallelism", "24"], { env });
  let shown = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (shown += chunk));
  const exitCode = await new Promise((resolve) => child.on("close", resolve));
  await sandbox.close();
  removeFolder(directory);
  expect(exitCode).toBe(1);
  expect(shown).toContain("Cannot continue because of 1 error.");
  expect(shown).not.toContain("MaxListeners");
});
