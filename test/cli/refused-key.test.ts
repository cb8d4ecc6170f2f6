// Whoever has several environments has several keys: a refusal says which of them was refused.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { ticketing } from "../stage/test-world.ts";

let directory: string;
let sandbox: Sandbox;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-refused-"));
  sandbox = await startSandbox();
  writeFileSync(
    join(directory, "ticketing.yaml"),
    `version: 1\nenvironments:\n  staging:\n    baseUrl: ${sandbox.baseUrl}\n    apiKeyEnv: BAYSIDE_STAGING\n`,
  );
});
afterAll(async () => {
  await sandbox.close();
  rmSync(directory, { recursive: true, force: true });
});

test.each(["whoami", "plan", "apply --yes", "status", "orders x", "venues search x", "webhooks list", "import --all"])(
  "%s names where the key is from, and not the key",
  async (line) => {
    const env = { BAYSIDE_STAGING: "not-the-right-key" };
    const ran = await ticketing([...line.split(" "), "--env", "staging"], { cwd: directory, env });
    expect(ran.exitCode).toBe(1);
    const text = (ran.stdout + ran.stderr).replace(/\s+/g, " ");
    expect(text).toContain('The API key comes from the variable BAYSIDE_STAGING (environment "staging").');
    expect(text).not.toContain("not-the-right-key");
  },
);
