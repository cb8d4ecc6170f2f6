// Ids are the service's: sent back letter for letter, compared without case, and never passed over silently.
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { type OtherIds, serveOtherIds } from "../../stage/other-ids.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2026-12-01T00:00:00Z");
const one = "name: One\ndateTime: 2027-03-14T19:00\n";
let sandbox: Sandbox;
let service: OtherIds | undefined;
let folder: string;

beforeEach(async () => {
  sandbox = await startSandbox({ now });
  folder = mkdtempSync(join(tmpdir(), "ticketing-ids-"));
});

afterEach(async () => {
  await service?.close();
  await sandbox.close();
  service = undefined;
});

function run(...argv: readonly string[]): Promise<Ran> {
  const env = { TICKETING_BASE_URL: service?.baseUrl ?? "", TICKETING_API_KEY: sandbox.apiKey };
  return ticketing([...argv, "-C", folder], { env, now });
}

async function plan(...argv: readonly string[]): Promise<Plan> {
  return JSON.parse((await run("plan", "--format", "json", ...argv)).stdout) as Plan;
}

function write(file: string, text: string): void {
  mkdirSync(join(folder, "events"), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
}

describe("a service that shows ids in capitals and knows no other spelling", () => {
  beforeEach(async () => {
    service = await serveOtherIds(sandbox.baseUrl, (id) => id.toUpperCase());
  });

  test("gets back every id as it showed it, in paths and in bodies", async () => {
    cpSync(join("examples", "festival"), folder, { recursive: true, filter: (path) => !path.includes(".ticketing") });
    const first = await run("apply", "--yes", "--settle", "0.05");
    expect(first.exitCode, first.stdout + first.stderr).toBe(0);
    expect((await plan()).changes).toEqual([]);
    edit("events/bayside-sounds.yaml", (text) =>
      text.replace("price: 3500", "price: 3900").replace("type: HOST", "type: SPEAKER"),
    );
    const second = await run("apply", "--yes", "--settle", "0.05");
    expect(second.exitCode, second.stdout + second.stderr).toBe(0);
    expect((await plan()).changes).toEqual([]);
    expect(service?.misspelled).toEqual([]);
  });

  test("a pin in any spelling means the same event and ticket type", async () => {
    write("events/one.yaml", `${one}tickets:\n  - { name: GA, price: 100, quantity: 10, published: false }\n`);
    await run("apply", "--yes");
    const { events, tickets } = sandbox.control.dump();
    for (const spell of [(id = "") => id.toLowerCase(), (id = "") => id.toUpperCase()]) {
      write(
        "events/one.yaml",
        `id: ${spell(events[0]?.id)}\nname: Uno\ntickets:\n  - { id: ${spell(tickets[0]?.id)}, price: 150 }\n`,
      );
      const { changes, operations } = await plan();
      expect(changes.map(({ address, action }) => `${action} ${address}`)).toEqual([
        "update events/one",
        `update events/one/tickets/${spell(tickets[0]?.id)}`,
      ]);
      expect(operations[0]?.path).toBe(`/events/${events[0]?.id.toUpperCase()}`);
    }
  });

  test("a venue by id in another spelling is the same venue", async () => {
    const found = await fetch(`${service?.baseUrl}/venues/search?query=a`, { headers: { "api-key": sandbox.apiKey } });
    const [venue] = ((await found.json()) as { data: { id: string }[] }).data;
    write("events/one.yaml", `${one}venueId: ${venue?.id}\n`);
    expect((await run("apply", "--yes")).exitCode).toBe(0);
    write("events/one.yaml", `${one}venueId: ${venue?.id.toLowerCase()}\n`);
    expect((await plan()).changes).toEqual([]);
  });

  test("state in another spelling is still of the same object", async () => {
    write("events/one.yaml", `${one}eventCapacity: 5\n`);
    await run("apply", "--yes");
    const state = join(folder, ".ticketing", "state.default.json");
    const id = sandbox.control.dump().events[0]?.id ?? "";
    edit(join(".ticketing", "state.default.json"), (text) => text.replaceAll(id.toUpperCase(), id.toLowerCase()));
    expect(readFileSync(state, "utf8")).toContain(id);
    await run("state", "reseal", "--yes");
    sandbox.control.seed({});
    write("events/one.yaml", `${one}eventCapacity: 6\n`);
    expect((await plan()).changes[0]?.edits).toMatchObject([
      { path: "/eventCapacity", before: 5, after: 6, origin: "edit" },
    ]);
  });

  test("import pins ids as they are shown, and the plan after it is empty", async () => {
    sandbox.control.seed({
      events: [
        {
          name: "One",
          dateTime: "2027-03-14T11:00:00.000Z",
          slug: "one",
          performers: [{ name: "Ana" }],
          schedules: [
            {
              title: "Set",
              startTime: "2027-03-14T11:00:00.000Z",
              endTime: "2027-03-14T12:00:00.000Z",
              performer: "Ana",
            },
          ],
        },
      ],
    });
    const imported = await run("import", "--all");
    expect(imported.exitCode, imported.stdout + imported.stderr).toBe(0);
    const [file = ""] = readdirSync(join(folder, "events"));
    expect(readFileSync(join(folder, "events", file), "utf8")).toContain("performer: Ana");
    expect((await plan()).changes).toEqual([]);
    expect(service?.misspelled).toEqual([]);
  });
});

describe("a service whose ids are no UUIDs", () => {
  beforeEach(async () => {
    service = await serveOtherIds(sandbox.baseUrl, (id) => (id.startsWith("aaaaaaaa") ? `evt_${id.slice(-4)}` : id));
  });

  test.each([
    ["an event", "aaaaaaaa", "bbbbbbbb", "evt_0001"],
    ["a ticket type", "bbbbbbbb", "aaaaaaaa", "evt_0002"],
  ])("nothing is planned beside %s that cannot be spoken of", async (_, event, ticket, shown) => {
    sandbox.control.seed({
      events: [
        {
          id: `${event}-0000-4000-8000-000000000001`,
          name: "One",
          dateTime: "2027-03-14T11:00:00.000Z",
          tickets: [{ id: `${ticket}-0000-4000-8000-000000000002`, name: "GA", price: 100, quantity: 10 }],
        },
      ],
    });
    write("events/one.yaml", `${one}tickets:\n  - { name: GA, price: 100, quantity: 10, published: false }\n`);
    const ran = await run("plan", "--format", "json");
    const made = JSON.parse(ran.stdout) as Plan;
    expect(ran.exitCode).toBe(1);
    expect(made.operations).toEqual([]);
    const [problem] = made.diagnostics.filter((each) => each.severity === "error");
    expect(problem).toMatchObject({ code: "unexpected-response" });
    expect(problem?.message).toContain(shown);
    expect(problem?.hint).toMatch(/nothing is mistaken for missing/);
  });
});
