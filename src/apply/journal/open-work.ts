// What a journal leaves open: calls without an end, creates that may still show up late, rotations, and inline ticket types. It
// decides which of its lines count, and which of them the next run needs.
import { type Address, idKey } from "../../model/address.ts";
import { groupBy } from "../../model/value.ts";
import {
  formatEntry,
  type IntentEntry,
  type JournalEntry,
  parseEntry,
  type Rotation,
  type RunEntry,
} from "./journal-entry.ts";

export function parseJournal(text: string) {
  const entries: JournalEntry[] = [];
  /** Numbers of lines that cannot be read. A torn last line is not among them: its call was never sent. */
  const damaged: number[] = [];
  const lines = text.split("\n");
  // Text after the last line break is empty, or an incomplete line.
  lines.pop();
  for (const [index, line] of lines.entries()) {
    const entry = parseEntry(line);
    if (entry === null) damaged.push(index + 1);
    else entries.push(entry);
  }
  return { entries, damaged };
}

/** Every attempt to create one object, from the first that may have had an effect. */
export interface CreateAttempts {
  readonly address: Address;
  readonly intents: readonly [IntentEntry, ...IntentEntry[]];
  /** Keys of ids that these attempts cannot have created: live before them, or created for something else. */
  readonly known: ReadonlySet<string>;
  /** The start of the settle time: when the last of them was sent, or last searched for. */
  readonly since: number;
}

export function lastIntent({ intents }: CreateAttempts): IntentEntry {
  return intents.at(-1) ?? intents[0];
}

/** The new webhook is there and its secret stored, but the former ones may not be deleted yet. */
export interface OpenRotation {
  /** The create of the new webhook. */
  readonly intent: IntentEntry & { readonly rotation: Rotation };
  /** The new webhook's id. */
  readonly created: string;
}

/** The webhooks that take part in it: the new one and those that it replaces. */
export function rotatedIds({ intent, created }: OpenRotation): readonly string[] {
  return [created, ...intent.rotation.replaces];
}

/** Objects that were created within their parent's create call, and whose ids are not known yet. */
export interface UnidentifiedParts {
  readonly intent: IntentEntry;
  readonly parentId: string;
}

interface Tracked {
  readonly intent: IntentEntry;
  /** `handed`: a rotation that was cut off while a sink that cannot be asked stored the new secret. */
  status: "open" | "absent" | "handed" | "closed";
  /** The id of what was created; null once it needs no more attention. */
  created: string | null;
}

/** What the lines say of each call, and what is known by them. */
function trackCalls(entries: readonly JournalEntry[]) {
  const bySeq = new Map<number, Tracked>();
  const runs: RunEntry[] = [];
  /** Ids and addresses of objects that are known. */
  const given = new Set<string>();
  const identified = new Set<Address>();

  function hand(found: Tracked, id: string | undefined): void {
    if (id !== undefined) given.add(id);
    resolveEarlier(bySeq.values(), found);
    found.status = "handed";
    found.created = id ?? "";
  }

  function end(found: Tracked, status: "absent" | "closed", id: string | undefined): void {
    found.status = status;
    found.created = id ?? null;
    if (id === undefined) return;
    identified.add(found.intent.address);
    if (isRotation(found.intent)) resolveEarlier(bySeq.values(), found);
  }

  for (const entry of entries) {
    if (entry.type === "run") runs.push(entry);
    else if (entry.type === "intent") bySeq.set(entry.seq, { intent: entry, status: "open", created: null });
    else if (entry.type === "learn") {
      given.add(entry.id);
      identified.add(entry.address);
    } else if (entry.type === "hand") {
      const found = bySeq.get(entry.seq);
      if (found !== undefined && isRotation(found.intent)) hand(found, entry.id);
    } else {
      const { how, id } = entry.type === "close" ? entry : { how: "cleared", id: undefined };
      const found = bySeq.get(entry.seq);
      if (id !== undefined) given.add(id);
      if (found !== undefined) end(found, how === "absent" ? "absent" : "closed", id);
    }
  }
  return { tracked: [...bySeq.values()], runs, given, identified };
}

export function findOpenWork(entries: readonly JournalEntry[]) {
  const { tracked, runs, given, identified } = trackCalls(entries);
  const waiting = tracked.filter(({ status }) => status === "open" || status === "absent");
  const creates = waiting.filter(({ intent }) => intent.verb === "create");
  const lists = [...groupBy(creates, ({ intent }) => intent.address).values()];
  const attempts = (list: readonly Tracked[]) => attemptsOf(list, given, runs);
  const isOpen = (list: readonly Tracked[]) => list.some(({ status }) => status === "open");
  return {
    /** Creates with an attempt that was never closed. */
    open: lists.filter(isOpen).flatMap(attempts),
    /** Creates with an attempt that was not found, and that no later run has cleared. */
    unconfirmed: lists.filter((list) => !isOpen(list)).flatMap(attempts),
    /** Other calls that were never closed. */
    unfinished: waiting.map(({ intent }) => intent).filter(({ verb }) => verb !== "create"),
    rotations: rotationsIn(tracked, "closed"),
    /** Rotations that were cut off while the new secret was being stored: it is unknown which secret is stored until another replaces it. */
    unresolvedRotations: rotationsIn(tracked, "handed"),
    unidentified: tracked.flatMap(({ intent, created }) =>
      created !== null && intent.inline?.some(({ address }) => !identified.has(address)) === true
        ? [{ intent, parentId: created }]
        : [],
    ),
    highestSeq: tracked.reduce((highest, { intent }) => Math.max(highest, intent.seq), 0),
  };
}

