// Which calls came in, in order: what tests and --verbose look at.
import type { FaultKind } from "./fault.ts";
import { isWrite, type SandboxRequest } from "./wire.ts";

export interface LoggedCall {
  readonly n: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly method: string;
  /** With the query, without the base path. */
  readonly path: string;
  readonly write: boolean;
  /** The body of a write, as sent. */
  readonly body: string | undefined;
  /** 0 where the caller saw no status; undefined while the call runs. */
  status: number | undefined;
  readonly fault: FaultKind | undefined;
}

export interface CallLog {
  open(request: SandboxRequest, path: string, now: number, fault: FaultKind | undefined): LoggedCall;
  calls(): readonly LoggedCall[];
  clear(): void;
}

const most = 20_000;

export function createCallLog(): CallLog {
  let entries: LoggedCall[] = [];
  let count = 0;
  return {
    open(request, path, now, fault) {
      const write = isWrite(request.method);
      const entry: LoggedCall = {
        n: ++count,
        at: now,
        method: request.method,
        path,
        write,
        body: write ? request.body : undefined,
        status: undefined,
        fault,
      };
      entries.push(entry);
      // Long runs keep the younger half.
      if (entries.length > most) entries = entries.slice(most / 2);
      return entry;
    },
    calls: () => entries,
    clear() {
      entries = [];
      count = 0;
    },
  };
}
