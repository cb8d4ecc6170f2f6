// Plans as the planner makes them, written by hand so that the reports can be read against them.

import type { KindName } from "../../src/model/address.ts";
import type { Change, Edit, Operation, Plan, Summary } from "../../src/model/plan.ts";
import type { Value } from "../../src/model/value.ts";
import { explainChanges } from "../../src/plan/assemble.ts";

const nothing: Summary = {
  create: 0,
  update: 0,
  replace: 0,
  delete: 0,
  publish: 0,
  unpublish: 0,
  archive: 0,
  soldOut: 0,
  unchanged: 0,
  blocked: 0,
  unmanaged: 0,
};

export function plan(parts: Partial<Omit<Plan, "summary">> & { summary?: Partial<Summary> } = {}): Plan {
  const { summary, changes = [], operations = [], ...rest } = parts;
  return {
    formatVersion: 1,
    tool: { name: "ticketing", version: "0.1.0" },
    createdAt: "2027-01-10T02:00:00.000Z",
    target: {
      environment: "production",
      baseUrl: "https://api.example.com/open-api/v1",
      organization: { id: "11111111-1111-4111-8111-111111111111", slug: "acme-live" },
    },
    changes: explainChanges(changes, operations),
    operations,
    diagnostics: [],
    upcoming: [],
    calls: { reads: 0, writes: 0, estimateSeconds: 0 },
    observed: [],
    fingerprint: "sha256:0",
    ...rest,
    summary: { ...nothing, ...summary },
  };
}

export function change(kind: KindName, address: string, parts: Partial<Change> = {}): Change {
  return {
    address,
    kind,
    action: "update",
    id: "22222222-2222-4222-8222-222222222222",
    reason: "fields differ",
    edits: [],
    transition: null,
    blockedBy: [],
    source: null,
    ...parts,
  };
}

/** Edits that set fields of a new object. */
export function sets(fields: Readonly<Record<string, Value>>): readonly Edit[] {
  return Object.entries(fields).map(([field, after]) => edit(field, null, after));
}

export function edit(field: string, before: Value, after: Value, rest: Partial<Edit> = {}): Edit {
  return { path: `/${field}`, before, after, origin: "edit", digest: "000000000000", ...rest };
}

export function operation(
  id: number,
  verb: Operation["verb"],
  address: string,
  parts: Partial<Operation> = {},
): Operation {
  return { id: String(id), address, verb, method: "POST", path: "/", needs: [], because: address, ...parts };
}

const manila = { timezone: "Asia/Manila", eventName: "Manila Nights" };
const nights = "events/manila-nights";
const venueId = "5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f";

/** A new event with everything an event can have, published at the end. */
export const newEvent: Plan = plan({
  changes: [
    change("event", nights, {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({
        name: "Manila Nights",
        dateTime: "2027-03-14T11:00:00.000Z",
        endDateTime: "2027-03-14T18:00:00.000Z",
        description:
          "A night of live music by the bay, with food from twelve kitchens and a view of the sunset over the water.\nGates open at seven.\n\nBring a jacket.\nNo outside food.\nChildren under 7 enter free.",
        venueId,
        eventCapacity: 700,
        absorbFees: true,
        galleryUrls: ["https://example.com/1.jpg", "https://example.com/2.jpg"],
      }),
      transition: { from: null, to: "PUBLISHED" },
      source: { file: "events/manila-nights.yaml", line: 1, column: 1 },
      context: { name: "Manila Nights", timezone: "Asia/Manila", names: { [venueId]: "Palace, Baguio" } },
    }),
    change("ticket", `${nights}/tickets/VIP`, {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({ name: "VIP", price: 4500, quantity: 200, type: "VIP", published: true }),
      context: { ...manila, name: "VIP", absorbFees: true },
    }),
    change("ticket", `${nights}/tickets/GA`, {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({ name: "GA", price: 1500, quantity: 500, maximumPurchaseQuantity: 6, published: true }),
      context: { ...manila, name: "GA", absorbFees: true },
    }),
    change("performer", `${nights}/performers/DJ Ana`, {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({ name: "DJ Ana", type: "DJ" }),
      context: { ...manila, name: "DJ Ana" },
    }),
    change("schedule", `${nights}/schedules/DJ Ana`, {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({
        title: "DJ Ana",
        startTime: "2027-03-14T12:00:00.000Z",
        endTime: "2027-03-14T14:00:00.000Z",
        color: "#FF8800",
        performer: "DJ Ana",
      }),
      context: { ...manila, name: "DJ Ana" },
    }),
    change("brand", `${nights}/brands/San Miguel`, {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({ name: "San Miguel", url: "https://example.com" }),
      context: { ...manila, name: "San Miguel" },
    }),
  ],
  operations: [
    operation(1, "create", nights, {
      path: "/events",
      body: { name: "Manila Nights", tickets: [{ name: "VIP" }, { name: "GA" }] },
    }),
    operation(2, "create", `${nights}/performers/DJ Ana`, { path: `/events/{${nights}}/performers`, needs: ["1"] }),
    operation(3, "create", `${nights}/schedules/DJ Ana`, { path: `/events/{${nights}}/schedules`, needs: ["2"] }),
    operation(4, "create", `${nights}/brands/San Miguel`, { path: `/events/{${nights}}/brands`, needs: ["1"] }),
    operation(5, "publish", nights, { path: `/events/{${nights}}/publish`, needs: ["1", "2", "3", "4"] }),
  ],
  diagnostics: [
    {
      code: "bare-listing",
      severity: "warning",
      message: '"Manila Nights" is to be published without a cover image.',
      hint: "Add `imageUrl`, or silence this with `ignore: [bare-listing]`.",
      address: nights,
      source: { file: "events/manila-nights.yaml", line: 1, column: 1 },
    },
  ],
  summary: { create: 6, publish: 1, unmanaged: 3 },
  calls: { reads: 4, writes: 5, estimateSeconds: 3.2 },
});

