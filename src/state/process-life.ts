// Whether the process that holds a lock still lives.
import { hostname, userInfo } from "node:os";
import { isRunning } from "../system/process-life.ts";
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
  return holder.host !== thisHost() || isRunning(holder);
}
