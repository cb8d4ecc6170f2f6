// What earlier runs remember: the state, and the journal of a run that did not get to save it.
import {
  compactJournal,
  findOpenWork,
  type JournalEntry,
  parseJournal,
  recentWrites,
  replayJournal,
  rotatedIds,
  type StateObjects,
  splitJournal,
} from "../../apply/journal.ts";
import type { Environment } from "../../config/environment.ts";
import { type Address, idKey } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../../model/diagnostic.ts";
import type { LastRun, State, StateEntry } from "../../model/live.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { compareText } from "../../model/value.ts";
import type { Settings } from "../../model/wish.ts";
import { canonicalJson } from "../../plan/fingerprint.ts";
import { beginState, type OrganizationRef, recordOf, type StateStore } from "../../state/store.ts";
import type { World } from "../world.ts";
import { localDataProblem, openEnvironmentStore } from "./environment-store.ts";

export interface SavedState {
  /** As the store holds it. */
  readonly stored: State | null;
  /** With what the journal adds. */
  readonly state: State | null;
  readonly entries: readonly JournalEntry[];
  /** The highest number of an intent, of other shards, too. */
  readonly highestSeq: number;
  readonly remarks: readonly Diagnostic[];
  /** Why it is uncertain that our own runs wrote this: it may be shown, but no write may depend on it. */
  readonly unverified: Diagnostic | null;
}

/** The store of an environment and what it holds, if the folder of local data may be used. */
export async function openSavedState(
  world: World,
  directory: string,
  settings: Settings,
  environment: Environment,
): Promise<Fallible<SavedState & { readonly store: StateStore }>> {
  const unsafe = await localDataProblem(directory);
  if (unsafe !== null) return failed(unsafe);
  const store = openEnvironmentStore(world, directory, settings.state, environment);
  const saved = await loadSavedState(store);
  if (saved.ok) return { ...saved, store };
  await store.close?.();
  return saved;
}

/** `isOwn`: only the part of the journal about these addresses; other shards work on the rest. */
export async function loadSavedState(
  store: StateStore,
  isOwn?: (address: Address) => boolean,
): Promise<Fallible<SavedState>> {
  const loaded = await store.load();
  if (!loaded.ok) return loaded;
  const journal = await store.journal.read();
  if (!journal.ok) return journal;
  const all = parseJournal(journal.text);
  const { entries, damaged } = isOwn === undefined ? all : parseJournal(splitJournal(journal.text, isOwn).own);
  return {
    ok: true,
    stored: loaded.state,
    state: withJournal(loaded.state, entries),
    entries,
    highestSeq: findOpenWork(all.entries).highestSeq,
    remarks: damaged.length === 0 ? [] : [journalDamaged(damaged)],
    unverified: loaded.unverified ?? journal.unverified,
  };
}

/**
 * Why nothing may rest on a record that `state migrate` has copied elsewhere: the other one is in use, and a run that goes by this one
 * could undo what was applied since. If that is allowed, it is a warning, and the record is in use again once it is saved.
 */
export function movedAway(
  { place }: Pick<StateStore, "place">,
  { state }: Pick<SavedState, "state">,
  allow: readonly string[] = [],
): Diagnostic | null {
  if (state?.moved === undefined) return null;
  const { moved, appliedRevision: revision, serial } = state;
  const since = revision === undefined ? `serial ${serial}` : `revision ${revision.slice(0, 12)}, serial ${serial}`;
  const message = `The state was moved from ${place} to ${moved.to} by ${moved.by} on ${formatMoment(moved.at, standardZone)} (${since}). What was applied since is recorded only there.`;
  if (allow.includes("state-moved")) return { code: "state-moved", severity: "warning", message };
  return errorOf(
    "state-moved",
    message,
    "Use the newest commit of the default branch; in CI, run its job again instead of this one. If `state:` in that commit's ticketing.yaml does not name the new place yet, change it and merge the change.",
    "If the new place is lost and this record is to be used again, pass --allow state-moved to `ticketing apply`.",
  );
}

/** Whether anything is known of earlier runs. */
export function hasRecord(state: State | null): boolean {
  if (state === null) return false;
  return state.lastRun !== undefined || state.appliedRevision !== undefined || Object.keys(state.objects).length > 0;
}

function withJournal(state: State | null, entries: readonly JournalEntry[]): State | null {
  if (entries.length === 0) return state;
  const run = entries.find((entry) => entry.type === "run");
  const base = state ?? beginState(run?.organization ?? null);
  const lastRun = newestRun(base.lastRun, entries);
  const { unfinished, rotations, unresolvedRotations } = findOpenWork(entries);
  return {
    ...base,
    ...recentWrites(base, entries),
    objects: replayJournal(base.objects, entries),
    unfinished: unfinished.map(({ address }) => address),
    unresolvedWebhooks: unresolvedRotations.flatMap(rotatedIds),
    replacedWebhooks: rotations.flatMap(({ intent }) => intent.rotation.replaces),
    ...(lastRun === undefined ? {} : { lastRun }),
  };
}

/** A run that was cut off has left its attempt in the journal, and no word in state about how it ended. */
function newestRun(recorded: LastRun | undefined, entries: readonly JournalEntry[]): LastRun | undefined {
  const attempts = entries.flatMap((entry) =>
    entry.type === "run" && entry.attempt !== undefined ? [entry.attempt] : [],
  );
  const newest = attempts.at(-1);
  const isRecorded = newest === undefined || (newest.at === recorded?.at && newest.revision === recorded.revision);
  return isRecorded ? recorded : { ...newest, clean: false };
}

