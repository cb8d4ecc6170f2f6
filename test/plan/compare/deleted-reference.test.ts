// A performer that somebody has deleted on the service: what names it has changed there, and not in the files.
import { expect, test } from "vitest";
import { createService } from "../../../src/sandbox/index.ts";
import { now, planOf } from "../../stage/plan-of.ts";

const start = "2027-03-14T19:00:00+08:00";
const files = {
  "events/gala.yaml": `name: Gala
dateTime: ${start}
performers: [{ name: DJ Ana, type: DJ }]
schedules: [{ title: Set, startTime: +1h, endTime: +1h, performer: DJ Ana }]
`,
};
const gone = "93b8647c-8a76-43bb-b0fc-7f3c5e774340";

async function plan(performerId: string | null, recorded: boolean) {
  const service = createService({ now: () => now });
  const times = { startTime: "2027-03-14T12:00:00.000Z", endTime: "2027-03-14T13:00:00.000Z" };
  service.control.seed({
    events: [{ name: "Gala", dateTime: start, schedules: [{ title: "Set", ...times, performerId }] }],
  });
  const { events, schedules } = service.dump();
  const [event, entry] = [events[0]?.id ?? "", schedules[0]?.id ?? ""];
  const objects = {
    "events/gala": { kind: "event", id: event, applied: { name: "Gala" } },
    "events/gala/performers/DJ Ana": { kind: "performer", id: gone, applied: { name: "DJ Ana", type: "DJ" } },
    "events/gala/schedules/Set": { kind: "schedule", id: entry, applied: { title: "Set", performerId: gone } },
  } as const;
  const state = { formatVersion: 1, lineage: "a", serial: 1, organization: null, objects } as const;
  const { plan: made } = await planOf({ files, service, ...(recorded ? { state } : {}) });
  const change = made.changes.find(({ kind }) => kind === "schedule");
  return change?.edits.map(({ path, before, after, origin }) => ({ path, before, after, origin }));
}

test.each([
  ["still names it", gone, "DJ Ana (deleted)"],
  ["names nothing", null, null],
])("an entry that %s is drift, and set to the new one", async (_, performerId, before) => {
  expect(await plan(performerId, true)).toEqual([{ path: "/performer", before, after: "DJ Ana", origin: "drift" }]);
});

test("without state, no id is shown either", async () => {
  expect(await plan(gone, false)).toEqual([
    { path: "/performer", before: "(deleted)", after: "DJ Ana", origin: "edit" },
  ]);
});
