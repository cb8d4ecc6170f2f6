// What of an event is held, and what goes along with it.
import { describe, expect, test } from "vitest";
import { kindOf } from "../../../src/kinds/index.ts";
import type { State } from "../../../src/model/live.ts";
import type { Change, Edit, Origin } from "../../../src/model/plan.ts";
import { familyOf, type Project, type Wish } from "../../../src/model/wish.ts";
import {
  agreedDigests,
  deleteDigest,
  digestsOf,
  documentDigest,
  editDigest,
  eventDigests,
  transitionDigest,
  wishDigest,
} from "../../../src/plan/compare/digests.ts";
import { type Comparison, compareWithBase, type EventComparison } from "../../../src/plan/compare.ts";
import { type HoldPolicy, holdUnreviewed } from "../../../src/plan/judge.ts";
import { recallFrom } from "../../../src/plan/match.ts";

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

const inOneReview = (digests: Iterable<string> = []) => [{ digests: new Set(digests), merged: [] }];
type Comparing = Extract<HoldPolicy, { readonly mode: "compare" }>;
const none: Comparing = {
  mode: "compare",
  reviewed: inOneReview(),
  spent: new Set(),
  held: new Set(),
  isUnknown: () => false,
  recorded: () => undefined,
  document: () => undefined,
  formerly: () => undefined,
};
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

test("one digest of the event is as good as all of its edits, until one more comes", () => {
  const one = event({ edits: [edit(gala, "/name")] });
  const reviewed = inOneReview(eventDigests(changesOf(one)).values());
  expect(changesOf(holdUnreviewed(one, { ...none, reviewed }).held)).toEqual([]);
  const more = event({ edits: [edit(gala, "/name"), edit(gala, "/eventCapacity", "drift")] });
  expect(pathsOf(holdUnreviewed(more, { ...none, reviewed }).held)).toEqual(["/name", "/eventCapacity"]);
});

describe("one digest of an event of which a part is live already", () => {
  const night = (price: number, capacity: number, lists = true) => {
    const source = { file: "events/gala.yaml", line: 1, column: 1 };
    const common = { name: "Gala", own: {}, children: {}, source, places: {}, written: {} };
    const ticket = (name: string): Wish => {
      const address = `${gala}/tickets/${name}`;
      return { ...common, kind: "ticket", address, parent: gala, name, fields: { name, price, quantity: 5 } };
    };
    const fields = { name: "Gala", eventCapacity: capacity };
    return {
      ...common,
      kind: "event",
      address: gala,
      parent: null,
      fields,
      children: lists ? { ticket: ["GA", "VIP"].map(ticket) } : {},
    };
  };
  const [before, after] = [night(100, 500), night(150, 600)];
  const all = compareWithBase(after, before);
  const reviewed = inOneReview(eventDigests(changesOf(all)).values());
  /** What is left once the first ticket type is as it should be. */
  const left = (whole = all, base: Wish = before): EventComparison => {
    if (whole === null) throw new Error("nothing differs");
    const [first, ...rest] = whole.children;
    const recalled = { ...recallFrom(null, null)(gala), base };
    return { ...whole, remember: () => recalled, children: [{ ...(first as Comparison), change: null }, ...rest] };
  };

  test("covers what is left of it", () => {
    expect(pathsOf(all)).toEqual(["/eventCapacity", "/price", "/price"]);
    expect(changesOf(holdUnreviewed(left(), { ...none, reviewed }).held)).toEqual([]);
  });

  test("covers a list that was not in the files before", () => {
    const bare = night(100, 500, false);
    const begun = compareWithBase(after, { ...bare, children: { ticket: [] } });
    const ofList = inOneReview(eventDigests(changesOf(begun)).values());
    expect(changesOf(begun).map(({ action }) => action)).toEqual(["update", "create", "create"]);
    expect(changesOf(holdUnreviewed(left(begun, bare), { ...none, reviewed: ofList }).held)).toEqual([]);
  });

  test("counts only where each merge since wants all of it", () => {
    const project = { events: [], webhooks: [], upcoming: [], webhooksManaged: false } as unknown as Project;
    const files = (wish: Wish) => ({
      project,
      hasErrors: false,
      wishAt: (address: string) => familyOf(wish).find((one) => one.address === address),
    });
    const heldAfter = (...merges: readonly Wish[]) => {
      const [{ digests } = { digests: new Set<string>() }] = reviewed;
      const policy = { ...none, reviewed: [{ digests, merged: merges.map(files) }] };
      return pathsOf(holdUnreviewed(all as EventComparison, policy).held);
    };
    expect(heldAfter(after)).toEqual([]);
    expect(heldAfter(after, night(150, 500))).toEqual(["/eventCapacity", "/price", "/price"]);
  });

  test("covers nothing that came since, and nothing that was sent once", () => {
    const other = left();
    const drifted = {
      ...other,
      self: { ...other.self, change: { ...(other.self.change as Change), edits: [edit(gala, "/name", "drift")] } },
    };
    expect(pathsOf(holdUnreviewed(drifted, { ...none, reviewed }).held)).toEqual(["/name", "/price"]);
    const spent = new Set(changesOf(left()).flatMap(digestsOf));
    expect(pathsOf(holdUnreviewed(left(), { ...none, reviewed, spent }).held)).toEqual(["/eventCapacity", "/price"]);
  });
});