/** Edits, drift, replacements, deletions, risks and rules, in events that people have bought tickets for. */
export const edited: Plan = plan({
  changes: [
    change("event", nights, {
      edits: [
        edit("dateTime", "2027-03-14T11:00:00.000Z", "2027-03-14T12:00:00.000Z", { origin: "edit" }),
        edit(
          "description",
          "A night of live music by the bay, with food from twelve kitchens and a view of the sunset over the water. Gates open at seven.",
          "A night of live music by the bay, with food from fourteen kitchens and a view of the sunset over the water. Gates open at eight.",
          { origin: "edit" },
        ),
        edit("visibility", "PRIVATE", "PUBLIC", { origin: "drift" }),
        edit("imageUrl", "https://example.com/cover.jpg", null, { origin: "edit" }),
        edit("callbackUrl", null, "https://hooks.example.com/nights?token=s3cret", { unreadable: true }),
        edit("venueId", "6b9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f", venueId, { origin: "edit" }),
      ],
      blockedBy: [
        {
          code: "reschedule-with-sales",
          message: 'The start of "Manila Nights" would move while 132 tickets have been sold.',
          hint: "The service does not notify buyers: write to them yourself. To accept this risk, add `allow: [reschedule-with-sales]` to the event or pass --allow reschedule-with-sales.",
        },
      ],
      source: { file: "events/manila-nights.yaml", line: 1, column: 1 },
      context: {
        name: "Manila Nights",
        timezone: "Asia/Manila",
        status: "PUBLISHED",
        sold: 132,
        names: { [venueId]: "Palace, Baguio", "6b9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f": "Palace, Manila" },
      },
    }),
    change("ticket", `${nights}/tickets/VIP`, {
      edits: [edit("price", 4500, 4900, { origin: "edit" }), edit("quantity", 200, 220, { origin: "edit" })],
      context: { ...manila, name: "VIP", absorbFees: false, sold: 12 },
    }),
    change("ticket", `${nights}/tickets/GA`, {
      edits: [edit("published", false, true)],
      context: { ...manila, name: "GA", absorbFees: false },
    }),
    change("ticket", `${nights}/tickets/Early Bird`, {
      action: "delete",
      reason: "no longer listed under `tickets`",
      blockedBy: [
        {
          code: "delete-after-sales",
          message: 'The ticket type "Early Bird" cannot be deleted: 120 tickets have been sold.',
          hint: "List it again with `soldOut: true`: it can no longer be bought, and sold tickets stay valid.",
        },
      ],
      context: { ...manila, name: "Early Bird", sold: 120 },
    }),
    change("performer", `${nights}/performers/DJ Ana`, {
      action: "replace",
      reason: "the service cannot update it, so a new one is created and the old one is deleted",
      edits: [edit("type", "ARTIST", "DJ")],
      context: { ...manila, name: "DJ Ana" },
    }),
    change("schedule", `${nights}/schedules/Doors`, {
      edits: [edit("endTime", "2027-03-14T12:00:00.000Z", "2027-03-14T12:30:00.000Z")],
      context: { ...manila, name: "Doors" },
    }),
    change("brand", `${nights}/brands/Old Sponsor`, {
      action: "delete",
      reason: "no longer listed under `brands`",
      context: { ...manila, name: "Old Sponsor" },
    }),
    change("event", "events/closing-party", {
      action: "none",
      reason: "only the status differs",
      transition: { from: "PUBLISHED", to: "ARCHIVED" },
      source: { file: "events/closing-party.yaml", line: 3, column: 1 },
      context: { name: "Closing Party", timezone: "Asia/Manila", status: "PUBLISHED" },
    }),
    change("event", "events/rained-off", {
      action: "delete",
      reason: "no longer in the files",
      transition: { from: "PUBLISHED", to: "DELETED" },
      context: { name: "Rained Off", timezone: "Asia/Manila", status: "PUBLISHED" },
    }),
    change("event", "events/jazz", {
      action: "create",
      id: null,
      reason: "it cannot be told which live object is meant",
      blockedBy: [
        {
          code: "ambiguous-event",
          message:
            '2 live events have the name "Jazz Night", and it is unclear whether this file describes one of them:\n  0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 · Jazz Night · Fri 5 Mar 2027 20:00 Asia/Manila (12:00Z) · DRAFT\n  1c0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11 · Jazz Night · Fri 12 Mar 2027 20:00 Asia/Manila (12:00Z) · PUBLISHED',
          hint: "If that is the event you mean, add `id: 0b0e7a4e-52a5-4b0c-9a53-3f1d6f5f7c11` to the document; if this is a different event, add `new: true`.",
        },
      ],
      source: { file: "events/jazz.yaml", line: 1, column: 1 },
      context: { name: "Jazz Night" },
    }),
    change("webhook", "webhooks/https:%2F%2Fhooks.example.com%2Forders", {
      edits: [
        edit("events", ["order.completed"], ["order.completed", "order.refunded"]),
        edit("isActive", false, true, { origin: "drift" }),
      ],
      context: { name: "https://hooks.example.com/orders" },
    }),
  ],
  operations: [
    operation(1, "update", `${nights}/tickets/VIP`, { method: "PATCH", path: "/events/2/tickets/3" }),
    operation(2, "publish", `${nights}/tickets/GA`),
    operation(3, "create", `${nights}/performers/DJ Ana`),
    operation(4, "update", `${nights}/schedules/Doors`, { method: "PATCH" }),
    operation(5, "delete", `${nights}/performers/DJ Ana`, { method: "DELETE" }),
    operation(6, "delete", `${nights}/brands/Old Sponsor`, { method: "DELETE" }),
    operation(7, "archive", "events/closing-party", { fallback: ["unpublish", "archive"] }),
    operation(8, "unpublish", "events/rained-off"),
    operation(9, "delete", "events/rained-off", { method: "DELETE" }),
    operation(10, "update", "webhooks/https:%2F%2Fhooks.example.com%2Forders", { method: "PATCH" }),
  ],
  diagnostics: [
    {
      code: "buyers-not-told",
      severity: "warning",
      message:
        'The start and the venue of "Manila Nights" change with 132 tickets sold; the service does not notify buyers.',
      hint: "Write to the buyers yourself.",
      address: nights,
      source: { file: "events/manila-nights.yaml", line: 3, column: 1 },
    },
    {
      code: "sold-out-stays",
      severity: "info",
      message: '"Balcony" stays sold out although the file no longer says so.',
      address: `${nights}/tickets/Balcony`,
    },
  ],
  summary: { update: 5, replace: 1, delete: 2, publish: 1, archive: 1, unchanged: 14, blocked: 3, unmanaged: null },
  calls: { reads: 21, writes: 10, estimateSeconds: 10 },
});

