// `null` clears an optional field; where the service has its own value for it, that is what comes of it.
import { describe, expect, test } from "vitest";
import type { ValuePolicy } from "../../../src/kinds/define.ts";
import { fieldEntries } from "../../../src/kinds/fields/read-record.ts";
import { kindOf } from "../../../src/kinds/index.ts";
import type { KindName } from "../../../src/model/address.ts";
import { load } from "../../stage/plan-of.ts";

/** Fields that are either so or not so, and never empty. */
const switches: readonly string[] = ["published", "soldOut"];

function optionalFields(kind: KindName): readonly (readonly [string, ValuePolicy])[] {
  return fieldEntries(kindOf(kind)).flatMap(([name, policy]) =>
    policy.role === "value" && policy.required !== true && !switches.includes(name) ? [[name, policy] as const] : [],
  );
}

const required: Readonly<Partial<Record<KindName, string>>> = {
  ticket: "name: A, price: 100, quantity: 10, published: true",
  performer: "name: A",
  schedule: "title: A, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00",
  brand: "name: A",
};

const start = "name: One\ndateTime: 2027-03-14T19:00\n";

describe.each(Object.keys(required) as KindName[])("null in a %s", (kind) => {
  test.each(optionalFields(kind))("%s", async (field, policy) => {
    const list = `${kindOf(kind).plural}: [{ ${required[kind]}, ${field}: null }]\n`;
    const project = await load({ "events/one.yaml": start + list });
    expect(project.diagnostics).toEqual([]);
    expect(project.events[0]?.children[kind]?.[0]?.fields[field]).toBe(
      policy.serviceDefault ?? policy.plainest ?? null,
    );
  });
});

test.each(optionalFields("event"))("null in an event: %s", async (field, policy) => {
  const project = await load({ "events/one.yaml": `${start}${field}: null\n` });
  expect(project.diagnostics).toEqual([]);
  expect(project.events[0]?.fields).toMatchObject({
    [field]: policy.serviceDefault ?? policy.plainest ?? null,
    dateTime: "2027-03-14T11:00:00.000Z",
  });
});

test.each(["venue: null\n", "venueId: null\n"])("no venue: %j", async (line) => {
  const project = await load({ "events/one.yaml": start + line });
  expect(project.diagnostics).toEqual([]);
  expect(project.events[0]?.fields.venueId).toBeNull();
  expect(project.events[0]?.own.venue).toBeUndefined();
});

test.each(switches)("%s is true or false", async (field) => {
  const list = `tickets: [{ name: A, price: 100, quantity: 10, ${field}: null }]\n`;
  const project = await load({ "events/one.yaml": start + list });
  expect(project.diagnostics).toMatchObject([{ severity: "error", hint: "Write true or false, without quotes." }]);
});
