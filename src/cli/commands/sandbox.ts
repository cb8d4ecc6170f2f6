// ticketing sandbox: the embedded service for people and other programs, until it is stopped.
import { once } from "node:events";
import { relative } from "node:path";
import { safeJsonLine } from "../../report/safe-json.ts";
import { type Sandbox, startSandbox } from "../../sandbox/index.ts";
import { sandboxDataFile } from "../day-two/sandbox-hands.ts";
import { localDataProblem } from "../local-data.ts";
import { projectOrganization } from "../project-organization.ts";
import { sandboxProblem } from "../sandbox-problem.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export interface SandboxCommandOptions {
  readonly directory: string;
  /** 0: any free one. */
  readonly port: number;
  readonly data?: string | undefined;
  readonly profile?: string | undefined;
  readonly deliverOutside?: boolean | undefined;
  readonly format: "text" | "json";
  readonly verbose?: boolean | undefined;
  /** The project's own, so that its files can be applied here. */
  readonly organization?: { readonly slug: string; readonly name?: string | undefined } | undefined;
}

/** As it is typed: in the name of the project's organization. */
export async function runProjectSandbox(world: World, options: SandboxCommandOptions): Promise<number> {
  return runSandbox(world, { ...options, organization: await projectOrganization(options.directory) });
}

export async function runSandbox(world: World, options: SandboxCommandOptions): Promise<number> {
  const dataFile = sandboxDataFile(options.directory, options.data);
  const unsafe = await localDataProblem(options.directory);
  if (unsafe !== null) return tellProblems(world, options.format, [unsafe]);
  let sandbox: Sandbox;
  try {
    sandbox = await startSandbox({
      port: options.port,
      dataFile,
      profile: options.profile,
      deliverOutside: options.deliverOutside,
      organization: options.organization,
      now: () => world.now(),
      standalone: true,
      log: options.verbose === true ? (line) => world.stderr.write(`${line}\n`) : undefined,
    });
  } catch (problem) {
    return tellProblems(world, options.format, [sandboxProblem(problem)]);
  }
  const { baseUrl, apiKey } = sandbox;
  if (options.format === "json") world.stdout.write(`${safeJsonLine({ baseUrl, apiKey, formatVersion: 1 })}\n`);
  else world.stdout.write(greeting(world, options, sandbox, dataFile));
  if (!world.interrupted.aborted) await once(world.interrupted, "abort");
  await sandbox.close();
  return 0;
}

/** The lines to paste work in any folder, whatever file holds the data. */
function greeting(world: World, options: SandboxCommandOptions, sandbox: Sandbox, dataFile: string): string {
  const { baseUrl, apiKey } = sandbox;
  const folder = relative(world.cwd, options.directory);
  const ticketing = folder === "" ? "ticketing" : `ticketing -C ${shellWord(options.directory)}`;
  return `The sandbox listens at ${baseUrl}
Key:     ${apiKey}
Data:    ${relative(world.cwd, dataFile) || dataFile}
Profile: ${options.profile ?? "likely"}
Webhooks are delivered to ${options.deliverOutside === true ? "any host" : "this machine only"}.

In another terminal:
  export TICKETING_BASE_URL=${baseUrl}
  export TICKETING_API_KEY=${apiKey}
  ${ticketing} plan
  ${ticketing} sandbox sell EVENT TICKET 2 --port ${new URL(baseUrl).port}

Stop it with Ctrl-C.
`;
}

function shellWord(text: string): string {
  return /^[\w./:@%+,=-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