const tables = Array.from({ length: 48 }, (_, index) => `Table ${String(index + 1).padStart(2, "0")}`);

/** One edit on 48 ticket types of one event, another on the same ticket type of five events. */
export const alike: Plan = plan({
  changes: [
    ...tables.map((name) =>
      change("ticket", `events/gala/tickets/${name}`, {
        edits: [edit("price", 2500, 2900)],
        context: { name, eventName: "Gala Dinner", absorbFees: true },
        source: { file: "events/gala.yaml", line: 12, column: 5 },
      }),
    ),
    ...[1, 2, 3, 4, 5].map((week) =>
      change("ticket", `events/jazz-${week}/tickets/GA`, {
        edits: [edit("maximumPurchaseQuantity", 8, 6), edit("quantity", 100, 120)],
        context: { name: "GA", eventName: "Jazz Night" },
      }),
    ),
  ],
  operations: [
    ...tables.map((name, index) => operation(index + 1, "update", `events/gala/tickets/${name}`, { method: "PATCH" })),
    ...[1, 2, 3, 4, 5].map((week) =>
      operation(48 + week, "update", `events/jazz-${week}/tickets/GA`, { method: "PATCH" }),
    ),
  ],
  summary: { update: 53, unchanged: 5 },
  calls: { reads: 9, writes: 53, estimateSeconds: 53 },
});

