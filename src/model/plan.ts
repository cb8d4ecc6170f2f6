import type { Address, KindName } from "./address.ts";
import { type AnyCode, type Code, type Diagnostic, type Hints, riskCodes, type Source } from "./diagnostic.ts";
import type { Mention, Shard, StateEntry } from "./live.ts";
import type { Fee, Reference, Value } from "./value.ts";
import type { EventStatus, StatusWish, Upcoming } from "./wish.ts";

export interface Target {
  readonly environment: string;
  readonly baseUrl: string;
  readonly organization: { readonly id: string; readonly slug: string } | null;
}

/** What the plan saw of an object it touches: enough to check, before the first write, that nothing has changed. */
export interface Observed {
  readonly address: Address;
  readonly kind: KindName;
  /** null: it was not there. */
  readonly id: string | null;
  readonly parentId: string | null;
  /** Readable managed fields. For an object that was not there: the fields that identify it. */
  readonly fields: Readonly<Record<string, Value>>;
  readonly status: EventStatus | null;
  /** For a managed list of this event: the ids it held, by kind. */
  readonly lists?: Readonly<Record<KindName, readonly string[]>>;
  /** The risks that were accepted for it. */
  readonly allow: readonly string[];
  /** For an event that was not there: different live events of the same name, or of the same start and venue. */
  readonly namesakes?: readonly string[];
  /** The document has `new: true`: another event of its name that appears later does not make it ambiguous. */
  readonly new?: true;
  /** For an object to be created: wished values that need not be sent, because they are the service's defaults. */
  readonly unsent?: Readonly<Record<string, Value>>;
  /** The document has `protected: true`: objects that this plan creates are remembered as protected. */
  readonly protected?: true;
  /** For an object to be created: the id that state held for its address and that is no longer live. */
  readonly former?: string;
  /** For an object to be deleted: the live entries that name it, or may name it. */
  readonly mentions?: readonly Mention[];
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
  /** null: not read. */
  readonly unmanaged: number | null;
}

/** What a plan left out of its comparison with the service. */
export interface Compared {
  /** The revision that files were compared with first: nothing was read for what does not differ from it. null: none. */
  readonly base: string | null;
  /** Documents of events that were compared with the service, and how many there are. */
  readonly events: number;
  readonly ofEvents: number;
  /** Documents that are gone, and whose live events were searched for. */
  readonly removed: number;
  /** False: they do not differ from the base, or the key may not read them. */
  readonly webhooks: boolean;
  /** Webhooks that should have been compared, and that the key may not read. */
  readonly webhooksUnread?: true;
}

export interface CallCost {
  readonly reads: number;
  readonly writes: number;
  readonly estimateSeconds: number;
}

/** Commits; null: there is none, or it is not known. */
export interface Revision {
  /** What was checked out when the plan was made, and whether the files differed from it. */
  readonly head: string | null;
  readonly dirty: boolean;
  readonly base: string | null;
  /** What state records as applied in full. */
  readonly applied: string | null;
}

/** Of the plan as JSON; readers of a saved or printed plan refuse any other. */
export const planFormat = 1;

/** The whole truth about what would change: one JSON value, complete before the first write. */
export interface Plan {
  readonly formatVersion: typeof planFormat;
  readonly tool: { readonly name: "ticketing"; readonly version: string };
  readonly createdAt: string;
  readonly target: Target;
  readonly changes: readonly Change[];
  readonly operations: readonly Operation[];
  /** What this run leaves out because it was not reviewed. In a plan for review: what earlier runs held of what phases will do later. */
  readonly held?: readonly Change[];
  /** What the checkout changes compared with its base but the service already has. Reviewed with the rest, because the service may no longer have it after the merge. */
  readonly already?: readonly Change[];
  /** What the checkout changes compared with its base of objects that the API key may not see. Reviewed with the rest: an apply sends what differs. */
  readonly unseen?: readonly Change[];
  /** Safeguards that are looser than as they were applied last, or at the base. */
  readonly guards?: readonly GuardChange[];
  readonly leftovers?: readonly Leftover[];
  readonly diagnostics: readonly Diagnostic[];
  readonly summary: Summary;
  /** Left out if everything in the files (or in the targets) was compared. */
  readonly compared?: Compared;
  /** What will change by itself later, in the documents that were planned. */
  readonly upcoming: readonly PlannedPhase[];
  /** Digests of documents with phases that this plan touches. */
  readonly documents?: Readonly<Record<Address, string>>;
  readonly calls: CallCost;
  readonly observed: readonly Observed[];
  /** What is live and wished, for the run that applies the plan to remember. Only in a plan that can be saved. */
  readonly matched?: Readonly<Record<Address, StateEntry>>;
  /** Addresses that state need not remember any longer. Only in a plan that can be saved. */
  readonly forgotten?: readonly Address[];
  /** null outside git; earlier versions left it out there. */
  readonly revision?: Revision | null;
  /** Of everything in the files, or of all that differs from what was applied last; not of targets, nor for review. Only in a plan that can be saved. */
  readonly whole?: true;
  /** Only part of it was planned: what belongs to this shard. */
  readonly shard?: Shard;
  readonly fingerprint: string;
  /** HMAC of the fingerprint, if TICKETING_PLAN_KEY was set. */
  readonly signature?: string;
}

