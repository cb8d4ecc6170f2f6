// `apply --verify`: everything that was written is read once more, and only what is not so is reported.
import { afterEach, describe, expect, test } from "vitest";
import { openProject, type Project } from "../../stage/open-project.ts";

const nights = `status: PUBLISHED
name: Nights
dateTime: 2027-03-14T19:00+08:00
endDateTime: 2027-03-15T02:00+08:00
description: "One <b>night</b>"
imageUrl: https://example.com/a.jpg
eventCapacity: 500
tickets:
  - { name: GA, price: 1500, quantity: 100, published: true }
  - { name: VIP, price: 4500, quantity: 20, published: true }
performers: [{ name: Ana, type: DJ }, { name: Ben }]
schedules: [{ title: Set, startTime: 2027-03-14T20:00+08:00, endTime: 2027-03-14T21:00+08:00, performer: Ana }]
brands: [{ name: Tubig }]
`;
const hooks = `- { url: "https://hooks.example.com/orders", events: [order.completed], isActive: false }
- { url: "https://hooks.example.com/stock", events: [ticket.inventory_low] }
`;
const settings =
  "version: 1\nallow: [delete-event, delete-webhook, delete-ticket-on-sale]\nsecrets: { sink: file, path: .ticketing/secrets.json }\n";

/** Longer than any list lags here. */
const patience = ["--settle", "0.5"];

let project: Project;
afterEach(() => project.close());

/** `meddle` is called after every call that the service answered. */
async function open(profile = "likely", meddle: (line: string) => void = () => undefined): Promise<void> {
  const files = { "ticketing.yaml": settings, "events/nights.yaml": nights, "webhooks.yaml": hooks };
  project = await openProject(files, { profile, log: (line) => meddle(line) });
}

async function expectVerified(): Promise<void> {
  const { exitCode, report } = await project.apply("--verify", ...patience);
  expect([exitCode, report.notes], JSON.stringify(report.outcomes)).toEqual([0, []]);
}

async function expectTold(...words: readonly string[]): Promise<void> {
  const { exitCode, report } = await project.apply("--verify", ...patience);
  const reported = (report.notes ?? []).filter((note) => note.code === "verify").map((note) => note.message);
  expect(report.outcomes.every((outcome) => outcome.result === "done")).toBe(true);
  expect(reported).toHaveLength(words.length);
  for (const [at, word] of words.entries()) expect(reported[at]).toContain(word);
  expect(exitCode).toBe(1);
}

/** That the event is not public is left to do, and not what somebody has changed: a scheduled run would leave that alone. */
async function expectOurs(): Promise<void> {
  expect((await project.plan()).plan.changes).toMatchObject([{ transition: { to: "PUBLISHED" }, origin: "edit" }]);
}

function eventId(name = "Nights"): string {
  const rows = project.sandbox.service.dump().events as unknown as readonly { id: string; name: string }[];
  return String(rows.find((row) => row.name === name)?.id);
}

