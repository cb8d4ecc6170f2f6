// What every place that can keep state has to offer.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { State } from "../model/state.ts";
import type { JournalFile } from "./journal-file.ts";
import type { Lock, LockHolder } from "./lock.ts";
import type { SealStanding } from "./seal.ts";

export type Loaded =
  | {
      readonly ok: true;
      readonly state: State | null;
      /** Why it cannot be told whether a run of ours wrote it; null where it is certain. Then it may be shown, and nothing may rest on it. */
      readonly unverified: Diagnostic | null;
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

/** What is kept, whatever its seals say: for somebody to look at before it is accepted. */
export type Inspected =
  | {
      readonly ok: true;
      readonly state: { readonly file: string; readonly standing: SealStanding; readonly state: State } | null;
      readonly journal: { readonly file: string; readonly standing: SealStanding; readonly text: string } | null;
    }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

export type Locked =
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
  readonly forgets?: true;
  load(): Promise<Loaded>;
  /** Writes only where lineage and serial are still those that were loaded (`before`); gives the problem where not. */
  save(state: State, before: State | null): Promise<Diagnostic | null>;
  lock(options: LockOptions): Promise<Locked>;
  /** Takes the lock away from whoever holds it; null where nobody did. */
  unlock(): Promise<LockHolder | null>;
  /** Who is at work now; null where nobody is. */
  holder(): LockHolder | null;
  readonly journal: JournalFile;
  /** Where what is kept is sealed. */
  readonly seals?: {
    inspect(): Promise<Inspected>;
    /** Seals and writes it, whatever is there. */
    write(state: State): Promise<Diagnostic | null>;
  };
}
