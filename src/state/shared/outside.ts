// What a backend on another machine needs of this one; it is handed in.
import { type StoreFailure, storeFailure } from "./shared-files.ts";

export interface Outside {
  /** Where credentials come from: never from a file of the project. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Keeps a credential out of everything that is printed. */
  keepSecret(secret: string): void;
  /**
   * Why credentials of the environment must not go where `state` in the project file says: a pull request could have changed
   * it. Null: it is as agreed before, or nothing can be told. Asked before the first call that carries them.
   */
  disagreement(): Promise<string | null>;
  /** Follows no redirect, and never rejects. */
  send(call: OutsideCall): Promise<OutsideAnswer>;
  /** Ends the connections that calls have opened. */
  close(): Promise<void>;
}

export interface OutsideCall {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "LOCK" | "UNLOCK";
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  /** Longest time for the whole of it. */
  readonly mostMs?: number;
  readonly signal?: AbortSignal;
}

export interface OutsideAnswer {
  /** 0: no whole answer came, and `body` says why in a sentence. */
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: string;
}

/** Credentials stay here: somebody has to agree first that they go to that address. */
export function unagreed(message: string): StoreFailure {
  const hint =
    "Merge this change to ticketing.yaml on its own first, without a plan that uses the credentials; or, if the address is right, confirm it: set TICKETING_STATE_ADDRESS to it where the credentials are set.";
  return { ...storeFailure("setup", message), code: "address-changed", hint };
}
