// A pull request must not be able to send the key, or the secrets of webhooks, somewhere else. What the project file says of
// both is compared with what was agreed before: at --base, at the revision that was applied last, on the default branch.
import { readFileSync } from "node:fs";
import type { Environment } from "../../config/environment.ts";
import { gitFiles } from "../../config/files.ts";
import { runGit } from "../../config/git.ts";
import { loadSettings } from "../../config/project.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { type EnvironmentSettings, type SecretSink, type Settings, sameAddress } from "../../model/wish.ts";
import { isOnRunner, type World } from "../world.ts";

/** The project file as it was agreed on at some revision. */
export interface Agreed {
  /** As in "at the base revision". */
  readonly where: string;
  readonly settings: Settings;
  /** Whether there was a project file: without one the defaults held, and no address was agreed on. */
  readonly found: boolean;
}

export interface AgreementQuestion {
  readonly directory: string;
  /** Whether --base was given, `last` included. */
  readonly baseGiven: boolean;
  /** The revisions that are read already. */
  readonly read: readonly Agreed[];
  /** Whether those are enough: a base that somebody named and that has a project file. */
  readonly readIsEnough: boolean;
  /** The revision that state records as applied; null where there is none, or where it is among those read. */
  readonly appliedRevision: string | null;
}

/** For commands that know of no base. */
export function withoutBase(directory: string): AgreementQuestion {
  return { directory, baseGiven: false, read: [], readIsEnough: false, appliedRevision: null };
}

export interface Agreement extends Pick<AgreementQuestion, "baseGiven"> {
  /** Empty: there is nothing to compare with. */
  readonly known: readonly Agreed[];
  readonly onRunner: boolean;
  /** Only a git repository can hold a pull request. */
  readonly inRepository: boolean;
}

export async function readAgreement(
  world: World,
  settings: Settings,
  environment: Environment,
  question: AgreementQuestion,
): Promise<Agreement> {
  const { directory, baseGiven } = question;
  const onRunner = isOnRunner(world);
  const known = [...question.read];
  // Git takes its time: it is asked only where there is something to compare.
  const matters = settings.secrets !== null || sendsKeyByFile(world, settings, environment);
  if (question.readIsEnough || !matters) return { known, baseGiven, onRunner, inRepository: true };
  const inside = await runGit(directory, ["rev-parse", "--is-inside-work-tree"]);
  const inRepository = inside.ok || !(inside.reason === "no-git" || /not a git repository/i.test(inside.message));
  if (!inside.ok) return { known, baseGiven, onRunner, inRepository };
  // Edits of one's own main branch are one's own, unless a comparison was asked for.
  const branch = await defaultBranch(world, directory, baseGiven || onRunner);
  for (const [where, revision] of [
    ["at the revision that was applied last", question.appliedRevision],
    [`on the default branch (${shortName(branch ?? "")})`, branch],
  ] as const) {
    if (revision === null) continue;
    const found = await gitFiles(directory, revision);
    if (!found.ok) continue;
    const loaded = await loadSettings(found.files);
    if (loaded.found || baseGiven || onRunner) known.push({ where, settings: loaded.settings, found: loaded.found });
  }
  return { known, baseGiven, onRunner, inRepository };
}

/** As the remote names it; a branch of this clone alone counts only where there is no remote. */
async function defaultBranch(world: World, directory: string, withLocal: boolean): Promise<string | null> {
  const names = [...new Set([...namedByRunner(world), "main", "master"])];
  const remote = ["refs/remotes/origin/HEAD", ...names.map((name) => `refs/remotes/origin/${name}`)];
  const remotes = withLocal ? await runGit(directory, ["remote"]) : null;
  const local = remotes?.ok === true && remotes.output.length === 0 ? names.map((name) => `refs/heads/${name}`) : [];
  const wanted = [...remote, ...local];
  const answer = await runGit(directory, ["for-each-ref", "--format=%(refname)", ...wanted]);
  const there = new Set(answer.ok ? answer.output.toString("utf8").split("\n") : []);
  return wanted.find((ref) => there.has(ref)) ?? null;
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/(heads|remotes)\//, "");
}

/** The runners of GitHub and GitLab know the name where their clones do not. */
function namedByRunner({ env }: World): readonly string[] {
  // What runs by the clock runs on the default branch.
  const names: unknown[] = [env.CI_DEFAULT_BRANCH, env.GITHUB_EVENT_NAME === "schedule" ? env.GITHUB_REF_NAME : null];
  try {
    const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? "", "utf8"));
    names.push(event?.repository?.default_branch);
  } catch {
    // Not on GitHub.
  }
  return names.filter((name): name is string => typeof name === "string" && /^\w[\w./-]*$/.test(name));
}

/** Whether a key would go to an address that a file names. */
export function sendsKeyByFile(world: World, settings: Settings, environment: Environment): boolean {
  const wished = settings.environments[environment.name];
  if (wished === undefined || environment.baseUrl === null || environment.chosenBy === "base-url") return false;
  // With --base-url somebody has typed another one.
  return sameAddress(wished.baseUrl ?? "", environment.baseUrl) && isSet(world, environment.apiKeyEnv);
}

