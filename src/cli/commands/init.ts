// ticketing init: a first project that validates, with editor settings and a CI workflow.
import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { reportProblems } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import {
  type Answers,
  answersFrom,
  type Given,
  type InitOptions,
  type Interviewer,
  interview,
  readFlags,
} from "../init/answers.ts";
import { askOwner } from "../init/live-project.ts";
import { getsCi, initNeedsTerminal, leaveNothing, makeProject, notAFolder, stopped } from "../init/make-project.ts";
import { planProject } from "../init/project-files.ts";
import { findRepository, type Repository } from "../init/repository.ts";
import { canAsk } from "../terminal/ask.ts";

export async function runInit(world: World, typed: InitOptions): Promise<number> {
  const directory = resolve(typed.directory, typed.dir ?? ".");
  const options: InitOptions = { ...typed, directory };
  if (statSync(directory, { throwIfNoEntry: false })?.isFile() === true)
    return reportProblems(world, options.format, [notAFolder(typed.dir ?? directory)]);
  return leaveNothing(directory, () => askOrTake(world, options));
}

async function askOrTake(world: World, options: InitOptions): Promise<number> {
  const repository = await findRepository(options.directory);
  const given = readFlags(world, options, repository);
  if (Array.isArray(given)) return reportProblems(world, options.format, given);
  const who = options.yes !== true && canAsk(world) ? await openInterview(world) : null;
  if (options.yes === true || getsCi(options)) {
    const answers = answersFrom(given as Given);
    if ("code" in answers) return reportProblems(world, options.format, [answers]);
    return makeProject(world, options, answers, repository, who);
  }
  if (who === null) return reportProblems(world, options.format, [initNeedsTerminal]);
  return askAndMake(world, options, given as Given, repository, who);
}

async function openInterview(world: World): Promise<Interviewer> {
  const { terminalInterviewer } = await import("../init/terminal-interviewer.ts");
  return terminalInterviewer(world);
}

/** The same with questions; `who` answers them. */
export async function askAndMake(
  world: World,
  options: InitOptions,
  given: Given,
  repository: Repository,
  who: Interviewer,
): Promise<number> {
  const { directory } = options;
  who.begin(`A ticketing project in ${relative(world.cwd, directory) || "this folder"}`);
  const answers = await interview(who, {
    ...given,
    hasKey: (world.env.TICKETING_API_KEY ?? "") !== "",
    askService: (baseUrl) => {
      const name = given.environment ?? "production";
      const asked: Answers = {
        organization: null,
        environment: { name, baseUrl },
        importLive: false,
        ci: "none",
        stateInGit: false,
      };
      const made = { withFirstEvent: false, hasPhases: false, present: null };
      const plan = { directory, answers: asked, repository, now: world.now(), ...made };
      return askOwner(world, options, planProject(plan), name);
    },
  });
  if (answers === null) return stopped(who);
  return makeProject(world, options, answers, repository, who);
}
