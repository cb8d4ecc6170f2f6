// Which calls came in, in order, for tests.
import type { FaultKind } from "./faults.ts";
import { basePath, isWrite, type SandboxRequest } from "./wire.ts";

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

export type CallLog = ReturnType<typeof createCallLog>;

const maxEntries = 20_000;

export function createCallLog() {
  let entries: LoggedCall[] = [];
  let count = 0;
  return {
    open({ method, path, body }: SandboxRequest, at: number, fault: FaultKind | undefined): LoggedCall {
      const write = isWrite(method);
      const entry: LoggedCall = {
        n: ++count,
        at,
        method,
        path: path.startsWith(basePath) ? path.slice(basePath.length) : path,
        write,
        body: write ? body : undefined,
        status: undefined,
        fault,
      };
      entries.push(entry);
      // Long runs keep the younger half.
      if (entries.length > maxEntries) entries = entries.slice(maxEntries / 2);
      return entry;
    },
    all: (): readonly LoggedCall[] => entries,
    clear(): void {
      entries = [];
      count = 0;
    },
  };
}
