import type { Address } from "./address.ts";
import type { Change } from "./change.ts";
import type { Diagnostic } from "./diagnostic.ts";
import type { KindName } from "./kind-name.ts";
import type { Operation } from "./operation.ts";
import type { StateEntry } from "./state.ts";
import type { Value } from "./value.ts";
import type { EventStatus } from "./wish.ts";

export interface Target {
  readonly environment: string;
  readonly baseUrl: string;
  readonly organization: { readonly id: string; readonly slug: string } | null;
}

/** What the plan saw of an object it touches: enough to tell, before the first write, whether it is still so. */
export interface Seen {
  readonly address: Address;
  readonly kind: KindName;
  /** null: it was not there. */
  readonly id: string | null;
  readonly parentId: string | null;
  /** Readable managed fields. For an object that was not there: the fields that identify it. */
  readonly fields: Readonly<Record<string, Value>>;
  readonly status: EventStatus | null;
  /** For a managed list of this event: the ids it held, by kind. */
  readonly lists?: Readonly<Partial<Record<KindName, readonly string[]>>>;
  /** The risks that were accepted for it. */
  readonly allow: readonly string[];
  /** For an event that was not there: live ones of the same name, or of the same start and venue, which are others. */
  readonly namesakes?: readonly string[];
  /** The document says so: another event of its name that comes up is no reason to ask. */
  readonly new?: true;
  /** For an object that is to be made: what is wished and need not be sent, because a new one is so by itself. */
  readonly unsent?: Readonly<Record<string, Value>>;
  /** The document says so: what is made by this plan is remembered as such. */
  readonly protected?: true;
  /** For an object that is to be made: the id that state held for its address, and that was not live any more. */
  readonly former?: string;
  /** For an object that goes: the live entries that name it, or may do so. */
  readonly mentions?: readonly Mention[];
}

/** A live entry that names an object which goes. */
export interface Mention {
  readonly id: string;
  readonly address: Address;
  /** What it is to name before the object goes; null: nothing. Left out where its own change takes care of that. */
  readonly target?: Address | null;
}

export interface Summary {
  readonly create: number;
  readonly update: number;
  readonly replace: number;
  readonly delete: number;
  readonly publish: number;
  readonly unpublish: number;
  readonly archive: number;
  readonly soldOut: number;
  readonly unchanged: number;
  readonly blocked: number;
  /** null: not looked at. */
  readonly unmanaged: number | null;
}

export interface CallCost {
  readonly reads: number;
  readonly writes: number;
  readonly estimateSeconds: number;
}

/** The whole truth about what would change: one JSON value, complete before the first write. */
export interface Plan {
  readonly formatVersion: 1;
  readonly tool: { readonly name: "ticketing"; readonly version: string };
  readonly createdAt: string;
  readonly target: Target;
  readonly changes: readonly Change[];
  readonly operations: readonly Operation[];
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
  readonly calls: CallCost;
  readonly seen: readonly Seen[];
  /** What is live and wished, to be remembered by whoever applies the plan. Only in a plan that can be saved. */
  readonly matched?: Readonly<Record<Address, StateEntry>>;
  /** Addresses that state need not remember any longer. Only in a plan that can be saved. */
  readonly forgotten?: readonly Address[];
  readonly fingerprint: string;
  /** HMAC of the fingerprint, where TICKETING_PLAN_KEY was set. */
  readonly signature?: string;
}

/** The code of a remark on a live object that an interrupted run left and that an apply deletes first. */
export const recoveryDelete = "recovery-delete";

export function recoveryDeletes(plan: Pick<Plan, "diagnostics">): readonly Diagnostic[] {
  return plan.diagnostics.filter(({ code }) => code === recoveryDelete);
}
