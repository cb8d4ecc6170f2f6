// ticketing init: a first project that validates, with editor settings and a CI workflow.
import { statSync } from "node:fs";
import { relative, resolve } from "node:path";
import { type Readable, Writable } from "node:stream";
import { askOwner, type ImportOptions, importJson, importProject, importText, leaveNothing } from "../../app/import.ts";
import { reportProblems } from "../../app/session.ts";
import { interruptedCode, sameTarget, type World } from "../../app/world.ts";
import { hasErrors } from "../../model/diagnostic.ts";
import { sanitize } from "../../report/text.ts";
import {
  type Answers,
  answersFrom,
  type Given,
  type InitOptions,
  type Interviewer,
  interview,
  readFlags,
} from "../init/answers.ts";
import { getsCi, initNeedsTerminal, makeProject, notAFolder, stopped } from "../init/make-project.ts";
import { planProject } from "../init/project-files.ts";
import { findRepository, type Repository } from "../init/repository.ts";
import { openReading } from "../terminal/progress.ts";
import { canAsk } from "../terminal/watch-rounds.ts";

export async function runInit(world: World, typed: InitOptions): Promise<number> {
  const directory = resolve(typed.directory, typed.dir ?? ".");
  const options: InitOptions = { ...typed, directory };
  if (statSync(directory, { throwIfNoEntry: false })?.isFile() === true)
    return reportProblems(world, options.format, [notAFolder(typed.dir ?? directory)]);
  return leaveNothing(directory, () => askOrTake(world, options));
}

async function askOrTake(world: World, options: InitOptions): Promise<number> {
  const repository = await findRepository(options.directory);
  const read = readFlags(world, options, repository);
  if (!read.ok) return reportProblems(world, options.format, read.diagnostics);
  const who = options.yes !== true && canAsk(world) ? await openInterview(world) : null;
  if (options.yes === true || getsCi(options)) {
    const taken = answersFrom(read.given);
    if (!taken.ok) return reportProblems(world, options.format, taken.diagnostics);
    return makeProject(world, options, taken.answers, repository, who);
  }
  if (who === null) return reportProblems(world, options.format, [initNeedsTerminal]);
  return askAndMake(world, options, read.given, repository, who);
}

/** Asks on the terminal. Questions go to stderr, so that what the command prints can be piped. */
async function openInterview(world: World): Promise<Interviewer> {
  const { confirm, intro, isCancel, log, outro, text } = await import("@clack/prompts");
  const { stderr } = world;
  const output = Object.assign(
    new Writable({
      decodeStrings: false,
      write(chunk, _encoding, done) {
        stderr.write(String(chunk));
        done();
      },
    }),
    { columns: stderr.columns, isTTY: true },
  );
  const common = { input: world.stdin as Readable, output, signal: world.interrupted };
  return {
    begin: (title) => intro(title, { output }),
    async text({ message, placeholder, initial, check }) {
      const answer = await text({
        ...common,
        message,
        ...(placeholder === undefined ? {} : { placeholder }),
        ...(initial === undefined ? {} : { initialValue: initial }),
        validate: (value) => check?.((value ?? "").trim()),
      });
      return isCancel(answer) ? null : (answer ?? "").trim();
    },
    async confirm(message, initial) {
      const answer = await confirm({ ...common, message, initialValue: initial });
      return isCancel(answer) ? null : answer;
    },
    info: (message) => log.info(sanitize(message), { output }),
    warn: (message) => log.warn(sanitize(message), { output }),
    end: (message) => outro(message, { output }),
  };
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
      return askOwner(world, options, {
        files: planProject(plan),
        environment: name,
        openProgress: () => openReading(world),
      });
    },
  });
  if (answers === null) return stopped(who);
  return makeProject(world, options, answers, repository, who);
}

// ticketing import: live events as YAML that a person would have written.

export async function runImport(outside: World, options: ImportOptions): Promise<number> {
  const { format } = options;
  const { world, listener, onProgress, end } = openReading(outside);
  const onTarget = (line: string) => (format === "text" ? world.stdout : world.stderr).write(`${line}\n`);
  const result = await importProject(world, options, { listener, onTarget, onProgress }).finally(end);
  if (!result.ok) {
    const exitCode = reportProblems(world, result.interrupted ? "text" : format, result.diagnostics);
    if (!result.interrupted) return exitCode;
    world.stderr.write("Stopped: no file was written.\n");
    return interruptedCode;
  }
  const { imported, diagnostics } = result;
  if (format === "json") world.stdout.write(importJson(imported, diagnostics));
  else {
    const next = ["ticketing plan", ...sameTarget(options)].join(" ");
    world.stdout.write(importText(imported, next, world.stdout.columns));
    reportProblems(world, format, diagnostics);
  }
  return hasErrors(diagnostics) ? 1 : 0;
}
