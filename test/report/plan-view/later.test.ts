import { expect, test } from "vitest";
import type { Change, Edit, PlannedPhase } from "../../../src/model/plan.ts";
import { heldChanges, laterNotes } from "../../../src/report/plan-view/waiting.ts";

const changeOf = (address: string, rest: Partial<Change>): Change => ({
  ...{ address, kind: "event", action: "update", id: null, reason: "", edits: [], transition: null },
  ...{ blockedBy: [], source: null, ...rest },
});

const edit = (path: string, before: Edit["before"], after: Edit["after"]): Edit => {
  return { path, before, after, origin: "phase", digest: "0".repeat(12) };
};

const coming = (address: string, at: string, phase = "Announce"): PlannedPhase => ({
  at,
  address,
  type: "phase",
  phase,
  fields: ["/status"],
  changes: [changeOf(address, { action: "none", transition: { from: "DRAFT", to: "PUBLISHED" } })],
  context: { name: "Club", timezone: "Asia/Manila", status: "PUBLISHED" },
});

/** A phase that changes the ticket type GA. */
const priced = (day: string, ...edits: readonly Edit[]): PlannedPhase => {
  const address = `events/club@2027-01-${day}`;
  const fields = edits.map(({ path }) => `/tickets/0${path}`);
  const changes = [changeOf(`${address}/tickets/GA`, { kind: "ticket", edits, context: { name: "GA" } })];
  return { ...coming(address, "2027-01-01T02:00:00.000Z", "Happy hour"), fields, changes };
};