describe("what follows from what was reviewed", () => {
  const wishAt = (address: string, own: Wish["own"] = {}, fields: Wish["fields"] = {}) =>
    ({ address, name: address, fields, own, children: {} }) as unknown as Wish;
  const left = { transition: { from: "DRAFT", to: "PUBLISHED" }, origin: "edit", digest: "publish" } as const;
  const edits = [edit(gala, "/name"), edit(gala, "/eventCapacity", "drift")];
  const wish = wishAt(gala, { status: "PUBLISHED" });
  const one = event({ ...left, edits });
  const created: EventComparison = { ...one, self: { ...one.self, wish } };
  const reviewed = inOneReview([wishDigest("create", wish)]);
  const ours = (address: string) => ({ id: address });

  test("what a run that was cut off left of a new object of ours is sent; drift is held", () => {
    const { event: kept, held } = holdUnreviewed(created, { ...none, reviewed, recorded: ours });
    expect(pathsOf(kept)).toEqual(["/name"]);
    expect(kept.self.change?.transition).toEqual(left.transition);
    expect(pathsOf(held)).toEqual(["/eventCapacity"]);
  });

  test.each<readonly [what: string, policy: Partial<Comparing>]>([
    ["an object that state does not know", { recorded: () => undefined }],
    ["one that somebody has made in its place", { recorded: () => ({ id: "another" }) }],
    ["a create that was not reviewed", { recorded: ours, reviewed: inOneReview([wishDigest("create", wishAt(gala))]) }],
    ["what an earlier run held", { recorded: ours, held: new Set(["publish", edits[0]?.digest ?? ""]) }],
  ])("not of %s", (_, policy) => {
    const { held } = holdUnreviewed(created, { ...none, reviewed, ...policy });
    expect(pathsOf(held)).toEqual(["/name", "/eventCapacity"]);
    expect(held?.self.change?.transition).toEqual(left.transition);
  });

  test("of a replacement: entries that name it, and the deletion of the one that it replaced, not of a twin", () => {
    const [ana, opening] = [`${gala}/performers/Ana`, `${gala}/schedules/Opening`];
    const surplus = (id: string) => {
      const about = { action: "delete", origin: "edit", digest: id } as const;
      const found = comparison(`${gala}/performers/${id}`, "performer", about);
      return { ...found, live: found.live && { ...found.live, id } };
    };
    const replaced = { ...comparison(ana, "performer", null), wish: wishAt(ana) };
    const naming = {
      ...comparison(opening, "schedule", { edits: [edit(opening, "/performer")] }),
      wish: wishAt(opening, {}, { performerId: { $id: ana } }),
    };
    const whole = event(null, replaced, naming, surplus("old"), surplus("twin"));
    const policy = { ...none, reviewed: inOneReview([wishDigest("replace", wishAt(ana))]) };
    const recorded = (address: string) => ({ id: address, former: "old" });
    expect(changesOf(holdUnreviewed(whole, { ...policy, recorded }).held).map(({ digest }) => digest)).toEqual([
      "twin",
    ]);
    expect(changesOf(holdUnreviewed(whole, policy).held)).toHaveLength(3);
  });

  test("of a replacement that was cut off: what entries named is set again, and nothing else", () => {
    const [ana, opening] = [`${gala}/performers/Ana`, `${gala}/schedules/Opening`];
    const naming = (name: string) => ({
      ...comparison(opening, "schedule", { edits: [edit(opening, "/performer")] }),
      wish: wishAt(opening, {}, { performerId: { $id: `${gala}/performers/${name}` } }),
    });
    const named = { kind: "schedule", id: opening, applied: {}, named: { performerId: ana } } as const;
    const remember = recallFrom({ objects: { [opening]: named } } as unknown as State, null);
    const heldOf = (name: string) => {
      const { held } = holdUnreviewed({ ...event(null, naming(name)), remember }, { ...none, reviewed });
      return held === null ? [] : changesOf(held);
    };
    expect(heldOf("Ana")).toEqual([]);
    expect(heldOf("Bea")).toHaveLength(1);
  });

  test.each([true, false])("of a replacement that was cut off before its create: reviewed %s", (isReviewed) => {
    const ana = `${gala}/performers/Ana`;
    const wish = wishAt(ana);
    const about = { action: "create", id: null, origin: "edit", digest: wishDigest("create", wish) } as const;
    const made = { ...comparison(ana, "performer", about), wish, live: null };
    const deleted = { kind: "performer", id: "old", applied: {}, carried: { name: "Ana" } } as const;
    const remember = recallFrom({ objects: { [ana]: deleted } } as unknown as State, null);
    const policy = { ...none, reviewed: inOneReview(isReviewed ? [wishDigest("replace", wish)] : []) };
    const { held } = holdUnreviewed({ ...event(null, made), remember }, policy);
    expect(changesOf(held)).toHaveLength(isReviewed ? 0 : 1);
  });

  const end = { field: "name", before: 1, after: 2, allow: [] };
  test.each([
    { timeless: "all", phased: ["status", "name"] },
    { timeless: "all", ended: [end, { ...end, field: "status" }] },
  ])("what a phase has set or changed back since then, and nothing else of its document", (own) => {
    const phased = wishAt(gala, own);
    const begun = event({ ...left, edits: [edit(gala, "/name"), edit(gala, "/description")] });
    const policy = { ...none, document: () => phased, reviewed: inOneReview([documentDigest(phased)]) };
    const { held } = holdUnreviewed({ ...begun, self: { ...begun.self, wish: phased } }, policy);
    expect(pathsOf(held)).toEqual(["/description"]);
    expect(held?.self.change?.transition).toBe(null);
  });

  test("what a phase had set that the reviewed document no longer has goes back, and nothing else", () => {
    const plain = wishAt(gala);
    const former = wishAt(gala, { timeless: "all", phased: ["name"] }, { name: "Sale" });
    const edits = [edit(gala, "/name"), edit(gala, "/description")];
    const showing = (name: string) => ({
      ...event(null),
      self: { ...comparison(gala, "event", { edits }, { name }), wish: plain },
    });
    const canceled = showing("Sale");
    const policy = {
      ...none,
      document: () => plain,
      reviewed: inOneReview([documentDigest(plain)]),
      formerly: () => former,
    };
    expect(pathsOf(holdUnreviewed(canceled, policy).held)).toEqual(["/description"]);
    // Somebody has changed it by hand since.
    expect(pathsOf(holdUnreviewed(showing("By hand"), policy).held)).toEqual(["/name", "/description"]);
    expect(pathsOf(holdUnreviewed(canceled, { ...policy, reviewed: inOneReview() }).held)).toEqual([
      "/name",
      "/description",
    ]);
  });
});