/** Nothing to do. */
export const empty: Plan = plan({ summary: { unchanged: 12 }, calls: { reads: 7, writes: 0, estimateSeconds: 0 } });

/** Files with errors: nothing was read of the service. */
export const broken: Plan = plan({
  target: { environment: "sandbox", baseUrl: "http://127.0.0.1:4010/open-api/v1", organization: null },
  diagnostics: [
    {
      code: "unknown-key",
      severity: "error",
      message: "`pirce` is no field of a ticket type.",
      hint: "Did you mean `price`?",
      source: { file: "events/a.yaml", line: 8, column: 7 },
    },
  ],
});

/** Names and texts made to harm whoever reads them. */
export const hostile: Plan = plan({
  changes: [
    change("event", "events/evil", {
      edits: [
        edit("name", "Fine", "\u001b[2J<script>alert(1)</script> @everyone `rm -rf` ``` #12 ::error::x\u202e"),
        edit(
          "description",
          "a\n```\n</details>\n::set-output name=x::y",
          "b\n````\n<img src=x onerror=alert(1)>\n::error::boo\n##[error]x",
        ),
      ],
      blockedBy: [
        {
          code: "archived-is-final",
          message: '"<b>@here</b>" is final: see #1 and https://evil.example/?q=1 *now*',
          hint: "Use `new: true` or @ask <someone>.",
        },
      ],
      source: { file: "events/`evil`.yaml", line: 1, column: 1 },
      context: { name: "</summary><script>@here</script>" },
    }),
  ],
  diagnostics: [{ code: "X", severity: "warning", message: "::error::\n::warning:: <i>@you</i> | [a](javascript:b)" }],
  summary: { blocked: 1 },
});

/** Changes that wait for what is blocked, fees that move to the buyers, and names in wide letters. */
export const waiting: Plan = plan({
  changes: [
    change("event", "events/東京ジャズ", {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({
        name: "東京ジャズ・フェスティバル 🎷",
        dateTime: "2027-05-01T10:00:00.000Z",
        timezone: "Asia/Tokyo",
      }),
      transition: { from: null, to: "PUBLISHED" },
      blockedBy: [
        {
          code: "venue-not-found",
          message: 'No venue is called "丸の内ホール".',
          hint: "Search with `ticketing venues search 丸の内` and take the name or the id from there.",
        },
      ],
      source: { file: "events/tokyo.yaml", line: 1, column: 1 },
      context: { name: "東京ジャズ・フェスティバル 🎷", timezone: "Asia/Tokyo" },
    }),
    change("ticket", "events/東京ジャズ/tickets/一般席", {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({ name: "一般席", price: 0, quantity: 12000, published: false }),
      context: { name: "一般席", absorbFees: true },
    }),
    change("event", "events/fair", {
      edits: [edit("absorbFees", true, false)],
      transition: { from: "DRAFT", to: "PUBLISHED" },
      context: {
        name: "Street Fair",
        status: "DRAFT",
        prices: [
          { name: "Day", price: 350 },
          { name: "Weekend", price: 600 },
        ],
      },
    }),
    change("ticket", "events/fair/tickets/Day", {
      edits: [edit("quantity", 500, 40)],
      blockedBy: [
        {
          code: "quantity-below-sold",
          message: 'The ticket type "Day" cannot have 40 tickets: 60 tickets have been sold.',
          hint: "Set `quantity` to 60 or more. To stop the sale, also write `soldOut: true`.",
        },
      ],
      context: { name: "Day", eventName: "Street Fair", sold: 60 },
    }),
    change("ticket", "events/fair/tickets/Weekend", {
      edits: [edit("soldOut", false, true), edit("price", 500, 600)],
      context: { name: "Weekend", eventName: "Street Fair" },
    }),
  ],
  operations: [
    operation(1, "update", "events/fair", { method: "PATCH" }),
    operation(2, "update", "events/fair/tickets/Weekend", { method: "PATCH" }),
    operation(3, "sold-out", "events/fair/tickets/Weekend"),
  ],
  summary: { create: 1, update: 2, soldOut: 1, blocked: 2 },
  calls: { reads: 6, writes: 3, estimateSeconds: 0.4 },
});

