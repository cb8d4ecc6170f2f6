// Seals of local data. State, journal and cached snapshots decide what is done to a live service, and a pull request or a
// restored cache can replace these files, so each contains a code that only a holder of the API key can make. It is bound
// to the environment and to the file's purpose, so that no file can pass for another.
import { createHmac, hkdfSync, timingSafeEqual } from "node:crypto";
import { type Diagnostic, errorOf } from "../model/diagnostic.ts";

/** What seals are made from: the API key, and the key that it replaced. */
export interface SealSecrets {
  readonly current: string;
  readonly previous: string | null;
}

/** Asked only when something is to be sealed or checked; null: no key is set. */
export type FindSealSecrets = () => SealSecrets | null;

export type SealPurpose = "state" | "journal" | "snapshot";

export interface Sealer {
  /** Identifies the key without revealing it. */
  readonly keyId: string;
  codeOf(text: string): string;
}

/**
 * | status   | means                                                      |
 * |----------|------------------------------------------------------------|
 * | good     | sealed with this key, or with the previous one             |
 * | foreign  | sealed with another key: neither right nor wrong           |
 * | no-key   | there is no key to check it with                           |
 * | unsealed | it has no seal                                             |
 * | altered  | the seal does not fit what is there                        |
 * | future   | sealed, and dated later than now                           |
 */
export type SealStatus = "good" | "foreign" | "no-key" | "unsealed" | "altered" | "future";

/** Clocks of two machines differ by a little. */
const skewMs = 5 * 60_000;

export function isInTheFuture(at: number, now: number): boolean {
  return at > now + skewMs;
}

export function sealerOf(secret: string, environment: string, use: SealPurpose): Sealer {
  const key = derive(secret, `seal\0${use}\0${environment}`, 32);
  return {
    keyId: derive(secret, "key id", 4).toString("hex"),
    codeOf: (text) => createHmac("sha256", key).update(text).digest("hex").slice(0, 32),
  };
}

/** The sealer for files to be written; null if there is no key. */
export function currentSealer(find: FindSealSecrets, environment: string, use: SealPurpose): Sealer | null {
  const secrets = find();
  return secrets === null ? null : sealerOf(secrets.current, environment, use);
}

/** The sealer that a file with this key id was sealed with; otherwise why there is none. */
export function sealerFor(
  find: FindSealSecrets,
  environment: string,
  use: SealPurpose,
  keyId: unknown,
): Sealer | "foreign" | "no-key" {
  const secrets = find();
  if (secrets === null) return "no-key";
  const sealers = [secrets.current, secrets.previous]
    .filter((secret) => secret !== null)
    .map((secret) => sealerOf(secret, environment, use));
  return sealers.find((sealer) => sealer.keyId === keyId) ?? "foreign";
}

export function isSameCode(one: string, other: unknown): boolean {
  if (typeof other !== "string" || one.length !== other.length) return false;
  const [mine, theirs] = [Buffer.from(one), Buffer.from(other)];
  return mine.length === theirs.length && timingSafeEqual(mine, theirs);
}

/** Why a file must not be used; null if it may. */
export function sealProblem(status: SealStatus, file: string): Diagnostic | null {
  const problem = problems[status];
  return problem && { ...problem, message: `${file} ${problem.message}` };
}

/** Whether it may be shown, marked as unverified. */
export function isShowable(status: SealStatus): boolean {
  return status === "good" || status === "foreign" || status === "no-key" || status === "future";
}

const inspect = "`ticketing state reseal` lists the objects in it and, if you accept them as they are, seals it again.";
const continueWithout =
  "Or delete the file and continue without it: live events are found again by name and start, but events whose files you removed are no longer recognized.";

const problems: Readonly<Record<SealStatus, Diagnostic | null>> = {
  good: null,
  foreign: errorOf(
    "local-data-unverified",
    "was sealed with a different API key, so it cannot be verified.",
    `If the API key was rotated, set TICKETING_PREVIOUS_API_KEY to the previous API key for one \`ticketing apply\`. ${inspect}`,
  ),
  "no-key": errorOf(
    "local-data-unverified",
    "cannot be verified, because no API key is set.",
    "Set the variable that contains the API key of this environment.",
  ),
  unsealed: errorOf(
    "local-data-unsealed",
    "has no seal, so an earlier version of `ticketing` or somebody else wrote it. It was not used.",
    `${inspect} ${continueWithout}`,
  ),
  altered: errorOf(
    "local-data-altered",
    "was altered after it was written: its seal does not match. It was not used.",
    `Restore it from a copy. ${continueWithout} If the change is yours, ${inspect}`,
  ),
  future: errorOf(
    "local-data-in-the-future",
    "is dated in the future.",
    `Check the clock of this machine. If the file is right, ${inspect}`,
  ),
};

function derive(secret: string, info: string, length: number): Buffer {
  return Buffer.from(hkdfSync("sha256", secret, "", `ticketing ${info}`, length));
}
