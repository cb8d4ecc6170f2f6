// What every place that can keep state has to offer.
import { randomUUID } from "node:crypto";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { State } from "../model/live.ts";
import type { LockHolder } from "../system/file-lock.ts";
import type { SealStatus } from "./seal.ts";

export type LoadResult =
  | {
      readonly ok: true;
      readonly state: State | null;
      /** Why it cannot be told whether a run of ours wrote it; null where it is certain. Then it may be shown, and nothing may rest on it. */
      readonly unverified: Diagnostic | null;
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** What is kept, whatever its seals say: for somebody to look at before it is accepted. */
export type InspectResult =
  | {
      readonly ok: true;
      readonly state: { readonly file: string; readonly standing: SealStatus; readonly state: State } | null;
      readonly journal: { readonly file: string; readonly standing: SealStatus; readonly text: string } | null;
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

export type LockResult =
  | { readonly ok: true; readonly lock: Lock }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

export interface LockOptions {
  /** What the holder is doing, for whoever has to wait: `apply`. */
  readonly command: string;
  /** How long to wait for another holder; 0: not at all. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
  /** Told once, when waiting begins. */
  readonly onWait?: (holder: LockHolder) => void;
}

export interface StateStore {
  /** Where state is kept, as people know it. */
  readonly place: string;
  /** Nothing is kept from one run to the next. */
  readonly stateless?: true;
  load(): Promise<LoadResult>;
  /** Writes only where lineage and serial are still those that were loaded (`before`); gives the problem where not. */
  save(state: State, before: State | null): Promise<Diagnostic | null>;
  lock(options: LockOptions): Promise<LockResult>;
  /** Takes the lock away from whoever holds it; null where nobody did. */
  unlock(): Promise<LockHolder | null>;
  /** Who is at work now; null where nobody is. */
  holder(): LockHolder | null;
  readonly journal: JournalStore;
  /** Where what is kept is sealed. */
  readonly seals?: {
    inspect(): Promise<InspectResult>;
    /** Seals and writes it, whatever is there. */
    write(state: State): Promise<Diagnostic | null>;
  };
}

export type OrganizationRef = NonNullable<State["organization"]>;

/** The state of a project that remembers nothing yet. */
export function beginState(organization: OrganizationRef | null): State {
  return { formatVersion: 1, lineage: randomUUID(), serial: 0, organization, objects: {} };
}

export interface StoredJournal {
  /** Everything in it; empty where there is none. */
  readonly text: string;
  /** Why it cannot be told whether a run of ours wrote it; null where it is certain. Then it may be shown, and nothing may rest on it. */
  readonly unverified: Diagnostic | null;
}

/** A file of lines that only grows while a run goes on. What is durable in it survives a power cut. */
export interface JournalStore {
  read(): Promise<StoredJournal>;
  /** Begins to append for the holder of a lock; a line that was torn by a crash is cut off first. */
  open(isHeld: () => boolean): Promise<void>;
  /** Ends once the lines are durable. Lines of several callers share one write. Rejects where they are not, or the lock is lost. */
  append(lines: string): Promise<void>;
  /** Writes the lines with the next group, in order, without waiting for the disk. */
  note(lines: string): void;
  /** Puts other content in its place, whole or not at all. */
  replace(content: string): Promise<void>;
  close(): Promise<void>;
}

/** What is about to be done could not be written down, so it must not be done. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}

export interface Lock {
  readonly holder: LockHolder;
  /** False once the lock was taken away: then nothing more may be sent. */
  isHeld(): boolean;
  release(): Promise<void>;
}

/** "apply by ana on laptop (process 4711) since 2027-03-01T09:00:00.000Z" */
export function describeHolder(holder: LockHolder): string {
  return `${holder.command} by ${holder.user} on ${holder.host} (process ${holder.pid}) since ${holder.since}`;
}
