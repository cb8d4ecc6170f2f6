import { relative } from "node:path";
import { rootOf } from "../../model/address.ts";
import type { ApplyReport } from "../../model/outcome.ts";
import { sameTarget } from "../options.ts";
import type { World } from "../world.ts";

export interface GoOnOptions {
  readonly planFile?: string;
  readonly directory: string;
  readonly env?: string;
  readonly baseUrl?: string;
}

/** More targets than this make a command that nobody can read; a plan shows what it covers anyway. */
const mostTargets = 10;

/**
 * The command to type next, as the shell wants it. A saved plan is done with: what is left of it needs a new one, of the
 * same objects and no others, for somebody to look at.
 */
export function goOnCommand(world: World, options: GoOnOptions, report: ApplyReport): string {
  return ["ticketing", ...(options.planFile === undefined ? world.argv : newPlan(world, options, report))]
    .map(quoted)
    .join(" ");
}

function newPlan(world: World, options: GoOnOptions, report: ApplyReport): readonly string[] {
  const folder = relative(world.cwd, options.directory);
  const targets = openTargets(report);
  return [
    "plan",
    ...(folder === "" ? [] : ["-C", folder]),
    ...sameTarget(options),
    ...(targets.length > mostTargets ? [] : targets.flatMap((target) => ["--target", target])),
    "--out",
    options.planFile ?? "",
  ];
}

/** The events and webhooks of which something is left to do. */
function openTargets({ plan, outcomes }: ApplyReport): readonly string[] {
  const done = new Set(outcomes.filter(({ result }) => result === "done").map(({ operation }) => operation));
  const open = plan.operations.filter((operation) => !done.has(operation.id));
  return [...new Set(open.map(({ address }) => rootOf(address)))];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
