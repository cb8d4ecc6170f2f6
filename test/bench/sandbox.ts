// What the sandbox can serve: enough never to be what a test waits for.
import type { Figure } from "./figure.ts";
import { bundle } from "./processes.ts";
import { measureSandboxThroughput } from "./sandbox-throughput.ts";

export async function measure(): Promise<readonly Figure[]> {
  const { callsPerCoreSecond, callsPerSecond } = await measureSandboxThroughput({
    child: await bundle("sandbox-child"),
  });
  return [
    {
      name: "sandbox: GETs a second on one core",
      measured: callsPerCoreSecond,
      goal: 5000,
      bound: "at least",
      unit: "calls/s",
      detail: `${Math.round(callsPerSecond)} a second with the clients on the same machine`,
    },
  ];
}
