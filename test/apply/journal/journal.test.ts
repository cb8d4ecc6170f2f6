import { describe, expect, test } from "vitest";
import { formatEntry, type IntentEntry, type JournalEntry } from "../../../src/apply/journal/journal-entry.ts";
import { openJournal } from "../../../src/apply/journal/open-journal.ts";
import { compactJournal, findOpenWork, parseJournal } from "../../../src/apply/journal/open-work.ts";
import { recentWrites, replayJournal } from "../../../src/apply/journal/replay-journal.ts";

const ids = { ana: "7b1e5c7e-0000-4000-8000-00000000000a", ben: "7b1e5c7e-0000-4000-8000-00000000000b" };

function intent(seq: number, more: Partial<IntentEntry> = {}): IntentEntry {
  return {
    type: "intent",
    seq,
    run: "r1",
    operation: String(seq),
    address: "events/x/performers/Ana",
    kind: "performer",
    verb: "create",
    method: "POST",
    path: "/events/e/performers",
    parentId: "e",
    id: null,
    fields: { name: "Ana" },
    at: 0,
    date: null,
    ...more,
  };
}

const run: JournalEntry = { type: "run", run: "r1", at: 0, organization: { id: "o", slug: "o" }, known: ["before"] };

describe("lines", () => {
  const lines = [run, intent(1), { type: "close", seq: 1, how: "done", id: ids.ana } as const].map(formatEntry);

  test("come back as they were", () => {
    expect(parseJournal(lines.join(""))).toEqual({
      entries: [run, intent(1), { type: "close", seq: 1, how: "done", id: ids.ana }],
      damaged: [],
    });
  });

  test("cut anywhere, only the torn end is lost", () => {
    const text = lines.join("");
    for (let at = 0; at <= text.length; at++) {
      const { entries, damaged } = parseJournal(text.slice(0, at));
      const whole = lines.filter((_, index) => lines.slice(0, index + 1).join("").length <= at).length;
      expect(entries).toHaveLength(whole);
      expect(damaged).toEqual([]);
    }
  });

  test("with any byte flipped, the line is reported", () => {
    const [first = "", second = "", third = ""] = lines;
    for (let at = 0; at < second.length - 1; at++) {
      const flipped = second.slice(0, at) + (second[at] === "~" ? "!" : "~") + second.slice(at + 1);
      expect(parseJournal(first + flipped + third).damaged).toEqual([2]);
    }
  });
});

describe("a call whose outcome is not known", () => {
  const address = "events/x/tickets/GA";
  const entry = { kind: "ticket", id: ids.ana, applied: { price: 1500 } } as const;
  const before = {
    "events/x": { kind: "event", id: ids.ben, applied: { status: "DRAFT" } },
    [address]: entry,
  } as const;
  const update = (seq: number, price: number) =>
    intent(seq, { address, kind: "ticket", verb: "update", method: "PATCH", id: ids.ana, fields: { price } });
  const closed = (seq: number, how: "done" | "passed" | "refused" | "unsent"): JournalEntry => ({
    type: "close",
    seq,
    how,
  });
  const replayed = (...entries: readonly JournalEntry[]) => replayJournal(before, [run, ...entries])[address];

  test("is remembered until a later one overtakes it", () => {
    const unknown = { ...entry, unconfirmed: [{ price: 1600 }] };
    expect(replayed(update(1, 1600))).toEqual(unknown);
    expect(replayed(update(1, 1600), update(1, 1600))).toEqual(unknown);
    expect(replayed(update(1, 1600), closed(1, "passed"))).toEqual(unknown);
    expect(replayed(update(1, 1600), update(2, 1700))?.unconfirmed).toEqual([{ price: 1600 }, { price: 1700 }]);
    expect(replayed(update(1, 1600), closed(1, "passed"), update(2, 1700), closed(2, "done"))).toEqual({
      ...entry,
      applied: { price: 1700 },
    });
  });

  test("what was refused or not sent has no effect", () => {
    expect(replayed(update(1, 1600), closed(1, "refused"))).toEqual(entry);
    expect(replayed(update(1, 1600), closed(1, "unsent"))).toEqual(entry);
  });

  test("a transition is remembered by its status, and a delete also for what is below it", () => {
    const call = (verb: "publish" | "delete") =>
      replayJournal(before, [intent(1, { address: "events/x", kind: "event", verb, id: ids.ben, fields: {} })]);
    expect(call("publish")["events/x"]?.unconfirmed).toEqual([{ status: "PUBLISHED" }]);
    expect(Object.values(call("delete")).map(({ unconfirmed }) => unconfirmed)).toEqual([
      [{ status: "DELETED" }],
      [{ status: "DELETED" }],
    ]);
  });

  test("is not noted again once a plan has seen what came of it", () => {
    const entries = [run, update(1, 1600), closed(1, "passed")];
    expect(replayJournal(before, entries, entries.length)).toEqual(before);
    expect(replayJournal(before, [...entries, closed(1, "done")], entries.length)[address]?.applied.price).toBe(1600);
  });
});

