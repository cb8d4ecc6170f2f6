// ticketing sandbox: the embedded service for people and other programs, until it is stopped.
import { once } from "node:events";
import { join, relative, resolve } from "node:path";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { sandboxProblem } from "../sandbox-problem.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export interface SandboxCommandOptions {
  readonly directory: string;
  /** 0: any free one. */
  readonly port: number;
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
  readonly format: "text" | "json";
  readonly verbose?: boolean | undefined;
  /** The project's own, so that its files can be applied here. */
  readonly organization?: { readonly slug: string; readonly name?: string | undefined } | undefined;
}

export function sandboxDataFile(directory: string, data: string | undefined): string {
  return data === undefined ? join(directory, ".ticketing", "sandbox.json") : resolve(directory, data);
}

export async function runSandbox(world: World, options: SandboxCommandOptions): Promise<number> {
  const dataFile = sandboxDataFile(options.directory, options.data);
  let sandbox: Sandbox;
  try {
    sandbox = await startSandbox({
      port: options.port,
      dataFile,
      profile: options.profile,
      organization: options.organization,
      now: () => world.now(),
      standalone: true,
      log: options.verbose === true ? (line) => world.stderr.write(`${line}\n`) : undefined,
    });
  } catch (problem) {
    return tellProblems(world, options.format, [sandboxProblem(problem)]);
  }
  const { baseUrl, apiKey } = sandbox;
  const shownData = relative(world.cwd, dataFile) || dataFile;
  world.stdout.write(
    options.format === "json"
      ? `${JSON.stringify({ baseUrl, apiKey })}\n`
      : greeting(baseUrl, apiKey, shownData, options.profile ?? "likely"),
  );
  if (!world.interrupted.aborted) await once(world.interrupted, "abort");
  await sandbox.close();
  return 0;
}

function greeting(baseUrl: string, apiKey: string, data: string, profile: string): string {
  return `The sandbox listens at ${baseUrl}
Key:     ${apiKey}
Data:    ${data}
Profile: ${profile}

In another terminal:
  export TICKETING_BASE_URL=${baseUrl}
  export TICKETING_API_KEY=${apiKey}
  ticketing plan
  ticketing sandbox sell EVENT TICKET 2

Stop it with Ctrl-C.
`;
}
