// Who holds the lock on shared files: one of them, with a serial that the holder renews.
import { createHash, randomBytes } from "node:crypto";
import { readFileSync, readlinkSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { isObject } from "../../model/value.ts";
import type { LockHolder } from "../../system/file-lock.ts";
import { beganAt, isRunning } from "../../system/process-life.ts";
import type { StoredFiles } from "./shared-files.ts";

export interface SharedHolder extends LockHolder {
  /** Tells machines apart, and one machine from itself before a restart; null where that cannot be known. */
  readonly machine: string | null;
  /** The address of the CI run; null elsewhere. */
  readonly run: string | null;
  readonly serial: number;
}

export const lockFile = "lock.json";

export function holderIn(files: StoredFiles): SharedHolder | null {
  const text = files.get(lockFile);
  if (text === undefined) return null;
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value) && typeof value.token === "string" && typeof value.serial === "number")
      return value as unknown as SharedHolder;
  } catch {
    // Somebody holds it, whoever that is.
  }
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
  return new Map([...files].filter(([file]) => file !== lockFile));
}

export function makeHolder(command: string, run: string | null): SharedHolder {
  return {
    token: randomBytes(16).toString("hex"),
    command,
    pid: process.pid,
    began: beganAt(process.pid),
    host: hostname(),
    machine: thisMachine(),
    user: userName(),
    since: new Date().toISOString(),
    run,
    serial: 1,
  };
}

/** Certain only on one machine since one start of it, where process numbers mean the same to both. */
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

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return "unknown";
  }
}

export function lockText(holder: SharedHolder): string {
  return `${JSON.stringify(holder, null, 1)}\n`;
}
