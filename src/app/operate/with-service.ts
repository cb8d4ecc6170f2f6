// What the daily commands have in common: the target is named first, a key of another organization is refused, and a failed
// read is explained.
import type { LoadedSettings } from "../../config/project.ts";
import { type Diagnostic, errorOf, hasErrors } from "../../model/diagnostic.ts";
import type { Account } from "../../model/live.ts";
import { checkAccount } from "../../plan/judge.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { makeReader, ReadFailure } from "../../snapshot/reader.ts";
import { explainProblem, reportProblems } from "../session/report-problems.ts";
import { type OpenTarget, type TargetOptions, withTarget } from "../session/target.ts";
import { interruptedCode, type World } from "../world.ts";

export interface OperateService {
  readonly target: OpenTarget;
  readonly loaded: LoadedSettings;
  /** Whose key it is; null if the command does not need it. */
  readonly account: Account | null;
}

export interface ServiceNeeds {
  /** What most of its calls need of the key. */
  readonly scope: string;
  /** Whether the account is needed even if the project pins no organization. */
  readonly account?: boolean;
}

export async function withService(
  world: World,
  options: TargetOptions,
  needs: ServiceNeeds,
  work: (service: OperateService) => Promise<number>,
): Promise<number> {
  return withTarget(world, options, async (target, loaded) => {
    reportTarget(world, options, target);
    try {
      const wanted = needs.account === true || target.environment.organization !== null;
      const account = wanted ? await readAccount(makeReader(target.client)) : null;
      const concerns = account === null ? [] : concernsOf(world, target, account);
      if (hasErrors(concerns)) return reportProblems(world, options.format, concerns);
      const exitCode = await work({ target, loaded, account });
      return world.interrupted.aborted ? reportStopped(world, options.format) : exitCode;
    } catch (error) {
      if (!(error instanceof ReadFailure)) throw error;
      if (world.interrupted.aborted) return reportStopped(world, options.format);
      return reportProblems(world, options.format, [explainProblem(error.problem, error.scope ?? needs.scope)]);
    }
  });
}

/** A program that asked for JSON gets a whole value even after Ctrl-C. */
function reportStopped(world: World, format: string): number {
  if (format === "json" && world.stdout.isUsed !== true) reportProblems(world, format, [stopped]);
  return interruptedCode;
}

const stopped: Diagnostic = errorOf(
  "interrupted",
  "Stopped before everything was read.",
  "Run the same command again.",
);

/** Programs read only data on stdout; people find the target on stderr. */
function reportTarget(world: World, options: TargetOptions, target: OpenTarget): void {
  const out = options.format === "text" ? world.stdout : world.stderr;
  out.write(`${target.line}\n`);
}

function concernsOf(world: World, target: OpenTarget, account: Account): readonly Diagnostic[] {
  const found = checkAccount(account, target.environment.organization, null, world.now());
  return found.filter(({ severity }) => severity === "error");
}
