// A few small files that several machines share: read as a whole, written by compare and swap. Each backend for teams is such
// a place; what the files mean, who holds the lock, and when something is written are the same for all of them.
import { setTimeout as sleep } from "node:timers/promises";
import { type AnyCode, type Diagnostic, errorOf, type ResultOr } from "../../model/diagnostic.ts";
import { asObject, parseJson } from "../../model/value.ts";

export type StoredFiles = ReadonlyMap<string, string>;

export interface FilesVersion {
  /** Changes with every write and never repeats. */
  readonly id: string;
  readonly files: StoredFiles;
}

export interface SharedFiles {
  /** Where that is, for people: `refs/ticketing/root/production`. */
  readonly name: string;
  /** The id of the current version; null if nothing was ever written. Asked about once a second. */
  tip(): Promise<StoreResult<string | null>>;
  /** null: nothing was ever written. `toWrite`: read from the URL that is written to, if it differs. */
  read(toWrite?: boolean): Promise<StoreResult<FilesVersion | null>>;
  /**
   * Writes only if `before` is still current. `onVersion` is called with the new version before it is sent, because the response can be
   * lost. `subject`: what is written, in a few words, where the place keeps such a note.
   */
  write(
    files: StoredFiles,
    before: FilesVersion | null,
    subject: string,
    onVersion?: (version: FilesVersion) => void,
  ): Promise<StoreResult<FilesVersion>>;
  /**
   * Takes over whatever the store itself uses as a sign of life of this version's lock holder. True if it could: then that holder is gone.
   * It waits `staleMs`, because a holder that was only cut off may keep sending that long.
   */
  claimAbandoned?(version: FilesVersion, staleMs: number): Promise<boolean>;
  /** Ends what is in flight; afterwards nothing more is read or written. */
  close(): Promise<void>;
}

/**
 * | reason      | means                                                                      |
 * |-------------|----------------------------------------------------------------------------|
 * | moved       | somebody else wrote since it was read                                      |
 * | refused     | the place was reached and does not let this be written or read             |
 * | unreachable | nothing was heard of it: the next attempt may get through                  |
 * | foreign     | it contains something that this program did not write                      |
 * | too-new     | a newer version of `ticketing` wrote it                                   |
 * | setup       | it cannot work as it is set up: no such place, a program that is missing   |
 * | unsafe      | it was tried out, and does not keep two runs apart                         |
 */
export interface StoreFailure {
  readonly ok: false;
  readonly reason: "moved" | "refused" | "unreachable" | "foreign" | "too-new" | "setup" | "unsafe";
  /** One sentence or what the other side said; without credentials. */
  readonly message: string;
  /** What to do about this failure; otherwise what helps with its reason. */
  readonly hint?: string;
  /** Its own code, if it is not that of its reason. */
  readonly code?: AnyCode;
}

export type StoreResult<Value> = ResultOr<{ readonly value: Value }, StoreFailure>;

type StoreAction = "read" | "written";

/** What a backend says to people. */
export interface StoreWords {
  /** Where state is kept: `the git remote "origin"`. */
  readonly place: string;
  /** What must respond for a run to continue: "the remote". */
  readonly peer: string;
  /** How a failure begins, if not with "The state in PLACE could not be read". */
  lead?(doing: StoreAction, reason: StoreFailure["reason"]): string;
  readonly hints: StoreHints;
  /** How to delete what is stored under this name, if that is one command. */
  removal?(name: string): string;
}

/** What helps with each reason that differs by place; `unreadable`: with a refusal to read, if that needs another right. */
export type StoreHints = Readonly<Record<Exclude<StoreFailure["reason"], keyof typeof sameHints>, string>> & {
  readonly unreadable?: string;
};

const sameHints = {
  moved: "Another run is writing the state at the same time. Run the command again.",
  "too-new": "Update `ticketing` on this machine.",
} as const;

export function storeFailure(reason: StoreFailure["reason"], message: string, hint?: string): StoreFailure {
  return { ok: false, reason, message: withoutCredentials(message), ...(hint === undefined ? {} : { hint }) };
}

/** `where` begins a sentence. */
export function notOurs(where: string): StoreFailure {
  return storeFailure("foreign", `${where} contains something that was not written by \`ticketing\`.`);
}

export function tooNew(where: string): StoreFailure {
  return storeFailure("too-new", `${where} was written by a newer version of \`ticketing\`.`);
}

/** A failure with what to do about it, under the code of its reason in every backend. */
export function storeProblem(
  { place, lead, hints }: StoreWords,
  failure: StoreFailure,
  doing: StoreAction,
): Diagnostic {
  const { reason, message, code, hint } = failure;
  const begins = lead?.(doing, reason) ?? `The state in ${place} could not be ${doing}`;
  const said = message.startsWith(place) ? message : `${begins}: ${message}`;
  const usualCode =
    reason === "too-new" ? "state-too-new" : reason === "unsafe" ? "store-cannot-exclude" : "state-unusable";
  const unreadable = reason === "refused" && doing === "read" ? hints.unreadable : undefined;
  const usualHint = unreadable ?? { ...sameHints, ...hints }[reason];
  return errorOf(code ?? usualCode, /[.!?]$/.test(said) ? said : `${said}.`, hint ?? usualHint);
}

/** The longest time for a question that calls may be waiting for. */
export const tipTimeoutMs = 15_000;
/** The longest time to read or write everything: 26 MB at 60,000 objects, on a slow line. */
export const longestCallMs = 60_000;
/** A store that did not respond is asked twice more: passing problems are over within a second. */
const readAgainMs = 500;

export async function readAgain<Value>(
  read: () => Promise<StoreResult<Value>>,
  closing?: AbortSignal,
): Promise<StoreResult<Value>> {
  for (let again = 2; ; again -= 1) {
    const found = closing?.aborted === true ? storeFailure("setup", closedStore) : await read();
    if (found.ok || found.reason !== "unreachable" || again === 0) return found;
    if (closing?.aborted !== true) await sleep(readAgainMs);
  }
}

function withoutCredentials(text: string): string {
  return text.replace(/:\/\/[^/@\s]+@/g, "://");
}

export const closedStore = "The store is closed.";

const marker = "ticketing.json";

/** The file that marks the files as ours, and whose. `more`: what the place itself has to remember. */
export function withMarker(
  files: StoredFiles,
  environment: string,
  more: Readonly<Record<string, number>> = {},
): StoredFiles {
  return new Map(files).set(marker, `${JSON.stringify({ formatVersion: 1, environment, ...more })}\n`);
}

export function markerIn(files: StoredFiles): Readonly<Record<string, unknown>> {
  return asObject(parseJson(files.get(marker) ?? ""));
}

/** null if this program wrote the files for this environment. `where` begins a sentence: "refs/… on 'origin'". */
export function checkMarker(files: StoredFiles, environment: string, where: string): StoreFailure | null {
  const { formatVersion: version, environment: found } = markerIn(files);
  if (typeof version !== "number" || (version === 1 && typeof found !== "string")) return notOurs(where);
  if (version > 1) return tooNew(where);
  return found === environment
    ? null
    : storeFailure("foreign", `${where} contains the state of the environment "${found}".`);
}
