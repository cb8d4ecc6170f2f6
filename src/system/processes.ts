// Whether a process still runs, and how much memory this one takes.
import { readFileSync } from "node:fs";
import { setFlagsFromString } from "node:v8";

export interface ProcessMark {
  readonly pid: number;
  /** When it began, as the system counts; null if unknown. A pid alone may belong to another process by now. */
  readonly began: string | null;
}

export function isRunning({ pid, began }: ProcessMark): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== "ESRCH";
  }
  const life = lifeOf(pid);
  if (life === null) return true;
  return !life.ended && (began === null || began === life.began);
}

export function beganAt(pid: number): string | null {
  return lifeOf(pid)?.began ?? null;
}

/** From Linux's process table: a killed process stays in it until its parent reaps it, and a pid can be reused. */
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

/**
 * From now on, garbage is collected once the heap has grown by a fifth. V8 by itself lets it grow to a multiple of what is in use,
 * which is faster for a small heap; from a hundred megabytes on, that makes a process too large for small CI runners.
 */
export function collectEarly(): void {
  setFlagsFromString("--heap-growing-percent=20");
}
