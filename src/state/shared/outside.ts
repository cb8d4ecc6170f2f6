// What a backend on another machine needs from this one; it is passed in.
import type { Advice } from "../../model/diagnostic.ts";
import { type SendOutside, sameAddress } from "../../model/outside.ts";
import type { Settings } from "../../model/wish.ts";
import type { StoreSetup } from "../file/folder.ts";
import type { LockTimes } from "./lock-times.ts";
import { type StoreFailure, storeFailure } from "./shared-files.ts";

/** What a backend on another machine is opened with, in addition to its settings. */
export interface BackendSetup extends StoreSetup {
  readonly times: LockTimes;
  readonly outside: Outside;
}

export type BackendSettings<Name extends Settings["state"]["backend"]> = Extract<
  Settings["state"],
  { readonly backend: Name }
>;

export interface Outside {
  /** Where credentials come from: never from a file of the project. */
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Keeps a credential out of everything that is printed. */
  keepSecret(secret: string): void;
  /**
   * Why the state must not be used where `state` in the project file says: a pull request could have changed it. null: it is as
   * agreed before, or nothing is known. `sendsCredentials`: those of the environment would go to a URL from the file; otherwise
   * only the rights of a CI runner are at stake. Called before the first call.
   */
  disagreement(sendsCredentials: boolean): Promise<Advice | null>;
  readonly send: SendOutside;
  /** Ends the connections that calls have opened. */
  close(): Promise<void>;
}

export interface NamedPlace {
  /** As the owner of the credentials confirms it with TICKETING_STATE_ADDRESS; the first is shown. */
  readonly names: readonly string[];
  readonly sendsCredentials: boolean;
  /** The problem if TICKETING_STATE_ADDRESS names another place; left out: then the default branch decides. */
  readonly mismatch?: string;
}

/** null: the state may be used where the file says, since the owner of the credentials, or the default branch, says the same. */
export async function checkAgreed(
  { env, disagreement }: Pick<Outside, "env" | "disagreement">,
  { names, sendsCredentials, mismatch }: NamedPlace,
): Promise<StoreFailure | null> {
  const confirmed = env.TICKETING_STATE_ADDRESS?.trim() ?? "";
  if (names.some((name) => sameAddress(confirmed, name))) return null;
  const confirm = `If the state belongs there, confirm it where the credentials are set: TICKETING_STATE_ADDRESS=${names[0]}.`;
  if (confirmed !== "" && mismatch !== undefined) return unagreed(mismatch, confirm);
  const found = await disagreement(sendsCredentials);
  return found === null ? null : unagreed(found.message, `${confirm} ${found.hint}`);
}

function unagreed(message: string, hint: string): StoreFailure {
  return { ...storeFailure("setup", message), code: "address-changed", hint };
}
