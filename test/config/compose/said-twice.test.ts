import { describe, expect, it } from "vitest";
import { projectOf, reported } from "../project-of.ts";

const id = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";
const start = "name: A\ndateTime: 2027-03-14T19:00\n";

async function venueOf(defaults: string, event: string) {
  const { events, diagnostics } = await projectOf({
    "ticketing.yaml": `defaults:\n  ${defaults}\n`,
    "events/a.yaml": start + event,
  });
  expect(diagnostics).toEqual([]);
  return { venue: events[0]?.own.venue, venueId: events[0]?.fields.venueId };
}

describe("a venue in the defaults", () => {
  it("is taken by an event that names none", async () => {
    expect(await venueOf("venue: Palace", "")).toEqual({ venue: { name: "Palace" }, venueId: undefined });
    expect(await venueOf(`venueId: ${id}`, "")).toEqual({ venue: undefined, venueId: id });
  });

  it.each([
    ["its name yields to an event's id", "venue: Palace", `venueId: ${id}`, { venueId: id }],
    ["its name yields to an event that is to have none", "venue: Palace", "venueId: null", { venueId: null }],
    ["its id yields to an event's name", `venueId: ${id}`, "venue: Arena", { venue: { name: "Arena" } }],
    ["its id yields to an event that is to have none", `venueId: ${id}`, "venue: null", { venueId: null }],
  ])("%s", async (_, defaults, event, expected) => {
    expect(await venueOf(defaults, event)).toEqual({ venue: undefined, venueId: undefined, ...expected });
  });
});

describe("a venue that is given in both ways", () => {
  it("is reported at the second", async () => {
    const { diagnostics } = await projectOf({
      "events/a.yaml": `${start}venue: Palace\nvenueId: ${id}\n`,
      "events/b.yaml": `${start}venueId: null\nvenue: { name: Palace }\n`,
    });
    expect(reported(diagnostics)).toEqual(["events/a.yaml:4:1 venue-twice", "events/b.yaml:4:1 venue-twice"]);
    expect(diagnostics[0]).toMatchObject({
      severity: "error",
      message: "The venue is given twice: by `venue` and by `venueId`.",
      address: "events/a",
      related: [{ source: { line: 3, column: 1 } }],
    });
    expect(diagnostics[1]?.message).toContain("by `venueId` and by `venue`");
  });

  it("is reported once when the defaults do it", async () => {
    const { diagnostics } = await projectOf({
      "ticketing.yaml": `defaults:\n  venueId: ${id}\n  venue: Palace\n`,
      "events/a.yaml": start,
      "events/b.yaml": start,
    });
    expect(reported(diagnostics)).toEqual(["ticketing.yaml:3:3 venue-twice"]);
  });
});
