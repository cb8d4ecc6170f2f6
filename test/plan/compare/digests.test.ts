// What a plan would do goes by the same name in every run: between the pull request's plan and the apply after the merge.
import { expect, test } from "vitest";
import type { Change, Edit } from "../../../src/model/plan.ts";
import type { Wish } from "../../../src/model/wish.ts";
import {
  deleteDigest,
  digestsOf,
  documentDigest,
  editDigest,
  eventDigests,
  reviewedDigests,
  transitionDigest,
  wishDigest,
} from "../../../src/plan/compare/digests.ts";

const gala: Wish = {
  address: "events/gala",
  kind: "event",
  parent: null,
  name: "Gala",
  fields: { name: "Gala", dateTime: "2027-03-14T11:00:00.000Z", eventCapacity: 500 },
  own: { status: "PUBLISHED" },
  children: {},
  source: { file: "events/gala.yaml", line: 1, column: 1 },
  places: {},
  written: {},
};

const price = (after: number) => editDigest("events/gala/tickets/GA", { path: "/price", after });

const table: readonly (readonly [what: string, digest: string, expected: string])[] = [
  ["a price", price(1800), "537c8414dfed"],
  ["another price", price(1500), "61436f269b56"],
  ["the price of another type", editDigest("events/gala/tickets/VIP", { path: "/price", after: 1800 }), "ce038bbd64a9"],
  ["another field", editDigest("events/gala/tickets/GA", { path: "/quantity", after: 1800 }), "c9c89012f0a9"],
  [
    "a text of the same letters",
    editDigest("events/gala/tickets/GA", { path: "/price", after: "1800" }),
    "bb461892d2eb",
  ],
  ["a field that is cleared", editDigest("events/gala", { path: "/imageUrl", after: null }), "8dedcc6b20c4"],
  ["a list", editDigest("events/gala", { path: "/galleryUrls", after: ["https://example.com/1"] }), "4474b27c3b43"],
  ["a status", transitionDigest("events/gala", "PUBLISHED"), "2534675cc5c3"],
  ["another status", transitionDigest("events/gala", "DRAFT"), "c44e346b128c"],
  ["a deletion", deleteDigest("events/gala"), "710df5df085f"],
  ["a new event", wishDigest("create", gala), "6916c168083c"],
  ["the same in place of another", wishDigest("replace", gala), "a9e7aacb9092"],
  ["a new event that stays a draft", wishDigest("create", { ...gala, own: {} }), "9e282d91b948"],
  [
    "a larger new event",
    wishDigest("create", { ...gala, fields: { ...gala.fields, eventCapacity: 501 } }),
    "cf50063e2b9a",
  ],
];

test.each(table)("the digest of %s stays what it is, in every version", (_, digest, expected) => {
  expect(digest).toBe(expected);
});

test("no two of them are the same", () => {
  expect(new Set(table.map(([, digest]) => digest)).size).toBe(table.length);
});

test("the order of fields and their place in a file do not count", () => {
  const fields = Object.fromEntries(Object.entries(gala.fields).reverse());
  const moved = { ...gala, fields, source: { file: "events/other.yaml", line: 7, column: 1 } };
  expect(wishDigest("create", moved)).toBe(wishDigest("create", gala));
});

const edit = (path: string, after: number, rest: Partial<Edit> = {}): Edit => {
  return {
    path,
    before: 1,
    after,
    origin: "edit",
    digest: editDigest("events/gala/tickets/GA", { path, after }),
    ...rest,
  };
};

function change(address: string, rest: Partial<Change>): Change {
  const about = { kind: "ticket", action: "update", id: "1", reason: "", edits: [], transition: null } as const;
  return { address, ...about, blockedBy: [], source: null, ...rest };
}

test("an update is reviewed field by field, without what is only sent along; a new object as a whole", () => {
  const edits = [edit("/price", 1800), edit("/quantity", 5, { sentAlong: true })];
  expect(digestsOf(change("events/gala/tickets/GA", { edits }))).toEqual([price(1800)]);
  expect(digestsOf(change("events/gala/tickets/GA", { action: "create", edits, digest: "abc" }))).toEqual(["abc"]);
});

test("with phases, a new object and its document have the same digest at any time", () => {
  const before = { ...gala, own: { ...gala.own, timeless: "the same" } };
  const after: Wish = { ...before, fields: { ...gala.fields, eventCapacity: 900 }, own: { timeless: "the same" } };
  expect([wishDigest("create", before), documentDigest(before)]).toEqual(["2c925fb3826c", "c86d6c38f197"]);
  expect([wishDigest("create", after), documentDigest(after)]).toEqual(["2c925fb3826c", "c86d6c38f197"]);
});

test("one digest per event covers all below it, in any order, whatever it was before", () => {
  const ga = change("events/gala/tickets/GA", { edits: [edit("/price", 1800)] });
  const own = change("events/gala", { kind: "event", digest: transitionDigest("events/gala", "PUBLISHED") });
  const other = change("events/jazz", { kind: "event", action: "delete", digest: deleteDigest("events/jazz") });
  const digests = eventDigests([own, ga, other]);
  expect([...digests.keys()]).toEqual(["events/gala", "events/jazz"]);
  const waiting = { ...ga, id: "2", edits: [edit("/price", 1800, { before: 9, origin: "unapplied" })] };
  expect(eventDigests([waiting, own]).get("events/gala")).toBe(digests.get("events/gala"));
  // To undo what somebody did is more than to make the edit.
  const drifted = { ...ga, edits: [edit("/price", 1800, { origin: "drift" })] };
  expect(eventDigests([drifted, own]).get("events/gala")).not.toBe(digests.get("events/gala"));
  const more = { ...ga, edits: [...ga.edits, edit("/quantity", 7)] };
  expect(eventDigests([own, more]).get("events/gala")).not.toBe(digests.get("events/gala"));
});

test("who reviews a new event agrees to no status of another that somebody has made in its place", () => {
  const create = {
    address: "events/gala",
    action: "create",
    edits: [],
    transition: { from: null, to: "PUBLISHED" },
    origin: "edit",
    digest: wishDigest("create", gala),
  } as unknown as Change;
  const reviewed = reviewedDigests({ changes: [create], upcoming: [] });
  expect(reviewed.has(wishDigest("create", gala))).toBe(true);
  expect(reviewed.has(transitionDigest("events/gala", "PUBLISHED"))).toBe(false);
});