function journalDamaged(lines: readonly number[]): Diagnostic {
  const message = `${lines.length === 1 ? `Line ${lines[0]}` : `Lines ${lines.join(", ")}`} of the journal of an earlier run cannot be read.`;
  const hint = "The objects recorded there are looked up by name instead: check the plan for duplicates.";
  return warningOf("journal-damaged", message, hint);
}

// The end of a run: state first, and only then does the journal forget what state holds.

export interface Keeping {
  readonly store: StateStore;
  /** As the store holds it. */
  readonly stored: State | null;
  readonly organization: OrganizationRef;
  readonly objects: StateObjects;
  readonly forgotten: readonly Address[];
  /** What is held from now on; left out: what was held before. */
  readonly held?: State["held"];
  /** What was sent since a run last ended clean; left out: as before. */
  readonly sent?: State["sent"];
  /** Names of venues that the run has read, by the keys of their ids. */
  readonly venues?: State["venues"];
  readonly entries: readonly JournalEntry[];
  /** The apply that has just ended; null if the command is not an apply, or sent nothing. */
  readonly run: LastRun | null;
  /** Something came due since the last run: having looked at it is worth recording, even if nothing was left to do. */
  readonly timeMoved?: boolean;
}

/** null: everything was saved. */
export async function saveState(keeping: Keeping): Promise<Diagnostic | null> {
  const { store, stored } = keeping;
  const next = nextState(keeping);
  if (next !== null) {
    const problem = await store.save(next, stored);
    if (problem !== null) return problem;
  }
  return keeping.entries.length === 0 ? null : store.journal.replace(compactJournal(keeping.entries));
}

/** null if nothing changed: a run that did nothing writes nothing. */
function nextState({ stored, organization, objects, forgotten, run, entries, ...keeping }: Keeping): State | null {
  const {
    held: heldBefore = {},
    sent: sentBefore = {},
    venues: venuesBefore = {},
    ...rest
  } = stored ?? beginState(organization);
  // A record that was moved away gets here only if it is to be used again.
  const { changed: _, deleted: __, moved: ___, ...before } = rest;
  const held = keeping.held ?? heldBefore;
  const gone = new Set(forgotten);
  const kept: Record<Address, StateEntry> = {};
  for (const address of Object.keys(objects).sort()) {
    const entry = objects[address];
    if (entry !== undefined && !isForgotten(address, gone)) kept[address] = entry;
  }
  const venues = usedVenues(kept, { ...venuesBefore, ...keeping.venues });
  const ended = run ?? newestRun(before.lastRun, entries) ?? null;
  const record = ended === null ? {} : recordOf(ended, before.lastRun);
  const sent = record.appliedRevision === undefined ? (keeping.sent ?? sentBefore) : {};
  // A repeated run with nothing to do is not worth a write.
  const isNews =
    ended !== null && (entries.length > 0 || keeping.timeMoved === true || !isSameRun(record.lastRun, before.lastRun));
  const next: State = {
    ...before,
    serial: before.serial + 1,
    organization,
    objects: kept,
    ...(isNews ? record : {}),
    ...withoutEmpty({ held, sent, venues, ...recentWrites(stored ?? {}, entries) }),
  };
  // Anything journaled may have changed something; finding out would cost more than writing.
  if (entries.length > 0) return next;
  const isSame = stored !== null && canonicalJson({ ...next, serial: before.serial }) === canonicalJson(stored);
  return isSame || (stored === null && Object.keys(kept).length === 0 && (run?.revision ?? null) === null)
    ? null
    : next;
}

type StateMaps = Pick<State, "held" | "sent" | "venues" | "changed" | "deleted">;

function withoutEmpty(maps: StateMaps): StateMaps {
  return Object.fromEntries(Object.entries(maps).filter(([, map]) => Object.keys(map).length > 0));
}

/** Only for the venues of these objects: what is remembered does not grow with what was searched for. */
function usedVenues(objects: StateObjects, names: NonNullable<State["venues"]>): NonNullable<State["venues"]> {
  const used = new Set<string>();
  const note = (value: unknown) => {
    if (typeof value === "string") used.add(idKey(value));
  };
  if (Object.keys(names).length > 0) {
    for (const { applied, returned = {} } of Object.values(objects)) {
      Object.values(applied).forEach(note);
      Object.values(returned).forEach(note);
    }
  }
  const kept = Object.entries(names).filter(([id]) => used.has(id));
  return Object.fromEntries(kept.sort(([one], [other]) => compareText(one, other)));
}

/** Itself, or with what it is below. */
function isForgotten(address: Address, gone: ReadonlySet<Address>): boolean {
  if (gone.size === 0) return false;
  for (let end = address.length; end > 0; end = address.lastIndexOf("/", end - 1)) {
    if (gone.has(address.slice(0, end))) return true;
  }
  return false;
}

function isSameRun(run: LastRun | undefined, recorded: LastRun | undefined): boolean {
  const shardsOf = ({ cleanShards = {} }: LastRun) => Object.keys(cleanShards).join();
  return (
    run !== undefined &&
    recorded !== undefined &&
    run.revision === recorded.revision &&
    run.dirty === recorded.dirty &&
    run.clean === recorded.clean &&
    (run.clean || shardsOf(run) === shardsOf(recorded))
  );
}

/** For a refused key: it sealed nothing, and resealing with it would only break the seal. */
export function withoutSealAdvice(remarks: readonly Diagnostic[]): readonly Diagnostic[] {
  return remarks.filter(({ code }) => code !== "local-data-unverified");
}