describe.each(["likely", "minimal", "lax", "listLag=200", "childLists=paged,deletedGet=marked"])("%s", (profile) => {
  test("nothing is reported where all is fine: made, published, edited, replaced, removed, sold out, archived", async () => {
    await open(profile);
    await expectVerified();
    expect(project.writes().filter((call) => call.startsWith("POST")).length).toBeGreaterThan(5);
    const edited = nights
      .replace("name: Nights", "name: Days\nrenamedFrom: Nights")
      .replace("type: DJ", "type: HOST")
      .replace(", { name: Ben }", "")
      .replace("brands: [{ name: Tubig }]", "brands: []")
      .replace("quantity: 100, published: true", "quantity: 120, published: true, soldOut: true")
      .replace(/ {2}- \{ name: VIP.*\n/, "");
    await project.write("events/nights.yaml", edited);
    await project.write("webhooks.yaml", hooks.split("\n")[0]?.replace("[order.completed]", "[order.refunded]") ?? "");
    await expectVerified();
    await project.write("events/nights.yaml", edited.replace("PUBLISHED", "ARCHIVED"));
    await expectVerified();
  });

  test("unpublish and delete", async () => {
    await open(profile);
    await project.apply(...patience);
    project.writes();
    await project.write("events/nights.yaml", nights.replace("status: PUBLISHED", "status: DELETED"));
    await expectVerified();
    expect(project.writes()).toEqual(["POST /events/ID/unpublish", "DELETE /events/ID"]);
  });

  test("unpublish alone", async () => {
    await open(profile);
    await project.apply(...patience);
    await project.write("events/nights.yaml", nights.replace("status: PUBLISHED", "status: DRAFT"));
    await expectVerified();
  });
});

describe("what is not so is reported, once, and exits with 1", () => {
  test("a number that the service takes and does not keep", async () => {
    await open("likely", (line) => {
      if (line.includes("PATCH"))
        void project.sandbox.service.call("PATCH", `/events/${eventId()}`, { eventCapacity: 500 });
    });
    await project.apply(...patience);
    await project.write("events/nights.yaml", nights.replace("eventCapacity: 500", "eventCapacity: 600"));
    await expectTold("`eventCapacity` is 500, but should be 600");
    // What is not so is not remembered as so.
    expect((await project.plan()).plan.changes).toMatchObject([
      { edits: [{ path: "/eventCapacity", before: 500, after: 600 }] },
    ]);
  });

  test("a text that stays as it was", async () => {
    await open("likely", (line) => {
      if (line.includes("PATCH"))
        void project.sandbox.service.call("PATCH", `/events/${eventId()}`, { description: "One <b>night</b>" });
    });
    await project.apply(...patience);
    await project.write("events/nights.yaml", nights.replace("One <b>night</b>", "Two nights"));
    await expectTold("`description` is");
  });

  test("an event that is not public after all", async () => {
    await open("likely", (line) => {
      if (line.includes("/publish")) void project.sandbox.service.call("POST", `/events/${eventId()}/unpublish`);
    });
    await expectTold('does not show the effect of "publish"');
    await expectOurs();
  });

  describe("an event that a change takes off the marketplace", () => {
    const message =
      'The event "Nights" is DRAFT now and no longer on the marketplace, but was PUBLISHED before it was changed.';

    /** `when`: the change that takes it off. */
    async function edited(when: RegExp, from: string, to: string): Promise<void> {
      await open("likely", (line) => {
        if (when.test(line)) void project.sandbox.service.call("POST", `/events/${eventId()}/unpublish`);
      });
      expect((await project.apply(...patience)).exitCode).toBe(0);
      await project.write("events/nights.yaml", nights.replace(from, to));
    }

    test("where the change shows it, the change fails, and the next apply publishes it", async () => {
      // A text with a link is read back.
      await edited(/PATCH/, "https://example.com/a.jpg", "https://example.com/b.jpg");
      const { exitCode, report } = await project.apply(...patience);
      expect(exitCode).toBe(1);
      expect(report.outcomes).toMatchObject([{ result: "failed", error: { code: "verify", message } }]);
      await expectOurs();
      project.writes();
      expect((await project.apply()).exitCode).toBe(0);
      expect(project.writes()).toEqual(["POST /events/ID/publish"]);
    });

    test("where it does not, --verify does", async () => {
      await edited(/PATCH/, "eventCapacity: 500", "eventCapacity: 600");
      await expectTold(message);
      await expectOurs();
    });
  });

  test("something that is gone", async () => {
    await open("likely", (line) => {
      if (/POST \S*\/brands/.test(line)) {
        const [brand] = project.sandbox.service.dump().brands as unknown as readonly { id: string }[];
        void project.sandbox.service.call("DELETE", `/events/${eventId()}/brands/${brand?.id}`);
      }
    });
    await expectTold('The brand "Tubig" of "Nights" is gone');
  });

  test("a ticket type that was asked for with its event", async () => {
    await open("likely", (line) => {
      if (!/POST \S*\/publish/.test(line)) return;
      const tickets = project.sandbox.service.dump().tickets as unknown as readonly { id: string; name: string }[];
      const vip = tickets.find((row) => row.name === "VIP");
      void project.sandbox.service.call("PATCH", `/events/${eventId()}/tickets/${vip?.id}`, { price: 1 });
    });
    await expectTold("`price` is 1, but should be 4500");
  });

  test("a webhook that somebody switched on again", async () => {
    await open("likely", (line) => {
      if (!/PATCH \S*\/webhooks/.test(line)) return;
      const rows = project.sandbox.service.dump().webhooks as unknown as readonly { id: string; isActive: boolean }[];
      const off = rows.find((row) => !row.isActive);
      if (off !== undefined) void project.sandbox.service.call("PATCH", `/webhooks/${off.id}`, { isActive: true });
    });
    await expectTold("`isActive` is true, but should be false");
  });

  test("what cannot be read back", async () => {
    await open("likely", (line) => {
      if (/POST \S*\/publish/.test(line))
        project.sandbox.control.addFault({ kind: "error-before", method: "GET", path: "/brands", times: 0 });
    });
    await expectTold("could not be read back");
  }, 20_000);
});
