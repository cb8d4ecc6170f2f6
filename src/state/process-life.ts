// Whether the process that holds a lock still lives.
import { readFileSync } from "node:fs";
import { hostname, userInfo } from "node:os";
import { codeOf } from "./file-trouble.ts";
import type { LockHolder } from "./lock.ts";

export function thisHost(): string {
  return hostname();
}

export function thisUser(): string {
  try {
    return userInfo().username;
  } catch {
    return "somebody";
  }
}

/** Of a process on another machine nobody here can tell: it counts as alive. */
export function isAlive(holder: LockHolder): boolean {
  if (holder.host !== thisHost()) return true;
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    return codeOf(error) !== "ESRCH";
  }
  const life = lifeOf(holder.pid);
  if (life === null) return true;
  return !life.ended && (holder.began === null || holder.began === life.began);
}

export function beganAt(pid: number): string | null {
  return lifeOf(pid)?.began ?? null;
}

/** From Linux's process table: a killed process stays in it until its parent looks, and a pid can be given out again. */
function lifeOf(pid: number): { readonly began: string; readonly ended: boolean } | null {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [status, began] = [fields[0], fields[19]];
    return status === undefined || began === undefined ? null : { began, ended: status === "Z" || status === "X" };
  } catch {
    return null;
  }
}
