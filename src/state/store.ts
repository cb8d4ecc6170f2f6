// What a backend has to do to store the memory of a project between runs. Everything that an environment remembers goes
// through one `StateStore`; nothing else in the program knows where that is.
import { randomUUID } from "node:crypto";
import { type Diagnostic, errorOf, type Fallible } from "../model/diagnostic.ts";
import { type Attempt, type LastRun, parseShard, type Shard, type State } from "../model/live.ts";
import type { PaceLedger } from "../model/outside.ts";
import type { ApplyReport } from "../model/plan.ts";
import { formatMoment, standardZone } from "../model/time.ts";
import type { LockHolder } from "../system/file-lock.ts";
import type { SealStatus } from "./seal.ts";

export interface StateStore {
  /** Where state is kept, for people: ".ticketing/state.production.json". */
  readonly place: string;
  /** Begins with what takes time, while the project's files are read. */
  prepare?(): void;
  /** Nothing is kept from one run to the next. */
  readonly stateless?: true;
  /** A state that cannot be read is a problem, never an empty state. */
  load(): Promise<LoadResult>;
  /**
   * Compare and swap: writes only if lineage and serial are still those of `before`; otherwise returns the problem. A
   * store that others share may write it when its lock is released.
   */
  save(state: State, before: State | null): Promise<Diagnostic | null>;
  /** Waits up to `timeoutMs` for another holder. */
  lock(options: LockOptions): Promise<LockResult>;
  /**
   * Takes the lock away from its holder: from several, if they are shards of one run. `shown`: those that it was agreed for; a run
   * that began since keeps its lock.
   */
  unlock(shown?: readonly LockHolder[]): Promise<UnlockResult>;
  /** Who holds the lock now and is not known to be dead. */
  holders(): Promise<readonly LockHolder[]>;
  readonly journal: JournalStore;
  /** Our calls of the last hour, so that the next run does not think the whole rate limit free. */
  readonly pace: PaceLedger;
  /** What an interrupted run has read of the service. */
  readonly snapshots: SnapshotCache;
  /** The last runs; only for stores that keep more than the last one. */
  readonly log?: RunLog;
  /** A lock can be lost at any time: `state unlock` takes it away. */
  readonly guard: WriteGuard;
  /** Releases what it needed to work, and its lock; returns what could not be written. It must not be used afterwards. */
  close?(): Promise<Diagnostic | null>;
  /** Only where what is kept is sealed: for `state reseal`. */
  readonly seals?: {
    /** What is kept, whatever its seals say. */
    inspect(): Promise<InspectResult>;
    /** Seals and writes the state, whatever is there. */
    write(state: State): Promise<Diagnostic | null>;
  };
}

export type LoadResult = Fallible<{
  readonly state: State | null;
  /** Why it is not certain that one of our runs wrote it: then it may be shown, but nothing may rest on it. */
  readonly unverified: Diagnostic | null;
}>;

export type InspectResult = Fallible<{
  readonly state: { readonly file: string; readonly status: SealStatus; readonly state: State } | null;
  readonly journal: { readonly file: string; readonly status: SealStatus; readonly text: string } | null;
}>;

export interface LockOptions {
  /** What the holder is doing, for those that have to wait: "apply". */
  readonly command: string;
  /** How long to wait for another holder; 0: not at all. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Called once, when waiting begins. */
  readonly onWait?: (holder: LockHolder) => void;
  /** Whether the CI host says that the run at this address has ended. */
  readonly hasEnded?: (run: string) => Promise<boolean>;
  /** Shards of one run may hold the lock together, if the store supports that; otherwise they wait for one another. */
  readonly joint?: JointRun;
}

/** A run that several processes make together: each is one shard of the same run, of as many, at the same revision. */
export interface JointRun {
  readonly shard: Shard;
  readonly run: string;
  readonly revision: string | null;
}

export type LockResult = Fallible<{ readonly lock: Lock }>;

/** `unreadable`: what was removed did not say who held it. */
export type UnlockResult = Fallible<{ readonly holders: readonly LockHolder[]; readonly unreadable?: boolean }>;

/** A lock that can expire renews itself until it is released. */
export interface Lock {
  readonly holder: LockHolder;
  /** Other shards of the run may be active: what belongs to them is theirs. Left out: there are none. */
  readonly joint?: JointRun | undefined;
  /**
   * False once the lock is lost, or its last renewal is too long ago to be sure: then nothing more may be sent. Called
   * before every write, so it uses only what is already known.
   */
  isHeld(): boolean;
  /** Releases the lock after everything is written; returns what could not be. Later calls do nothing. */
  release(): Promise<Diagnostic | null>;
}

/** Asked right before a write to the service leaves. */
export interface WriteGuard {
  /** Whether it is certain enough that no other run writes. */
  isOpen(): boolean;
  /** Resolves when it is, or with the reason why not: also once the signal is aborted. */
  wait(signal?: AbortSignal): Promise<Diagnostic | null>;
}

