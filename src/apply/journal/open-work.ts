// What a journal leaves open: calls without an end, creates that may still show up late, rotations, and inline ticket types.
import { type Address, idKey } from "../../model/address.ts";
import type { IntentEntry, JournalEntry, Rotation, RunEntry } from "./journal-entry.ts";

/** Every attempt to create one object, from the first that may have had an effect. */
export interface CreateAttempts {
  readonly address: Address;
  readonly intents: readonly [IntentEntry, ...IntentEntry[]];
  /** Keys of ids that cannot be of these attempts: live before them, or created for something else. */
  readonly known: ReadonlySet<string>;
  /** When the last of them was sent, or last looked for. */
  readonly since: number;
}

export function lastIntent({ intents }: CreateAttempts): IntentEntry {
  return intents.at(-1) ?? intents[0];
}

export interface OpenWork {
  /** Creates with an attempt that was never closed. */
  readonly open: readonly CreateAttempts[];
  /** Creates with an attempt that was not found, and has not been rechecked since. */
  readonly unconfirmed: readonly CreateAttempts[];
  /** Other calls that were never closed. */
  readonly unfinished: readonly IntentEntry[];
  readonly highestSeq: number;
}

interface Tracked {
  readonly intent: IntentEntry;
  status: "open" | "absent" | "settled";
}

export function findOpenWork(entries: readonly JournalEntry[]): OpenWork {
  const tracked = new Map<number, Tracked>();
  const runs: RunEntry[] = [];
  const given = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "run") runs.push(entry);
    if (entry.type === "intent") tracked.set(entry.seq, { intent: entry, status: "open" });
    if ((entry.type === "close" || entry.type === "learn") && entry.id !== undefined) given.add(entry.id);
    if (entry.type === "close" || entry.type === "clear") {
      const found = tracked.get(entry.seq);
      if (found !== undefined) found.status = entry.type === "close" && entry.how === "absent" ? "absent" : "settled";
    }
  }
  return sortOut([...tracked.values()], (first) => new Set([...given, ...knownBefore(runs, first)].map(idKey)));
}

/** What a later run saw live may be the late object itself, so only runs up to that of the first attempt count. */
function knownBefore(runs: readonly RunEntry[], first: IntentEntry): readonly string[] {
  const until = runs.findIndex((each) => each.run === first.run);
  return runs.slice(0, until === -1 ? runs.length : until + 1).flatMap((each) => each.known);
}

function sortOut(tracked: readonly Tracked[], knownAt: (first: IntentEntry) => ReadonlySet<string>): OpenWork {
  const creates = new Map<Address, Tracked[]>();
  const unfinished: IntentEntry[] = [];
  let highestSeq = 0;
  for (const each of tracked) {
    highestSeq = Math.max(highestSeq, each.intent.seq);
    if (each.status === "settled") continue;
    const { address, verb } = each.intent;
    if (verb === "create") creates.set(address, [...(creates.get(address) ?? []), each]);
    else unfinished.push(each.intent);
  }
  const open: CreateAttempts[] = [];
  const unconfirmed: CreateAttempts[] = [];
  for (const [address, list] of creates) {
    const [first, ...rest] = list.map((each) => each.intent);
    if (first === undefined) continue;
    const since = Math.max(first.at, ...rest.map(({ at }) => at));
    const attempts: CreateAttempts = { address, intents: [first, ...rest], known: knownAt(first), since };
    (list.some((each) => each.status === "open") ? open : unconfirmed).push(attempts);
  }
  return { open, unconfirmed, unfinished, highestSeq };
}

/** The new webhook is there and its secret stored, but the former ones may not be deleted yet. */
export interface OpenRotation {
  /** The create of the new webhook. */
  readonly intent: IntentEntry & { readonly rotation: Rotation };
  /** The new webhook's id. */
  readonly created: string;
}

export function openRotations(entries: readonly JournalEntry[]): readonly OpenRotation[] {
  const intents = new Map<number, OpenRotation["intent"]>();
  const open = new Map<number, OpenRotation>();
  for (const entry of entries) {
    if (entry.type === "intent" && entry.verb === "create" && isRotation(entry)) intents.set(entry.seq, entry);
    else if (entry.type === "close" && entry.id !== undefined && (entry.how === "done" || entry.how === "adopted")) {
      const intent = intents.get(entry.seq);
      if (intent !== undefined) open.set(entry.seq, { intent, created: entry.id });
    } else if (entry.type === "clear") open.delete(entry.seq);
  }
  return [...open.values()];
}

function isRotation(intent: IntentEntry): intent is OpenRotation["intent"] {
  return intent.rotation !== undefined;
}

/** Objects that were created within their parent's create call, and whose ids are not known yet. */
export interface UnidentifiedParts {
  readonly intent: IntentEntry;
  /** The id of the parent that was created. */
  readonly parentId: string;
}

export function findUnidentifiedParts(entries: readonly JournalEntry[]): readonly UnidentifiedParts[] {
  const intents = new Map<number, IntentEntry>();
  const made = new Map<number, UnidentifiedParts>();
  const learned = new Set<string>();
  for (const entry of entries) {
    if (entry.type === "intent" && entry.verb === "create") intents.set(entry.seq, entry);
    else if (entry.type === "learn") learned.add(entry.address);
    else if (entry.type === "clear") made.delete(entry.seq);
    else if (entry.type === "close" && entry.id !== undefined) {
      const intent = intents.get(entry.seq);
      if (intent === undefined) continue;
      learned.add(intent.address);
      if (intent.inline !== undefined) made.set(entry.seq, { intent, parentId: entry.id });
    }
  }
  return [...made.values()].filter(({ intent }) => intent.inline?.some((part) => !learned.has(part.address)));
}