test("without a reviewed set only what was held before is held, and drift where a clock began the run; a plan for review says so and holds nothing", () => {
  const one = event({ edits: [edit(gala, "/name"), edit(gala, "/eventCapacity")] });
  const held = new Set([editDigest(gala, { path: "/name", after: 2 })]);
  expect(pathsOf(holdUnreviewed(one, { mode: "keep", held }).held)).toEqual(["/name"]);
  expect(holdUnreviewed(one, { mode: "keep", held: new Set() })).toEqual({ event: one, held: null });
  const drifted = event({ edits: [edit(gala, "/name", "drift"), edit(gala, "/eventCapacity")] });
  const unattended = { mode: "unattended", held: new Set<string>(), isUnknown: () => false } as const;
  const scheduled = holdUnreviewed(drifted, unattended);
  expect([pathsOf(scheduled.held), pathsOf(scheduled.event)]).toEqual([["/name"], ["/eventCapacity"]]);
  expect(pathsOf(holdUnreviewed(one, unattended).held)).toEqual([]);
  // Without a record nobody knows what is drift: only what is new, or set by a phase, is sent.
  const wish = { fields: {}, own: { phased: ["eventCapacity"] } } as unknown as Wish;
  const timed = { ...one, self: { ...one.self, wish } };
  expect(pathsOf(holdUnreviewed(timed, { ...unattended, isUnknown: () => true }).held)).toEqual(["/name"]);
  const reviewed = inOneReview(digestsOf(one.self.change as Change));
  expect(pathsOf(holdUnreviewed(timed, { ...none, reviewed, isUnknown: () => true }).held)).toEqual(["/name"]);
  const fresh = { ...one, self: { ...one.self, live: null } };
  expect(pathsOf(holdUnreviewed(fresh, { ...unattended, isUnknown: () => true }).held)).toEqual([]);
  const listed = holdUnreviewed(one, { mode: "list", held });
  expect(changesOf(listed.event)[0]?.edits.map((each) => each.held)).toEqual([true, undefined]);
  expect(changesOf(listed.held)).toEqual([]);
});

