// From answers to the files of a project, with what is live if that is asked for.
import { existsSync } from "node:fs";
import { join, relative } from "node:path";
import {
  changedMeanwhile,
  type Imported,
  importAll,
  isRememberedHere,
  readPresent,
  writeFiles,
} from "../../app/import.ts";
import { reportProblems } from "../../app/session.ts";
import { interruptedCode, type World } from "../../app/world.ts";
import { projectFile } from "../../config/project.ts";
import { type Diagnostic, errorOf, noticeOf } from "../../model/diagnostic.ts";
import { sameAddress } from "../../model/outside.ts";
import type { Settings } from "../../model/wish.ts";
import { safeJson, safeText, targetLine } from "../../report/text.ts";
import { openReading } from "../terminal/progress.ts";
import type { Answers, InitOptions, Interviewer } from "./answers.ts";
import type { PlannedFile } from "./planned-file.ts";
import { ciHeadFile, isKeptElsewhere, type ProjectPlan, planProject, unfitForCi } from "./project-files.ts";
import type { Repository } from "./repository.ts";

export function stopped(who: Interviewer | null): number {
  who?.end("Stopped: nothing was written.");
  return interruptedCode;
}

export async function makeProject(
  world: World,
  options: InitOptions,
  answers: Answers,
  repository: Repository,
  who: Interviewer | null,
): Promise<number> {
  const { directory } = options;
  const { settings, broken, hasEvents, hasPhases } = await readPresent(world, directory);
  const present = getsCi(options) ? settings : null;
  const wrong = present === null ? [] : broken.length > 0 ? broken : whyNoCi(answers, settings);
  if (wrong.length > 0) return reportProblems(world, options.format, wrong);
  const plan = { directory, repository, now: world.now(), present, hasPhases };
  let planned = planProject({ ...plan, answers, withFirstEvent: !hasEvents && !answers.importLive });
  let found = answers;
  let imported: Imported | null = null;
  // What ticketing.yaml will say is known only once the service was asked; but people are asked before that long part.
  const early = answers.importLive && who === null ? noConflicts : await settleConflicts(planned, who, noConflicts);
  if ("stop" in early) return early.stop(world, options);
  if (answers.importLive) {
    const present = planned.filter(({ file }) => !early.kept.has(file));
    const outcome = await importAll(world, options, {
      files: present,
      environment: answers.environment?.name ?? null,
      openProgress: () => openReading(world),
    });
    if (world.interrupted.aborted) return stopped(who);
    if (!outcome.ok) return reportProblems(world, options.format, outcome.diagnostics);
    imported = outcome.imported;
    found = foundOut(answers, outcome.account.organization.slug, imported);
    planned = planProject({ ...plan, answers: found, withFirstEvent: !found.importLive && !hasEvents });
  }
  const settled = await settleConflicts(planned, who, early);
  if ("stop" in settled) return settled.stop(world, options);
  who?.end(present === null ? "Project created." : "CI added.");
  return write(world, options, { ...plan, answers: found, withFirstEvent: false }, planned, settled.kept, imported);
}

/** In an empty organization there is nothing to try the first event on, so nothing counts as imported then. */
function foundOut(answers: Answers, slug: string, { events }: Imported): Answers {
  const organization = answers.organization ?? (answers.environment === null ? null : slug || null);
  return { ...answers, organization, importLive: events.length > 0 };
}

/** A project that is there already, and for which a CI was asked by name, gets only that. */
export function getsCi({ directory, ci }: Pick<InitOptions, "directory" | "ci">): boolean {
  return ci !== undefined && ci !== "none" && existsSync(join(directory, projectFile));
}

function whyNoCi({ environment }: Answers, settings: Settings): readonly Diagnostic[] {
  const known = environment === null ? undefined : settings.environments[environment.name];
  if (environment === null || (known?.baseUrl && sameAddress(known.baseUrl, environment.baseUrl)))
    return unfitForCi(settings);
  return [
    errorOf(
      "would-overwrite",
      `${projectFile} already exists, and it ${known === undefined ? `does not define the environment ${environment.name}` : `defines ${environment.name} with a different URL`}.`,
      `Write it there: \`${environment.name}: { baseUrl: ${environment.baseUrl}, apiKeyEnv: TICKETING_API_KEY }\` under \`environments\`.`,
    ),
  ];
}

interface Settled {
  /** Files that somebody was asked about. */
  readonly asked: ReadonlySet<string>;
  /** Those of them that stay as they are. */
  readonly kept: ReadonlySet<string>;
}

const noConflicts: Settled = { asked: new Set(), kept: new Set() };

interface InitStop {
  readonly stop: (world: World, options: InitOptions) => number;
}

/** Somebody is asked about each file that would lose something, once; without anybody to ask, it ends here. */
async function settleConflicts(
  planned: readonly PlannedFile[],
  who: Interviewer | null,
  earlier: Settled,
): Promise<Settled | InitStop> {
  const conflicts = planned.filter(({ file, overwrites }) => overwrites && !earlier.asked.has(file));
  if (conflicts.length === 0) return earlier;
  if (who === null) return { stop: (world, { format }) => reportProblems(world, format, wouldOverwrite(conflicts)) };
  const asked = new Set(earlier.asked);
  const kept = new Set(earlier.kept);
  for (const { file } of conflicts) {
    const answer = await who.confirm(`${file} already exists with other content. Overwrite it?`, false);
    if (answer === null) return { stop: () => stopped(who) };
    asked.add(file);
    if (!answer) kept.add(file);
  }
  return { asked, kept };
}

