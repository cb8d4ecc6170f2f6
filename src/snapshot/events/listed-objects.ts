// Lists may show less than GET by id, or just as much: the first read decides for the rest of the run.
import type { Kind } from "../../kinds/define.ts";
import { kindOf, listPath, readRecord, unnamedRecord } from "../../kinds/index.ts";
import { idKey, type KindName } from "../../model/address.ts";
import { Halt } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import { problemOf } from "../../service/problem.ts";
import type { Reader } from "../reader.ts";

/** What a record shows; null if it is deleted. A record without a usable id must not count as a missing one. */
export function liveOf(kind: Kind, record: unknown, parentId: string | null): Live | null {
  const live = readRecord(kind, record, parentId);
  const unnamed = live === null ? unnamedRecord(kind, record) : null;
  if (unnamed === null) return live;
  throw new Halt({ ok: false, problem: problemOf("refused", "unexpected-response", unnamed.message, unnamed.hint) });
}

/** Fields that the service shows at all. A field that some records of a list show and another leaves out is empty there, not hidden. */
export type ShownFields = Set<string>;

export function noteShown(shown: ShownFields, live: Live): void {
  for (const field of Object.keys(live.fields)) shown.add(field);
}

/** The same object, with fields that are shown elsewhere and missing here as empty ones. */
export function fillShown(shown: ShownFields, kind: Kind, live: Live): Live {
  const fields: Record<string, Value> = { ...live.fields };
  for (const field of shown) {
    const policy = kind.fields[field];
    if (field in fields || policy?.role !== "value") continue;
    // A required field is never empty: this record shows less than others do, so what else it lacks may be hidden, too.
    if (policy.required === true) return live;
    // A missing flag or choice says nothing; only what can be empty counts as empty.
    if (policy.form !== "flag" && policy.form !== "choice") fields[field] = null;
  }
  return { ...live, fields };
}

/** Lists may show only the beginning of a long text. */
function isCut(value: Value | undefined): boolean {
  return typeof value === "string" && /(?:…|\.\.\.)(?:\s|<\/\w+>)*$/.test(value.slice(-40));
}

export type Details = ReturnType<typeof makeDetails>;

/** Whether GET by id shows more than lists do: null until the first response, which decides for all lists of the kind. */
export interface DetailsVerdict {
  ofKind: Promise<boolean> | null;
}

export function makeDetails(
  reader: Reader,
  kind: Kind,
  pathOf: (live: Live) => string,
  verdict: DetailsVerdict = { ofKind: null },
) {
  const listed: ShownFields = new Set();
  const detailed: ShownFields = new Set();
  const readById = new Set<string>();

  async function readFull(live: Live): Promise<Live | null> {
    readById.add(idKey(live.id));
    const full = liveOf(kind, await reader.one(pathOf(live)), live.parentId);
    if (full !== null) noteShown(detailed, full);
    return full;
  }

  /** By id, without a list. */
  async function byId(path: string, parentId: string | null): Promise<Live | null> {
    const live = liveOf(kind, await reader.one(path), parentId);
    if (live === null) return null;
    readById.add(idKey(live.id));
    noteShown(detailed, live);
    return fillShown(detailed, kind, live);
  }

  /** As GET by id shows it, with what only lists show; null if it is gone. */
  async function whole(live: Live): Promise<Live | null> {
    const full = await readFull(live);
    return full === null ? null : fillShown(detailed, kind, merge(live, full));
  }

  return {
    byId,
    whole,
    /** Learns from a record of a list. */
    noteListed: (live: Live) => noteShown(listed, live),
    /** The object with every wanted field that the service shows anywhere; null if it is gone. */
    async complete(live: Live, wanted: readonly string[]): Promise<Live | null> {
      const isPartial = kind.endpoints.get && wanted.some((field) => isCut(live.fields[field]));
      if (isPartial && !readById.has(idKey(live.id))) return whole(live);
      const missing = wanted.filter((field) => !(field in live.fields));
      if (missing.length === 0) return live;
      if (missing.every((field) => listed.has(field)) || !kind.endpoints.get) return fillShown(listed, kind, live);
      if (verdict.ofKind === null) {
        const first = readFull(live);
        verdict.ofKind = first.then(
          (full) => full === null || Object.keys(full.fields).some((field) => !listed.has(field)),
        );
        // A failed read is reported by its reader; the others may never ask for the verdict.
        verdict.ofKind.catch(() => undefined);
        const full = await first;
        return full === null ? null : fillShown(detailed, kind, merge(live, full));
      }
      if (!(await verdict.ofKind)) return fillShown(listed, kind, live);
      return whole(live);
    },
  };
}

function merge(listed: Live, full: Live): Live {
  const { status, otherStatus } = full.status === null && full.otherStatus === undefined ? listed : full;
  return {
    ...full,
    fields: { ...listed.fields, ...full.fields },
    status,
    ...(otherStatus === undefined ? {} : { otherStatus }),
    remaining: full.remaining ?? listed.remaining,
  };
}

// The lists below events, with what they do not show themselves.

export interface WantedList {
  readonly eventId: string;
  readonly kind: KindName;
  /** Managed fields of its entries. */
  readonly fields: readonly string[];
  /** How many were created with their event, if that was recently and their ids are unknown. */
  readonly least?: number;
}

export type ReadList = (list: WantedList) => Promise<readonly Live[]>;

export function makeListReader(reader: Reader): ReadList {
  const verdicts = new Map<KindName, DetailsVerdict>();
  return async ({ eventId, fields, kind: name, least }) => {
    const kind = kindOf(name);
    const path = listPath(kind, eventId);
    const records = await reader.all(path, {}, false, least);
    const lives = records.flatMap((record) => liveOf(kind, record, eventId) ?? []);
    // Most lists show every field.
    if (lives.every((live) => fields.every((field) => field in live.fields))) return lives;
    const verdict = verdicts.get(name) ?? { ofKind: null };
    verdicts.set(name, verdict);
    // The lists of other events do not matter here: which of them were read before depends on chance, and on the shard.
    const known = makeDetails(reader, kind, (live) => `${path}/${live.id}`, verdict);
    for (const live of lives) known.noteListed(live);
    const complete = await Promise.all(lives.map((live) => known.complete(live, fields)));
    return complete.filter((live) => live !== null);
  };
}
