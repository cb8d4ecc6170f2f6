// Runs workflows as GitHub does: finds those that an event starts, evaluates conditions and expressions with GitHub's own
// library, and gives every job a fresh machine: a new clone, a new home, and no more rights to the repository than it asked for.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { parse } from "yaml";
import type { HttpRemote } from "../stage/git-remotes.ts";

export interface GithubEvent {
  readonly name: "pull_request" | "merge_group" | "push" | "schedule" | "workflow_dispatch";
  readonly payload: Readonly<Record<string, unknown>>;
  readonly ref: string;
  /** What is checked out. */
  readonly sha: string;
  readonly changed?: readonly string[];
  readonly inputs?: Readonly<Record<string, string>>;
  readonly actor?: string;
}

export interface GithubSetup {
  /** Where machines are made. */
  readonly place: string;
  /** What comes first on the PATH of machines. */
  readonly tools: string;
  /** The repository, to look into. */
  readonly bare: string;
  /** The same behind HTTP, for those who may write and those who may not. */
  readonly writable: HttpRemote;
  readonly readable: HttpRemote;
  readonly apiUrl: string;
  readonly token: string;
  readonly secrets: Readonly<Record<string, string>>;
  readonly vars?: Readonly<Record<string, string>>;
  readonly env?: Readonly<Record<string, string>>;
}

export interface GithubJobRan {
  readonly exitCode: number;
  readonly log: string;
  readonly summary: string;
  /** Names of the files that were kept. */
  readonly artifacts: readonly string[];
}

interface Step {
  readonly name?: string;
  readonly if?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly if?: string;
  readonly permissions: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
}

type Inputs = Readonly<Record<string, { readonly default?: string }>>;

interface Workflow {
  readonly on: Readonly<
    Record<string, { branches?: readonly string[]; paths?: readonly string[]; inputs?: Inputs } | null>
  >;
  readonly defaults?: { readonly run?: { readonly "working-directory"?: string } };
  readonly jobs: Readonly<Record<string, Job>>;
}

let machines = 0;

/** What each job did that the event started, by its name; a job that was skipped is not there. */
export async function runGithub(
  setup: GithubSetup,
  sent: GithubEvent,
): Promise<Readonly<Record<string, GithubJobRan>>> {
  const ran: Record<string, GithubJobRan> = {};
  const git = (...args: readonly string[]) => execFileSync("git", ["-C", setup.bare, ...args], { encoding: "utf8" });
  const files = git("ls-tree", "-r", "--name-only", sent.sha, ".github/workflows/").trim().split("\n").filter(Boolean);
  for (const file of files) {
    const workflow = parse(git("show", `${sent.sha}:${file}`)) as Workflow;
    const event = { ...sent, inputs: { ...defaultsOf(workflow.on[sent.name]?.inputs), ...sent.inputs } };
    if (!starts(workflow, event)) continue;
    for (const [name, job] of Object.entries(workflow.jobs)) {
      const evaluate = await evaluator(setup, event, () => false);
      if (job.if !== undefined && !evaluate(job.if).truthy) continue;
      ran[files.length === 1 ? name : `${file.slice(".github/workflows/".length)} ${name}`] = await runJob(
        setup,
        event,
        workflow,
        job,
      );
    }
  }
  return ran;
}

/** What the form of a dispatch holds before anybody edits it; other events fill in nothing. */
function defaultsOf(inputs: Inputs = {}) {
  return Object.fromEntries(Object.entries(inputs).map(([name, input]) => [name, input.default ?? ""]));
}

function starts({ on }: Workflow, event: GithubEvent): boolean {
  if (!(event.name in on)) return false;
  const { branches, paths } = on[event.name] ?? {};
  if (event.name === "push" && branches !== undefined && !branches.includes(event.ref.replace("refs/heads/", "")))
    return false;
  return (
    paths === undefined ||
    event.changed === undefined ||
    event.changed.some((file) => paths.some((path) => matches(path, file)))
  );
}

