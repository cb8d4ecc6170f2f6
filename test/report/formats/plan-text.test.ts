import { stripVTControlCharacters } from "node:util";
import { expect, test } from "vitest";
import type { Plan } from "../../../src/model/plan.ts";
import { renderPlanText } from "../../../src/report/formats/plan-text.ts";
import { displayWidth } from "../../../src/report/text/table.ts";
import {
  alike,
  change,
  edit,
  edited,
  empty,
  hostile,
  newEvent,
  operation,
  plan,
  sets,
  waiting,
} from "../../stage/plan-samples.ts";

function text(of: Plan, options: Partial<Parameters<typeof renderPlanText>[1]> = {}): string {
  return renderPlanText(of, { columns: 80, color: false, verbose: false, ...options });
}

const all = { newEvent, edited, alike, waiting, empty, hostile };

test.each(Object.entries(all))("%s keeps within the columns", (_, sample) => {
  for (const columns of [40, 60, 80, 120]) {
    // The first line names the target and is never broken.
    for (const line of text(sample, { columns }).split("\n").slice(1)) {
      expect(displayWidth(line), line).toBeLessThanOrEqual(columns);
    }
  }
});

test.each(Object.entries(all))("%s says the same with and without color", (_, sample) => {
  const colored = text(sample, { color: true });
  expect(colored).toContain("\u001b[");
  expect(stripVTControlCharacters(colored)).toBe(text(sample));
});

test("the first line names environment, address and organization", () => {
  const [first] = text(newEvent).split("\n");
  expect(first).toBe("Target: production (https://api.example.com/open-api/v1), organization acme-live");
});

test("the last line is the sum of it", () => {
  expect(text(newEvent).trimEnd().split("\n").at(-1)).toBe("6 to create, 1 to publish; 5 writes, about 3 s.");
});

test("an empty plan is one sentence", () => {
  expect(text(empty).split("\n").slice(1).join("\n").trim()).toBe(
    "No changes: the service matches the files (12 objects checked).",
  );
});

test("a shard that nothing belongs to does not say that it has checked anything", () => {
  const said = text({ ...plan({ summary: { unchanged: 0 } }), shard: "1/2" });
  expect(said).toContain("No changes in shard 1/2: nothing that was asked for is in this shard.");
  expect(said).not.toContain("matches the files");
});

test("a shard in which nothing differs from the base says so, and not that nothing was asked for", () => {
  const compared = { base: "d0a0c835b", events: 0, ofEvents: 4, removed: 0, webhooks: false };
  const said = text({ ...plan({ summary: { unchanged: 0 } }), compared, shard: "1/2" });
  expect(said).toContain("No changes in shard 1/2: nothing in it differs from d0a0c835b.");
});

test("one edit on many objects is one line", () => {
  expect(text(alike)).toContain("~ price ₱2,500.00 → ₱2,900.00 on 48 ticket types");
  expect(text(alike, { verbose: true })).toContain("Table 48");
});

test("new objects that differ only in name are shown together", () => {
  const created = ["A", "B"].map((name) =>
    change("ticket", `events/x/tickets/${name}`, {
      action: "create",
      id: null,
      edits: sets({ name, price: 10, quantity: 2 }),
    }),
  );
  const said = text(plan({ changes: created, summary: { create: 2 } }));
  expect(said).toContain("+ 2 ticket types: create\n      A, B\n      price:    ₱10.00");
});

test("events that change alike are one block from three on, and never when one is blocked", () => {
  const event = (key: string, blocked = false) =>
    change("event", `events/${key}`, {
      edits: [edit("visibility", "PUBLIC", "PRIVATE")],
      blockedBy: blocked ? [{ code: "protected", message: "It is protected.", hint: "Remove `protected`." }] : [],
    });
  expect(text(plan({ changes: [event("a"), event("b")] }))).not.toContain("each: change");
  expect(text(plan({ changes: [event("a"), event("b"), event("c")] }))).toContain("~ 3 events, each: change");
  const withBlocked = text(
    plan({ changes: [event("a"), event("b"), event("c"), event("d", true)], summary: { blocked: 1 } }),
  );
  expect(withBlocked).toContain('! "d" (events/d): change, blocked');
});

test("what the buyer pays and the organizer receives, for both kinds of fees", () => {
  const priced = (absorbFees: boolean | undefined, price = 1500) =>
    text(
      plan({
        changes: [
          change("ticket", "events/x/tickets/GA", {
            edits: [edit("price", 1000, price)],
            context: absorbFees === undefined ? {} : { absorbFees },
          }),
        ],
      }),
    );
  expect(priced(true)).toContain("buyer pays ₱1,500.00; organizer receives ₱1,395.00 less processing fees");
  expect(priced(false)).toContain("buyer pays ₱1,605.00 plus processing fees; organizer receives ₱1,500.00");
  expect(priced(undefined)).toContain("the service does not show which");
  expect(priced(true)).toContain("but not processing fees");
  expect(priced(true, 0)).toContain("free: the buyer pays nothing");
  expect(priced(true, 0)).not.toContain("but not processing fees");
});

