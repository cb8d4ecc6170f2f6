// With state, an edit of a file is distinguished from a change on the service, in names of other objects too.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { startSandbox } from "../../../src/sandbox/index.ts";
import { TicketingClient } from "../../../src/service/client.ts";
import { ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
const times = "startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00";

function document(performer: string): string {
  return `name: One\ndateTime: 2027-03-14T19:00\nperformers: [{ name: Ana }, { name: Ben }]\nschedules:\n  - { title: Set, ${times}, performer: ${performer} }\n`;
}

test.each(["as it was made", "as a later run found it"])("who plays, %s", async (how) => {
  const sandbox = await startSandbox({ now });
  const folder = mkdtempSync(join(tmpdir(), "ticketing-labels-"));
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const run = (...argv: readonly string[]) => ticketing([...argv, "-C", folder], { env, now });
  const write = (text: string) => writeFileSync(join(folder, "events", "one.yaml"), text);
  const origins = async () => {
    const { changes } = JSON.parse((await run("plan", "--format", "json")).stdout) as Plan;
    return changes.flatMap(({ edits }) =>
      edits.map(({ path, before, after, origin }) => [path, before, after, origin]),
    );
  };
  mkdirSync(join(folder, "events"));
  write(document("Ana"));
  await run("apply", "--yes");
  if (how !== "as it was made") await run("apply", "--yes");

  write(document("Ben"));
  expect(await origins()).toEqual([["/performer", "Ana", "Ben", "edit"]]);
  write(document("null"));
  expect(await origins()).toEqual([["/performer", "Ana", null, "edit"]]);

  write(document("Ana"));
  const { schedules, performers } = sandbox.control.dump() as unknown as Readonly<
    Record<"schedules" | "performers", readonly Readonly<Record<string, string>>[]>
  >;
  const client = new TicketingClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
  const ben = performers.find((each) => each.name === "Ben")?.id;
  const path = `/events/${schedules[0]?.eventId}/schedules/${schedules[0]?.id}`;
  await client.request("PATCH", path, { body: { performerId: ben } });
  expect(await origins()).toEqual([["/performer", "Ben", "Ana", "drift"]]);
  await client.close();
  await sandbox.close();
});
