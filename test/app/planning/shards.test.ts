// The plans of all shards together are the whole plan: each change in exactly one of them. Every story: test/law/shards.test.ts.
import { describe, expect, test } from "vitest";
import { rootOf } from "../../../src/model/address.ts";
import type { State } from "../../../src/model/live.ts";
import { type Files, planOf } from "../../stage/plan-of.ts";
import { expectParts, shardsOf } from "../../stage/shard-plans.ts";
import { openTheater } from "../../stage/theater.ts";

const counts = [1, 2, 3, 4, 5, 6, 7, 8];

describe("a season in which everything happens at once", () => {
  const memories = ["state", "base", "nothing"] as const;
  test.each(memories)("known by %s", async (memory) => {
    const { service, state } = await applied();
    const known = memory === "state" ? { state } : memory === "base" ? { base: before } : {};
    for (const [asked, parts] of [
      [{}, counts],
      [{ maxDeletes: 9, allow: ["delete-event"] }, [3]],
      [{ targets: ["events/gig-1*", "webhooks/*"] }, [4]],
    ] as const) {
      const setup = { files: after, service, ...known, ...asked };
      const whole = await planOf(setup);
      expect(whole.plan.changes.length).toBeGreaterThan(2);
      await expectParts(whole, setup, parts);
    }
  });

  test.each(["state", "base"] as const)("in an organization of many others, known by %s", async (memory) => {
    const { service, state } = await applied(300);
    const known = memory === "state" ? { state } : { base: before };
    const setup = { files: after, service, allow: ["delete-event"], maxDeletes: 4, ...known };
    const whole = await planOf(setup);
    expect(whole.plan.changes.flatMap(({ blockedBy }) => blockedBy.map(({ code }) => code))).toContain(
      "too-many-deletes",
    );
    await expectParts(whole, setup, [4]);
  });

  test("each event is read by one shard, and only lists by all", async () => {
    const { service, state } = await applied();
    const whole = await planOf({ files: after, service, state });
    const shards = await shardsOf({ files: after, service, state }, 4);
    const ofEvents = (calls: readonly string[]) => calls.filter((call) => /^GET \/events\/[^?]/.test(call)).sort();
    expect(shards.flatMap(({ calls }) => ofEvents(calls)).sort()).toEqual(ofEvents(whole.calls));
    for (const { calls } of shards)
      expect(calls.length - ofEvents(calls).length).toBeLessThanOrEqual(
        whole.calls.length - ofEvents(whole.calls).length,
      );
  });

  test("which shard an event belongs to is the same for ever", async () => {
    const { service, state } = await applied();
    const shards = await shardsOf({ files: after, service, state }, 4);
    expect(
      shards.map(({ plan }) => [...new Set(plan.changes.map(({ address }) => rootOf(address)))].sort()),
    ).toMatchInlineSnapshot(`
      [
        [
          "events/gig-0",
          "events/gig-10",
          "events/moved",
          "webhooks/https:%2F%2Fhooks.example%2Fa",
          "webhooks/https:%2F%2Fhooks.example%2Fb",
        ],
        [
          "events/gig-3",
          "events/new-2",
        ],
        [
          "events/gig-2",
          "events/gig-6",
          "events/gig-9",
          "events/new-1",
          "events/twin",
        ],
        [
          "events/gig-1",
          "events/gig-11",
          "events/gig-4",
          "events/gig-5",
          "events/gig-8",
        ],
      ]
    `);
  });
});

describe("a service that leaves out what is empty", () => {
  const nights = Array.from({ length: 8 }, (_, index) => index);
  const files: Files = Object.fromEntries(
    nights.map((index) => [
      `events/night-${index}.yaml`,
      `name: Night ${index}\ndateTime: 2027-03-14T19:00\nbrands:\n  - { name: Acme, url: https://example.com }\n  - { name: Beta, url: https://example.com }\n`,
    ]),
  );
  // Only one of them shows that the service shows addresses at all.
  const live = {
    events: nights.map((index) => ({
      name: `Night ${index}`,
      dateTime: "2027-03-14T11:00:00.000Z",
      brands: [{ name: "Acme", ...(index === 3 ? { url: "https://example.com" } : {}) }, { name: "Beta" }],
    })),
  };

  test("what one event shows says nothing about another: it may be read later, or by another shard", async () => {
    const setup = { files, live, profile: "nullFields=omitted" };
    const whole = await planOf(setup);
    expect(whole.plan.changes.map(({ address }) => address)).toEqual(["events/night-3/brands/Beta"]);
    await expectParts(whole, setup, counts);
  });
});

function gig(index: number, more = ""): string {
  const start = new Date(Date.UTC(2027, 2, 1 + index, 11)).toISOString();
  return `name: Gig ${index}\nextends: gig\ndateTime: ${start}\nvenue: Harbor Hall\n${more}tickets:\n  - { name: GA, price: ${500 + index}, quantity: 100, published: true }\n`;
}

function season(edit: (index: number) => string | null): Files {
  const gigs = Array.from({ length: 16 }, (_, index) => [`events/gig-${index}.yaml`, edit(index)] as const);
  return {
    "templates/gig.yaml": "status: PUBLISHED\nperformers:\n  - { name: DJ Ana, type: DJ }\n",
    "events/club.yaml":
      "name: Club\nseries: { every: friday, from: 2027-04-02, until: 2027-04-30 }\ndateTime: 22:00\nendDateTime: +6h\ntickets:\n  - { name: GA, price: 300, quantity: 50 }\n",
    "webhooks.yaml": "- { url: https://hooks.example/a, events: [order.completed] }\n",
    ...Object.fromEntries(gigs.filter(([, text]) => text !== null)),
  };
}

const before = season((index) => gig(index));
const after: Files = {
  ...season((index) => {
    if (index < 4) return null;
    if (index === 4)
      return gig(index).replace("PUBLISHED", "DRAFT").replace("name: Gig 4", "name: Gig Four\nrenamedFrom: Gig 4");
    if (index === 5) return gig(index, "status: DELETED\n");
    if (index === 6) return gig(index, "status: ARCHIVED\n");
    if (index === 7) return null;
    if (index === 8) return gig(index, "id: aaaaaaaa-0000-4000-8000-00000000dead\n");
    if (index < 12) return gig(index).replace(/price: \d+/, "price: 999");
    return gig(index);
  }),
  "events/moved.yaml": gig(7).replace("price: 507", "price: 777"),
  "events/new-1.yaml": gig(31),
  "events/new-2.yaml": gig(32).replace("Harbor Hall", "Nowhere at all"),
  "events/twin.yaml": gig(33).replace("Gig 33", "Gig 13"),
  "webhooks.yaml": "- { url: https://hooks.example/b, events: [order.completed] }\n",
};

async function applied(others = 0) {
  const theater = openTheater();
  theater.service.control.seed({ venues: [{ name: "Harbor Hall", city: "Baguio" }] });
  const ran = await theater.run(before);
  expect(ran.applied?.refusal).toBe(null);
  theater.service.control.seed({
    events: [
      { name: "Somebody else's", dateTime: "2027-03-09T11:00:00.000Z" },
      { name: "Gig 31", dateTime: "2027-05-01T11:00:00.000Z" },
      ...Array.from({ length: others }, (_, index) => ({
        name: `Elsewhere ${index}`,
        dateTime: new Date(Date.UTC(2028, 0, 1 + index)).toISOString(),
      })),
    ],
  });
  return { service: theater.service, state: JSON.parse(theater.disk.state) as State };
}
