// Lists: their order, what does not show yet, and pages.
import { createHash } from "node:crypto";
import type { EventRow } from "../../data/records.ts";
import type { Row } from "../../data/store.ts";
import type { Profile } from "../../profile/knobs.ts";
import type { Call, Meta, Reply, SandboxContext } from "../call.ts";
import { type FieldProblem, invalid } from "../refusal.ts";

/** Rows as a list shows them: in the profile's order, without those that are too young. */
export function arrange<T extends Row>(desk: SandboxContext, rows: readonly T[]): readonly T[] {
  const { listLag, listOrder } = desk.profile();
  const shown = listLag === 0 ? rows : rows.filter((row) => isListed(desk, row.id, listLag));
  switch (listOrder) {
    case "created":
      return shown;
    case "reversed":
      return [...shown].reverse();
    case "shuffled":
      // By a digest of the id: without any order to rely on, yet the same on every page.
      return shown
        .map((row) => ({ row, by: digest(row.id) }))
        .sort((a, b) => (a.by < b.by ? -1 : 1))
        .map(({ row }) => row);
  }
}

function isListed(desk: SandboxContext, id: string, lag: number): boolean {
  const born = desk.born.get(id);
  return born === undefined || desk.elapsed() - born >= lag;
}

function digest(id: string): string {
  return createHash("md5").update(id).digest("hex");
}

export function pageOf<T>(call: Call, rows: readonly T[], show: (row: T) => unknown): Reply {
  const { page, take } = readPaging(call);
  const total = rows.length;
  const meta: Meta = { page, take, total, totalPages: Math.ceil(total / take) };
  return { status: 200, data: rows.slice((page - 1) * take, page * take).map(show), meta };
}

export function plainOf<T>(rows: readonly T[], show: (row: T) => unknown): Reply {
  return { status: 200, data: rows.map(show) };
}

function readPaging({ query, desk }: Call): { readonly page: number; readonly take: number } {
  const { takeDefault, takeMax, takeAbove } = desk.profile();
  const problems: FieldProblem[] = [];
  const page = readCount("page", query.get("page") ?? "1", problems);
  const take = readCount("take", query.get("take") ?? String(Math.min(takeDefault, takeMax)), problems);
  if (take > takeMax && takeAbove === "refused")
    problems.push({ field: "take", message: `take must be at most ${takeMax}` });
  if (problems.length > 0) throw invalid(problems);
  return { page, take: Math.min(take, takeMax) };
}

function readCount(field: string, text: string, problems: FieldProblem[]): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  problems.push({ field, message: `${field} must be a whole number from 1 on` });
  return 1;
}

/** A query value that must be one of a few; undefined where there is none. */
export function readChoice<T extends string>(call: Call, name: string, of: readonly T[]): T | undefined {
  const value = call.query.get(name);
  if (value === null) return undefined;
  if (of.includes(value as T)) return value as T;
  throw invalid([{ field: name, message: `${name} must be one of ${of.join(", ")}` }]);
}

// Search text, as loosely or as oddly as the profile wants it.

export function searchEvents(events: readonly EventRow[], text: string, profile: Profile): readonly EventRow[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === "") return events;
  switch (profile.search) {
    case "substring":
      return events.filter((event) => event.name.toLowerCase().includes(wanted));
    case "words": {
      const words = wordsOf(wanted);
      return events.filter((event) => {
        const own = new Set(wordsOf(event.name.toLowerCase()));
        return words.every((word) => own.has(word));
      });
    }
    case "ignored":
      return events;
    case "broken":
      return [];
  }
}

function wordsOf(text: string): string[] {
  return text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== "");
}
