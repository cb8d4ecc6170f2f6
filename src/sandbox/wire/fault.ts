// Faults that can be asked for, and the counting that decides whose turn it is.
import { isWrite, type SandboxRequest } from "./wire.ts";

export const faultKinds = [
  "request-lost",
  "response-lost",
  "error-before",
  "error-after",
  "html-502",
  "rate-limited",
  "slow",
  "truncated",
  "reset",
  "late",
  "redirect",
  "huge",
  "kill",
] as const;
export type FaultKind = (typeof faultKinds)[number];

export interface Fault {
  readonly kind: FaultKind;
  /** The n-th matching call from now on, counted from 1; left out: the next. */
  readonly at?: number;
  /** For how many calls in a row; 0: until cleared. */
  readonly times?: number;
  /** Count only calls that write. */
  readonly writes?: boolean;
  readonly method?: string;
  /** Text that must stand in the path. */
  readonly path?: string;
  /** reset, html-502, redirect, huge, kill: whether the effect happens first. Each kind has its own default. */
  readonly moment?: "before" | "after";
  /** slow: until the answer; late: until the effect. */
  readonly delayMs?: number;
  /** rate-limited: seconds or a date; null: no header. */
  readonly retryAfter?: number | string | null;
  /** error-before, error-after, late: 500 unless told; late also takes "lost". */
  readonly status?: number | "lost";
  /** request-lost, response-lost: the connection stays open without an answer, in place of being closed. */
  readonly hang?: boolean;
  /** redirect: where to. */
  readonly location?: string;
  /** Called by a kill fault; only for those who run the sandbox in their own process. */
  readonly onKill?: () => void;
}

export interface Faults {
  /** The fault for this call, if it is its turn. */
  take(request: SandboxRequest): Fault | undefined;
  add(fault: Fault): void;
  clear(): void;
  /** Faults still to come. */
  pending(): Fault[];
}

export function createFaults(): Faults {
  let waiting: { fault: Fault; seen: number; left: number }[] = [];
  return {
    take(request) {
      let taken: Fault | undefined;
      for (const entry of waiting) {
        if (!matches(entry.fault, request)) continue;
        entry.seen++;
        if (taken !== undefined || entry.seen < (entry.fault.at ?? 1)) continue;
        taken = entry.fault;
        entry.left--;
      }
      if (taken !== undefined) waiting = waiting.filter((entry) => entry.left > 0);
      return taken;
    },
    add(fault) {
      const times = fault.times ?? 1;
      waiting.push({ fault, seen: 0, left: times === 0 ? Number.POSITIVE_INFINITY : times });
    },
    clear() {
      waiting = [];
    },
    pending: () => waiting.map(({ fault }) => fault),
  };
}

function matches(fault: Fault, { method, path }: SandboxRequest): boolean {
  if (fault.writes === true && !isWrite(method)) return false;
  if (fault.method !== undefined && fault.method !== method) return false;
  return fault.path === undefined || path.includes(fault.path);
}
