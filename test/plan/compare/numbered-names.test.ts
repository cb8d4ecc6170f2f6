// Where one name is used twice, `#2` follows the second, unless that is the address of another object.
import { expect, test } from "vitest";
import { makeAddresses } from "../../../src/model/address.ts";
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

test("a delete says which one of the name it is", async () => {
  const seat = { name: "Seat", row: "A", price: 100, quantity: 50 };
  const { plan } = await planOf({
    files: {
      "events/gala.yaml": `${gala}tickets: [{ name: Seat, section: Right, row: A, price: 100, quantity: 50 }]\n`,
    },
    live: {
      events: [
        {
          name: "Gala",
          dateTime: start,
          tickets: [
            { ...seat, section: "Left" },
            { ...seat, section: "Right" },
          ],
        },
      ],
    },
  });
  expect(plan.changes.map(({ reason }) => reason)).toEqual([
    expect.stringMatching(/: the one with section Left, row A$/),
  ]);
});