/** As GitHub documents its filters: `**` also crosses folders. */
function matches(pattern: string, file: string): boolean {
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replace(/\*\*|\*/g, (stars) => (stars === "**" ? ".*" : "[^/]*"));
  return new RegExp(`^${source}$`).test(file);
}

async function runJob(setup: GithubSetup, event: GithubEvent, workflow: Workflow, job: Job): Promise<GithubJobRan> {
  machines += 1;
  const machine = mkdtempSync(join(setup.place, `machine-${machines}-`));
  const at = (name: string) => join(machine, name);
  for (const name of ["home", "temp", "workspace", "prefix"]) mkdirSync(at(name));
  writeFileSync(at("event.json"), JSON.stringify(event.payload));
  writeFileSync(at("summary.md"), "");
  const base: Record<string, string> = {
    PATH: `${at("prefix")}/bin:${setup.tools}:${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`,
    HOME: at("home"),
    npm_config_prefix: at("prefix"),
    npm_config_cache: at("cache"),
    // Nobody listens there: what needs a registry fails.
    npm_config_registry: "http://127.0.0.1:9/",
    CI: "true",
    GITHUB_ACTIONS: "true",
    GITHUB_ACTOR: event.actor ?? "ana",
    GITHUB_API_URL: setup.apiUrl,
    GITHUB_EVENT_NAME: event.name,
    GITHUB_EVENT_PATH: at("event.json"),
    GITHUB_REF: event.ref,
    GITHUB_REPOSITORY: repositoryName,
    GITHUB_RUN_ID: String(machines),
    GITHUB_SERVER_URL: "https://github.example",
    GITHUB_SHA: event.sha,
    GITHUB_STEP_SUMMARY: at("summary.md"),
    GITHUB_WORKSPACE: at("workspace"),
    RUNNER_TEMP: at("temp"),
    ...setup.env,
  };
  let exitCode = 0;
  let log = "";
  const artifacts: string[] = [];
  const evaluate = await evaluator(setup, event, () => exitCode !== 0, at("temp"));
  for (const step of job.steps) {
    const condition = step.if ?? "success()";
    if (
      !evaluate(
        /cancelled\(\)|always\(\)|failure\(\)|success\(\)/.test(condition)
          ? condition
          : `success() && (${bare(condition)})`,
      ).truthy
    )
      continue;
    if (step.uses?.startsWith("actions/checkout@")) await checkout(setup, event, job, step, at("workspace"));
    else if (step.uses?.startsWith("actions/upload-artifact@")) {
      const path = fill(String(step.with?.path), evaluate);
      if (existsSync(path)) artifacts.push(...readdirSync(path));
    } else if (step.run !== undefined) {
      const given = Object.entries(step.env ?? {}).map(([name, text]) => [name, fill(text, evaluate)]);
      const cwd = join(at("workspace"), workflow.defaults?.run?.["working-directory"] ?? "");
      const child = spawn("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", step.run], {
        cwd,
        env: { ...base, ...Object.fromEntries(given) },
        stdio: ["ignore", "pipe", "pipe"],
      });
      for (const stream of [child.stdout, child.stderr]) {
        stream.on("data", (chunk: Buffer) => {
          log += chunk.toString();
        });
      }
      const [code] = (await once(child, "close")) as [number];
      exitCode ||= code;
    }
  }
  return { exitCode, log, summary: readFileSync(at("summary.md"), "utf8"), artifacts };
}

export const repositoryName = "acme/events";

/**
 * As the action does it: over HTTP, with the job's token in a file of the runner that the checkout's configuration includes. The
 * token may write where the job may.
 */
