// ticketing init: from flags and answers to the files of a project, with what is live if that is requested.
import { existsSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { projectFile } from "../../../config/project.ts";
import { type Diagnostic, errorOf, type Fallible, failed, noticeOf } from "../../../model/diagnostic.ts";
import { sameAddress } from "../../../model/outside.ts";
import type { Settings } from "../../../model/wish.ts";
import type { ReadingProgress } from "../../planning/plan-project.ts";
import type { World } from "../../world.ts";
import { changedMeanwhile, type Imported, writeFiles } from "../imported.ts";
import {
  type Answers,
  answersFrom,
  type Given,
  type InitOptions,
  type Interviewer,
  interview,
  readFlags,
} from "./answers.ts";
import { targetsOf } from "./ci-project.ts";
import { askOwner, importAll, isRememberedHere, leaveNothing, readPresent } from "./new-project.ts";
import type { PlannedFile } from "./planned-file.ts";
import { ciHeadFile, ciProject, isKeptElsewhere, type ProjectPlan, planProject, unfitForCi } from "./project-files.ts";
import { findRepository, type Repository } from "./repository.ts";

interface InitHooks {
  /** null: there is no terminal to ask on. */
  readonly openInterview: (() => Promise<Interviewer>) | null;
  readonly openProgress: () => ReadingProgress;
}

export interface MadeProject {
  readonly answers: Answers;
  /** False: the project was there already, and only got a CI. */
  readonly isNew: boolean;
  readonly files: readonly WrittenFile[];
  /** null: nothing was imported. */
  readonly events: Imported["events"] | null;
  readonly diagnostics: readonly Diagnostic[];
  /** False: somebody changed a file meanwhile, so it was not written. */
  readonly isWhole: boolean;
  /** The file whose opening comment lists what to set up for CI; null: the project gets no CI. */
  readonly ciFile: string | null;
  /** The environments that the jobs of the CI are for. */
  readonly targets: readonly string[];
  readonly lacks: Repository["lacks"];
  /** Environments whose state is on this machine alone, where a CI would not find it. */
  readonly remembered: readonly string[];
}

interface WrittenFile {
  readonly file: string;
  readonly action: "created" | "updated" | "unchanged" | "kept";
}

/** null: the person canceled. */
type InitResult = Fallible<{ readonly made: MadeProject | null }>;

const stopped: InitResult = { ok: true, made: null };

export async function initProject(world: World, options: InitOptions, hooks: InitHooks): Promise<InitResult> {
  const { directory } = options;
  if (statSync(directory, { throwIfNoEntry: false })?.isFile() === true)
    return failed(notAFolder(options.dir ?? directory));
  return leaveNothing(directory, () => askOrTake(world, options, hooks));
}

async function askOrTake(world: World, options: InitOptions, hooks: InitHooks): Promise<InitResult> {
  const repository = await findRepository(options.directory);
  const read = readFlags(world, options, repository);
  if (!read.ok) return read;
  const who = options.yes === true || hooks.openInterview === null ? null : await hooks.openInterview();
  const making = { world, options, repository, who, openProgress: hooks.openProgress };
  const answered =
    options.yes === true || getsCi(options) ? answersFrom(read.given) : await askAnswers(making, read.given);
  if (!answered.ok) return answered;
  const result = answered.answers === null ? stopped : await makeProject(making, answered.answers);
  if (result.ok && result.made === null) who?.end("Stopped: nothing was written.");
  return result;
}

interface Making extends Pick<InitHooks, "openProgress"> {
  readonly world: World;
  readonly options: InitOptions;
  readonly repository: Repository;
  readonly who: Interviewer | null;
}

/** null if the person cancels. */
async function askAnswers(
  { world, options, repository, who, openProgress }: Making,
  given: Given,
): Promise<Fallible<{ readonly answers: Answers | null }>> {
  const { directory } = options;
  if (who === null) return failed(initNeedsTerminal(directory));
  who.begin(`A ticketing project in ${relative(world.cwd, directory) || "this folder"}`);
  const answers = await interview(who, {
    ...given,
    hasKey: (world.env.TICKETING_API_KEY ?? "") !== "",
    askService: (baseUrl) => {
      const name = given.environment ?? "production";
      const asked = { organization: null, importLive: false, ci: "none", stateInGit: false } as const;
      const made = { withFirstEvent: false, hasPhases: false, present: null };
      const answers = { ...asked, environment: { name, baseUrl } };
      const plan = { directory, answers, repository, now: world.now(), ...made };
      return askOwner(world, options, { files: planProject(plan), environment: name, openProgress });
    },
  });
  return { ok: true, answers };
}

async function makeProject(
  { world, options, repository, who, openProgress }: Making,
  answers: Answers,
): Promise<InitResult> {
  const { directory } = options;
  const { settings, broken, hasEvents, hasPhases, sheets } = await readPresent(world, directory);
  const present = getsCi(options) ? settings : null;
  const wrong = present === null ? [] : broken.length > 0 ? broken : whyNoCi(answers, settings, options.env);
  if (wrong.length > 0) return failed(...wrong);
  const plan = { directory, repository, now: world.now(), present, hasPhases, sheets };
  let planned = planProject({ ...plan, answers, withFirstEvent: !hasEvents && !answers.importLive });
  let found = answers;
  let imported: Imported | null = null;
  // The content of ticketing.yaml is known only after the service responds, but people are asked before that long part.
  const early = await (answers.importLive && who === null ? noConflicts : settleConflicts(planned, who, noConflicts));
  if (!("kept" in early)) return early;
  if (answers.importLive) {
    const outcome = await importAll(world, options, {
      files: planned.filter(({ file }) => !early.kept.has(file)),
      environment: answers.environment?.name ?? null,
      openProgress,
    });
    if (world.interrupted.aborted) return stopped;
    if (!outcome.ok) return failed(...outcome.diagnostics);
    imported = outcome.imported;
    found = foundOut(answers, outcome.account.organization.slug, imported);
    planned = planProject({ ...plan, answers: found, withFirstEvent: !found.importLive && !hasEvents });
  }
  const settled = await settleConflicts(planned, who, early);
  if (!("kept" in settled)) return settled;
  who?.end(present === null ? "Project created." : "CI added.");
  return { ok: true, made: await writeProject({ ...plan, answers: found }, planned, settled.kept, imported) };
}

/** In an empty organization there is nothing to try the first event on, so nothing counts as imported then. */
function foundOut(answers: Answers, slug: string, { events }: Imported): Answers {
  const organization = answers.organization ?? (answers.environment === null ? null : slug || null);
  return { ...answers, organization, importLive: events.length > 0 };
}

/** An existing project for which CI was requested explicitly gets only that. */
function getsCi({ directory, ci }: InitOptions): boolean {
  return ci !== undefined && ci !== "none" && existsSync(join(directory, projectFile));
}

/** A URL that was given without a name may have any name in the file: a second one would be a second state and lock. */
function whyNoCi({ environment }: Answers, settings: Settings, asked: string | undefined): readonly Diagnostic[] {
  if (environment === null) return unfitForCi(settings);
  const known = settings.environments[environment.name];
  const meant = asked === undefined ? Object.values(settings.environments) : known === undefined ? [] : [known];
  if (meant.some(({ baseUrl }) => baseUrl !== null && sameAddress(baseUrl, environment.baseUrl)))
    return unfitForCi(settings);
  return [
    errorOf(
      "would-overwrite",
      `${projectFile} already exists, and it ${known === undefined ? `does not define the environment "${environment.name}"` : `defines "${environment.name}" with a different URL`}.`,
      `Set \`${environment.name}: { baseUrl: ${environment.baseUrl}, apiKeyEnv: TICKETING_API_KEY }\` under \`environments\`.`,
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

/** Asks once about each file that would lose something; without a terminal, init ends here. */
async function settleConflicts(
  planned: readonly PlannedFile[],
  who: Interviewer | null,
  earlier: Settled,
): Promise<Settled | InitResult> {
  const conflicts = planned.filter(({ file, overwrites }) => overwrites && !earlier.asked.has(file));
  if (conflicts.length === 0) return earlier;
  if (who === null) return failed(...conflicts.map(wouldOverwrite));
  const asked = new Set(earlier.asked);
  const kept = new Set(earlier.kept);
  for (const { file } of conflicts) {
    const answer = await who.confirm(`${file} already exists with other content. Overwrite it?`, false);
    if (answer === null) return stopped;
    asked.add(file);
    if (!answer) kept.add(file);
  }
  return { asked, kept };
}

async function writeProject(
  plan: Omit<ProjectPlan, "withFirstEvent">,
  planned: readonly PlannedFile[],
  kept: ReadonlySet<string>,
  imported: Imported | null,
): Promise<MadeProject> {
  const { directory, answers, repository, present } = plan;
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
  const isElsewhere = present === null || isKeptElsewhere(present) || !answers.stateInGit;
  return {
    answers,
    isNew: present === null,
    files,
    events: imported?.events ?? null,
    diagnostics: [
      ...planned.flatMap(({ remark }) => remark ?? []),
      // GitLab itself knows the default branch when a job runs.
      ...(answers.ci === "github" && repository.isBranchGuessed ? [branchGuessed(repository)] : []),
      ...(imported?.diagnostics ?? []),
      ...refused.map(({ file }) => changedMeanwhile(file)),
    ],
    isWhole: refused.length === 0,
    ciFile: answers.ci === "none" ? null : ciHeadFile(answers.ci, repository),
    targets: targetsOf(ciProject(plan)).map(({ name }) => name),
    lacks: repository.lacks,
    remembered: isElsewhere
      ? []
      : Object.keys(present.environments).filter((name) => isRememberedHere(directory, name)),
  };
}

function initNeedsTerminal(directory: string): Diagnostic {
  const hint = existsSync(join(directory, projectFile))
    ? `${projectFile} is there already. To add jobs for CI, run \`ticketing init --ci github\` (or gitlab).`
    : "Add `--yes` to this command (and for your service, --organization SLUG and --base-url URL).";
  return errorOf("no-terminal", "There is no terminal to ask on, and --yes was not given.", hint);
}

function notAFolder(path: string): Diagnostic {
  const hint = "Name a folder; it is created if it does not exist.";
  return errorOf("not-a-folder", `${path} is a file, not a folder.`, hint);
}

/** Nothing is written if anything would be lost. */
function wouldOverwrite({ file }: PlannedFile): Diagnostic {
  const message = `${file} already exists with other content, so nothing was written.`;
  const hint =
    "Move it away, choose another folder, or run without --yes to be asked about each file. To add an environment to an existing project, write it under `environments` in ticketing.yaml.";
  return errorOf("would-overwrite", message, hint);
}

function branchGuessed({ branch }: Repository): Diagnostic {
  const message = `The remote did not say which branch is its default, so the jobs apply "${branch}".`;
  const hint = "Push a branch, then run `ticketing init --ci github`: it asks the remote again.";
  return noticeOf("branch-guessed", message, hint);
}
