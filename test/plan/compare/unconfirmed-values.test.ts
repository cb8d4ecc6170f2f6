// A field that the service does not show, after a call whose outcome is not known: it may have the value that was sent or the former one.
// Neither is believed, so whatever the files say is sent, once.
import { expect, test } from "vitest";
import type { StateEntry } from "../../../src/model/live.ts";
import { createService } from "../../../src/sandbox/index.ts";
import { now, planOf } from "../../stage/plan-of.ts";

const start = "2027-03-14T19:00:00+08:00";
const known = { name: "Gala", dateTime: "2027-03-14T11:00:00.000Z" };

async function planned(field: string, entry: Partial<StateEntry>) {
  const service = createService({ profile: "eventRecord=minimal", now: () => now });
  service.control.seed({ events: [{ name: "Gala", dateTime: start }] });
  const { events } = service.dump() as unknown as { readonly events: readonly { readonly id: string }[] };
  const remembered = { kind: "event", applied: known, ...entry, id: events[0]?.id ?? "" } as const;
  const { plan, matched } = await planOf({
    files: { "events/gala.yaml": `name: Gala\ndateTime: ${start}\n${field}\n` },
    service,
    state: {
      formatVersion: 1,
      lineage: "test",
      serial: 1,
      organization: null,
      objects: { "events/gala": remembered },
    },
  });
  return { sent: plan.operations.map(({ body }) => body), entry: matched["events/gala"] };
}

const cases: readonly (readonly [string, string, Partial<StateEntry>, Readonly<Record<string, unknown>>])[] = [
  [
    "the value that was applied before",
    "visibility: PUBLIC",
    { applied: { ...known, visibility: "PUBLIC" }, unconfirmed: [{ visibility: "PRIVATE" }] },
    { visibility: "PUBLIC" },
  ],
  [
    "the value that was sent",
    "visibility: PRIVATE",
    { applied: { ...known, visibility: "PUBLIC" }, unconfirmed: [{ visibility: "PRIVATE" }] },
    { visibility: "PRIVATE" },
  ],
  [
    "the value that was wished before anything was sent",
    "visibility: PUBLIC",
    { unknown: { visibility: "PUBLIC" }, unconfirmed: [{ visibility: "PRIVATE" }] },
    { visibility: "PUBLIC" },
  ],
  [
    "no value, where the object was created without one",
    "eventCapacity: null",
    { madeAt: "2027-01-01T00:00:00.000Z", unconfirmed: [{ eventCapacity: 500 }] },
    { eventCapacity: null },
  ],
  [
    "a value where nothing else is remembered",
    "visibility: PUBLIC",
    { applied: {}, partial: true, unconfirmed: [{ visibility: "PRIVATE" }] },
    { visibility: "PUBLIC" },
  ],
];

test.each(cases)("sends %s, in later runs too, until one of them has sent it", async (_, field, entry, body) => {
  const first = await planned(field, entry);
  expect(first.sent).toEqual([expect.objectContaining(body)]);
  expect(first.entry?.unconfirmed).toEqual(entry.unconfirmed);

  const later = await planned(field, first.entry ?? {});
  expect(later.sent).toEqual([expect.objectContaining(body)]);

  const { unconfirmed: _sent, ...rest } = first.entry ?? { applied: {} };
  const done = await planned(field, {
    ...rest,
    applied: { ...rest.applied, ...first.sent[0] } as StateEntry["applied"],
  });
  expect(done.sent).toEqual([]);
});

test("a field that no such call named is not sent", async () => {
  const { sent, entry } = await planned("visibility: PUBLIC", {
    applied: { ...known, visibility: "PUBLIC" },
    unconfirmed: [{ visibility: "PUBLIC" }, { eventCapacity: 500 }],
  });
  expect(sent).toEqual([]);
  expect(entry?.unconfirmed).toBeUndefined();
});