/** What a safeguard permits that it did not permit before. */
export interface GuardChange {
  readonly setting: "allow" | "maxDeletes" | "review.unreviewed" | "state" | "protected";
  /** Whose it is; left out: the project's own. */
  readonly event?: Address;
  readonly value: string;
  readonly digest: string;
  /** It is not in force in this run, because it was not reviewed. */
  readonly held?: true;
}

/** A live object that an earlier run left, and that an apply of the plan deletes before its operations. */
export interface Leftover {
  readonly address: Address;
  readonly id: string;
  /** "an earlier run created it, and its secret was lost" */
  readonly why: string;
  /** What must happen before: "a test event has reached …". */
  readonly once?: string;
}

/** The code of the remark on a leftover. */
export const recoveryDelete: Code = "recovery-delete";

export function writesOf({ operations, leftovers = [] }: Pick<Plan, "operations" | "leftovers">): number {
  return operations.length + leftovers.length;
}

export interface PlannedPhase extends Upcoming {
  /** What it does, with its values, by the files alone; earlier versions left it out. */
  readonly changes?: readonly Change[];
  /** What will block it if tickets are sold by then and blocks nothing of the event yet: risks that are not accepted, and rules. */
  readonly blockedOnceSold?: readonly OnceSoldCode[];
}

export const onceSoldCodes = [...riskCodes, "delete-after-sales"] as const;
type OnceSoldCode = (typeof onceSoldCodes)[number];

export type Action = "create" | "update" | "replace" | "delete" | "none";

/** One field that differs. */
export interface Edit {
  /** JSON pointer of the field by its name in YAML. */
  readonly path: string;
  readonly before: Value;
  readonly after: Value;
  /** The service does not show this field; `before` is what was applied last, or null if that is not known. */
  readonly unreadable?: true;
  /** As far as is known it does not differ, but it is sent with fields that do: a replacement needs it, or the service never shows it. */
  readonly sentAlong?: true;
  readonly origin: Origin;
  /** Address, path and value after, in 12 characters. */
  readonly digest: string;
  /** An earlier run held it, because it was not reviewed. */
  readonly held?: true;
}

/**
 * Whose difference it is.
 *
 * | origin    | means                                                                             |
 * |-----------|-----------------------------------------------------------------------------------|
 * | edit      | the checkout differs from its base, or nothing more is known                      |
 * | unapplied | it is in the base already, and was not applied yet                                |
 * | phase     | came due since the last run: it was reviewed with its file                        |
 * | drift     | it was applied, and somebody has changed the service since                        |
 */
export type Origin = "edit" | "unapplied" | "phase" | "drift";

export interface Transition {
  readonly from: EventStatus | null;
  readonly to: StatusWish;
}

/** A rule or risk that keeps a change from being made. */
export interface Block extends Hints {
  readonly code: AnyCode;
  readonly message: string;
  /** The line of YAML that the hint asks for, to be copied. */
  readonly yaml?: string;
}

/** What readers need besides the edits; each part may be absent. A saved plan with a `status` not observed is refused. */
export interface Context {
  /** The object's name for people; an event's address contains its key, not its name. */
  readonly name?: string;
  /** If other entries of its list have the same name, which one it is: "section B, row 1". */
  readonly which?: string;
  /** The name of the event that the object belongs to, for people. */
  readonly eventName?: string;
  /** The zone in which the event's times are shown. */
  readonly timezone?: string;
  readonly status?: EventStatus;
  /** Whether the event's fees come out of the price once the plan is applied. */
  readonly absorbFees?: boolean;
  /** For an event whose `absorbFees` changes: its ticket types with the prices they will have. */
  readonly prices?: readonly { readonly name: string; readonly price: number }[];
  /** Names of the objects whose ids are in edits: "Palace, Baguio" for a venue, "DJ Ana" for a performer. */
  readonly names?: Readonly<Record<string, string>>;
  /** How many tickets are sold, of the ticket type or of the event; "some" if only that is known. */
  readonly sold?: number | "some";
}

/**
 * What differs between the wish and the live object.
 *
 * | action  | id   | means                                                              |
 * |---------|------|--------------------------------------------------------------------|
 * | create  | null | not live yet                                                       |
 * | update  | set  | some fields differ and the service can change them                 |
 * | replace | set  | some fields differ and only another object can have them           |
 * | delete  | set  | live, and no longer wished                                         |
 * | none    | set  | no field differs; listed only when the status does (`transition`)  |
 */
