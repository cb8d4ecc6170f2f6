// Which calls find the events of documents that give nothing but an id, and what their records show.
import { afterEach, beforeEach, expect, test } from "vitest";
import { type EventRow, type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { TicketingClient } from "../../src/service/client.ts";
import type { Transport } from "../../src/service/http/transport.ts";
import { undiciTransport } from "../../src/service/http/undici-transport.ts";
import { findEvents, type WantedEvent } from "../../src/snapshot/find-events.ts";
import { makeReader } from "../../src/snapshot/reader.ts";

let sandbox: Sandbox;
let client: TicketingClient;
beforeEach(async () => {
  sandbox = await startSandbox({ now: () => Date.parse("2027-01-10T00:00:00Z") });
  client = new TicketingClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
});
afterEach(async () => {
  await client.close();
  await sandbox.close();
});

function seedEvents(count: number): readonly string[] {
  const one = { dateTime: "2027-03-14T11:00:00.000Z", status: "PUBLISHED" as const };
  sandbox.control.seed({ events: Array.from({ length: count }, (_, index) => ({ ...one, name: `Night ${index}` })) });
  return (sandbox.control.dump().events as readonly EventRow[]).map(({ id }) => id);
}

function pinned(id: string): WantedEvent {
  return { ids: [id], pins: [id], names: [], starts: [], fields: ["name"], expected: "live", archivedToo: true };
}

test.each([["name"], ["name", "description", "unshown"]])(
  "an archived event that its id hides is found in its list: %s",
  async (...fields) => {
    const { client: shown, close } = await openArchive();
    const { events } = await findEvents(makeReader(shown), [{ ...pinned(archived), fields }]);
    expect(events).toMatchObject([{ id: archived, status: "ARCHIVED" }]);
    await close();
  },
);

const archived = "00000000-0000-4000-8000-000000000007";

async function openArchive() {
  const name = "Old Night";
  sandbox.control.seed({ events: [{ id: archived, name, dateTime: "2027-03-14T11:00:00.000Z", status: "ARCHIVED" }] });
  const transport = undiciTransport();
  const hiding: Transport = {
    ...transport,
    send: (call) => transport.send({ ...call, path: call.path.replace(`/events/${archived}`, "/events/hidden") }),
  };
  const { baseUrl, apiKey } = sandbox;
  const shown = new TicketingClient({ baseUrl, apiKey, transport: hiding });
  return { client: shown, close: () => shown.close() };
}

/** How many events are found, and the calls that it takes. */
async function find(wanted: readonly WantedEvent[]) {
  const { events } = await findEvents(makeReader(client), wanted);
  const ids = new Set(events.map(({ id }) => id));
  const paths = sandbox.control.calls().map(({ path }) => path.replace("/open-api/v1", ""));
  const byId = paths.filter((path) => /^\/events\/[^?]/.test(path)).length;
  return { found: wanted.filter((one) => one.ids.some((id) => ids.has(id))).length, byId, lists: paths.length - byId };
}

test("events that the pages of the list show are not asked for by id", async () => {
  const ids = seedEvents(350);
  // Seven pages of fifty, the drafts, and a page size that the sandbox refuses.
  expect(await find(ids.map(pinned))).toEqual({ found: 350, byId: 0, lists: 9 });
});

test("what no list shows is asked for by its id", async () => {
  const ids = seedEvents(150);
  const gone = "3f0c9a52-1111-4222-8333-444455556666";
  const { found, byId } = await find([...ids, gone].map(pinned));
  // In two spellings: it was typed by hand.
  expect({ found, byId }).toEqual({ found: 150, byId: 2 });
});

test("a few in a long list are asked for by their ids", async () => {
  const ids = seedEvents(350);
  expect(await find(ids.slice(-4).map(pinned))).toEqual({ found: 4, byId: 4, lists: 2 });
});

test("what a shorter record than those of the lists leaves out is not shown, rather than empty", async () => {
  const open = { id: "3f0c9a52-1111-4222-8333-444455556666", name: "Night", status: "DRAFT", slug: "night" };
  const archived = { ...open, id: "3f0c9a52-1111-4222-8333-444455557777", status: "ARCHIVED" };
  const listed = { ...open, dateTime: "2027-03-14T11:00:00.000Z", description: "All night", eventCapacity: 200 };
  const short: Pick<TicketingClient, "request" | "pause"> = {
    request: async (_method, path, options) => {
      const data = path !== "/events" ? archived : options?.query?.status === "DRAFT" ? [listed] : [];
      return { ok: true, status: 200, data, meta: null };
    },
    pause: async () => undefined,
  };
  const fields = ["name", "description", "eventCapacity"];
  const wanted = [open.id, archived.id].map((id): WantedEvent => ({ ...pinned(id), fields, expected: "new" }));
  const { events } = await findEvents(makeReader(short), wanted);
  expect(events.find(({ id }) => id === archived.id)?.fields).toEqual({ name: "Night" });
});

test("a text that lists cut short is read by id, once", async () => {
  const name = "Night 0";
  const whole = "A night of live music by the bay.";
  const [id = ""] = seedEvents(3);
  const cut = {
    id,
    name,
    status: "PUBLISHED",
    dateTime: "2027-03-14T11:00:00.000Z",
    description: `${whole.slice(0, 9)}…`,
  };
  const transport = undiciTransport();
  const paths: string[] = [];
  const cutting: Transport = {
    ...transport,
    async send(call) {
      paths.push(call.path);
      const isList = call.path.includes("/events?");
      const body = JSON.stringify({ data: isList ? [cut] : { ...cut, description: whole } });
      return { kind: "response", response: { status: 200, headers: {}, body, cut: null } };
    },
  };
  const { baseUrl, apiKey } = sandbox;
  const shown = new TicketingClient({ baseUrl, apiKey, transport: cutting });
  const wanted: WantedEvent = {
    ...pinned(id),
    ids: [],
    pins: [],
    names: [name],
    starts: [cut.dateTime],
    expected: "new",
  };
  const { events } = await findEvents(makeReader(shown), [{ ...wanted, fields: ["name", "description"] }]);
  expect(events).toMatchObject([{ id, fields: { description: whole } }]);
  expect(paths.filter((path) => path.endsWith(id))).toHaveLength(1);
  const { events: named } = await findEvents(makeReader(shown), [wanted]);
  expect(named).toMatchObject([{ id }]);
  expect(paths.filter((path) => path.endsWith(id))).toHaveLength(1);
  await shown.close();
});
