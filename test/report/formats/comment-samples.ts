// Plans of a pull request: a price among sales, many events at once, names that would be markup.

import type { Plan } from "../../../src/model/plan.ts";
import type { CommentInput } from "../../../src/report/formats/plan-comment.ts";
import { codeEntry } from "../../../src/report/reference/catalog.ts";
import { change, edit, operation, plan, sets } from "../../stage/plan-samples.ts";

export function commentInput(of: Plan, parts: Partial<CommentInput> = {}): CommentInput {
  return {
    plan: of,
    project: "shows",
    place: {
      host: "github",
      repositoryUrl: "https://github.example/acme/events",
      runUrl: "https://github.example/acme/events/actions/runs/42",
      head: "c".repeat(40),
      prefix: "shows/",
    },
    merged: { head: "c".repeat(40), into: "d".repeat(40), branch: "main" },
    held: new Set(),
    room: 60_000,
    explain: codeEntry,
    ...parts,
  };
}

/** A price that is blocked, an event that goes, one that comes, and one on sale. */
export const mixed: Plan = plan({
  summary: { update: 2, delete: 1, create: 3, blocked: 1 },
  changes: [
    change("event", "events/comedy", {
      action: "create",
      id: null,
      edits: [...sets({ name: "Comedy Friday", dateTime: "2027-04-02T12:00:00.000Z" })].map((each) => ({
        ...each,
        origin: "edit",
        digest: "111111111111",
      })),
      transition: { from: null, to: "PUBLISHED" },
      context: { name: "Comedy Friday", timezone: "Asia/Manila" },
      source: { file: "events/comedy.yaml", line: 1, column: 1 },
    }),
    change("ticket", "events/comedy/tickets/GA", {
      action: "create",
      id: null,
      edits: [],
      context: { name: "GA", eventName: "Comedy Friday" },
    }),
    change("ticket", "events/comedy/tickets/VIP", {
      action: "create",
      id: null,
      edits: [],
      context: { name: "VIP", eventName: "Comedy Friday" },
    }),
    change("event", "events/jazz", {
      edits: [edit("eventCapacity", 300, 350, { origin: "edit", digest: "222222222222" })],
      context: { name: "Jazz Night", status: "PUBLISHED", timezone: "Asia/Manila" },
      source: { file: "events/jazz.yaml", line: 4, column: 1 },
    }),
    change("event", "events/gala", {
      action: "delete",
      transition: { from: "DRAFT", to: "DELETED" },
      context: { name: "Gala", status: "DRAFT" },
    }),
    change("ticket", "events/manila-nights/tickets/GA", {
      edits: [edit("price", 1500, 1800, { origin: "edit", digest: "333333333333" })],
      context: { name: "GA", eventName: "Manila Nights", status: "PUBLISHED", sold: 37 },
      source: { file: "events/manila-nights.yaml", line: 12, column: 5 },
      blockedBy: [
        {
          code: "price-change-with-sales",
          message: 'The price of "GA" would change while 37 tickets have been sold.',
          hint: "To accept this risk, add `allow: [price-change-with-sales]` to the event or pass --allow price-change-with-sales.",
          plainHint: "",
        },
      ],
    }),
  ],
  operations: [
    operation(1, "create", "events/comedy"),
    operation(2, "create", "events/comedy/tickets/GA"),
    operation(3, "create", "events/comedy/tickets/VIP"),
    operation(4, "publish", "events/comedy"),
    operation(5, "update", "events/jazz"),
    operation(6, "delete", "events/gala"),
  ],
});

/** So many events with another capacity and price each. */
export function many(events: number): Plan {
  return plan({
    summary: { update: events * 2 },
    changes: Array.from({ length: events }, (_, at) => [
      change("event", `events/night-${at}`, {
        edits: [
          edit(
            "description",
            `The night number ${at}.`,
            `The great night number ${at}, with a much longer text about who plays and when the doors open.`,
            { origin: "edit", digest: at.toString(16).padStart(12, "0") },
          ),
        ],
        context: { name: `Night ${at}`, status: "PUBLISHED", timezone: "Asia/Manila" },
        source: { file: `events/night-${at}.yaml`, line: 3, column: 1 },
      }),
      change("ticket", `events/night-${at}/tickets/GA`, {
        edits: [edit("price", 1000 + at, 1200 + at, { origin: "edit", digest: at.toString(16).padStart(12, "a") })],
        context: { name: "GA", eventName: `Night ${at}`, status: "PUBLISHED" },
        source: { file: `events/night-${at}.yaml`, line: 9, column: 5 },
      }),
    ]).flat(),
  });
}
