// What of an event is held, and what goes along with it.
import { describe, expect, test } from "vitest";
import { kindOf } from "../../../src/kinds/index.ts";
import type { Change, Edit, Origin } from "../../../src/model/plan.ts";
import type { Wish } from "../../../src/model/wish.ts";
import { deleteDigest, documentDigest, editDigest, transitionDigest } from "../../../src/plan/compare/hold.ts";
import type { Comparison, EventComparison } from "../../../src/plan/compare.ts";
import { type HoldPolicy, holdUnreviewed } from "../../../src/plan/judge.ts";

const gala = "events/gala";

function edit(address: string, path: string, origin: Origin = "edit", rest: Partial<Edit> = {}): Edit {
  return { path, before: 1, after: 2, origin, digest: editDigest(address, { path, after: 2 }), ...rest };
}

function comparison(address: string, kind: string, change: Partial<Change> | null, live = {}): Comparison {
  const about = { address, kind, action: "update", id: "1", reason: "", edits: [], transition: null } as const;
  const whole: Change | null = change && { ...about, blockedBy: [], source: null, ...change };
  const found = { kind, id: address, parentId: null, fields: live, status: null, remaining: null, slug: null };
  return {
    kind: kindOf(kind),
    address,
    wish: null,
    live: found,
    name: address,
    change: whole,
    obstacles: [],
    unknown: [],
  };
}

function event(self: Partial<Change> | null, ...children: readonly Comparison[]): EventComparison {
  return { self: comparison(gala, "event", self), children, lists: {}, protected: false };
}

const none = { mode: "compare", reviewed: new Set<string>(), isRecorded: () => true } satisfies HoldPolicy;
const changesOf = (one: EventComparison | null) =>
  one === null ? [] : [one.self, ...one.children].flatMap(({ change }) => change ?? []);
const pathsOf = (one: EventComparison | null) => changesOf(one).flatMap(({ edits }) => edits.map(({ path }) => path));

test("what is due by time is never held, nor what is only sent along with it", () => {
  const edits = [
    edit(gala, "/description", "phase"),
    edit(gala, "/name"),
    edit(gala, "/imageUrl", "edit", { sentAlong: true }),
  ];
  const { event: kept, held } = holdUnreviewed(event({ edits }), none);
  expect(pathsOf(kept)).toEqual(["/description", "/imageUrl"]);
  expect(pathsOf(held)).toEqual(["/name"]);
  const due = event({ action: "none", transition: { from: "DRAFT", to: "PUBLISHED" }, origin: "phase", digest: "a" });
  expect(changesOf(holdUnreviewed(due, none).held)).toEqual([]);
});

test("what is only sent along stays where nothing else is left to go out", () => {
  const edits = [edit(gala, "/name"), edit(gala, "/imageUrl", "edit", { sentAlong: true })];
  const { event: kept, held } = holdUnreviewed(event({ edits }), none);
  expect(changesOf(kept)).toEqual([]);
  expect(pathsOf(held)).toEqual(["/name", "/imageUrl"]);
  expect(kept.self.planned?.edits).toEqual(edits);
});

test("a document that was reviewed as a whole: what is left of it to do is not held, drift is", () => {
  const wish = { address: gala, fields: {}, own: { status: "PUBLISHED" }, children: {} } as unknown as Wish;
  const left = {
    action: "update",
    transition: { from: "DRAFT", to: "PUBLISHED" },
    origin: "edit",
    digest: "a",
  } as const;
  const one = event({ ...left, edits: [edit(gala, "/name"), edit(gala, "/eventCapacity", "drift")] });
  const read = { ...one, self: { ...one.self, wish } };
  const reviewed = new Set([documentDigest(wish)]);
  const { event: kept, held } = holdUnreviewed(read, { ...none, reviewed });
  expect(pathsOf(kept)).toEqual(["/name"]);
  expect(kept.self.change?.transition).toEqual(left.transition);
  expect(pathsOf(held)).toEqual(["/eventCapacity"]);
  const unknown = { ...none, reviewed, isRecorded: () => false };
  expect(pathsOf(holdUnreviewed(read, unknown).held)).toEqual(["/name", "/eventCapacity"]);
  const other = { ...read, self: { ...read.self, wish: { ...wish, fields: { name: "Other" } } } };
  expect(pathsOf(holdUnreviewed(other, { ...none, reviewed }).held)).toEqual(["/name", "/eventCapacity"]);
});

