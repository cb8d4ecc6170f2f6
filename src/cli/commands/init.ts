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
import { initNeedsTerminal, leaveNothing, makeProject, notAFolder, planFor, stopped } from "../init/make-project.ts";
import { planProject } from "../init/project-files.ts";
import { findRepository } from "../init/workflow.ts";
import { canAsk } from "../terminal/ask.ts";

export async function runInit(world: World, typed: InitOptions): Promise<number> {
  const directory = resolve(typed.directory, typed.dir ?? ".");
  const options: InitOptions = { ...typed, directory };
  if (statSync(directory, { throwIfNoEntry: false })?.isFile() === true)
    return reportProblems(world, options.format, [notAFolder(typed.dir ?? directory)]);
  return leaveNothing(directory, () => askOrTake(world, options));
}

async function askOrTake(world: World, options: InitOptions): Promise<number> {
  const given = readFlags(world, options);
  if (Array.isArray(given)) return reportProblems(world, options.format, given);
  if (options.yes === true) {
    const answers = answersFrom(given as Given);
    if ("code" in answers) return reportProblems(world, options.format, [answers]);
    return makeProject(world, options, answers, null);
  }
  if (!canAsk(world)) return reportProblems(world, options.format, [initNeedsTerminal]);
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