test("what comes on many dates of a series is one line, with its first time", () => {
  const days = ["2027-01-08", "2027-01-15", "2027-01-22", "2027-01-29"];
  const dates = days.map((day) => coming(`events/club@${day}`, `${day}T02:00:00.000Z`));
  expect(laterNotes([coming("events/gala", "2027-01-01T02:00:00.000Z"), ...dates], { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Announce: publish "Club"',
    'Later: Fri 8 Jan 2027 10:00 Announce: publish "Club" (2027-01-08); likewise for 3 more dates, the last at Fri 29 Jan 2027 10:00',
  ]);
});

test("what comes on many dates at one instant comes with the first", () => {
  const dates = ["08", "15", "22"].map((day) => coming(`events/club@2027-01-${day}`, "2027-01-01T02:00:00.000Z"));
  expect(laterNotes(dates, { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Announce: publish "Club" (2027-01-08); likewise for 2 more dates',
  ]);
});

test("two dates, and another phase, have their own lines", () => {
  const two = ["2027-01-08", "2027-01-15"].map((day) => coming(`events/club@${day}`, `${day}T02:00:00.000Z`));
  const other = coming("events/club@2027-01-08", "2027-01-09T02:00:00.000Z", "Last call");
  const notes = laterNotes([...two, other], { full: false });
  expect(notes).toHaveLength(3);
  expect(notes[2]).toMatch(/"Club" \(2027-01-15\)$/);
});

test("changes beyond the lines that are shown are counted one by one", () => {
  const many = Array.from({ length: 5 }, (_, index) => coming(`events/e${index}`, "2027-01-01T02:00:00.000Z"));
  const dates = ["08", "15", "22"].map((day) => coming(`events/club@2027-01-${day}`, `2027-01-${day}T02:00:00.000Z`));
  expect(laterNotes([...many, ...dates], { full: false }).at(-1)).toContain("3 more changes");
  expect(laterNotes([...many, ...dates], { full: true })).toHaveLength(6);
});

test("lines are in the order of time, and what will be blocked is shown, however much comes before it", () => {
  const twice = ["2027-01-08", "2027-01-15"].map((day) => coming(`events/club@${day}`, `${day}T02:00:00.000Z`));
  const between = Array.from({ length: 5 }, (_, index) => coming(`events/e${index}`, "2027-01-09T02:00:00.000Z"));
  const block = { code: "archive-with-sales", message: "12 tickets have been sold.", hint: "" } as const;
  const over = { ...coming("events/gala", "2027-02-01T02:00:00.000Z", "Over") };
  const changes = (over.changes ?? []).map((change) => ({ ...change, blockedBy: [block] }));
  const notes = laterNotes([...twice, ...between, { ...over, changes }], { full: false });
  expect(notes.map((text) => text.slice(7, 21))).toEqual([
    ...["Fri 8 Jan 2027", ...Array.from({ length: 4 }, () => "Sat 9 Jan 2027"), "Mon 1 Feb 2027"],
    "2 more changes",
  ]);
  expect(notes.at(-2)).toBe(
    'Later: Mon 1 Feb 2027 10:00 Over: publish "Club". As things are now, this will be blocked (archive-with-sales): 12 tickets have been sold. To accept this risk, add `allow: [archive-with-sales]` to the phase "Over".',
  );
});

test("what will be blocked only if tickets are sold is counted beyond the lines that are shown, not shown for every event", () => {
  const risky = (at: number): PlannedPhase => ({
    ...coming(`events/e${at}`, `2027-01-0${at + 1}T02:00:00.000Z`, "Over"),
    blockedOnceSold: ["archive-with-sales"],
  });
  const notes = laterNotes(
    Array.from({ length: 7 }, (_, at) => risky(at)),
    { full: false },
  );
  expect(notes).toHaveLength(6);
  expect(notes[0]).toContain("If tickets are sold by then, this will be blocked (archive-with-sales).");
  expect(notes.at(-1)).toMatch(/^Later: 2 more changes, blocked if tickets are sold by then; --verbose/);
  const plain = Array.from({ length: 7 }, (_, at) => ({
    ...risky(at),
    blockedOnceSold: at === 6 ? (risky(at).blockedOnceSold ?? []) : [],
  }));
  expect(laterNotes(plain, { full: false }).at(-1)).toMatch(/^Later: 2 more changes, 1 of them blocked if/);
});

test("dates of which only some will be blocked if tickets are sold have lines of their own", () => {
  const dates = ["08", "15", "22", "23", "24", "25"].map((day, index): PlannedPhase => {
    const date = priced(day, edit("/price", 500, 400));
    return index < 3 ? date : { ...date, blockedOnceSold: ["price-change-with-sales"] };
  });
  const [first, second] = laterNotes(dates, { full: false });
  expect(first).toMatch(/likewise for 2 more dates$/);
  expect(second).toContain("likewise for 2 more dates. If tickets are sold by then");
});

test("what a phase changes is shown with its values", () => {
  expect(laterNotes([priced("08", edit("/price", 500, 400), edit("/soldOut", null, true))], { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Happy hour: GA ₱500 → ₱400, sold out in "Club" (2027-01-08)',
  ]);
});

test("an entry that comes or goes with a phase is shown with its values", () => {
  const [event] = [coming("events/gala", "2027-01-01T02:00:00.000Z", "Door")];
  const vip = {
    kind: "ticket",
    action: "create",
    edits: [edit("/name", null, "VIP"), edit("/price", null, 900), edit("/published", null, true)],
  } as const;
  const changes = [
    changeOf("events/gala", { edits: [edit("/description", "a", `long ${"x".repeat(300)}`)] }),
    changeOf("events/gala/tickets/VIP", { ...vip, context: { name: "VIP" } }),
    changeOf("events/gala/tickets/GA", { kind: "ticket", action: "delete", context: { name: "GA" } }),
  ];
  const fields = ["/description", "/tickets/1/price", "/tickets/-"];
  expect(laterNotes([{ ...event, fields, changes }], { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Door: description changes; new ticket type VIP (₱900, on sale); delete ticket type GA in "Club"',
  ]);
});

test("an entry that has only its name is shown without brackets", () => {
  const [event] = [coming("events/gala", "2027-01-01T02:00:00.000Z", "Door")];
  const bo = { kind: "performer", action: "create", edits: [edit("/name", null, "Bo")] } as const;
  const changes = [changeOf("events/gala/performers/Bo", { ...bo, context: { name: "Bo" } })];
  expect(laterNotes([{ ...event, fields: ["/performers/-"], changes }], { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Door: new performer Bo in "Club"',
  ]);
});

test("dates at other prices have other lines; texts may differ within one", () => {
  const text = (day: string, price: number) =>
    priced(day, edit("/price", 500, price), edit("/section", "A", `of ${day}`));
  const dates = [
    ...["08", "15", "22"].map((day) => text(day, 400)),
    ...["23", "24", "25"].map((day) => text(day, 300)),
  ];
  expect(laterNotes(dates, { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Happy hour: GA ₱500 → ₱400, section changes in "Club" (2027-01-08); likewise for 2 more dates',
    'Later: Fri 1 Jan 2027 10:00 Happy hour: GA ₱500 → ₱300, section changes in "Club" (2027-01-23); likewise for 2 more dates',
  ]);
});

/** 14 ticket types that become ₱600, but those of `others`. */
const manyPriced = (day: string, others: Readonly<Record<number, number>>): PlannedPhase => ({
  ...priced(day),
  fields: ["/tickets/0/price"],
  changes: Array.from({ length: 14 }, (_, index) => {
    const [name, edits] = [`Block ${index + 1}`, [edit("/price", 500, others[index + 1] ?? 600)]];
    const address = `events/club@2027-01-${day}/tickets/${encodeURIComponent(name)}`;
    return changeOf(address, { kind: "ticket", edits, context: { name } });
  }),
});

test("every price of a phase is shown, those of equal ticket types together", () => {
  const first = "Later: Fri 1 Jan 2027 10:00 Happy hour: Block 1, Block 2 and 11 more ticket types ₱500 → ₱600";
  expect(laterNotes([manyPriced("08", { 14: 1 })], { full: false })).toEqual([
    `${first}; Block 14 ₱500 → ₱1 in "Club" (2027-01-08)`,
  ]);
  const dates = ["08", "15", "22", "29"].map((day) => manyPriced(day, { 12: day === "29" ? 1 : 700 }));
  expect(laterNotes(dates, { full: false })).toEqual([
    `${first}; Block 12 ₱500 → ₱700 in "Club" (2027-01-08); likewise for 2 more dates`,
    `${first}; Block 12 ₱500 → ₱1 in "Club" (2027-01-29)`,
  ]);
});

test("dates that change other ticket types have other lines, though as many", () => {
  const dates = ["08", "15", "22", "29"].map((day) => {
    const phase = manyPriced(day, {});
    return { ...phase, changes: phase.changes?.filter((_, index) => index !== (day === "29" ? 12 : 13)) ?? [] };
  });
  expect(laterNotes(dates, { full: false })).toHaveLength(2);
});

test("texts give way where there is much to say, but no number, and nothing that is deleted", () => {
  const phase = manyPriced("08", {});
  const changes = (phase.changes ?? []).map((change, index): Change => {
    const more = [edit("/section", "A", `${index} ${"x".repeat(80)}`), edit("/quantity", 9, null)];
    return index < 4 ? { ...change, action: "delete", edits: [] } : { ...change, edits: [...change.edits, ...more] };
  });
  expect(laterNotes([{ ...phase, changes }], { full: false })).toEqual([
    'Later: Fri 1 Jan 2027 10:00 Happy hour: delete ticket types Block 1, Block 2, Block 3, Block 4; Block 5, Block 6 and 8 more ticket types ₱500 → ₱600, section changes, quantity 9 → none in "Club" (2027-01-08)',
  ]);
});

test("a plan of an earlier version has no values", () => {
  const { changes: _, ...older } = priced("08", edit("/price", 500, 400));
  expect(laterNotes([older], { full: false })[0]).toContain("Happy hour: change tickets in");
});

test("what is held says which dates of a series it is on: each, or as a span from three on", () => {
  const held = (day: string, price: number) =>
    changeOf(`events/club@2027-01-${day}/tickets/GA`, {
      ...{ kind: "ticket", context: { name: "GA", eventName: "Club" } },
      edits: [{ ...edit("/price", 500, price), origin: "edit", held: true }],
    });
  const said = (...changes: readonly Change[]) => {
    const spans = heldChanges({ changes });
    return spans.map(({ role, text }) => (role === "name" ? `"${text}"` : text)).join("");
  };
  expect(said(held("08", 1), held("15", 1), held("22", 1), held("29", 2))).toBe(
    'Held and waiting: "Club" on 3 dates, 2027-01-08 to 2027-01-22 (price of GA → ₱1.00), "Club" on 2027-01-29 (price of GA → ₱2.00).',
  );
});
