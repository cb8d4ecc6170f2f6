// An apply that waits for phases: each is planned a minute ahead and sent on time.
import { formatMoment } from "../../model/time.ts";
import { pluralize } from "../../model/value.ts";
import type { Upcoming } from "../../model/wish.ts";
import { readFilter } from "../../plan/compare.ts";
import { safeText } from "../../report/text.ts";
import { systemClock } from "../../service/clock.ts";
import { writeLines } from "../session/report-problems.ts";
import { interruptedCode, type World } from "../world.ts";

export interface ApplyRan {
  readonly exitCode: number;
  /** What comes due later, by the files; null: they could not be read, or not be applied. */
  readonly upcoming: readonly Upcoming[] | null;
}

/** Long enough to plan and to check, and to report a mistake. */
const aheadMs = 60_000;

/** The longest single sleep, so that a machine that was suspended soon notices that the instant has passed. */
const longestSleepMs = 30_000;

/**
 * Applies what is due, then what comes due within the time. In between, no lock is held. `once`: applies what is due at
 * the instant, and sends nothing before it; null: what is due now.
 */
export async function applyAsDue(
  world: World,
  { waitMs, targets }: { readonly waitMs: number; readonly targets: readonly string[] },
  once: (instant: number | null) => Promise<ApplyRan>,
): Promise<number> {
  const end = world.now() + waitMs;
  const isMeant = readFilter(targets);
  let ran = await once(null);
  let { exitCode } = ran;
  let done = 0;
  while (!world.interrupted.aborted) {
    const next = (ran.upcoming ?? []).find(({ at, address }) => Date.parse(at) > done && isMeant(address));
    const instant = Date.parse(next?.at ?? "");
    if (next === undefined || instant > end) return exitCode;
    const due = new Set(
      (ran.upcoming ?? []).flatMap(({ at, address }) => (at === next.at && isMeant(address) ? address : [])),
    );
    const more = due.size > 1 ? ` and ${pluralize(due.size - 1, "more event")}` : "";
    const name = `${next.type === "phase-end" ? "the end of " : ""}${safeText(next.phase ?? "a phase")}`;
    writeLines(world.stderr, [
      `waiting until ${formatMoment(next.at, next.context?.timezone ?? "UTC")} for ${name} of ${safeText(next.address)}${more}`,
    ]);
    await sleepUntil(world, instant - aheadMs);
    if (world.interrupted.aborted) break;
    ran = await once(instant);
    exitCode ||= ran.exitCode;
    done = instant;
  }
  return interruptedCode;
}

/** Ends at the instant, or as soon as the command is stopped. */
export async function sleepUntil(world: World, instant: number): Promise<void> {
  const { sleep = systemClock.sleep, interrupted } = world;
  let now = world.now();
  while (now < instant && !interrupted.aborted) {
    const ms = Math.min(instant - now, longestSleepMs);
    await sleep(ms, interrupted);
    // With a stopped clock (TICKETING_NOW), time is counted by what was slept.
    now = Math.max(world.now(), world.now() === now ? now + ms : 0);
  }
}
