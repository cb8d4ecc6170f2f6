import { describe, expect, test } from "vitest";
import { lint } from "../../../src/lint/lint.ts";
import { child, context, event, project, reported, ticket, webhook } from "../../stage/short-wishes.ts";

const code = "duplicate-name";
const id = "0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11";
const otherId = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";

function across(...arguments_: Parameters<typeof project>) {
  return lint(project(...arguments_), context).filter((diagnostic) => diagnostic.code === code);
}

describe("duplicate-name of ticket types", () => {
  test("is reported at each further twin and points at the first", () => {
    const wish = event({ tickets: [ticket(), ticket({ name: "VIP" }), ticket({ name: " ga " }), ticket()] });
    const first = { message: 'the first "GA"', source: child(wish, "ticket").places.name };
    expect(reported(wish, code)).toMatchObject([
      {
        severity: "error",
        message: '"GA" and "ga" differ only in case, so they count as the same ticket type.',
        source: child(wish, "ticket", 2).places.name,
        related: [first],
      },
      { source: child(wish, "ticket", 3).places.name, related: [first] },
    ]);
  });

  test("the service's own section and row count where they are left out", () => {
    const tickets = [ticket(), ticket({ section: "General Admissions", row: "ga" })];
    expect(reported(event({ tickets }), code)).toHaveLength(1);
  });

  test.each([
    ["another section", [ticket(), ticket({ section: "Balcony" })]],
    ["another row", [ticket({ row: "A" }), ticket({ row: "B" })]],
    ["different ids", [ticket({ id }), ticket({ id: otherId })]],
    ["names that are not managed", [ticket({ id, name: undefined }), ticket({ id: otherId, name: undefined })]],
  ])("%s make no twins", (_, tickets) => {
    expect(reported(event({ tickets }), code)).toEqual([]);
  });

  test("one id alone does not distinguish twins, nor does the same id twice", () => {
    expect(reported(event({ tickets: [ticket({ id }), ticket()] }), code)).toHaveLength(1);
    expect(reported(event({ tickets: [ticket({ id }), ticket({ id })] }), code)).toHaveLength(1);
    expect(reported(event({ tickets: [ticket({ id }), ticket({ id: otherId }), ticket()] }), code)).toHaveLength(1);
  });
});

describe("duplicate-name of the other kinds", () => {
  test("performers and brands of one name", () => {
    const wish = event({
      performers: [{ name: "DJ Ana", type: "DJ" }, { name: "DJ ANA" }],
      brands: [{ name: "San Miguel" }, { name: "San Miguel" }, { name: "San Miguel Light" }],
    });
    expect(reported(wish, code)).toMatchObject([
      {
        message: '"DJ Ana" and "DJ ANA" differ only in case, so they count as the same performer.',
        source: child(wish, "performer", 1).places.name,
      },
      {
        message: '"San Miguel" is written twice: another brand has the same name.',
        source: child(wish, "brand", 1).places.name,
      },
    ]);
  });

  test("composed and decomposed letters are the same name", () => {
    expect(reported(event({ performers: [{ name: "Peña" }, { name: "Pen\u0303a" }] }), code)).toHaveLength(1);
  });

  test("schedule entries of one title and start", () => {
    const entry = { title: "Break", startTime: "2027-03-14T20:00", endTime: "2027-03-14T20:15" };
    const wish = event({ schedules: [entry, { ...entry, startTime: "2027-03-14T12:00Z" }] });
    expect(reported(wish, code)).toMatchObject([
      {
        message: '"Break" is written twice: another schedule entry has the same title and start.',
        source: child(wish, "schedule", 1).places.title,
      },
    ]);
    const later = { ...entry, startTime: "2027-03-14T22:00", endTime: "2027-03-14T22:15" };
    expect(reported(event({ schedules: [entry, later] }), code)).toEqual([]);
  });

  test("events of one name and start", () => {
    const first = event();
    const second = event({ name: "MANILA NIGHTS" }, "events/z.yaml");
    expect(across([first, second])).toMatchObject([
      {
        severity: "error",
        message: '"Manila Nights" and "MANILA NIGHTS" differ only in case, so they count as the same event.',
        address: "events/z",
        source: second.places.name,
        related: [{ message: 'the first "Manila Nights"', source: first.places.name }],
      },
    ]);
  });

  test("a weekly event, and two pinned ones, are no twins", () => {
    const nextWeek = { dateTime: "2027-03-21T19:00", endDateTime: "2027-03-22T02:00" };
    expect(across([event(), event(nextWeek, "events/z.yaml")])).toEqual([]);
    expect(across([event({ id }), event({ id: otherId }, "events/z.yaml")])).toEqual([]);
  });

  test("webhooks of one url", () => {
    const first = webhook();
    const second = webhook({ url: "https://HOOKS.example.com/orders" }, 11);
    expect(across([], [first, second])).toMatchObject([
      { source: second.places.url, related: [{ source: first.places.url }] },
    ]);
    expect(across([], [first, webhook({ url: "https://hooks.example.com/refunds" }, 11)])).toEqual([]);
  });

  test("a twin may be ignored where it is written", () => {
    expect(across([event(), event({ ignore: [code] }, "events/z.yaml")])).toEqual([]);
  });
});
