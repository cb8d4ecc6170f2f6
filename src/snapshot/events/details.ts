// Lists may show less than GET by id does, or just as much: the first look tells, and the rest of the run goes by it.
import type { Kind } from "../../kinds/define.ts";
import { readRecord, unnamedRecord } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import { problemOf } from "../../service/problem.ts";
import { type Reader, ReadFailure } from "../reader.ts";

/** What a record shows; null where it is gone. What is there and cannot be spoken of must not pass for not being there. */
export function liveOf(kind: Kind, record: unknown, parentId: string | null): Live | null {
  const live = readRecord(kind, record, parentId);
  const unnamed = live === null ? unnamedRecord(kind, record) : null;
  if (unnamed === null) return live;
  throw new ReadFailure(problemOf("refused", "unexpected-answer", unnamed.message, unnamed.hint));
}

// Which fields the service shows at all. A field that some records show and another leaves out is empty there, not hidden.

export type ShownFields = Set<string>;

export function noteShown(shown: ShownFields, live: Live): void {
  for (const field of Object.keys(live.fields)) shown.add(field);
}

/** The same object with fields that are shown elsewhere and missing here as empty ones. */
export function fillShown(shown: ShownFields, kind: Kind, live: Live): Live {
  const fields: Record<string, Value> = { ...live.fields };
  for (const field of shown) {
    const policy = kind.fields[field];
    if (field in fields || policy?.role !== "value" || policy.required === true) continue;
    // A missing flag or choice means nothing in particular; only what can be empty can be taken for empty.
    if (policy.form !== "flag" && policy.form !== "choice") fields[field] = null;
  }
  return { ...live, fields };
}

export interface Details {
  /** A record of a list, to be learned from. */
  noteListed(live: Live): void;
  /** The object with every wanted field that the service shows anywhere; null where it is gone. */
  complete(live: Live, wanted: readonly string[]): Promise<Live | null>;
  /** By id, without a list. */
  byId(path: string, parentId: string | null): Promise<Live | null>;
}

export function makeDetails(reader: Reader, kind: Kind, pathOf: (live: Live) => string): Details {
  const listed: ShownFields = new Set();
  const detailed: ShownFields = new Set();
  /** Whether GET by id shows more than lists do; the first answer decides. */
  let verdict: Promise<boolean> | null = null;

  async function look(live: Live): Promise<Live | null> {
    const full = liveOf(kind, await reader.one(pathOf(live)), live.parentId);
    if (full !== null) noteShown(detailed, full);
    return full;
  }

  async function byId(path: string, parentId: string | null): Promise<Live | null> {
    const live = liveOf(kind, await reader.one(path), parentId);
    if (live === null) return null;
    noteShown(detailed, live);
    return fillShown(detailed, kind, live);
  }

  return {
    byId,
    noteListed: (live) => noteShown(listed, live),
    async complete(live, wanted) {
      const missing = wanted.filter((field) => !(field in live.fields));
      if (missing.length === 0) return live;
      if (missing.every((field) => listed.has(field)) || !kind.endpoints.get) return fillShown(listed, kind, live);
      if (verdict === null) {
        const first = look(live);
        verdict = first.then((full) => full === null || Object.keys(full.fields).some((field) => !listed.has(field)));
        // A look that fails is told by whoever looked; the others may never ask for the verdict.
        verdict.catch(() => undefined);
        const full = await first;
        return full === null ? null : fillShown(detailed, kind, merge(live, full));
      }
      if (!(await verdict)) return fillShown(listed, kind, live);
      const full = await look(live);
      return full === null ? null : fillShown(detailed, kind, merge(live, full));
    },
  };
}

function merge(listed: Live, full: Live): Live {
  return {
    ...full,
    fields: { ...listed.fields, ...full.fields },
    status: full.status ?? listed.status,
    remaining: full.remaining ?? listed.remaining,
  };
}
