// What import writes passes `validate --strict`: what the rules only warn of is ignored at the object that is shown like this.
import { describe, expect, it } from "vitest";
import { lint } from "../../src/lint/lint.ts";
import type { SandboxService, SeedEvent } from "../../src/sandbox/index.ts";
import { importInto, serviceWith } from "../stage/import-into.ts";
import { type Files, load, now, planOf } from "../stage/plan-of.ts";

const id = "00000000-0000-4000-8000-000000000001";
const whole: SeedEvent = {
  id,
  slug: "party",
  name: "Party",
  status: "PUBLISHED",
  dateTime: "2027-03-14T11:00:00Z",
  endDateTime: "2027-03-14T15:00:00Z",
  locationType: "ONLINE",
  description: "A party.",
  imageUrl: "https://images.example.com/party.jpg",
};
const ticket = { name: "GA", price: 100, quantity: 100, published: true };
const entry = { title: "Set", startTime: "2027-03-15T11:00:00Z", endTime: "2027-03-15T12:00:00Z" };

async function warningsIn(files: Files): Promise<readonly string[]> {
  const project = await load(files);
  return [...project.diagnostics, ...lint(project, { now, environment: "production" })]
    .filter(({ severity }) => severity !== "info")
    .map(({ code }) => code);
}

/** The file, once it is certain that it is strict, that the plan is empty and that a second import changes nothing. */
async function strictly(service: SandboxService, before: Files = {}): Promise<string> {
  const ran = await importInto({ service, files: before, webhooks: false });
  expect(await warningsIn(ran.files)).toEqual([]);
  expect((await planOf({ files: ran.files, service })).plan.changes).toEqual([]);
  expect((await importInto({ service, files: ran.files, webhooks: false })).imported.files).toEqual([]);
  return ran.files["events/party.yaml"] ?? "";
}

describe("a warning", () => {
  it.each<[string, Partial<SeedEvent>]>([
    ["max-purchase-above-quantity", { tickets: [{ ...ticket, quantity: 5, maximumPurchaseQuantity: 8 }] }],
    ["tickets-exceed-capacity", { eventCapacity: 50, tickets: [ticket] }],
    ["reserved-seat-without-seat", { tickets: [{ ...ticket, type: "RESERVED_SEAT" }] }],
    ["vip-cheaper-than-ga", { tickets: [ticket, { ...ticket, name: "VIP", type: "VIP", price: 50 }] }],
    ["schedule-outside-event", { tickets: [ticket], schedules: [entry] }],
    ["invisible-characters", { tickets: [{ ...ticket, name: "G  A" }] }],
    ["far-future", { tickets: [ticket], dateTime: "2031-03-14T11:00:00Z", endDateTime: "2031-03-14T15:00:00Z" }],
    ["http-image", { tickets: [ticket], imageUrl: "http://images.example.com/party.jpg" }],
  ])("of %s is ignored where the object is written", async (code, fields) => {
    const text = await strictly(serviceWith({ events: [{ ...whole, ...fields }] }));
    expect(text).toMatch(new RegExp(`ignore: \\[${code}\\] # as the service shows it$`, "m"));
  });

  it("of what the service does not show is ignored too", async () => {
    const text = await strictly(
      serviceWith({ events: [{ ...whole, tickets: [ticket] }] }, "ticketRecord=no-published"),
    );
    expect(text).toContain("ignore: [published-not-stated]");
  });

  it("that the project's defaults ignore is not repeated, and stays ignored", async () => {
    const files = { "ticketing.yaml": "version: 1\ndefaults: { ignore: [bare-listing] }\n" };
    const live = { ...whole, description: null, eventCapacity: 50, tickets: [ticket] };
    expect(await strictly(serviceWith({ events: [live] }), files)).toContain(
      "ignore: [bare-listing, tickets-exceed-capacity] #",
    );
  });

  it("is reported at the object that has it", async () => {
    const service = serviceWith({ events: [{ ...whole, tickets: [{ ...ticket, quantity: 5 }] }] });
    const { diagnostics, files } = await importInto({ service });
    const line = (files["events/party.yaml"] ?? "").split("\n").findIndex((text) => text.includes("name: GA")) + 1;
    expect(diagnostics).toMatchObject([{ code: "live-like-this", source: { file: "events/party.yaml", line } }]);
    expect(diagnostics[0]?.message).toMatch(
      /^"GA" is live but fails .*, so it has `ignore: \[[a-z-]+\]` in the file\.$/,
    );
  });

  it("is one remark for many objects", async () => {
    const events = Array.from({ length: 30 }, (_, index) => {
      const number = String(index).padStart(12, "0");
      return {
        ...whole,
        id: `00000000-0000-4000-8000-${number}`,
        slug: `party-${index}`,
        name: `Party ${index}`,
        tickets: [{ ...ticket, quantity: 5 }],
      };
    });
    const { diagnostics } = await importInto({ service: serviceWith({ events }) });
    expect(diagnostics.map(({ code }) => code)).toEqual(["live-like-this"]);
    expect(diagnostics[0]?.message).toMatch(
      /^"GA" and 29 more are live but fail the check max-purchase-above-quantity/,
    );
  });
});

describe("in a file that is there", () => {
  const written = `id: ${id}
status: PUBLISHED
name: Party
dateTime: 2027-03-14T19:00
endDateTime: 2027-03-14T23:00
locationType: ONLINE
description: A party.
ignore: [bare-listing] # Ana will see to it
tickets:
  - { name: GA, price: 100, quantity: 5, published: true }
`;
  const file = "events/party.yaml";
  const live: SeedEvent = { ...whole, imageUrl: null, tickets: [{ ...ticket, quantity: 5 }] };

  it("a warning that was there before is left to its owner", async () => {
    const ran = await importInto({ service: serviceWith({ events: [live] }), files: { [file]: written } });
    expect(ran.files[file]).toBe(written);
    expect(ran.diagnostics).toEqual([]);
  });

  it("a warning that the import brings up is ignored, in addition to what was ignored before", async () => {
    const service = serviceWith({ events: [{ ...live, eventCapacity: 3 }] });
    const ran = await importInto({ service, files: { [file]: written } });
    expect(ran.files[file]).toContain(
      "ignore: [bare-listing, tickets-exceed-capacity] # as the service shows it (before: Ana will see to it)\n",
    );
    expect(await warningsIn(ran.files)).toEqual(["max-purchase-above-quantity"]);
    expect(ran.diagnostics.map(({ message }) => message)).toEqual([expect.stringContaining("tickets-exceed-capacity")]);
    expect((await importInto({ service, files: ran.files })).imported.files).toEqual([]);
  });
});