function checkout(setup: GithubSetup, { sha }: GithubEvent, job: Job, step: Step, workspace: string): Promise<void> {
  const { url } = job.permissions.contents === "write" ? setup.writable : setup.readable;
  const depth = Number(step.with?.["fetch-depth"] ?? 1);
  const credentials = join(dirname(workspace), "temp/git-credentials.config");
  const everything = depth === 0 ? [sha, "+refs/heads/*:refs/remotes/origin/*"] : [`--depth=${depth}`, sha];
  const isKept = step.with?.["persist-credentials"] !== false;
  return inTurn(workspace, [
    ["init", "--quiet"],
    ["remote", "add", "origin", `${url}/${repositoryName}.git`],
    ["config", "--file", credentials, `http.${url}/.extraheader`, `AUTHORIZATION: ${gitAuthorization(setup.token)}`],
    ["config", `includeIf.gitdir:${workspace}/.git.path`, credentials],
    ["fetch", "--quiet", "origin", ...everything],
    ["checkout", "--quiet", "--detach", sha],
    ...(isKept ? [] : [["config", "--unset", `includeIf.gitdir:${workspace}/.git.path`]]),
  ]);
}

/** The server may be in this process, so that nothing waits for git in step. */
async function inTurn(workspace: string, calls: readonly (readonly string[])[]): Promise<void> {
  for (const args of calls) {
    const child = spawn("git", ["-C", workspace, ...args], { stdio: ["ignore", "ignore", "inherit"] });
    const [code] = await once(child, "close");
    if (code !== 0) throw new Error(`git ${args.join(" ")}: exit ${code}`);
  }
}

export function gitAuthorization(token: string): string {
  return `basic ${Buffer.from(`x-access-token:${token}`).toString("base64")}`;
}

// Expressions.

interface Value {
  readonly kind: number;
  coerceString(): string;
}

interface ExpressionLibrary {
  readonly Lexer: new (text: string) => { lex(): { readonly tokens: unknown } };
  readonly Parser: new (
    tokens: unknown,
    contexts: readonly string[],
    functions: readonly object[],
  ) => { parse(): unknown };
  readonly Evaluator: new (expression: unknown, context: unknown, functions: unknown) => { evaluate(): Value };
  readonly data: Readonly<Record<string, new (...args: readonly unknown[]) => Value>>;
}

export interface Evaluated {
  readonly text: string;
  readonly truthy: boolean;
}

function bare(text: string): string {
  return text.trim().replace(/^\$\{\{([\s\S]*)\}\}$/, "$1");
}

function fill(text: string, evaluate: (expression: string) => Evaluated): string {
  return text.replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => evaluate(expression).text);
}

async function evaluator(
  setup: GithubSetup,
  event: GithubEvent,
  hasFailed: () => boolean,
  temp = "",
): Promise<(expression: string) => Evaluated> {
  const library = "@actions/expressions";
  const { Lexer, Parser, Evaluator, data } = (await import(library)) as ExpressionLibrary;
  const make = (name: string, ...args: readonly unknown[]): Value => new (data[name] as (typeof data)[string])(...args);
  const toData = (value: unknown): Value => {
    if (typeof value === "string") return make("StringData", value);
    if (typeof value === "number") return make("NumberData", value);
    if (typeof value === "boolean") return make("BooleanData", value);
    if (typeof value !== "object" || value === null) return make("Null");
    return make("Dictionary", ...Object.entries(value).map(([key, each]) => ({ key, value: toData(each) })));
  };
  const status = (name: string, holds: () => boolean) => ({
    name,
    minArgs: 0,
    maxArgs: 0,
    call: () => toData(holds()),
  });
  const functions = [
    status("success", () => !hasFailed()),
    status("failure", hasFailed),
    status("always", () => true),
    status("cancelled", () => false),
  ];
  const contexts = {
    github: {
      event_name: event.name,
      event: event.payload,
      ref: event.ref,
      sha: event.sha,
      actor: event.actor ?? "ana",
      repository: repositoryName,
      token: setup.token,
    },
    secrets: setup.secrets,
    vars: setup.vars ?? {},
    inputs: event.inputs ?? {},
    runner: { temp },
  };
  return (expression) => {
    const parser = new Parser(new Lexer(bare(expression)).lex().tokens, Object.keys(contexts), functions);
    const byName = new Map(functions.map((each) => [each.name, each]));
    const text = new Evaluator(parser.parse(), toData(contexts), byName).evaluate().coerceString();
    return { text, truthy: !["", "false", "0"].includes(text) };
  };
}