test("a new event absorbs fees unless its file says otherwise", () => {
  const created = (fields: Readonly<Record<string, boolean>>) =>
    plan({
      changes: [
        change("event", "events/x", { action: "create", id: null, edits: sets({ name: "X", ...fields }) }),
        change("ticket", "events/x/tickets/GA", {
          action: "create",
          id: null,
          edits: sets({ name: "GA", price: 100 }),
        }),
      ],
    });
  expect(text(created({}))).toContain("organizer receives ₱93.00");
  expect(text(created({ absorbFees: false }))).toContain("buyer pays ₱107.00");
});

test("two venues of one name are distinguished by their ids", () => {
  const [one, other] = ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"] as const;
  const moved = change("event", "events/x", {
    edits: [edit("venueId", one, other)],
    context: { names: { [one]: "Palace", [other]: "Palace" } },
  });
  expect(text(plan({ changes: [moved] }))).toContain(`Palace (${one})\n             → Palace (${other})`);
});

test("a token in a URL is never shown, not even where only it changes", () => {
  const from = "https://u:p@hooks.example.com/x?token=first";
  const to = "https://u:p@hooks.example.com/x?token=second";
  const said = text(plan({ changes: [change("event", "events/x", { edits: [edit("callbackUrl", from, to)] })] }));
  expect(said).not.toMatch(/first|second|u:p/);
  expect(said).toContain("the same URL with a different query");
});

test("no line begins with a command to a workflow's runner, however it is broken", () => {
  const name = `x ${"::error::boom ".repeat(20)}`;
  for (const columns of [40, 50, 61, 80]) {
    const said = text(plan({ changes: [change("event", "events/x", { edits: [edit("name", "y", name)] })] }), {
      columns,
    });
    expect(said).not.toMatch(/^\s*::/m);
  }
  expect(text(hostile)).not.toMatch(/##\[|\p{Cc}(?<!\n)|\u202e/u);
});

test("the order of a long plan is shown by its sums, and in full when asked", () => {
  const keys = Array.from({ length: 10 }, (_, index) => `events/e${index}`);
  const operations = keys.flatMap((address, index) => [
    operation(index * 2 + 1, "create", address, { path: "/events" }),
    operation(index * 2 + 2, "publish", address, { path: `/events/{${address}}/publish` }),
  ]);
  const changes = keys.map((address) =>
    change("event", address, { action: "create", id: null, edits: sets({ name: address }) }),
  );
  const long = plan({
    changes,
    operations,
    summary: { create: 10, publish: 10 },
    calls: { reads: 1, writes: 20, estimateSeconds: 8000 },
  });
  expect(text(long)).toContain("  create 10 events\n  publish 10 events");
  expect(text(long, { verbose: true })).toContain('20. publish event "events/e9" (POST /events/{events/e9}/publish)');
  expect(text(long)).toContain("20 writes, about 2 h 13 min.");
});

test("a warning that a blocked change says already is not said twice", () => {
  const block = { code: "protected" as const, message: '"X" is protected.', hint: "Remove `protected`." };
  const said = text(
    plan({
      changes: [change("event", "events/x", { action: "delete", blockedBy: [block] })],
      diagnostics: [{ ...block, severity: "error", address: "events/x" }],
      summary: { blocked: 1 },
    }),
  );
  expect(said.match(/"X" is protected/g)).toHaveLength(1);
});

test.each([
  ["with the year where that differs", 2038, " on Fri 12 Mar 2027 20:00", " on Fri 12 Mar 2038 20:00"],
  ["by their keys where they start at the same time", 2027, " (one)", " (two)"],
])("events of one name are distinguished %s", (_, year, one, two) => {
  const twin = (key: string, year: number) =>
    change("event", `events/${key}`, {
      edits: [edit("dateTime", null, `${year}-03-12T12:00:00.000Z`)],
      context: { name: "Jazz Night", timezone: "Asia/Manila" },
    });
  const said = renderPlanText(
    plan({
      changes: [twin("one", 2027), twin("two", year)],
      operations: [operation(1, "update", "events/one"), operation(2, "publish", "events/two")],
    }),
    { columns: 80, color: false, verbose: false },
  );
  expect(said).toContain(`~ "Jazz Night"${one === " (one)" ? "" : one} (events/one): change`);
  expect(said).toContain(`1. change event "Jazz Night"${one}`);
  expect(said).toContain(`2. publish event "Jazz Night"${two}`);
});

test("two events that change alike stay where they are; only three and more are shown together", () => {
  const update = (key: string, after: number) =>
    change("event", `events/${key}`, { edits: [edit("eventCapacity", 1, after)], context: { name: key } });
  const said = renderPlanText(plan({ changes: [update("a", 2), update("b", 3), update("c", 2)] }), {
    columns: 80,
    color: false,
    verbose: false,
  });
  expect([...said.matchAll(/^~ "(.)"/gm)].map(([, name]) => name)).toEqual(["a", "b", "c"]);
});
