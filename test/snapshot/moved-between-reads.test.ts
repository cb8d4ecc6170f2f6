// Somebody publishes or deletes an event while a plan reads it.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { ticketing } from "../stage/test-world.ts";

/** A plan of one live event, to which somebody does this as soon as a line of the log has this in it. */
async function planWhile(seen: string, method: "POST" | "DELETE", action: string) {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-moved-"));
  mkdirSync(join(folder, "events"));
  const tickets = "tickets: [{ name: GA, price: 500, quantity: 10 }]";
  writeFileSync(join(folder, "events", "gala.yaml"), `name: Gala\ndateTime: 2027-03-14T19:00\n${tickets}\n`);
  let done: Promise<unknown> | null = null;
  const sandbox: Sandbox = await startSandbox({
    log(line) {
      if (line.includes(seen)) done ??= act();
    },
  });
  const [event] = sandbox.control.seed({
    events: [
      {
        name: "Gala",
        dateTime: "2027-03-14T11:00:00.000Z",
        slug: "gala",
        status: "DRAFT",
        tickets: [{ name: "GA", price: 500, quantity: 10 }],
      },
    ],
  }).events;
  function act(): Promise<unknown> {
    return sandbox.service.handle({
      method,
      path: `/open-api/v1/events/${event?.id}${action}`,
      headers: { "api-key": sandbox.apiKey },
      body: undefined,
      remoteAddress: "127.0.0.1",
    });
  }
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const ran = await ticketing(["plan", "--format", "json", "-C", folder], { env });
  expect(await done).toMatchObject({ status: 200 });
  await sandbox.close();
  rmSync(folder, { recursive: true });
  return JSON.parse(ran.stdout) as Plan;
}

test("an event that is published between the two reads is not taken for a new one", async () => {
  expect((await planWhile("/events?status=", "POST", "/publish")).changes).toEqual([]);
});

test("an event that is deleted between the two reads is reported as that", async () => {
  const { diagnostics } = await planWhile("/events?status=PUBLISHED", "DELETE", "");
  expect(diagnostics.filter(({ severity }) => severity === "error")).toMatchObject([
    {
      code: "NOT_FOUND",
      hint: "The event was deleted while it was being read, probably by an apply that is running: run the command again.",
    },
  ]);
});