function comedyNight(week: number, name = "Laugh Out Loud"): readonly Change[] {
  const address = `events/laugh-${week}`;
  const at = (hour: number) => new Date(Date.UTC(2027, 2, 5 + 7 * week, hour)).toISOString();
  const fresh = { action: "create", id: null, reason: "not live yet" } as const;
  const context = { timezone: "Asia/Manila", eventName: name };
  return [
    change("event", address, {
      ...fresh,
      edits: sets({ name, dateTime: at(12), endDateTime: at(14), description: "Comedy.", venueId }),
      transition: { from: null, to: "PUBLISHED" },
      source: { file: `${address}.yaml`, line: 1, column: 1 },
      context: { name, timezone: "Asia/Manila", names: { [venueId]: "Palace, Baguio" } },
    }),
    change("ticket", `${address}/tickets/GA`, {
      ...fresh,
      edits: sets({ name: "GA", price: 500, quantity: 80, published: true }),
      context: { ...context, name: "GA", absorbFees: true },
    }),
    change("schedule", `${address}/schedules/Doors`, {
      ...fresh,
      edits: sets({ title: "Doors", startTime: at(12), endTime: at(13) }),
      context: { ...context, name: "Doors" },
    }),
  ];
}

function comedyCalls(weeks: readonly number[]): readonly Operation[] {
  return weeks.flatMap((week, index) => [
    operation(2 * index + 1, "create", `events/laugh-${week}`, { body: { tickets: [{ name: "GA" }] } }),
    operation(2 * index + 2, "publish", `events/laugh-${week}`),
  ]);
}

/** Six nights of one name, one of them live already and changed, one renamed on the way. */
export const series: Plan = plan({
  changes: [
    ...[1, 10, 2, 3].flatMap((week) => comedyNight(week)),
    ...comedyNight(4, "Laugh Out Loud: Finale"),
    change("ticket", "events/laugh-0/tickets/GA", {
      edits: [edit("price", 400, 500)],
      context: { name: "GA", eventName: "Laugh Out Loud", timezone: "Asia/Manila", absorbFees: true },
    }),
  ],
  operations: [
    ...comedyCalls([1, 10, 2, 3, 4]),
    operation(11, "update", "events/laugh-0/tickets/GA", { method: "PATCH" }),
  ],
  observed: [
    {
      address: "events/laugh-0",
      kind: "event",
      id: "22222222-2222-4222-8222-222222222222",
      parentId: null,
      fields: { dateTime: "2027-03-05T12:00:00.000Z" },
      status: "PUBLISHED",
      allow: [],
    },
  ],
  summary: { create: 15, publish: 5, update: 1 },
  calls: { reads: 5, writes: 11, estimateSeconds: 0 },
});

/** So many new events that no one reads them one by one, no two of them alike. */
export const season: Plan = plan({
  changes: Array.from({ length: 5000 }, (_, index) =>
    change("event", `events/show-${index}`, {
      action: "create",
      id: null,
      reason: "not live yet",
      edits: sets({ name: `Show ${index}`, dateTime: "2027-03-05T12:00:00.000Z", eventCapacity: 100 + index }),
      context: { name: `Show ${index}`, timezone: "Asia/Manila" },
    }),
  ),
  operations: Array.from({ length: 5000 }, (_, index) => operation(index + 1, "create", `events/show-${index}`)),
  summary: { create: 5000 },
  calls: { reads: 5, writes: 5000, estimateSeconds: 1000 },
});
