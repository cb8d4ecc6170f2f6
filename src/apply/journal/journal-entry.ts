import { crc32 } from "node:zlib";
import type { Address, KindName } from "../../model/address.ts";
import type { Attempt, Shard } from "../../model/live.ts";
import type { Verb, WriteMethod } from "../../model/plan.ts";
import type { Value } from "../../model/value.ts";

export type FieldValues = Readonly<Record<string, Value>>;

export interface RunEntry {
  readonly type: "run";
  readonly run: string;
  readonly at: number;
  readonly organization: { readonly id: string; readonly slug: string };
  /** Ids of what was live before: this run created none of it. */
  readonly known: readonly string[];
  /** What an apply works from; left out once state holds it, and by runs that are no apply. */
  readonly attempt?: Attempt;
  /** Other shards ran at the same time: what they saw live may be what this one created. */
  readonly shard?: Shard;
}

/** An object created within the create call of its parent. */
export interface InlinePart {
  readonly address: Address;
  readonly fields: FieldValues;
}

/** A webhook that replaces others: they are deleted once it works. */
export interface Rotation {
  readonly replaces: readonly string[];
  /** They are inactive, and so is it to be. */
  readonly inactive?: true;
  /** What is created is not recorded in state, or not again. */
  readonly unremembered?: true;
}

/** A call is about to be sent: durable before its first byte is. */
export interface IntentEntry {
  readonly type: "intent";
  readonly seq: number;
  readonly run: string;
  /** The operation's id in its plan; null for what recovery does by itself. */
  readonly operation: string | null;
  readonly address: Address;
  readonly kind: KindName;
  readonly verb: Verb;
  readonly method: WriteMethod;
  readonly path: string;
  /** The event's id, for what belongs to one. */
  readonly parentId: string | null;
  /** The id of the object that the call is about; null for a create. */
  readonly id: string | null;
  /** What is sent, in canonical form, ids filled in. */
  readonly fields: FieldValues;
  readonly inline?: readonly InlinePart[];
  readonly rotation?: Rotation;
  /** The object is deleted before its replacement is created, to free its name: what the replacement keeps of it. */
  readonly carried?: FieldValues;
  /** The fields are cleared so that what they name can be replaced: its address, by field. */
  readonly named?: FieldValues;
  /** The document forbids anything destructive to what is created. */
  readonly protected?: true;
  /** Written before the run's first call, and not since: it may have been sent or not. `parentId` may be unknown (null). */
  readonly announced?: true;
  readonly at: number;
  /** The service's own time, as its latest response showed it. */
  readonly date: string | null;
}

/**
 * How an intent ended.
 *
 * | how      | means                                                                        |
 * |----------|------------------------------------------------------------------------------|
 * | done     | the service confirmed it                                                     |
 * | adopted  | not confirmed, but found done                                                |
 * | refused  | the service refused it                                                       |
 * | unsent   | not sent, or throttled: nothing was done                                     |
 * | absent   | not confirmed and not found: it may still show up late                       |
 * | undone   | found, and deleted again (a webhook whose secret is lost)                    |
 * | passed   | left to the next plan                                                        |
 */
export type Ending = "done" | "adopted" | "refused" | "unsent" | "absent" | "undone" | "passed";

export interface CloseEntry {
  readonly type: "close";
  readonly seq: number;
  readonly how: Ending;
  /** The id that a create was given. */
  readonly id?: string;
  /** Fields that the service has normalized. */
  readonly returned?: FieldValues;
  /** When it was created, by the service's clock. */
  readonly madeAt?: string;
  /** When it was changed or deleted, by the service's clock. */
  readonly at?: string;
}

/** An object's id and fields became known without its own call, as those of an inline ticket type do. */
export interface LearnEntry {
  readonly type: "learn";
  readonly address: Address;
  readonly kind: KindName;
  readonly id: string;
  readonly fields: FieldValues;
  readonly returned?: FieldValues;
  /** Fields that could not be cleared, with what the service shows for them; null: nothing. */
  readonly uncleared?: FieldValues;
  /** Fields that show another value than was sent, so what was sent does not count as applied. */
  readonly wrong?: readonly string[];
  readonly madeAt?: string;
}

/** A new webhook's secret is about to go to a sink that cannot be asked: until its create is closed, the sink may have it. */
export interface HandEntry {
  readonly type: "hand";
  readonly seq: number;
  /** The webhook's id; earlier builds did not write it. */
  readonly id?: string;
  /** The name under which the sink stores it. */
  readonly name?: string;
  readonly at?: number;
}

/** A create that was not found was rechecked for the last time, or a rotation is finished. */
export interface ClearEntry {
  readonly type: "clear";
  readonly seq: number;
}

export type JournalEntry = RunEntry | IntentEntry | CloseEntry | LearnEntry | ClearEntry | HandEntry;

/** One line, with a checksum as its last member, so that a torn line is recognized. */
export function formatEntry(entry: JournalEntry): string {
  const text = JSON.stringify(entry);
  return `${text.slice(0, -1)},"sum":"${crcOf(text)}"}\n`;
}

const ending = /,"sum":"([0-9a-f]{8})"\}$/;

/** The lines about our own addresses, with the runs that wrote them, and the others with theirs. */
export function splitJournal(
  text: string,
  isOwn: (address: Address) => boolean,
): { readonly own: string; readonly rest: string } {
  const lines = text.split("\n").slice(0, -1);
  const entries = lines.map(parseEntry);
  const ownSeqs = new Set<number>();
  const [ownRuns, otherRuns] = [new Set<string>(), new Set<string>()];
  let run = "";
  const sides = entries.map((entry) => {
    if (entry?.type === "run") run = entry.run;
    if (entry === null || entry.type === "run") return null;
    const isMine = "address" in entry ? isOwn(entry.address) : ownSeqs.has(entry.seq);
    if (entry.type === "intent" && isMine) ownSeqs.add(entry.seq);
    (isMine ? ownRuns : otherRuns).add(entry.type === "intent" ? entry.run : run);
    return isMine;
  });
  const linesOf = (mine: boolean, runs: ReadonlySet<string>) =>
    lines.filter((_, index) => {
      const entry = entries[index];
      // A line that cannot be read stays where it is.
      if (entry == null) return !mine;
      return entry.type === "run" ? runs.has(entry.run) : sides[index] === mine;
    });
  const join = (some: readonly string[]) => some.map((line) => `${line}\n`).join("");
  return { own: join(linesOf(true, ownRuns)), rest: join(linesOf(false, otherRuns)) };
}

/** null: the line is torn, or not one of ours. */
export function parseEntry(line: string): JournalEntry | null {
  const found = ending.exec(line);
  if (found === null) return null;
  const text = `${line.slice(0, found.index)}}`;
  return crcOf(text) === found[1] ? (JSON.parse(text) as JournalEntry) : null;
}

function crcOf(text: string): string {
  return crc32(text).toString(16).padStart(8, "0");
}
