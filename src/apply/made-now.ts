import type { Run } from "./run.ts";

/** Now, by the service's clock where it shows it, else by ours. */
export function madeNow(run: Run): string {
  return (run.service.serverDate ?? new Date(run.clock.now())).toISOString();
}