describe("what a journal leaves", () => {
  test("nothing, once all is closed", () => {
    const entries: JournalEntry[] = [run, intent(1), { type: "close", seq: 1, how: "done", id: ids.ana }];
    expect(findOpenWork(entries)).toMatchObject({ open: [], unconfirmed: [], unfinished: [], highestSeq: 1 });
    expect(compactJournal(entries)).toBe("");
  });

  test("all attempts at one object together, with what cannot be it", () => {
    const entries: JournalEntry[] = [
      run,
      intent(1),
      { type: "close", seq: 1, how: "absent" },
      intent(2),
      intent(3, { address: "events/x/performers/Ben", fields: { name: "Ben" } }),
      { type: "close", seq: 3, how: "done", id: ids.ben },
      { ...run, run: "r2", known: ["later"] },
    ];
    const { open, unconfirmed } = findOpenWork(entries);
    expect(open.map(({ intents }) => intents.map(({ seq }) => seq))).toEqual([[1, 2]]);
    expect([...(open[0]?.known ?? [])].sort()).toEqual([ids.ben, "before"].sort());
    expect(unconfirmed).toEqual([]);
    const kept = parseJournal(compactJournal(entries)).entries;
    expect(findOpenWork(kept).open[0]?.intents).toHaveLength(2);
    expect(findOpenWork(kept).open[0]?.known.has(ids.ben)).toBe(true);
  });

  test("an unconfirmed create until it is cleared, and calls without an end", () => {
    const absent: JournalEntry[] = [run, intent(1), { type: "close", seq: 1, how: "absent" }];
    expect(findOpenWork(absent).unconfirmed).toHaveLength(1);
    expect(findOpenWork([...absent, { type: "clear", seq: 1 }]).unconfirmed).toEqual([]);
    expect(findOpenWork([run, intent(1, { verb: "update", id: ids.ana })]).unfinished).toHaveLength(1);
  });
});

describe("when something was written last", () => {
  const at = (seconds: number) => new Date(Date.parse("2027-01-01T00:00:00Z") + seconds * 1000).toISOString();

  test("is known of what was changed or deleted, and not of what was refused or cut off", () => {
    const entries: JournalEntry[] = [
      intent(1, { verb: "update", id: ids.ana }),
      { type: "close", seq: 1, how: "done", at: at(1) },
      intent(2, { verb: "delete", id: ids.ben.toUpperCase() }),
      { type: "close", seq: 2, how: "adopted", at: at(2) },
      intent(3, { verb: "update", id: "7b1e5c7e-0000-4000-8000-00000000000c" }),
      { type: "close", seq: 3, how: "refused" },
      intent(4, { verb: "update", id: "7b1e5c7e-0000-4000-8000-00000000000d" }),
    ];
    expect(recentWrites({}, entries)).toEqual({ changed: { [ids.ana]: at(1) }, deleted: { [ids.ben]: at(2) } });
  });

  test("is forgotten a minute before the newest of it, and by no run that wrote nothing", () => {
    const before = { changed: { [ids.ana]: at(1) }, deleted: { [ids.ben]: at(50) } };
    expect(recentWrites(before, [])).toEqual(before);
    const later: JournalEntry[] = [
      intent(1, { verb: "delete", id: "7b1e5c7e-0000-4000-8000-00000000000c" }),
      { type: "close", seq: 1, how: "done", at: at(90) },
    ];
    expect(recentWrites(before, later)).toEqual({
      changed: {},
      deleted: { [ids.ben]: at(50), "7b1e5c7e-0000-4000-8000-00000000000c": at(90) },
    });
  });
});