async function write(
  world: World,
  options: InitOptions,
  plan: ProjectPlan,
  planned: readonly PlannedFile[],
  kept: ReadonlySet<string>,
  imported: Imported | null,
): Promise<number> {
  const { directory } = options;
  const changed = planned.filter(({ file, before, text }) => before !== text && !kept.has(file));
  const refused = await writeFiles(directory, [...changed, ...(imported?.files ?? [])]);
  const files: WrittenFile[] = planned.map(({ file, before, text, remark }) => ({
    file,
    action:
      kept.has(file) || remark !== undefined
        ? "kept"
        : before === null
          ? "created"
          : before === text
            ? "unchanged"
            : "updated",
  }));
  for (const { file, before } of imported?.files ?? [])
    files.push({ file, action: before === null ? "created" : "updated" });
  const diagnostics = [
    ...planned.flatMap(({ remark }) => remark ?? []),
    // GitLab's jobs ask GitLab.
    ...(plan.answers.ci === "github" && plan.repository.isBranchGuessed ? [branchGuessed(plan.repository)] : []),
    ...(imported?.diagnostics ?? []),
    ...refused.map(({ file }) => changedMeanwhile(file)),
  ];
  if (options.format === "json") {
    const json = { formatVersion: 1, ok: true, directory, files, events: imported?.events ?? [], diagnostics };
    world.stdout.write(`${safeJson(json)}\n`);
  } else {
    const { answers } = plan;
    const steps = nextSteps(world, plan);
    const { name, baseUrl } = answers.environment ?? { name: "sandbox", baseUrl: null };
    const offline = imported === null ? ", offline" : "";
    world.stdout.write(`${targetLine(name, baseUrl)}${offline}\n\n${initText(files, steps)}`);
    reportProblems(world, options.format, diagnostics);
  }
  return refused.length === 0 ? 0 : 1;
}

export const initNeedsTerminal: Diagnostic = errorOf(
  "no-terminal",
  "There is no terminal to ask on, and --yes was not given.",
  "Run `ticketing init --yes --organization SLUG` (and --base-url URL for your service).",
);

export function notAFolder(path: string): Diagnostic {
  return errorOf(
    "not-a-folder",
    `${path} is a file, not a folder.`,
    "Name a folder; it is created if it does not exist.",
  );
}

/** Nothing is written if anything would be lost. */
function wouldOverwrite(files: readonly PlannedFile[]): readonly Diagnostic[] {
  return files.map(({ file }) =>
    errorOf(
      "would-overwrite",
      `${file} already exists with other content, so nothing was written.`,
      "Move it away, choose another folder, or run without --yes to be asked about each file.",
    ),
  );
}

function branchGuessed({ branch }: Repository): Diagnostic {
  return noticeOf(
    "branch-guessed",
    `The remote did not say which branch is its default, so the jobs apply "${branch}".`,
    "Once something is pushed, run `ticketing init --ci github` again.",
  );
}

type InitAction = "created" | "updated" | "unchanged" | "kept";

interface WrittenFile {
  readonly file: string;
  readonly action: InitAction;
}

const signs: Readonly<Record<InitAction, string>> = { created: "+", updated: "~", unchanged: "=", kept: "!" };

function initText(files: readonly WrittenFile[], steps: readonly string[]): string {
  const lines = files.map(
    ({ file, action }) => `${signs[action]} ${safeText(file)}${action === "kept" ? " (not changed)" : ""}`,
  );
  return `${lines.join("\n")}\n\nNext:\n${steps.map((step) => `  ${step}`).join("\n")}\n`;
}

function nextSteps(world: World, { directory, answers, repository, present }: ProjectPlan): readonly string[] {
  const folder = relative(world.cwd, directory);
  const { environment, importLive, ci, stateInGit } = answers;
  const hasKey = (world.env.TICKETING_API_KEY ?? "") !== "";
  // With a key at hand, the sandbox is meant only if it is named.
  const sandbox = hasKey ? " --env sandbox" : "";
  const real = environment === null ? "" : ` --env ${environment.name}`;
  const rehearsal = [
    [`ticketing plan${sandbox}`, "show what would change in the embedded sandbox"],
    [`ticketing apply${sandbox}`, "make those changes there"],
  ];
  const steps =
    environment === null
      ? rehearsal
      : importLive
        ? [
            [`ticketing plan${real}`, "see that nothing differs yet"],
            [`ticketing apply${real}`, "make the changes"],
          ]
        : [
            ...rehearsal,
            ...(hasKey ? [] : [["export TICKETING_API_KEY=…", "an API key from your dashboard"]]),
            [`ticketing plan${real}`, "the same for your service"],
          ];
  const width = Math.max(...steps.map(([command = ""]) => command.length));
  return [
    ...(folder === "" || present !== null ? [] : [`cd ${folder}`]),
    ...(present === null ? steps.map(([command = "", does = ""]) => `${command.padEnd(width)}  ${does}`) : []),
    ...(present === null || isKeptElsewhere(present) ? [] : remembered(directory, Object.keys(present.environments))),
    ...(ci === "none" ? [] : [ciStep(ciHeadFile(ci, repository), stateInGit ? null : `ticketing init --ci ${ci}`)]),
  ];
}

/** What this machine has applied so far must not be forgotten. */
function remembered(directory: string, environments: readonly string[]): readonly string[] {
  return environments
    .filter((name) => isRememberedHere(directory, name))
    .map((name) => `ticketing state migrate --to git --env ${name}  copies over what this machine remembers`);
}

/** `again`: what to run once there is a remote for state, and for the name of the branch; null: there is one. */
function ciStep(file: string, again: string | null): string {
  const set = `set up what the top of ${file} names.`;
  if (again === null) return `For CI: commit these files, and ${set}`;
  return `For CI: once the repository has its remote, run \`${again}\` here, and ${set}`;
}
