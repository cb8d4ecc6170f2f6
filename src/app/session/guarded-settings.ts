// A pull request must not be able to send the key, or the secrets of webhooks, somewhere else. What the project file says
// about both is compared with what was agreed before: at --base, at the revision applied last, on the default branch.
import { readFileSync } from "node:fs";
import type { Environment } from "../../config/environment.ts";
import { gitFiles } from "../../config/files.ts";
import { type LoadedSettings, loadSettings } from "../../config/project.ts";
import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import { sameAddress } from "../../model/outside.ts";
import type { EnvironmentSettings, SecretSink, Settings } from "../../model/wish.ts";
import { commitOf, currentRevision, runGit } from "../../system/git.ts";
import { isOnRunner, type World } from "../world.ts";

/** The project file as it was agreed on at some revision. */
export interface Agreed {
  /** As in "at the base revision". */
  readonly where: string;
  readonly settings: Settings;
  /** Whether there was a project file: without one the defaults held, and no address was agreed on. */
  readonly found: boolean;
  /** Whether it has errors, which may hide what it says. */
  readonly isBroken: boolean;
}

export interface AgreementQuestion {
  readonly directory: string;
  /** Whether --base was given, `last` included. */
  readonly baseGiven: boolean;
  readonly read: readonly Agreed[];
  /** The revision given with --base; null without --base, or if that revision has no project file. */
  readonly namedBase: string | null;
  /** The last applied revision in state; null if state has none, or it was already read. */
  readonly appliedRevision: string | null;
}

/** For commands that know of no base. */
export function withoutBase(directory: string): AgreementQuestion {
  return { directory, baseGiven: false, read: [], namedBase: null, appliedRevision: null };
}

export interface Agreement extends Pick<AgreementQuestion, "baseGiven"> {
  /** Empty: there is nothing to compare with. */
  readonly known: readonly Agreed[];
  /** Whether all of them have to agree: with --base, because a branch can be its own base. Otherwise one is enough. */
  readonly byAll: boolean;
  readonly onRunner: boolean;
  /** Only a git repository can hold a pull request. */
  readonly inRepository: boolean;
  /** A place that was read and has no project file, as in "on the default branch (main)": the project is new. */
  readonly newTo: string | null;
}

export async function readAgreement(
  world: World,
  settings: Settings,
  environment: Environment,
  question: AgreementQuestion,
): Promise<Agreement> {
  // Git is slow: it is asked only if there is something to compare.
  const matters = settings.secrets !== null || sendsKeyByFile(world, settings, environment);
  if (matters) return findAgreed(world, question);
  const { read: known, namedBase, baseGiven } = question;
  const byAll = namedBase !== null;
  return { known, byAll, baseGiven, onRunner: isOnRunner(world), inRepository: true, newTo: null };
}

export async function findAgreed(world: World, question: AgreementQuestion): Promise<Agreement> {
  const { directory, baseGiven } = question;
  const onRunner = isOnRunner(world);
  let known = [...question.read];
  const byAll = question.namedBase !== null;
  const inside = await runGit(directory, ["rev-parse", "--is-inside-work-tree"]);
  const inRepository = inside.ok || !(inside.reason === "no-git" || /not a git repository/i.test(inside.message));
  let newTo: string | null = null;
  if (!inside.ok) return { known, byAll, baseGiven, onRunner, inRepository, newTo };
  // In CI, what is checked out is the pull request: compared with itself it always agrees.
  if (onRunner && question.namedBase !== null && (await isCheckedOut(directory, question.namedBase))) known = [];
  // If there is something else to compare with, one's own main counts even if it is checked out: what is in it was merged.
  const isCompared = baseGiven || onRunner || question.appliedRevision !== null;
  const branch = await guardingBranch(world, directory, isCompared);
  for (const [where, revision] of [
    // An explicit base replaces what was applied.
    ["at the revision that was applied last", byAll ? null : question.appliedRevision],
    [`on the default branch (${(branch ?? "").replace(/^refs\/(heads|remotes)\//, "")})`, branch],
  ] as const) {
    if (revision === null) continue;
    const found = await gitFiles(directory, revision);
    if (!found.ok) continue;
    const loaded = await loadSettings(found.files);
    if (!loaded.found) newTo = where;
    const counts = loaded.found || (!byAll && (baseGiven || onRunner));
    if (counts) known.push(agreedAt(where, loaded));
  }
  return { known, byAll, baseGiven, onRunner, inRepository, newTo };
}

export function agreedAt(where: string, { settings, found, diagnostics }: LoadedSettings): Agreed {
  return { where, settings, found, isBroken: hasErrors(diagnostics) };
}

