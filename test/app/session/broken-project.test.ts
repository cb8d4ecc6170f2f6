// A mistake in the files is reported before anything else is asked.
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { ticketing } from "../../stage/test-world.ts";

let folder: string;
let asked: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ticketing-broken-"));
  asked = join(folder, "asked");
  const programs = join(folder, "programs");
  for (const name of [programs, join(folder, "events")]) mkdirSync(name);
  execFileSync("git", ["init", "--quiet", folder]);
  writeFileSync(join(programs, "git"), `#!/bin/sh\necho "$@" >> '${asked}'\nexit 1\n`, { mode: 0o755 });
  vi.stubEnv("PATH", `${programs}${delimiter}${process.env.PATH}`);
  writeFileSync(join(folder, "events/gala.yaml"), "name: Gala\ndatetime: 2027-03-01T20:00\n");
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});

test.each(["plan", "apply"])(
  "%s starts no git for one in ticketing.yaml, and reports what is wrong in the other files as well",
  async (command) => {
    const run = async (settings: string) => {
      writeFileSync(join(folder, "ticketing.yaml"), `version: 1\n${settings}`);
      const { exitCode, stdout, stderr } = await ticketing([command, "-C", folder, "--env", "sandbox"]);
      expect(exitCode).toBe(1);
      expect(stdout + stderr).toContain("`datetime`");
      return stdout + stderr;
    };
    expect(await run("evnts: events/*.yaml\n")).toContain("`evnts`");
    expect(existsSync(asked)).toBe(false);
    await run("");
    expect(existsSync(asked)).toBe(true);
  },
);

test("a plan makes no call if one of many files has an error", async () => {
  for (let index = 0; index < 500; index++)
    writeFileSync(join(folder, `events/night-${index}.yaml`), `name: Night ${index}\ndateTime: 2027-03-14T19:00\n`);
  const sandbox = await startSandbox();
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const { exitCode, stderr, stdout } = await ticketing(["plan", "-C", folder], { env });
  await sandbox.close();
  expect(exitCode).toBe(1);
  expect(stdout + stderr).toContain("`datetime`");
  expect(sandbox.control.calls()).toEqual([]);
});