describe("folding into what is remembered", () => {
  test("creates, changes, other shapes and deletions, whatever was there", () => {
    const entries: JournalEntry[] = [
      intent(1),
      { type: "close", seq: 1, how: "done", id: ids.ana, madeAt: "2027-01-01T00:00:00.000Z" },
      {
        type: "learn",
        address: "events/x/performers/Ana",
        kind: "performer",
        id: ids.ana,
        fields: { name: "Ana" },
        returned: { name: "ANA" },
      },
      intent(2, { verb: "update", id: ids.ana, fields: { type: "DJ" } }),
      { type: "close", seq: 2, how: "adopted" },
      intent(3, { address: "events/x/performers/Ben", fields: { name: "Ben" } }),
      { type: "close", seq: 3, how: "refused" },
    ];
    const folded = replayJournal({}, entries);
    expect(folded).toEqual({
      "events/x/performers/Ana": {
        kind: "performer",
        id: ids.ana,
        applied: { name: "Ana", type: "DJ" },
        returned: { name: "ANA" },
        madeAt: "2027-01-01T00:00:00.000Z",
      },
    });
    expect(replayJournal(folded, entries)).toEqual(folded);
    const gone: JournalEntry[] = [
      intent(4, { verb: "delete", id: ids.ana, fields: {} }),
      { type: "close", seq: 4, how: "done" },
    ];
    expect(replayJournal(folded, gone)).toEqual({});
  });

  test("an id that a read writes in capitals is that of the same object", () => {
    const address = "events/x/performers/Ana";
    const read = { type: "learn", address, kind: "performer", id: ids.ana.toUpperCase() } as const;
    const entries: JournalEntry[] = [
      intent(1),
      { type: "close", seq: 1, how: "done", id: ids.ana, madeAt: "2027-01-01T00:00:00.000Z" },
      { ...read, fields: {}, returned: { name: "ANA" } },
    ];
    const kept = { applied: { name: "Ana" }, returned: { name: "ANA" }, madeAt: "2027-01-01T00:00:00.000Z" };
    expect(replayJournal({}, entries)[address]).toMatchObject(kept);
    const gone = intent(2, { verb: "delete", id: ids.ana, fields: {} });
    expect(replayJournal({}, [...entries, gone, { type: "close", seq: 2, how: "done" }])).toEqual({});
  });

  test("with an event goes all below it, and nothing of one whose name begins alike", () => {
    const entry = (id: string) => ({ kind: "event", id, applied: {} });
    const before = { "events/x": entry("1"), "events/x/tickets/GA": entry("2"), "events/x-2/tickets/GA": entry("3") };
    const entries: JournalEntry[] = [
      intent(1, { verb: "delete", address: "events/x", id: "1", fields: {} }),
      { type: "close", seq: 1, how: "done" },
    ];
    expect(Object.keys(replayJournal(before, entries))).toEqual(["events/x-2/tickets/GA"]);
  });

  test("after a replacement the deletion of the former one leaves the other", () => {
    const entries: JournalEntry[] = [
      intent(1),
      { type: "close", seq: 1, how: "done", id: ids.ben },
      intent(2, { verb: "delete", id: ids.ana, fields: {} }),
      { type: "close", seq: 2, how: "done" },
    ];
    const before = {
      "events/x/performers/Ana": { kind: "performer", id: ids.ana, applied: { name: "Ana", type: "x" } },
    } as const;
    expect(replayJournal(before, entries)["events/x/performers/Ana"]).toEqual({
      kind: "performer",
      id: ids.ben,
      applied: { name: "Ana" },
    });
  });

  test("a renamed object moves to its present address, with all that is remembered of it", () => {
    const before = {
      "events/x/tickets/GA": { kind: "ticket", id: ids.ana, applied: { name: "GA", published: true } },
    } as const;
    const entries: JournalEntry[] = [
      intent(1, {
        address: "events/x/tickets/General",
        kind: "ticket",
        verb: "update",
        id: ids.ana,
        fields: { name: "General" },
      }),
      { type: "close", seq: 1, how: "done" },
    ];
    expect(replayJournal(before, entries)).toEqual({
      "events/x/tickets/General": { kind: "ticket", id: ids.ana, applied: { name: "General", published: true } },
    });
  });
});

test("an intent that cannot be made durable was never there", async () => {
  const journal = openJournal("r1", [intent(7)], {
    append: () => Promise.reject(new Error("full")),
    note: () => undefined,
  });
  const { type: _, seq: __, run: ___, ...about } = intent(0);
  await expect(journal.intend(about)).rejects.toThrow("full");
  expect(journal.entries).toHaveLength(1);
});