async function isCheckedOut(directory: string, revision: string): Promise<boolean> {
  if (revision.startsWith("-")) return false;
  const named = await commitOf(directory, revision);
  return named !== null && named === (await currentRevision(directory));
}

/**
 * As the remote names it; a branch that only this clone has counts only if there is no remote. People may edit their own
 * main branch, unless there is something else to compare with (`strict`).
 */
async function guardingBranch(world: World, directory: string, strict: boolean): Promise<string | null> {
  const names = [...new Set([...namedByRunner(world), "main", "master"])];
  const listed = await runGit(directory, ["remote"]);
  const remotes = listed.ok ? outputLines(listed.output) : ["origin"];
  // Of several remotes, any other may be the fork that the pull request came from.
  const remote = remotes.length === 1 ? remotes[0] : "origin";
  const wanted =
    remotes.length === 0
      ? names.map((name) => `refs/heads/${name}`)
      : ["HEAD", ...names].map((name) => `refs/remotes/${remote}/${name}`);
  const result = await runGit(directory, ["for-each-ref", "--format=%(refname)", ...wanted]);
  const there = new Set(result.ok ? outputLines(result.output) : []);
  const branch = wanted.find((ref) => there.has(ref)) ?? null;
  if (branch === null || strict || remotes.length > 0) return branch;
  const checkedOut = await runGit(directory, ["symbolic-ref", "--quiet", "HEAD"]);
  return checkedOut.ok && outputLines(checkedOut.output).includes(branch) ? null : branch;
}

function outputLines(output: Buffer): readonly string[] {
  return output
    .toString("utf8")
    .split("\n")
    .filter((line) => line !== "");
}

/** The runners of GitHub and GitLab know the name where their clones do not. */
function namedByRunner({ env }: World): readonly string[] {
  // Scheduled jobs run on the default branch.
  const names: unknown[] = [env.CI_DEFAULT_BRANCH, env.GITHUB_EVENT_NAME === "schedule" ? env.GITHUB_REF_NAME : null];
  try {
    const event = JSON.parse(readFileSync(env.GITHUB_EVENT_PATH ?? "", "utf8"));
    names.push(event?.repository?.default_branch);
  } catch {
    // Not on GitHub.
  }
  return names.filter((name): name is string => typeof name === "string" && /^\w[\w./-]*$/.test(name));
}

/** Whether a key would be sent to a URL that a file names. */
export function sendsKeyByFile(world: World, settings: Settings, environment: Environment): boolean {
  const wished = settings.environments[environment.name];
  if (wished === undefined || environment.baseUrl === null || environment.chosenBy === "base-url") return false;
  // With --base-url a person has typed another one.
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
  // A pull request can add an environment and make it the default; it cannot type a flag in somebody's shell.
  const isNamed = environment.chosenBy === "flag" || environment.chosenBy === "variable";
  const isKnownToPerson = isNamed && !baseGiven && !onRunner;
  const name = environment.name;
  if (known.length === 0) {
    if (!onRunner || !(baseGiven || agreement.inRepository)) return [];
    if (isConfirmed && wished.apiKeyEnv === standardKeyEnv) return [];
    const [why, fix] = uncompared(agreement, "ticketing.yaml (or, if you moved the project's folder, the whole move)");
    return [
      errorOf(
        "address-changed",
        `The environment "${name}" ${why}, and an API key is set, so nothing was sent.`,
        `${fix}, or set TICKETING_BASE_URL to the URL that the API key is for.`,
      ),
    ];
  }
  const differences = known.map(({ where, settings: { environments }, isBroken }) => {
    const what = differenceOf(wished, environments[name], isConfirmed, isKnownToPerson);
    return { where, what, said: isBroken && what === unknown ? unreadable : what };
  });
  const differing = differences.filter(({ what }) => what !== null);
  const [first] = differing;
  if (first === undefined || (!agreement.byAll && differing.length < differences.length)) return [];
  const merge = "Merge this change to ticketing.yaml in a separate pull request first, although this check fails";
  return [
    errorOf(
      "address-changed",
      `The environment "${name}" ${first.said} ${first.where}, and an API key is set, so nothing was sent.`,
      isConfirmed
        ? `${merge}.`
        : `${merge}; or, if the URL is right, ${waysToConfirm(environment, first.what === unknown && !baseGiven && !onRunner)}`,
    ),
  ];
}

