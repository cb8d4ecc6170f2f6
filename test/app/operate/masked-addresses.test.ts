// An address may hold a URL, and a URL may hold a token: `state` shows it to no one, and still takes it as it shows it.
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { ticketing } from "../../stage/test-world.ts";

test("a webhook's address in `state`", async () => {
  const sandbox = await startSandbox();
  const folder = mkdtempSync(join(tmpdir(), "ticketing-masked-"));
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const run = (...argv: readonly string[]) => ticketing([...argv, "-C", folder], { env });
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n");
  const url = "https://hooks.example.com/orders?room=balcony-west";
  writeFileSync(join(folder, "webhooks.yaml"), `- { url: "${url}", events: [order.completed] }\n`);
  const applied = await run("apply", "--yes");
  expect(applied.exitCode, applied.stdout + applied.stderr).toBe(0);

  const shown = "webhooks/https:%2F%2Fhooks.example.com%2Forders?***";
  const list = await run("state", "list");
  expect(list.stdout).toContain(shown);
  const show = await run("state", "show", shown);
  expect(show.stdout).toContain("id: ");
  const near = await run("state", "show", shown.slice(0, -4));
  expect(near.stderr).toContain(`Did you mean ${shown}`);
  const gone = await run("state", "rm", shown, "--yes");
  expect(gone.exitCode, gone.stderr).toBe(0);
  for (const { stdout, stderr } of [applied, list, show, near, gone])
    expect(stdout + stderr).not.toContain("balcony-west");
  expect((await run("state", "list")).stdout).toContain("State is empty.");
  await sandbox.close();
});