export interface Change {
  readonly address: Address;
  readonly kind: KindName;
  readonly action: Action;
  readonly id: string | null;
  readonly reason: string;
  readonly edits: readonly Edit[];
  readonly transition: Transition | null;
  /** Of a create, replace or delete as a whole, or of the transition. */
  readonly origin?: Origin;
  readonly digest?: string;
  /** An earlier run held the whole, or the transition, because it was not reviewed. */
  readonly held?: true;
  readonly blockedBy: readonly Block[];
  readonly source: Source | null;
  readonly context?: Context;
  /** What the prices that it sets mean to buyers and to the organizer. */
  readonly fees?: readonly Fee[];
  /** The glossary's "waiting": nothing forbids it, but all of it, or only its change of status, waits for a blocked change. */
  readonly heldBack?: "change" | "status";
}

export function isWhole({ action }: Pick<Change, "action">): boolean {
  return action === "create" || action === "replace" || action === "delete";
}

/** What is left of a change if only these of its parts are kept: its fields, and the change itself for its status or the whole. */
export function partOf(change: Change, isKept: (part: Edit | Change) => boolean): Change | null {
  if (isWhole(change)) return isKept(change) ? change : null;
  const { origin: _, digest: __, ...rest } = change;
  const edits = change.edits.filter(isKept);
  const own = change.transition !== null && isKept(change) ? change : { ...rest, transition: null };
  if (edits.length === 0 && own.transition === null) return null;
  return { ...own, edits, action: edits.length === 0 ? "none" : change.action };
}

/** Whose change it is: what the files' authors meant outweighs what somebody did on the service. */
export function originOfChange({ origin, edits }: OfOrigins): Origin {
  const all = [origin, ...edits.map((edit) => edit.origin)];
  return (["edit", "unapplied", "phase", "drift"] as const).find((each) => all.includes(each)) ?? "edit";
}

type OfOrigins = Pick<Change, "origin"> & { readonly edits: readonly Partial<Pick<Edit, "origin">>[] };

/** The files' authors meant none of it: somebody has changed the service. */
export function isDrift(change: OfOrigins): boolean {
  return originOfChange(change) === "drift";
}

export const statusAfter: Partial<Record<Verb, EventStatus>> = {
  publish: "PUBLISHED",
  unpublish: "DRAFT",
  archive: "ARCHIVED",
};

export type Verb = "create" | "update" | "delete" | "publish" | "unpublish" | "archive" | "sold-out";
export type WriteMethod = "POST" | "PATCH" | "DELETE";

export type BodyValue = Value | Reference | readonly Body[];
export interface Body {
  readonly [field: string]: BodyValue;
}

/** One call to make. An id to come is `{address}` in `path` and `{ "$id": "address" }` in `body`. */
export interface Operation {
  readonly id: string;
  readonly address: Address;
  readonly verb: Verb;
  readonly method: WriteMethod;
  readonly path: string;
  readonly body?: Body;
  /** Ids of the operations that must be done before this one. */
  readonly needs: readonly string[];
  readonly because: Address;
  /** Verbs to call in its place, in order, if the service refuses this one. */
  readonly fallback?: readonly Verb[];
  /** Calls that clear the way if the service allows no second object of one name; then the create is sent again. */
  readonly clearing?: readonly ClearingCall[];
}

export type ClearingCall = Pick<Operation, "address" | "verb" | "method" | "path" | "body">;

export interface OutcomeError {
  readonly code: AnyCode;
  readonly message: string;
  readonly hint: string | null;
  readonly requestId: string | null;
  readonly status: number | null;
}

/** The result of one operation. `unsure`: it was sent and could not be confirmed either way. */
export interface Outcome {
  readonly operation: string;
  readonly result: "done" | "failed" | "skipped" | "unsure";
  readonly error?: OutcomeError;
}

export interface ApplyReport {
  readonly formatVersion: 1;
  readonly plan: Plan;
  readonly outcomes: readonly Outcome[];
  readonly summary: Readonly<Record<Outcome["result"], number>>;
  readonly calls: { readonly reads: number; readonly writes: number; readonly rateLimited: number };
}

/** Whether all of it was done. What somebody changed on the service was never part of what is to be applied. */
export function isFullyApplied({ plan, outcomes, summary }: ApplyReport): boolean {
  const isBlocked = plan.changes.some(({ blockedBy }) => blockedBy.length > 0);
  const isHeld = plan.guards?.some(({ held }) => held) === true || !(plan.held ?? []).every(isDrift);
  return summary.done === outcomes.length && !isBlocked && !isHeld;
}

/** Errors of the plan as a whole, not of a single change. */
export function planErrors({ diagnostics, changes }: Pick<Plan, "diagnostics" | "changes">): readonly Diagnostic[] {
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  return errors.length === 0 ? errors : besideBlocks(errors, changes);
}

/** Without what blocks a single change: that is the change's matter, which shows it, and is solved or skipped with it. */
export function besideBlocks(diagnostics: readonly Diagnostic[], changes: readonly Change[]): readonly Diagnostic[] {
  const blocks = new Set(
    changes.flatMap(({ address, blockedBy }) => blockedBy.map(({ code }) => `${code} ${address}`)),
  );
  return diagnostics.filter(({ code, address }) => !blocks.has(`${code} ${address}`));
}