/** Lines that only grow during a run. */
export interface JournalStore {
  /** Making a line durable takes long, so operations should be announced together. */
  readonly announces?: true;
  read(): Promise<Fallible<StoredJournal>>;
  /**
   * Starts to append for the holder of a lock. `split`: if others hold the lock with it, which lines of earlier runs it
   * continues; left out: all of them.
   */
  open(isHeld: () => boolean, split?: SplitJournal): Promise<Diagnostic | null>;
  /** Resolves once the lines are durable. Throws a `Halt` if not, or if the lock is lost, so that no call can follow. */
  append(lines: string, announced?: boolean): Promise<void>;
  /** Writes the lines with the next `append`, or soon, without waiting. */
  note(lines: string): void;
  /** Replaces everything, all or nothing. */
  replace(content: string): Promise<Diagnostic | null>;
  close(): Promise<void>;
}

export type SplitJournal = (text: string) => { readonly own: string; readonly rest: string };

export interface StoredJournal {
  /** All whole lines; empty if there are none. */
  readonly text: string;
  /** As in `LoadResult`. */
  readonly unverified: Diagnostic | null;
}

/** Who applied what, and with which result. */
export interface RunRecord extends Attempt {
  /** The token of the lock that it held. */
  readonly run: string;
  readonly command: string;
  readonly user: string;
  readonly host: string;
  /** null: it has not ended, or was cut off. */
  readonly end: RunEnd | null;
}

export interface RunEnd {
  readonly at: string;
  readonly clean: boolean;
  readonly dirty?: true;
  readonly summary: ApplyReport["summary"];
}

export interface RunLog {
  /** The oldest first. */
  read(): Promise<Fallible<{ readonly records: readonly RunRecord[] }>>;
  /** The holder of the lock begins: stored with the next write. */
  begin(attempt: Attempt): void;
  end(end: RunEnd): void;
  /** Runs that another store recorded: stored with the next write. */
  add(records: readonly RunRecord[]): void;
}

/** Responses of the service, each with its question. Only a cache: what cannot be used counts as missing. */
export interface SnapshotCache {
  isThere(): Promise<boolean>;
  /** Only what was read of this organization, and nothing if no run has continued it for a day. */
  load<Kept>(organizationId: string, now: number): Promise<readonly DatedResponse<Kept>[]>;
  /** `now`: when the run began that read whatever has no time yet. */
  save<Kept extends object>(
    responses: readonly DatedResponse<Kept>[],
    organizationId: string,
    now: number,
  ): Promise<void>;
  clear(): Promise<void>;
}

type DatedResponse<Kept> = readonly [question: string, response: Kept & { readonly at?: number }];

export const lockLost = errorOf(
  "lock-lost",
  "Another run took over the lock, so this run sent nothing more.",
  "Make sure that only one run is active, then run the command again: it checks first and does only what is still missing.",
);

/** Why a lock must not be taken away; null: these are the holders that were shown. */
export function heldByOther(holders: readonly LockHolder[], shown = holders): Diagnostic | null {
  const known = new Set(shown.map(({ token }) => token));
  const other = holders.find(({ token }) => !known.has(token));
  if (other === undefined) return null;
  const message = `Another run took the lock meanwhile: ${describeHolder(other)}. Nothing was removed.`;
  return errorOf(
    "state-locked",
    message,
    "Wait for that run to end. If it does not, run `ticketing state unlock` again.",
  );
}

export type OrganizationRef = NonNullable<State["organization"]>;

/** The state of a project that remembers nothing yet. */
export function beginState(organization: OrganizationRef | null): State {
  return { formatVersion: 1, lineage: randomUUID(), serial: 0, organization, objects: {} };
}

/**
 * What state records once a run has ended: a revision counts as applied if all of it was, and nothing else. Shards of one
 * revision add up to that; a shard that failed withdraws its part.
 */
export function recordOf(
  run: LastRun,
  before: LastRun | undefined,
): Pick<State, "lastRun" | "appliedRevision" | "appliedAt"> {
  const lastRun = withOtherShards(run, before);
  const { revision, dirty, clean, cleanShards } = lastRun;
  const [at = run.asOf ?? run.at] = Object.values(cleanShards ?? {}).sort();
  if (dirty !== undefined || !clean) return { lastRun };
  return { lastRun, ...(revision === null ? {} : { appliedRevision: revision }), appliedAt: at };
}

function withOtherShards(run: LastRun, before: LastRun | undefined): LastRun {
  if (run.shard === undefined) return run;
  const { index, count } = parseShard(run.shard);
  const isSame = before !== undefined && before.revision === run.revision && before.dirty === undefined;
  const { [index]: _, ...others } = isSame && run.dirty === undefined ? shardsOf(before, count) : {};
  const cleanShards = run.clean ? { ...others, [index]: run.asOf ?? run.at } : others;
  return { ...run, clean: Object.keys(cleanShards).length === count, cleanShards };
}

function shardsOf({ shard, clean, cleanShards = {}, at, asOf }: LastRun, count: number): Record<string, string> {
  if (shard !== undefined && parseShard(shard).count === count) return cleanShards;
  const [since = asOf ?? at] = Object.values(cleanShards).sort();
  return clean ? Object.fromEntries(Array.from({ length: count }, (_, index) => [index + 1, since])) : {};
}

/** "apply by ana on laptop (process 4711) since Mon 1 Mar 2027 17:00 Asia/Manila (09:00Z)", with the page of its run if it has one. */
export function describeHolder({ command, user, host, pid, since, run }: LockHolder): string {
  return `${command} by ${user} on ${host} (process ${pid}) since ${formatMoment(since, standardZone)}${run ? ` (${run})` : ""}`;
}
