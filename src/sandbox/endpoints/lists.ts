// Lists: their order, what does not show yet, and pages.
import { createHash } from "node:crypto";
import type { EventRow, Row } from "../data/records.ts";
import type { Profile } from "../profile/knobs.ts";
import { type Call, type FieldProblem, type Reply, requireValid, type Shown } from "./call.ts";

/** Rows in the profile's order, without those that are too young to be listed, on one page or all at once. */
export function listReply<T extends Row>(
  call: Call,
  rows: readonly T[],
  show: (row: T, profile: Profile) => Shown,
  paged: "paged" | "plain" | "wrapped" = "paged",
): Reply {
  const shown = orderRows(call, rows);
  if (paged === "paged") return pageReply(call, shown, show);
  const items = shown.map((row) => show(row, call.profile));
  return { status: 200, data: paged === "wrapped" ? { items } : items };
}

export function pageReply<T>(call: Call, rows: readonly T[], show: (row: T, profile: Profile) => Shown): Reply {
  const { page, take } = readPaging(call);
  const total = rows.length;
  const data = rows.slice((page - 1) * take, page * take).map((row) => show(row, call.profile));
  return { status: 200, data, meta: { page, take, total, totalPages: Math.ceil(total / take) } };
}

function orderRows<T extends Row>({ profile, born, elapsed }: Call, rows: readonly T[]): readonly T[] {
  const oldest = elapsed() - profile.listLag;
  const shown = profile.listLag === 0 ? rows : rows.filter((row) => (born.get(row.id) ?? oldest) <= oldest);
  switch (profile.listOrder) {
    case "created":
      return shown;
    case "reversed":
      return [...shown].reverse();
    case "shuffled":
      // By a digest of the id: in no order to rely on, yet the same on every page.
      return shown
        .map((row) => ({ row, by: createHash("md5").update(row.id).digest("hex") }))
        .sort((a, b) => (a.by < b.by ? -1 : 1))
        .map(({ row }) => row);
  }
}

function readPaging({ query, profile }: Call): { readonly page: number; readonly take: number } {
  const { takeDefault, takeMax, takeAbove } = profile;
  const problems: FieldProblem[] = [];
  const page = readCount("page", query.get("page") ?? "1", problems);
  const take = readCount("take", query.get("take") ?? String(Math.min(takeDefault, takeMax)), problems);
  if (take > takeMax && takeAbove === "refused")
    problems.push({ field: "take", message: `take must be at most ${takeMax}` });
  requireValid(problems);
  return { page, take: Math.min(take, takeMax) };
}

function readCount(field: string, text: string, problems: FieldProblem[]): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  problems.push({ field, message: `${field} must be a whole number of at least 1` });
  return 1;
}

export function readStatusFilter<T extends string>({ query }: Call, statuses: readonly T[]): T | undefined {
  const value = query.get("status") as T | null;
  const isKnown = value === null || statuses.includes(value);
  requireValid(isKnown ? [] : [{ field: "status", message: `status must be one of ${statuses.join(", ")}` }]);
  return value ?? undefined;
}

/** Search text, as loosely or as oddly as the profile wants it. */
export function searchEvents(events: readonly EventRow[], text: string, profile: Profile): readonly EventRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return events;
  switch (profile.search) {
    case "substring":
      return events.filter((event) => event.name.toLowerCase().includes(wanted));
    case "words": {
      const words = splitWords(wanted);
      return events.filter((event) => {
        const own = new Set(splitWords(event.name.toLowerCase()));
        return words.every((word) => own.has(word));
      });
    }
    case "ignored":
      return events;
    case "broken":
      return [];
  }
}

function splitWords(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