export function addressChanged(
  world: World,
  settings: Settings,
  environment: Environment,
  agreement: Agreement,
): readonly Diagnostic[] {
  const wished = settings.environments[environment.name];
  if (wished === undefined || !sendsKeyByFile(world, settings, environment)) return [];
  // The keeper of the key named the address too; the choice of environment refuses another one in the file.
  const isConfirmed = isSet(world, "TICKETING_BASE_URL");
  const { baseGiven, onRunner } = agreement;
  const known = agreement.known.filter(({ found }) => found);
  const name = environment.name;
  if (known.length === 0) {
    if (!onRunner || !(baseGiven || agreement.inRepository)) return [];
    if (isConfirmed && wished.apiKeyEnv === standardKeyEnv) return [];
    return [
      refused(
        `The environment ${name} cannot be compared with an earlier ticketing.yaml, and a key is set: nothing was sent.`,
        "Fetch the default branch (`fetch-depth: 0` at the checkout step), or set TICKETING_BASE_URL to the address that the key is for.",
      ),
    ];
  }
  const differences = known.map((agreed) => ({
    where: agreed.where,
    what: differenceOf(wished, agreed.settings.environments[name], isConfirmed, baseGiven || onRunner),
  }));
  const [first] = differences;
  if (first === undefined || differences.some(({ what }) => what === null)) return [];
  const merge = "Merge this change of ticketing.yaml on its own first, without a plan that uses the key";
  return [
    refused(
      `The environment ${name} ${first.what} ${first.where}, and a key is set: nothing was sent.`,
      isConfirmed
        ? `${merge}.`
        : `${merge}; or, if the address is right, confirm it: TICKETING_BASE_URL=${environment.baseUrl}`,
    ),
  ];
}

const standardKeyEnv = "TICKETING_API_KEY";

function differenceOf(
  wished: EnvironmentSettings,
  agreed: EnvironmentSettings | undefined,
  isConfirmed: boolean,
  strict: boolean,
): string | null {
  if (agreed === undefined) {
    return !strict || (isConfirmed && wished.apiKeyEnv === standardKeyEnv) ? null : "does not exist";
  }
  if (!isConfirmed && !sameAddress(agreed.baseUrl ?? "", wished.baseUrl ?? "")) return "has another address than";
  if (agreed.apiKeyEnv !== wished.apiKeyEnv) return "takes its key from another variable than";
  return null;
}

function refused(message: string, hint: string): Diagnostic {
  return { code: "address-changed", severity: "error", message, hint };
}

/** Where webhook secrets go is part of the plan; while a key is set, nothing runs until that was agreed on. */
export function sinkChanged(
  world: World,
  settings: Settings,
  environment: Environment,
  agreement: Agreement,
): Diagnostic | null {
  const { known, baseGiven, onRunner } = agreement;
  const wished = settings.secrets;
  const guarded = (baseGiven || onRunner) && keyNames(world, settings, environment).length > 0;
  if (known.length === 0) {
    if (wished?.sink !== "command" || !onRunner || !guarded || !(baseGiven || agreement.inRepository)) return null;
    return {
      code: "sink-changed",
      severity: "error",
      message: `The place for webhook secrets, ${sinkWords(wished)}, cannot be compared with an earlier ticketing.yaml, and a key is set: nothing was sent.`,
      hint: "Fetch the default branch (`fetch-depth: 0` at the checkout step).",
    };
  }
  const others = known.filter((agreed) => !sameSink(agreed.settings.secrets, wished));
  const [first] = others;
  if (first === undefined) return null;
  const isAgreed = others.length < known.length;
  const before = `${sinkWords(first.settings.secrets)} ${first.where}`;
  const change = `The place for webhook secrets changes: ${before}, now ${sinkWords(wished)}`;
  if (!guarded || isAgreed) {
    return {
      code: "sink-changed",
      severity: isAgreed ? "info" : "warning",
      message: `${change}.`,
      ...(isAgreed ? {} : { hint: "Check that secrets may go there; a command sink runs this command on `apply`." }),
    };
  }
  return {
    code: "sink-changed",
    severity: "error",
    message: `${change}; a key is set: nothing was sent.`,
    hint: "Review and merge this change of `secrets` on its own first, without a plan that uses the key; once the default branch has it, it is used.",
  };
}

/** Variables that hold a key: no child process gets them. */
export function keyNames(world: World, settings: Settings, environment: Environment): readonly string[] {
  const named = [environment, ...Object.values(settings.environments)].map(({ apiKeyEnv }) => apiKeyEnv);
  const names = Object.keys(world.env).filter((name) => named.includes(name) || /^TICKETING_.*KEY/i.test(name));
  return names.filter((name) => isSet(world, name));
}

function sameSink(one: SecretSink | null, other: SecretSink | null): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

export function sinkWords(sink: SecretSink | null): string {
  if (sink === null) return "none";
  return sink.sink === "file" ? `the file ${JSON.stringify(sink.path)}` : `the command ${JSON.stringify(sink.command)}`;
}

function isSet(world: World, name: string): boolean {
  return (world.env[name] ?? "").trim() !== "";
}
