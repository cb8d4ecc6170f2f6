// What the files of a CI are made from, and the names in them. Two projects of one repository share no name.
import type { InstallSource } from "./running-copy.ts";

export interface CiProject {
  /** Below the repository's root, with `/`; "" at the root. */
  readonly folder: string;
  readonly branch: string;
  /** None: the address comes from a variable of the repository. */
  readonly environments: readonly CiEnvironment[];
  readonly install: InstallSource;
  /** Whether something in it changes at a time, so that a clock must start jobs, too. */
  readonly hasPhases: boolean;
  /** Variables that lead to the state, where the job's own rights do not. */
  readonly stateSecrets?: readonly string[];
}

export interface CiEnvironment {
  readonly name: string;
  /** The variable that holds its key. */
  readonly apiKeyEnv: string;
}

/** The free tier has 1,000 calls an hour. */
export const driftBudget = 500;

/** How long a job stays for what comes due: until the next one begins. */
export const dueWait = "15m";

/** One set of jobs. */
export interface CiTarget {
  readonly name: string;
  /** `--env NAME `, or nothing where a variable gives the address. */
  readonly flag: string;
  readonly apiKey: string;
  /** The secret with a key that may only read. */
  readonly readKey: string;
  /** Whether a variable gives the address. */
  readonly byAddress: boolean;
  readonly stateSecrets: readonly string[];
  /** Follows the name of a job where there is more than one environment. */
  readonly suffix: string;
}

export function targetsOf({ environments, stateSecrets = [] }: CiProject): readonly CiTarget[] {
  if (environments.length === 0) {
    const [apiKey, readKey] = ["TICKETING_API_KEY", "TICKETING_READ_KEY"];
    return [{ name: "production", flag: "", apiKey, readKey, byAddress: true, stateSecrets, suffix: "" }];
  }
  return environments.map(({ name, apiKeyEnv }) => ({
    name,
    flag: `--env ${name} `,
    apiKey: apiKeyEnv,
    readKey: readKeyOf(apiKeyEnv),
    byAddress: false,
    stateSecrets,
    suffix: environments.length === 1 ? "" : `-${name}`,
  }));
}

/** TICKETING_API_KEY and TICKETING_READ_KEY, TICKETING_STAGING_KEY and TICKETING_STAGING_READ_KEY. */
function readKeyOf(apiKeyEnv: string): string {
  const base = apiKeyEnv.replace(/(_API)?_KEY$/, "");
  return `${base}_READ_KEY`;
}

/** ` (teams/live)` behind the name of a job; checks are told apart by it. */
export function inProject({ folder }: CiProject): string {
  return folder === "" ? "" : ` (${folder.replace(/[^\w./ -]/g, "_")})`;
}

/** For names of files and groups. `.` stands for `/`, which they cannot hold. */
export function projectSlug({ folder }: Pick<CiProject, "folder">): string {
  return folder.replaceAll("/", ".").replace(/[^\w.-]/g, "_");
}

/** From the project's folder up to the root of the repository, with `/` at the end; "" at the root. */
export function upToRoot({ folder }: Pick<CiProject, "folder">): string {
  return folder === "" ? "" : "../".repeat(folder.split("/").length);
}

/** A text as YAML and JSON both write it. */
export function asYaml(text: string): string {
  return JSON.stringify(text);
}