test("a new event of which a ticket type is held stays a draft, even if somebody had deleted that", () => {
  const create = {
    action: "create",
    origin: "edit",
    digest: "a",
    transition: { from: null, to: "PUBLISHED" },
  } as const;
  const ticket = comparison(`${gala}/tickets/GA`, "ticket", { action: "create", origin: "drift", digest: "b" });
  const { event: kept, held } = holdUnreviewed(event(create, { ...ticket, live: null }), {
    ...none,
    reviewed: inOneReview(["a"]),
  });
  expect(changesOf(kept)).toMatchObject([{ action: "create", transition: { to: "DRAFT" } }]);
  // That it is not published is reported, too.
  expect(changesOf(held)).toMatchObject([
    { action: "none", edits: [], transition: { from: "DRAFT", to: "PUBLISHED" } },
    { action: "create", digest: "b" },
  ]);
});

test("to undo what somebody did is agreed to for the value that was shown", () => {
  const drift = { ...edit(gala, "/name", "drift"), before: "Gala!" };
  const reviewed = inOneReview(agreedDigests(event({ edits: [drift] }).self.change as Change));
  const heldPaths = (before: string) =>
    pathsOf(holdUnreviewed(event({ edits: [{ ...drift, before }] }), { ...none, reviewed }).held);
  expect([heldPaths("Gala!"), heldPaths("Gala?")]).toEqual([[], ["/name"]]);
});

describe("what goes along", () => {
  const ana = `${gala}/performers/Ana`;
  const set = `${gala}/schedules/Set`;
  const goes = { action: "delete", origin: "edit", digest: deleteDigest(ana) } as const;

  test("a performer stays while the entry that was to name another is held", () => {
    const entry = comparison(set, "schedule", { edits: [edit(set, "/performer")] }, { performerId: ana });
    const reviewed = inOneReview([deleteDigest(ana)]);
    const { event: kept } = holdUnreviewed(event(null, comparison(ana, "performer", goes), entry), {
      ...none,
      reviewed,
    });
    expect(changesOf(kept)).toEqual([]);
    const both = [deleteDigest(ana), editDigest(set, { path: "/performer", after: 2 })];
    const free = holdUnreviewed(event(null, comparison(ana, "performer", goes), entry), {
      ...none,
      reviewed: inOneReview(both),
    });
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
    const { event: kept } = holdUnreviewed(event(self, below), { ...none, reviewed: inOneReview([digest]) });
    expect(changesOf(kept).flatMap(({ transition }) => transition?.to ?? [])).toEqual(expected);
  });

  test.each([
    ["PUBLISHED", "edit", []],
    ["ARCHIVED", "edit", []],
    ["PUBLISHED", "drift", ["PUBLISHED"]],
  ] as const)("an event becomes %s or not, where its own %s is held", (to, origin, expected) => {
    const from = to === "ARCHIVED" ? ("PUBLISHED" as const) : ("DRAFT" as const);
    const digest = transitionDigest(gala, to);
    const transition = { from, to };
    const self = { transition, origin: "edit", digest, edits: [edit(gala, "/visibility", origin)] } as const;
    const { event: kept, held } = holdUnreviewed(event(self), { ...none, reviewed: inOneReview([digest]) });
    expect(changesOf(kept).flatMap((change) => change.transition?.to ?? [])).toEqual(expected);
    expect(changesOf(held).flatMap(({ edits }) => edits)).toHaveLength(1);
  });
});