test("of a document that was reviewed as a whole, only a twin of what it names is deleted without being listed", () => {
  const wish = { address: gala, fields: {}, own: {}, children: {} } as unknown as Wish;
  const ana = comparison(`${gala}/performers/Ana`, "performer", null);
  const surplus = (name: string) => ({
    ...comparison(`${gala}/performers/${name}%232`, "performer", { action: "delete", origin: "edit", digest: name }),
    name,
  });
  const named = { ...ana, wish: { ...wish, name: "Ana", own: { renamedFrom: "Anna" } } };
  const one = event(null, named, surplus("Ana"), surplus("Anna"), surplus("Bea"));
  const reviewed = new Set([documentDigest(wish)]);
  const { held } = holdUnreviewed({ ...one, self: { ...one.self, wish } }, { ...none, reviewed });
  expect(changesOf(held).map(({ digest }) => digest)).toEqual(["Bea"]);
});

test("without a reviewed set only what was held before is held, and drift where a clock began the run; a plan for review says so and holds nothing", () => {
  const one = event({ edits: [edit(gala, "/name"), edit(gala, "/eventCapacity")] });
  const held = new Set([editDigest(gala, { path: "/name", after: 2 })]);
  expect(pathsOf(holdUnreviewed(one, { mode: "keep", held }).held)).toEqual(["/name"]);
  expect(holdUnreviewed(one, { mode: "keep", held: new Set() })).toEqual({ event: one, held: null });
  const drifted = event({ edits: [edit(gala, "/name", "drift"), edit(gala, "/eventCapacity")] });
  const unattended = holdUnreviewed(drifted, { mode: "unattended", held: new Set() });
  expect([pathsOf(unattended.held), pathsOf(unattended.event)]).toEqual([["/name"], ["/eventCapacity"]]);
  const listed = holdUnreviewed(one, { mode: "list", held });
  expect(changesOf(listed.event)[0]?.edits.map((each) => each.held)).toEqual([true, undefined]);
  expect(changesOf(listed.held)).toEqual([]);
});

describe("what goes along", () => {
  const ana = `${gala}/performers/Ana`;
  const set = `${gala}/schedules/Set`;
  const goes = { action: "delete", origin: "edit", digest: deleteDigest(ana) } as const;

  test("a performer stays while the entry that was to name another is held", () => {
    const entry = comparison(set, "schedule", { edits: [edit(set, "/performer")] }, { performerId: ana });
    const reviewed = new Set([deleteDigest(ana)]);
    const { event: kept } = holdUnreviewed(event(null, comparison(ana, "performer", goes), entry), {
      ...none,
      reviewed,
    });
    expect(changesOf(kept)).toEqual([]);
    const both = new Set([deleteDigest(ana), editDigest(set, { path: "/performer", after: 2 })]);
    const free = holdUnreviewed(event(null, comparison(ana, "performer", goes), entry), { ...none, reviewed: both });
    expect(changesOf(free.held)).toEqual([]);
  });

  test.each([
    ["an edit below it waits for a review", "edit", []],
    ["only drift below it is held", "drift", ["PUBLISHED"]],
  ] as const)("an event is published or not, where %s", (_, origin, expected) => {
    const ga = `${gala}/tickets/GA`;
    const digest = transitionDigest(gala, "PUBLISHED");
    const self = { action: "none", transition: { from: "DRAFT", to: "PUBLISHED" }, origin: "edit", digest } as const;
    const below = comparison(ga, "ticket", { edits: [edit(ga, "/price", origin)] });
    const { event: kept } = holdUnreviewed(event(self, below), { ...none, reviewed: new Set([digest]) });
    expect(changesOf(kept).flatMap(({ transition }) => transition?.to ?? [])).toEqual(expected);
  });
});
