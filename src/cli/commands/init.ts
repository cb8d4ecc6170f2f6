// ticketing init: a first project that validates, with editor settings and a CI workflow.
import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { diskFiles } from "../../config/disk-files.ts";
import { loadSettings } from "../../config/load-settings.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { canAsk } from "../applying/approval.ts";
import type { Imported } from "../importing/imported.ts";
import { writeFiles } from "../importing/write-files.ts";
import type { Answers } from "../init/answers.ts";
import { answersFrom, type Given, type InitOptions, readFlags } from "../init/flags.ts";
import { interview } from "../init/interview.ts";
import type { Interviewer } from "../init/interviewer.ts";
import { askOwner, importAll } from "../init/live-project.ts";
import { nextSteps } from "../init/next-steps.ts";
import { type PlannedFile, type ProjectPlan, planProject } from "../init/project-files.ts";
import { changedMeanwhile, nobodyToAsk, notAFolder, wouldOverwrite } from "../init/refusals.ts";
import { initJson, initText, type WrittenFile } from "../init/report-init.ts";
import { findRepository } from "../init/repository.ts";
import { interruptedCode } from "../interrupted.ts";
import { tellProblems } from "../tell-problems.ts";
import type { World } from "../world.ts";

export async function runInit(world: World, typed: InitOptions): Promise<number> {
  const directory = resolve(typed.directory, typed.dir ?? ".");
  const options: InitOptions = { ...typed, directory };
  if (statSync(directory, { throwIfNoEntry: false })?.isFile() === true)
    return tellProblems(world, options.format, [notAFolder(typed.dir ?? directory)]);
  const given = readFlags(world, options);
  if (Array.isArray(given)) return tellProblems(world, options.format, given);
  if (options.yes === true) {
    const answers = answersFrom(given as Given);
    if ("code" in answers) return tellProblems(world, options.format, [answers]);
    return makeProject(world, options, answers, null);
  }
  if (!canAsk(world)) return tellProblems(world, options.format, [nobodyToAsk]);
  const { terminalInterviewer } = await import("../init/terminal-interviewer.ts");
  return askAndMake(world, options, given as Given, await terminalInterviewer(world));
}

/** The same with questions; `who` answers them. */
export async function askAndMake(world: World, options: InitOptions, given: Given, who: Interviewer): Promise<number> {
  const { directory } = options;
  who.begin(`A ticketing project in ${relative(world.cwd, directory) || "this folder"}`);
  const answers = await interview(who, {
    ...given,
    hasKey: (world.env.TICKETING_API_KEY ?? "") !== "",
    repository: findRepository(directory),
    askService: (baseUrl) => {
      const name = given.environment ?? "production";
      const asked: Answers = {
        organization: null,
        environment: { name, baseUrl },
        importLive: false,
        workflowAtRoot: false,
      };
      return askOwner(world, options, planProject(planFor(world, directory, asked, false)), name);
    },
  });
  if (answers === null) return stopped(who);
  return makeProject(world, options, answers, who);
}

async function makeProject(
  world: World,
  options: InitOptions,
  answers: Answers,
  who: Interviewer | null,
): Promise<number> {
  const { directory } = options;
  const disk = diskFiles(directory);
  const { settings } = await loadSettings(disk);
  const hasEvents = (await disk.list(settings.events)).files.length > 0;
  let planned = planProject(planFor(world, directory, answers, !hasEvents && !answers.importLive));
  const kept = await settleConflicts(planned, who);
  if (kept === "stop") return stopped(who);
  if (Array.isArray(kept)) return tellProblems(world, options.format, kept);

  let imported: Imported | null = null;
  if (answers.importLive) {
    const outcome = await importAll(world, options, planned, answers.environment?.name ?? null);
    if (world.interrupted.aborted) return stopped(who);
    if (!outcome.ok) return tellProblems(world, options.format, outcome.diagnostics);
    imported = outcome.imported;
    const organization =
      answers.organization ?? (answers.environment === null ? null : outcome.account.organization.slug);
    const isEmpty = imported.events.length === 0 && !hasEvents;
    planned = planProject(planFor(world, directory, { ...answers, organization: organization || null }, isEmpty));
  }
  who?.end("The project is written.");
  return write(world, options, answers, { planned, kept: kept as ReadonlySet<string>, imported });
}

function planFor(world: World, directory: string, answers: Answers, withFirstEvent: boolean): ProjectPlan {
  return { directory, answers, repository: findRepository(directory), now: world.now(), withFirstEvent };
}

/** The files that stay as they are; without anybody to ask, a refusal. */
async function settleConflicts(
  planned: readonly PlannedFile[],
  who: Interviewer | null,
): Promise<ReadonlySet<string> | readonly Diagnostic[] | "stop"> {
  const conflicts = planned.filter(({ overwrites }) => overwrites);
  if (who === null) return conflicts.length === 0 ? new Set() : wouldOverwrite(conflicts);
  const kept = new Set<string>();
  for (const { file } of conflicts) {
    const answer = await who.confirm(`${file} is there already and says something else. Overwrite it?`, false);
    if (answer === null) return "stop";
    if (!answer) kept.add(file);
  }
  return kept;
}

async function write(
  world: World,
  options: InitOptions,
  answers: Answers,
  made: {
    readonly planned: readonly PlannedFile[];
    readonly kept: ReadonlySet<string>;
    readonly imported: Imported | null;
  },
): Promise<number> {
  const { directory } = options;
  const { planned, kept, imported } = made;
  const changed = planned.filter(({ file, before, text }) => before !== text && !kept.has(file));
  const refused = await writeFiles(directory, [...changed, ...(imported?.files ?? [])]);
  const files: WrittenFile[] = planned.map(({ file, before, text }) => ({
    file,
    action: kept.has(file) ? "kept" : before === null ? "created" : before === text ? "unchanged" : "updated",
  }));
  for (const { file, before } of imported?.files ?? [])
    files.push({ file, action: before === null ? "created" : "updated" });
  const diagnostics = [...(imported?.diagnostics ?? []), ...refused.map(({ file }) => changedMeanwhile(file))];
  if (options.format === "json") world.stdout.write(initJson(directory, files, imported, diagnostics));
  else {
    const steps = nextSteps(world, directory, answers, findRepository(directory));
    world.stdout.write(`${targetLine(answers)}\n\n${initText(files, steps)}`);
    tellProblems(world, options.format, diagnostics);
  }
  return refused.length === 0 ? 0 : 1;
}

function targetLine({ environment, importLive }: Answers): string {
  const where =
    environment === null ? "sandbox (the embedded service)" : `${environment.name} (${environment.baseUrl})`;
  return `Target: ${where}${importLive ? "" : ", offline"}`;
}

function stopped(who: Interviewer | null): number {
  who?.end("Stopped: nothing was written.");
  return interruptedCode;
}
