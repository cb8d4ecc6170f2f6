// Somebody publishes an event while a plan reads: it stood among the drafts a moment ago and stands among the public ones now.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { ticketing } from "../stage/test-world.ts";

test("an event that is published between the two reads is not taken for a new one", async () => {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-moved-"));
  mkdirSync(join(folder, "events"));
  writeFileSync(join(folder, "events", "gala.yaml"), "name: Gala\ndateTime: 2027-03-14T19:00\n");
  let publish: Promise<unknown> | null = null;
  const sandbox: Sandbox = await startSandbox({
    log(line) {
      if (line.includes("/events?status=")) publish ??= publishNow();
    },
  });
  const [event] = sandbox.control.seed({
    events: [{ name: "Gala", dateTime: "2027-03-14T11:00:00.000Z", slug: "gala", status: "DRAFT" }],
  }).events;
  function publishNow(): Promise<unknown> {
    const path = `/open-api/v1/events/${event?.id}/publish`;
    return sandbox.service.handle({
      method: "POST",
      path,
      headers: { "api-key": sandbox.apiKey },
      body: undefined,
      remoteAddress: "127.0.0.1",
    });
  }
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const ran = await ticketing(["plan", "--format", "json", "-C", folder], { env });
  expect(await publish).toMatchObject({ status: 200 });
  expect((JSON.parse(ran.stdout) as Plan).changes).toEqual([]);
  await sandbox.close();
  rmSync(folder, { recursive: true });
});
