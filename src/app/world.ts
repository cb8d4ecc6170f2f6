// Everything outside that a command may touch. It is handed in, so that tests can hand in another world.

import { relative } from "node:path";
import type { Diagnostic } from "../model/diagnostic.ts";
import { shellWord } from "../model/value.ts";
import type { Timeouts } from "../service/transport.ts";
import type { LockTimes } from "../state/open-store.ts";

export interface Output {
  write(text: string): void;
  /** True once the reader has closed it (`| head`): output alone is then no reason to continue. */
  readonly isClosed?: boolean;
  /** True once something was written to it. */
  readonly isUsed?: boolean;
  readonly isTerminal: boolean;
  /** Width in columns; 80 if a terminal does not say it, and infinite for anything else. */
  readonly columns: number;
  /** Height in lines; left out if it is not known. */
  readonly rows?: number | undefined;
}

/** What must never be seen in anything that is written. */
export interface Secrets {
  readonly kept: Iterable<string>;
  keep(secret: string): void;
  mask(text: string): string;
}

/** Whether this is a CI job. Every rule that is stricter in CI asks this. */
export function isOnRunner({ env }: Pick<World, "env">): boolean {
  return runnerVariables.some((name) => !["", "0", "false"].includes((env[name] ?? "").trim().toLowerCase()));
}

/** Not every system sets CI, but each has a variable that its jobs always see. */
const runnerVariables = `
  CI CONTINUOUS_INTEGRATION BUILD_NUMBER GITHUB_ACTIONS GITLAB_CI GITEA_ACTIONS FORGEJO_ACTIONS TF_BUILD
  JENKINS_URL TEAMCITY_VERSION BITBUCKET_BUILD_NUMBER BUILDKITE CIRCLECI DRONE CODEBUILD_BUILD_ID TRAVIS APPVEYOR
  bamboo_buildKey GO_PIPELINE_NAME SEMAPHORE CIRRUS_CI CM_BUILD_ID BITRISE_IO HARNESS_BUILD_ID CI_PIPELINE_ID
  CI_WORKFLOW BUDDY TASKCLUSTER_ROOT_URL PROW_JOB_ID
`
  .trim()
  .split(/\s+/);

export interface World {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** Milliseconds since the epoch; TICKETING_NOW sets it. */
  now(): number;
  /** Resolves after the time, or as soon as the signal is aborted; left out: real time. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  /** How long the service may take; the client knows the defaults. */
  readonly timeouts?: Partial<Timeouts>;
  /** How long a lock that several machines share lasts; all of them must agree on it. */
  readonly lockTimes?: Partial<LockTimes>;
  /** Aborted by the first Ctrl-C or SIGTERM. */
  readonly interrupted: AbortSignal;
  /** Set while a command runs. stdout and stderr mask secrets themselves; files are masked when written. */
  readonly secrets?: Secrets;
  /** Set while a command runs: its project's folder, which contains the lines that problems are about. */
  readonly directory?: string;
  /** Set while a command runs. null until its environment is chosen; from then on, advice names that environment. */
  readonly advice?: { target: AdviceTarget | null };
}

/** How advice names the environment of a command, so that those who follow it do not reach another one. */
export interface AdviceTarget {
  /** What to type after a command's name; empty if the environment is reached anyway. */
  readonly flags: readonly string[];
  /** The same in a job, where no default is used. */
  readonly inJob: readonly string[];
  /** The name to write with an id; null if ids need none. */
  readonly pin: string | null;
}

/** A world or an output with some members replaced. Getters are copied, not called: some create what they return. */
export function variantOf<Kind extends World | Output>(original: Kind, members: Partial<Kind>): Kind {
  return Object.defineProperties({} as Kind, {
    ...Object.getOwnPropertyDescriptors(original),
    ...Object.getOwnPropertyDescriptors(members),
  });
}

/** The exit code of a command that Ctrl-C or SIGTERM has stopped. */
export const interruptedCode = 130;

/** Kept equal to package.json by a test: reading that file at start would cost every command a few milliseconds. */
export const version = "0.1.0";

/** What to type after a command's name to reach the same environment; empty if it is reached anyway. */
export function sameTarget({ advice }: Pick<World, "advice">): readonly string[] {
  return advice?.target?.flags ?? [];
}

/** The same for a command that begins with `ticketing ci`. */
export function sameTargetInJob({ advice }: Pick<World, "advice">): readonly string[] {
  return advice?.target?.inJob ?? [];
}

/** A command to paste where this one was typed, about the same project and environment. */
export function commandFor(world: World, directory: string, name: string, more: readonly string[]): string {
  const folder = relative(world.cwd, directory);
  const project = folder === "" ? [] : ["-C", folder];
  return ["ticketing", name, ...project, ...sameTarget(world), ...more].map(shellWord).join(" ");
}

const commandPattern = /`(ticketing [^`]*)`/g;
const targeted =
  /^ticketing (?:plan|apply|validate|import|show|copy|preview|upcoming|status|orders|whoami|(?:ci|state|venues|webhooks) [a-z]+)(?= |$)/;

const idPattern = /`id: ([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})`/gi;

/** Adds those flags to each command in backticks that needs an environment and names none, and the environment to each id to pin. */
export function adviser(world: Pick<World, "advice">): (text: string) => string {
  const complete = (whole: string, line: string) => {
    const flags = (/^ticketing ci /.test(line) ? sameTargetInJob(world) : sameTarget(world)).map(shellWord);
    // What follows it is sent to a file or to another program.
    const end = line.search(/ [>|] /);
    const command = end === -1 ? line : line.slice(0, end);
    const isComplete = flags.length === 0 || !targeted.test(command) || / --(?:env|base-url)\b/.test(command);
    return isComplete ? whole : `\`${[command, ...flags].join(" ")}${line.slice(command.length)}\``;
  };
  const { pin = null } = world.advice?.target ?? {};
  const pinned = pin === null ? "$&" : `\`id: { ${pin}: $1 }\``;
  return (text) => text.replace(commandPattern, complete).replace(idPattern, pinned);
}

/** The same for problems and remarks, before they are shown in any format. */
export function advise<Said extends Pick<Diagnostic, "message" | "plainHint"> & { readonly hint?: string | null }>(
  world: Pick<World, "advice">,
  said: readonly Said[],
): readonly Said[] {
  if (sameTargetInJob(world).length === 0 && world.advice?.target?.pin == null) return said;
  const complete = adviser(world);
  return said.map((each) => ({
    ...each,
    message: complete(each.message),
    ...(each.hint == null ? {} : { hint: complete(each.hint) }),
    ...(each.plainHint === undefined ? {} : { plainHint: complete(each.plainHint) }),
  }));
}

/** What every command gets in addition to its own flags and parameters under their camel-cased names. */
export interface CommonOptions {
  /** The project's directory, absolute: -C or where the command was typed. */
  readonly directory: string;
  readonly env?: string;
  readonly baseUrl?: string;
  readonly format: string;
  /** Whether text for people is colored. */
  readonly color: boolean;
  readonly verbose: boolean;
}

/** --no-color and NO_COLOR win, then FORCE_COLOR, then whether the output is a terminal. */
export function wantsColor(world: World, format: string, flag: boolean): boolean {
  if (!flag || (world.env.NO_COLOR ?? "") !== "") return false;
  const force = world.env.FORCE_COLOR;
  if (force !== undefined && force !== "") return force !== "0" && force !== "false";
  if (world.env.TERM === "dumb") return false;
  return (format === "json" ? world.stderr : world.stdout).isTerminal;
}
