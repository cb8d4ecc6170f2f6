// The plans of all shards together are the whole plan: each change in exactly one of them.
import { describe, expect, test } from "vitest";
import { rootOf } from "../../../src/model/address.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import type { State } from "../../../src/model/live.ts";
import type { Operation, Plan, Summary } from "../../../src/model/plan.ts";
import { renderPlanJson } from "../../../src/report/formats/plan-json.ts";
import { type Files, planOf, type Setup, type Staged } from "../../stage/plan-of.ts";
import { expectPlanShape } from "../../stage/plan-shape.ts";
import { readSetup, storiesOf } from "../../stage/stories.ts";
import { openTheatre } from "../../stage/theatre.ts";

const counts = [1, 2, 3, 4, 5, 6, 7, 8];

describe.each([undefined, "strict", "lax", "minimal", "hostile"])("a story under the reading %s", (profile) => {
  test.each(storiesOf("plan"))("$name", async ({ folder }) => {
    const story = readSetup(folder);
    const setup = { ...story, ...(profile === undefined || story.profile !== undefined ? {} : { profile }) };
    const whole = await planOf(setup);
    // Of two documents, more shards say nothing more.
    await expectParts(whole, setup, Object.keys(setup.files).length > 3 && profile === undefined ? counts : [3]);
  });
});

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

async function applied() {
  const theatre = openTheatre();
  theatre.service.control.seed({ venues: [{ name: "Harbor Hall", city: "Baguio" }] });
  const ran = await theatre.run(before);
  expect(ran.applied?.refusal).toBe(null);
  theatre.service.control.seed({
    events: [
      { name: "Somebody else's", dateTime: "2027-03-09T11:00:00.000Z" },
      { name: "Gig 31", dateTime: "2027-05-01T11:00:00.000Z" },
    ],
  });
  return { service: theatre.service, state: JSON.parse(theatre.disk.state) as State };
}

async function expectParts(whole: Staged, setup: Setup, parts: readonly number[]): Promise<void> {
  for (const count of parts) {
    // One service for all: what it makes up, such as ids, is the same for each.
    const shards = await shardsOf({ ...setup, service: whole.service }, count);
    expectSum(
      shards.map(({ plan }) => plan),
      whole.plan,
    );
    expect(shards.flatMap(({ forgotten }) => forgotten).sort()).toEqual([...whole.forgotten].sort());
    expect(Object.assign({}, ...shards.map(({ matched }) => matched))).toEqual(whole.matched);
  }
}

async function shardsOf({ live: _, ...setup }: Setup, count: number): Promise<readonly Staged[]> {
  const shards: Staged[] = [];
  for (let index = 1; index <= count; index += 1) {
    const shard = await planOf({ ...setup, shard: `${index}/${count}` });
    expectPlanShape(renderPlanJson(shard.plan));
    expect(shard.plan.shard).toBe(`${index}/${count}`);
    shards.push(shard);
  }
  return shards;
}

function expectSum(shards: readonly Plan[], whole: Plan): void {
  const all = <Item>(part: (plan: Plan) => readonly Item[]) => shards.flatMap((plan) => part(plan));
  expect(sorted(all(({ changes }) => changes))).toEqual(sorted(whole.changes));
  expect(sorted(all(({ held = [] }) => held))).toEqual(sorted(whole.held ?? []));
  expect(sorted(all(({ operations }) => operations.map(unnumbered(operations))))).toEqual(
    sorted(whole.operations.map(unnumbered(whole.operations))),
  );
  expect(sorted(all(({ seen }) => seen))).toEqual(sorted(whole.seen));
  expect(sorted(all(({ upcoming }) => upcoming))).toEqual(sorted(whole.upcoming));
  expect(once(all(({ diagnostics }) => diagnostics.map(uncounted)))).toEqual(once(whole.diagnostics.map(uncounted)));
  expect(shards.map(({ summary }) => summary).reduce(sum)).toEqual(whole.summary);
}

/** Numbers are given anew in each plan. */
function unnumbered(all: readonly Operation[]): (operation: Operation) => unknown {
  const names = new Map(all.map(({ id, verb, address }) => [id, `${verb} ${address}`]));
  return ({ id: _, needs, ...operation }) => ({ ...operation, needs: needs.map((id) => names.get(id)).sort() });
}

/** Each counts its own. */
function uncounted(diagnostic: Diagnostic): unknown {
  return diagnostic.code === "unreadable-fields" ? diagnostic.code : diagnostic;
}

function sum(one: Summary, other: Summary): Summary {
  const entries = Object.keys(one) as (keyof Summary)[];
  return Object.fromEntries(
    entries.map((key) => {
      const [a, b] = [one[key], other[key]];
      return [key, a === null ? b : b === null ? a : a + b];
    }),
  ) as unknown as Summary;
}

function sorted(items: readonly unknown[]): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}

function once(items: readonly unknown[]): readonly string[] {
  return [...new Set(sorted(items))];
}
