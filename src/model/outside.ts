// Servers other than the service: hosts of repositories, and places where state is kept.

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

/** Follows no redirect, and never rejects. */
export type SendOutside = (call: OutsideCall) => Promise<OutsideAnswer>;

/**
 * One value for all runs that share the limits of one organization at one service, as far as they share a store. What it loads
 * may be missing or damaged: then nothing is known.
 */
export interface PaceLedger<Data = unknown> {
  load(): Promise<unknown>;
  /**
   * Compare and swap: `change` is given what is there now and says what is to be there; undefined: nothing is written. It is
   * called again where another run was faster. Rejects if the store fails.
   */
  update(change: (kept: unknown) => Data | undefined): Promise<void>;
  /** The same for what is not worth a write that others see: it may stay on this machine. Left out: `update` serves. */
  note?(change: (kept: unknown) => Data | undefined): Promise<void>;
}