function attemptsOf(
  list: readonly Tracked[],
  given: ReadonlySet<string>,
  runs: readonly RunEntry[],
): readonly CreateAttempts[] {
  const [first, ...rest] = list.map(({ intent }) => intent);
  if (first === undefined) return [];
  // What a later run saw live may be the late object itself, so only runs up to the first attempt count; nor what another shard saw, which may have begun later.
  const shard = runs.find(({ run }) => run === first.run)?.shard;
  const beside = runs.filter((run) => run.shard === shard);
  const until = beside.findIndex(({ run }) => run === first.run);
  const earlier = until === -1 ? beside : beside.slice(0, until + 1);
  const known = new Set([...given, ...earlier.flatMap((run) => run.known)].map(idKey));
  const since = Math.max(first.at, ...rest.map(({ at }) => at));
  return [{ address: first.address, intents: [first, ...rest], known, since }];
}

function rotationsIn(tracked: readonly Tracked[], wanted: Tracked["status"]): readonly OpenRotation[] {
  return tracked.flatMap(({ intent, status, created }) =>
    status === wanted && created !== null && isRotation(intent) ? [{ intent, created }] : [],
  );
}

/** What the sink gets now overwrites what it got before, if anything. */
function resolveEarlier(tracked: Iterable<Tracked>, { intent }: Tracked): void {
  for (const each of tracked) {
    if (each.status !== "handed" || each.intent.address !== intent.address) continue;
    each.status = "closed";
    each.created = null;
  }
}

function isRotation(intent: IntentEntry): intent is OpenRotation["intent"] {
  return intent.verb === "create" && intent.rotation !== undefined;
}

/** Creates of this run and of earlier ones that were sent, not confirmed and not found: they may still show up late. */
export function makeUnconfirmedCreates() {
  const byAddress = new Map<Address, CreateAttempts>();
  return {
    add(attempts: CreateAttempts): void {
      const { address, intents, known } = attempts;
      const before = byAddress.get(address);
      byAddress.set(address, {
        ...attempts,
        intents: before === undefined ? intents : [...before.intents, ...intents],
        known: new Set([...(before?.known ?? []), ...known]),
      });
    },
    all: (): readonly CreateAttempts[] => [...byAddress.values()],
    /** Those of this object and of anything below it. */
    within: (address: Address) =>
      [...byAddress.values()].filter((each) => each.address === address || each.address.startsWith(`${address}/`)),
  };
}

/** Only the lines that the next run needs: those of what is still open. */
export function compactJournal(entries: readonly JournalEntry[]): string {
  const { open, unconfirmed, unfinished, rotations, unresolvedRotations, unidentified } = findOpenWork(entries);
  const rotating = rotations.map(({ intent }) => intent);
  const intents = [
    ...[...open, ...unconfirmed].flatMap((each) => each.intents),
    ...unfinished,
    ...rotating,
    ...unresolvedRotations.map(({ intent }) => intent),
    ...unidentified.map(({ intent }) => intent),
  ];
  const seqs = new Set(intents.map((intent) => intent.seq));
  if (seqs.size === 0) return "";
  const given = new Set<string>();
  for (const entry of entries) {
    if ((entry.type === "close" || entry.type === "learn") && entry.id !== undefined) given.add(entry.id);
  }
  const kept = entries.filter((entry) => {
    if (entry.type === "run") return true;
    return (entry.type === "intent" || entry.type === "close" || entry.type === "hand") && seqs.has(entry.seq);
  });
  const done = new Set(rotating.map((intent) => intent.seq));
  return kept
    .map((entry) => {
      if (entry.type === "run") return formatEntry(withKnown(entry, given));
      return formatEntry(entry.type === "intent" && done.has(entry.seq) ? alreadyRemembered(entry) : entry);
    })
    .join("");
}

/** State holds it by now, and may hold something newer when this line is read again. */
function alreadyRemembered(intent: IntentEntry): IntentEntry {
  const { rotation } = intent;
  return rotation === undefined ? intent : { ...intent, rotation: { ...rotation, unremembered: true } };
}

/** Ids given out since are dropped with their entries, so they are added to the runs. The attempt is in state by now. */
function withKnown({ attempt: _, ...run }: RunEntry, given: ReadonlySet<string>): RunEntry {
  return { ...run, known: [...new Set([...run.known, ...given])] };
}
