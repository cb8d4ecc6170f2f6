import { join } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import { sandboxProblem } from "./sandbox-problem.ts";
import type { ServicePlace } from "./target.ts";
import type { World } from "./world.ts";

/** The sandbox of a project: the one that serves its data already, or one inside this command. */
export async function openSandbox(
  world: World,
  directory: string,
  organization: string | null,
): Promise<ServicePlace | Diagnostic[]> {
  const { joinSandbox } = await import("../sandbox/index.ts");
  const dataFile = join(directory, ".ticketing", "sandbox.json");
  try {
    const { baseUrl, apiKey, close } = await joinSandbox({
      dataFile,
      organization: { slug: organization ?? "sandbox" },
      // Receivers on this machine are checked as the environment `sandbox` has them: over http too. And what was imported
      // from another service names venues of that.
      profile: "httpLoopback=accepted,venueIds=any",
      now: () => world.now(),
    });
    return { baseUrl, apiKey, dataFile, close };
  } catch (problem) {
    return [sandboxProblem(problem)];
  }
}
