import type { Address } from "./address.ts";
import type { KindName } from "./kind-name.ts";
import type { Value } from "./value.ts";

/** What is remembered of one object between runs. Losing it costs speed and some certainty, never correctness. */
export interface StateEntry {
  readonly kind: KindName;
  readonly id: string;
  /** Managed fields as they were last known to be applied, in canonical form. */
  readonly applied: Readonly<Record<string, Value>>;
  /** Where the service keeps a field in another shape than we sent: what it showed after our own write. */
  readonly returned?: Readonly<Record<string, Value>>;
  /** Managed fields that the service does not show and that we never sent: what they were wished to be when that was found out. */
  readonly unknown?: Readonly<Record<string, Value>>;
  /** Fields that the files want empty and the service does not let be: what it showed after the attempt; null: it does not show them. */
  readonly uncleared?: Readonly<Record<string, Value>>;
  /** Learned from the journal of a run that was cut off: a field that `applied` does not name is not known, rather than not applied. */
  readonly partial?: true;
  readonly protected?: true;
  /** When it was created, by the service's clock: a list may not show it for some seconds. */
  readonly madeAt?: string;
}

export interface State {
  readonly formatVersion: 1;
  /** Made at random when the state begins; two states of different lineage are never mixed. */
  readonly lineage: string;
  /** Grows by one with each write. */
  readonly serial: number;
  readonly organization: { readonly id: string; readonly slug: string } | null;
  readonly objects: Readonly<Record<Address, StateEntry>>;
  /** The git revision that was last applied without a failure. */
  readonly appliedRevision?: string;
}
