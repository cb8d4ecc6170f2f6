// What one project applied, another one adopts: whatever the service makes of what it is sent, the plan after the import is empty.
import { cpSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { profiles, startSandbox } from "../../../src/sandbox/index.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
const examples = join(import.meta.dirname, "..", "..", "..", "examples");

test.each(Object.keys(profiles))("the festival, applied and adopted under the profile %s", async (profile) => {
  const sandbox = await startSandbox({ now, profile });
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const run = (folder: string, ...argv: readonly string[]): Promise<Ran> =>
    ticketing([...argv, "-C", folder], { env, now });
  try {
    const first = mkdtempSync(join(tmpdir(), "ticketing-first-"));
    cpSync(join(examples, "festival"), first, { recursive: true });
    expect((await run(first, "apply", "--yes", "--settle", "0.05")).exitCode).toBe(0);

    const second = mkdtempSync(join(tmpdir(), "ticketing-second-"));
    expect((await run(second, "import", "--all", "--webhooks")).exitCode).toBe(0);
    expect(readdirSync(join(second, "events"))).toEqual(["bayside-sounds-2027.yaml"]);
    expect(await run(second, "validate")).toMatchObject({ exitCode: 0 });
    expect(await run(second, "plan", "--detailed-exitcode")).toMatchObject({ exitCode: 0 });

    // The project that made it gets the id and nothing else: what the service keeps in another shape, state remembers as sent.
    const event = join(first, "events", "bayside-sounds.yaml");
    const before = readFileSync(event, "utf8");
    expect((await run(first, "import", "--all", "--webhooks")).exitCode).toBe(0);
    expect(readFileSync(event, "utf8").replace(/^id: { default: [0-9a-f-]{36} }\n/m, "")).toBe(before);
    expect(await run(first, "plan", "--detailed-exitcode")).toMatchObject({ exitCode: 0 });
  } finally {
    await sandbox.close();
  }
});
