// Who holds the lock on shared files: one of them, with a serial that the holder renews.
import { createHash } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { parseShard } from "../../model/live.ts";
import { isObject, parseJson } from "../../model/value.ts";
import { type LockHolder, newHolder } from "../../system/file-lock.ts";
import { isRunning } from "../../system/processes.ts";
import type { JointRun } from "../store.ts";
import type { StoredFiles } from "./shared-files.ts";

export interface SharedHolder extends LockHolder {
  /** Distinguishes machines, and one machine from itself before a restart; null if that is unknown. */
  readonly machine: string | null;
  /** The address of the CI run; null elsewhere. */
  readonly run: string | null;
  readonly serial: number;
  /** Shards of this run hold the lock together, each with its own file. */
  readonly joint?: JointRun;
  /** Another program holds the store's own lock; whether it is still running cannot be known. */
  readonly isForeign?: true;
}

export const lockFile = "lock.json";

export function lockFileOf({ joint }: Pick<SharedHolder, "joint">): string {
  return joint === undefined ? lockFile : `lock.${partName(joint)}.json`;
}

export function partName({ shard }: JointRun): string {
  return shard.replace("/", "-of-");
}

export function isPeer(holder: SharedHolder, joint: JointRun | undefined): boolean {
  const other = holder.joint;
  if (joint === undefined || other === undefined || other.shard === joint.shard) return false;
  const isSame = other.run === joint.run && other.revision === joint.revision;
  return isSame && parseShard(other.shard).count === parseShard(joint.shard).count;
}

export function holdersIn(files: StoredFiles): readonly SharedHolder[] {
  return [...files].flatMap(([file, text]) => (isLockFile(file) ? parseHolder(text) : []));
}

/** Any of them; null: it is free. */
export function holderIn(files: StoredFiles): SharedHolder | null {
  return holdersIn(files)[0] ?? null;
}

function isLockFile(file: string): boolean {
  return file === lockFile || /^lock\.\d+-of-\d+\.json$/.test(file);
}

export function parseHolder(text: string): SharedHolder {
  const value = parseJson(text);
  if (isObject(value) && typeof value.token === "string" && typeof value.serial === "number")
    return value as unknown as SharedHolder;
  // Somebody holds it, but it is unknown who.
  return { ...unknownHolder, token: createHash("sha256").update(text).digest("hex") };
}

const unknownHolder: Omit<SharedHolder, "token"> = {
  command: "unknown command",
  pid: 0,
  began: null,
  host: "unknown machine",
  machine: null,
  user: "unknown user",
  since: "unknown time",
  run: null,
  serial: 0,
};

export function withoutLock(files: StoredFiles): StoredFiles {
  return new Map([...files].filter(([file]) => !isLockFile(file)));
}

export function makeHolder(command: string, run: string | null, joint?: JointRun): SharedHolder {
  return {
    ...newHolder(command),
    machine: thisMachine(),
    run,
    serial: 1,
    ...(joint === undefined ? {} : { joint }),
  };
}

/** Certain only within one boot of one machine, where process numbers mean the same to both. */
export function isHolderGone(holder: SharedHolder): boolean {
  return holder.machine !== null && holder.machine === thisMachine() && !isRunning(holder);
}

function thisMachine(): string | null {
  try {
    const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
    return `${boot} ${readlinkSync("/proc/self/ns/pid")}`;
  } catch {
    return null;
  }
}

export function lockText(holder: SharedHolder): string {
  return `${JSON.stringify(holder, null, 1)}\n`;
}
