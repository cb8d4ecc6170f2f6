// When the service itself is out of reach, a thousand operations need not each find out for themselves.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Performed } from "./run.ts";

const outOfReach: ReadonlySet<string> = new Set([
  "unreachable",
  "dns",
  "tls",
  "proxy",
  "timeout",
  "connection-lost",
  "UNAUTHORIZED",
]);
const inARow = 5;

/** Gives the reason to stop: a wait that is too long, or several operations in a row that did not get through. */
export function watchForOutage(): (performed: Performed) => Diagnostic | null {
  let count = 0;
  return (performed) => {
    if (performed.result === "done") {
      count = 0;
      return null;
    }
    const { code, message, hint } = performed.error;
    const tooLong = code === "rate-limited-too-long";
    if (performed.result === "skipped" && !tooLong) return null;
    count = outOfReach.has(code) ? count + 1 : 0;
    if (!tooLong && count < inARow) return null;
    return { code, severity: "error", message, ...(hint === null ? {} : { hint }) };
  };
}
