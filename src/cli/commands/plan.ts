import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { hasErrors } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { planErrors } from "../../model/plan-errors.ts";
import { interruptedCode } from "../interrupted.ts";
import { liveScreen } from "../live-screen.ts";
import { sameTarget } from "../options.ts";
import { lineOfTarget, openSession } from "../planning/open-session.ts";
import { type PlanFlags, planOfNothing, planSession } from "../planning/plan-session.ts";
import { readingProgress } from "../planning/reading-progress.ts";
import { renderPlan } from "../planning/render-plan.ts";
import type { World } from "../world.ts";

export interface PlanCommandOptions extends PlanFlags {
  readonly out?: string;
  readonly detailedExitcode?: boolean;
}

export async function runPlan(outside: World, options: PlanCommandOptions): Promise<number> {
  const screen = liveScreen(outside);
  const { world } = screen;
  const progress = readingProgress(screen);
  const session = await openSession(world, options, progress.listener);
  if (options.format === "json") world.stderr.write(`${lineOfTarget(session)}\n`);
  if (!session.ok) return finish(world, options, planOfNothing(world, session).plan);
  try {
    const made = await planSession(world, session, { ...options, resume: true }, progress.tell);
    progress.end();
    if (!world.interrupted.aborted) return await finish(world, options, made.plan);
    world.stderr.write("Stopped. Nothing was changed.\n");
    if (options.format === "json") world.stdout.write(await renderPlan(made.plan, { ...options, columns: 80 }));
    return interruptedCode;
  } finally {
    progress.end();
    await session.close();
  }
}

async function finish(world: World, options: PlanCommandOptions, plan: Plan): Promise<number> {
  world.stdout.write(
    await renderPlan(plan, {
      format: options.format,
      color: options.color,
      verbose: options.verbose,
      columns: world.stdout.columns,
    }),
  );
  const failed = isFailed(plan);
  if (options.out !== undefined && planErrors(plan).length === 0) {
    const { renderPlanFile } = await import("../../report/plan-json.ts");
    const path = resolve(options.directory, options.out);
    const text = renderPlanFile(plan);
    await writeFile(path, world.secrets?.mask(text) ?? text, { mode: 0o600 });
    world.stderr.write(
      `The plan is saved. Apply exactly this with: ${["ticketing apply", ...sameTarget(options), options.out].join(" ")}\n`,
    );
  }
  if (failed) return 1;
  return options.detailedExitcode === true && plan.changes.length > 0 ? 2 : 0;
}

/** Something is wrong or blocked: a pull request with such a plan must not look fine. */
export function isFailed(plan: Plan): boolean {
  return hasErrors(plan.diagnostics) || plan.changes.some((change) => change.blockedBy.length > 0);
}
