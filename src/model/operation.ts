import type { Address } from "./address.ts";
import type { Reference, Value } from "./value.ts";

export type Verb = "create" | "update" | "delete" | "publish" | "unpublish" | "archive" | "sold-out";
export type Method = "POST" | "PATCH" | "DELETE";

export type BodyValue = Value | Reference | readonly Body[];
export interface Body {
  readonly [field: string]: BodyValue;
}

/** One call to make. An id to come is `{address}` in `path` and `{ "$id": "address" }` in `body`. */
export interface Operation {
  readonly id: string;
  readonly address: Address;
  readonly verb: Verb;
  readonly method: Method;
  readonly path: string;
  readonly body?: Body;
  /** Ids of the operations that must be done before this one. */
  readonly needs: readonly string[];
  /** The address of the change that caused it. */
  readonly because: Address;
  /** Verbs to call in its place, in order, where the service refuses this one. */
  readonly fallback?: readonly Verb[];
  /** Calls that clear the way where the service allows no second object of one name; then this one is made again. */
  readonly clearing?: readonly ClearingCall[];
}

export type ClearingCall = Pick<Operation, "address" | "verb" | "method" | "path" | "body">;
