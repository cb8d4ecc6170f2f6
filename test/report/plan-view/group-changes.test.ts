import { expect, test } from "vitest";
import type { Change, Context, Edit } from "../../../src/model/plan.ts";
import { groupAlike, groupAlikeFamilies, groupFamilies } from "../../../src/report/plan-view/group-changes.ts";
import { change, edit } from "../../stage/plan-samples.ts";

type Differing<Whole> = {
  readonly [Name in keyof Required<Whole>]: readonly ["alike" | "unlike", Required<Whole>[Name]];
};

// A member that is added to one of these types is a type error here until somebody has said whether a reader must see it.
const ofChange: Differing<Omit<Change, "edits" | "context">> = {
  address: ["alike", "events/b"],
  kind: ["unlike", "ticket"],
  action: ["unlike", "replace"],
  id: ["alike", "3"],
  reason: ["alike", "another"],
  transition: ["unlike", { from: "DRAFT", to: "PUBLISHED" }],
  origin: ["unlike", "drift"],
  digest: ["alike", "0123456789ab"],
  held: ["unlike", true],
  blockedBy: ["unlike", [{ code: "protected", message: "It is protected.", hint: "Remove it." }]],
  source: ["alike", { file: "events/b.yaml", line: 1, column: 1 }],
  fees: ["unlike", [{ price: 1, commission: 1, absorbFees: true }]],
  heldBack: ["unlike", "change"],
};
const ofContext: Differing<Context> = {
  name: ["alike", "Another"],
  which: ["alike", "section B"],
  eventName: ["alike", "Another"],
  timezone: ["unlike", "Asia/Tokyo"],
  status: ["alike", "PUBLISHED"],
  absorbFees: ["unlike", true],
  prices: ["unlike", [{ name: "GA", price: 5 }]],
  names: ["alike", { "1": "Palace" }],
  sold: ["alike", 5],
};
const ofEdit: Differing<Edit> = {
  path: ["unlike", "/venueId"],
  before: ["unlike", 1],
  after: ["unlike", 3],
  unreadable: ["unlike", true],
  sentAlong: ["unlike", true],
  origin: ["unlike", "drift"],
  digest: ["alike", "0123456789ab"],
  held: ["unlike", true],
};

const plain = edit("eventCapacity", 900, 700);
const one = change("event", "events/a", { edits: [plain], context: { name: "A" } });
const others: readonly (readonly [string, string, Change])[] = [
  ...Object.entries(ofChange).map(([name, [as, value]]) => [name, as, { ...one, [name]: value }] as const),
  ...Object.entries(ofContext).map(
    ([name, [as, value]]) => [`context.${name}`, as, { ...one, context: { ...one.context, [name]: value } }] as const,
  ),
  ...Object.entries(ofEdit).map(
    ([name, [as, value]]) => [`edit.${name}`, as, { ...one, edits: [{ ...plain, [name]: value }] }] as const,
  ),
];

test.each(others)("changes that differ in %s are %s", (_, as, other) => {
  expect(groupAlike([one, other])).toHaveLength(as === "alike" ? 1 : 2);
});

test("the status of the event tells changes apart where the words for a value depend on it", () => {
  const [draft, published, price] = (["DRAFT", "PUBLISHED", "PUBLISHED"] as const).map((status, index) => {
    const edits = [index === 2 ? edit("price", 100, 200) : edit("published", false, true)];
    return change("ticket", `events/${index}/tickets/GA`, { edits, context: { name: "GA", status } });
  }) as [Change, Change, Change];
  expect(groupAlike([draft, published])).toHaveLength(2);
  expect(groupAlike([price, { ...price, context: { name: "GA", status: "DRAFT" } }])).toHaveLength(1);
});

test("dates of a series are shown apart if the same happens to different ticket types", () => {
  const changes = ["2027-01-08", "2027-01-15", "2027-01-22", "2027-01-29"].flatMap((day, index) => {
    const edits = [edit("dateTime", `${day}T11:00:00.000Z`, `${day}T12:00:00.000Z`)];
    const name = index === 3 ? "VIP" : "GA";
    return [
      change("event", `events/club@${day}`, { edits }),
      change("ticket", `events/club@${day}/tickets/${name}`, { edits: [edit("price", 100, 200)], context: { name } }),
    ];
  });
  expect(groupAlikeFamilies(groupFamilies(changes), true).map((group) => group.length)).toEqual([3, 1]);
});