/** Why there is nothing to compare with, and what helps. */
function uncompared({ newTo }: Agreement, what: string): readonly [why: string, fix: string] {
  return newTo === null
    ? [
        "cannot be compared with an earlier ticketing.yaml",
        "Fetch the default branch (`fetch-depth: 0` at the checkout step)",
      ]
    : [
        `is new: there is no ticketing.yaml ${newTo}`,
        `Merge ${what} in a separate pull request first, although this check fails`,
      ];
}

const standardKeyEnv = "TICKETING_API_KEY";

function differenceOf(
  wished: EnvironmentSettings,
  agreed: EnvironmentSettings | undefined,
  isConfirmed: boolean,
  isKnownToPerson: boolean,
): string | null {
  if (agreed === undefined)
    return isKnownToPerson || (isConfirmed && wished.apiKeyEnv === standardKeyEnv) ? null : unknown;
  if (!isConfirmed && !sameAddress(agreed.baseUrl ?? "", wished.baseUrl ?? "")) return "has a different URL than";
  if (agreed.apiKeyEnv !== wished.apiKeyEnv) return "takes its key from a different variable than";
  return null;
}

const unknown = "does not exist";
const unreadable = "cannot be compared: ticketing.yaml has errors";

function waysToConfirm(environment: Environment, mayBeNamed: boolean): string {
  const confirm = `confirm it: TICKETING_BASE_URL=${environment.baseUrl}`;
  return mayBeNamed ? `name the environment with --env ${environment.name} or ${confirm}` : confirm;
}

/** The plan shows where webhook secrets are stored; while a key is set, nothing runs until that was agreed on. */
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
    const [why, fix] = uncompared(agreement, "`secrets`");
    const message = `The place for webhook secrets, ${describeSink(wished)}, ${why}, and an API key is set, so nothing was sent.`;
    return errorOf("sink-changed", message, `${fix}.`);
  }
  const others = known.filter((agreed) => JSON.stringify(agreed.settings.secrets) !== JSON.stringify(wished));
  const [first] = others;
  if (first === undefined) return null;
  const isAgreed = !agreement.byAll && others.length < known.length;
  const agreedOn = first.settings.secrets;
  const before = agreedOn === null ? `none is set ${first.where}` : `${describeSink(agreedOn)} ${first.where}`;
  const isUnreadable = first.isBroken && agreedOn === null;
  const change = isUnreadable
    ? `The place for webhook secrets, here ${describeSink(wished)}, ${unreadable} ${first.where}`
    : `The place for webhook secrets changes: ${before}, ${agreedOn === null ? "here it is" : "now"} ${describeSink(wished)}`;
  if (!guarded || isAgreed) {
    return {
      code: "sink-changed",
      severity: isAgreed ? "info" : "warning",
      message: `${change}.`,
      ...(isAgreed ? {} : { hint: sinkHints[wished?.sink ?? "none"] }),
    };
  }
  const message = `${change}. An API key is set, so nothing was sent.`;
  const hint =
    "Review and merge this change to `secrets` in a separate pull request first, although this check fails; it takes effect once the default branch has it.";
  return errorOf("sink-changed", message, hint);
}

const sinkHints = {
  file: "Check that secrets may be stored there.",
  command: "Check the command: `apply` runs it with each new secret.",
  none: "Check that this is intended: no webhook can be created without a place for its secret.",
};

/** Variables that hold a key, or lead to the state: no child process gets them. */
export function keyNames(world: World, settings: Settings, environment: Environment): readonly string[] {
  const keys = [environment, ...Object.values(settings.environments)].map(({ apiKeyEnv }) => apiKeyEnv);
  const named = [...keys, ...storeCredentials[settings.state.backend]];
  const names = Object.keys(world.env).filter(
    (name) => named.includes(name) || /^TICKETING_(.*KEY|STATE_)/i.test(name),
  );
  return names.filter((name) => isSet(world, name));
}

/** Their owner can write the state. If it is kept elsewhere, they belong to a command: `aws secretsmanager`, `psql`. */
const storeCredentials: Readonly<Record<Settings["state"]["backend"], readonly string[]>> = {
  file: [],
  none: [],
  git: [],
  postgres: ["PGPASSWORD", "PGPASSFILE"],
  http: ["CI_JOB_TOKEN"],
  s3: ["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_SESSION_TOKEN"],
};

export function describeSink(sink: SecretSink | null): string {
  if (sink === null) return "none";
  return sink.sink === "file" ? `the file ${JSON.stringify(sink.path)}` : `the command ${JSON.stringify(sink.command)}`;
}

function isSet(world: World, name: string): boolean {
  return (world.env[name] ?? "").trim() !== "";
}
