// Where one name is used twice, `#2` follows the second, unless that is the address of another object.
import { expect, test } from "vitest";
import { makeAddresses } from "../../../src/model/address.ts";
import { operationWords } from "../../../src/report/plan.ts";
import { nameOfChange } from "../../../src/report/plan-view/plan-view.ts";
import { planOf } from "../../stage/plan-of.ts";

const start = "2027-03-14T19:00:00+08:00";
const gala = `name: Gala\ndateTime: ${start}\n`;

test.each([
  [["Seat", "Seat", "Seat"], [], ["Seat", "Seat#2", "Seat#3"]],
  [["Seat", "Seat", "Seat#2"], [], ["Seat", "Seat#3", "Seat#2"]],
  [["Seat#2", "Seat", "Seat#2", "Seat"], [], ["Seat#2", "Seat", "Seat#2#2", "Seat#3"]],
  [
    ["Seat#2", "Seat"],
    ["Seat", "Seat#2"],
    ["Seat#2#2", "Seat#3"],
  ],
])("%j beside %j", (names, inUse, expected) => {
  const inList = (name: string) => `events/gala/tickets/${name}`;
  const made = makeAddresses("events/gala", "tickets", names, inUse.map(inList));
  expect(made).toEqual(expected.map(inList));
});

test("a ticket type whose name looks like a number is created next to those of the other name", async () => {
  const seat = (name: string, section: string) =>
    `  - { name: "${name}", section: ${section}, row: A, price: 100, quantity: 50, published: true }\n`;
  const tickets = `tickets:\n${seat("Seat#2", "Left")}${seat("Seat", "Left")}${seat("Seat", "Right")}`;
  const { plan } = await planOf({ files: { "events/gala.yaml": gala + tickets }, live: {} });
  expect(plan.operations.map(({ body }) => (body as { tickets: readonly unknown[] }).tickets.length)).toEqual([3]);
});

test("a second brand of one name goes, and the brand that is called like its number stays", async () => {
  const brands = [{ name: "Acme" }, { name: "Acme" }, { name: "Acme#2" }];
  const { plan } = await planOf({
    files: { "events/gala.yaml": `${gala}brands: [{ name: Acme }, { name: "Acme#2", url: "https://acme.example" }]\n` },
    live: { events: [{ name: "Gala", dateTime: start, brands }] },
  });
  expect(plan.changes.map(({ action, address }) => `${action} ${address}`)).toEqual([
    "replace events/gala/brands/Acme#2",
    "delete events/gala/brands/Acme#3",
  ]);
  expect(plan.operations.map(({ verb, body }) => [verb, (body as { name?: string } | undefined)?.name])).toEqual([
    ["create", "Acme#2"],
    ["delete", undefined],
    ["delete", undefined],
  ]);
});

const seat = { name: "Seat", price: 100, quantity: 50 };
const seats = (places: readonly object[]) => ({
  events: [{ name: "Gala", dateTime: start, tickets: places.map((place) => ({ ...seat, ...place })) }],
});

test.each([
  [
    "section Right, row A",
    "Seat (section Left, row A)",
    [
      { section: "Left", row: "A" },
      { section: "Right", row: "A" },
    ],
  ],
  ["section Right", "Seat (section General Admissions, row GA)", [{}, { section: "Right" }]],
  ["section Right", "Seat #2", [{ section: "Left" }, { section: "Left" }, { section: "Right" }]],
])("a title says which one of the name it is: beside %s, %s goes", async (kept, title, places) => {
  const own = `{ name: Seat, ${kept.replace(/(section|row) /g, "$1: ")}, price: 120, quantity: 50 }`;
  const { plan } = await planOf({
    files: { "events/gala.yaml": `${gala}tickets: [${own}]\n` },
    live: seats(places),
  });
  expect(plan.changes.map((change) => [change.action, nameOfChange(change)])).toEqual(
    expect.arrayContaining([
      ["update", `Seat (${kept})`],
      ["delete", title],
    ]),
  );
});

test("a schedule entry of a name that others have is named by its start", async () => {
  const doors = (day: number, color = "") =>
    `{ title: Doors, startTime: 2027-03-${day}T19:00:00+08:00, endTime: 2027-03-${day}T20:00:00+08:00${color} }`;
  const { plan } = await planOf({
    files: { "events/gala.yaml": `${gala}schedules: [${doors(14)}, ${doors(15, ', color: "#FF8800"')}]\n` },
    live: {
      events: [
        {
          name: "Gala",
          dateTime: start,
          schedules: [14, 15].map((day) => ({
            title: "Doors",
            startTime: `2027-03-${day}T19:00:00+08:00`,
            endTime: `2027-03-${day}T20:00:00+08:00`,
          })),
        },
      ],
    },
  });
  expect(plan.changes.map(nameOfChange)).toEqual(["Doors (Mon 15 Mar 2027 19:00)"]);
});

test("what somebody renamed on the service is called by its live name where it is what goes", async () => {
  const id = "0b0b0b0b-0000-4000-8000-000000000001";
  const times = { startTime: "2027-03-14T20:00:00+08:00", endTime: "2027-03-14T21:00:00+08:00" };
  const event = { name: "Gala", dateTime: start, performers: [{ id, name: "DJ Anna" }] };
  const entry = { kind: "performer", id, applied: { name: "DJ Ana" } };
  const state = { formatVersion: 1, lineage: "a", serial: 1, organization: null } as const;
  const planWith = (profile: string) =>
    planOf({
      files: { "events/gala.yaml": `${gala}performers: [{ name: DJ Ana }]\n` },
      live: { events: [{ ...event, schedules: [{ title: "Set", ...times }] }] },
      state: { ...state, objects: { "events/gala/performers/DJ Ana": entry } },
      profile,
    });
  const { plan } = await planWith("likely");
  expect(plan.operations.map(operationWords(plan))).toEqual([
    'create the new performer "DJ Ana" of "Gala"',
    'delete the old performer "DJ Anna" of "Gala"',
  ]);
  const { plan: blocked } = await planWith("scheduleRecord=no-performer");
  expect(blocked.changes.flatMap(({ blockedBy }) => blockedBy.map(({ message }) => message))).toEqual([
    expect.stringMatching(
      /^"DJ Anna" cannot be replaced: the schedule entry "Set" of the live event may name "DJ Anna"/,
    ),
  ]);
});
