// One fault in one apply, and what the runs after it make of it.

import { openTheater, type Scenery, type Theater } from "../stage/theater.ts";
import type { Act } from "./acts.ts";
import { watchGate } from "./gate.ts";
import { type Damage, damageOf, type Picture, pictureOf } from "./picture.ts";
import type { Scene } from "./scenes.ts";

/** A scene without any fault: what it leads to and what it takes. */
export interface Rehearsal {
  readonly scene: Scene;
  readonly profile: string;
  readonly parallelism: number;
  readonly settleMs?: number;
  readonly pushes?: boolean;
  /** Before the apply. */
  readonly scenery: Scenery;
  readonly wished: Picture;
  readonly calls: number;
  readonly journalWrites: number;
}

export interface Verdict extends Damage {
  /** The runs until all was as wished; more than three: it needs a person. */
  readonly runs: number;
  readonly thirdEmpty: boolean;
  readonly publicTooEarly: number;
  readonly extraCalls: number;
  /** What the runs said, for whoever looks into a failure. */
  readonly story: readonly string[];
}

const rehearsals = new Map<string, Promise<Rehearsal>>();

export function rehearse(...how: Parameters<typeof rehearseOnce>): Promise<Rehearsal> {
  const name = JSON.stringify([how[0].name, ...how.slice(1)]);
  const known = rehearsals.get(name) ?? rehearseOnce(...how);
  rehearsals.set(name, known);
  return known;
}

async function rehearseOnce(
  scene: Scene,
  profile = "likely",
  parallelism = 4,
  settleMs?: number,
  pushes = false,
): Promise<Rehearsal> {
  const theater = await prepare(scene, profile, parallelism, settleMs);
  const scenery = theater.scenery();
  const ran = await theater.run(scene.files, { parallelism, pushes });
  const open = ran.applied?.report.outcomes.filter((outcome) => outcome.result !== "done") ?? [];
  if (ran.applied?.refusal !== null || open.length > 0) {
    throw new Error(`${scene.name} fails by itself: ${JSON.stringify([ran.applied?.refusal, open[0]])}`);
  }
  const again = await theater.run(scene.files, { parallelism });
  if (again.applied?.report.plan.changes.length !== 0) {
    throw new Error(`${scene.name} is not done after one run: ${JSON.stringify(again.applied?.report.plan.changes)}`);
  }
  return {
    scene,
    profile,
    parallelism,
    ...(settleMs === undefined ? {} : { settleMs }),
    pushes,
    scenery,
    wished: pictureOf(theater.service),
    calls: ran.calls,
    journalWrites: ran.journalWrites,
  };
}

async function prepare(scene: Scene, profile: string, parallelism: number, settleMs?: number): Promise<Theater> {
  const theater = openTheater(profile, settleMs);
  if (scene.before !== null) await theater.run(scene.before, { parallelism });
  // What was made before shows by now, however slow the lists are.
  await theater.time.run(theater.time.sleep(theater.settleMs));
  return theater;
}

export async function tryAct(rehearsal: Rehearsal, act: Act, n: number): Promise<Verdict> {
  const { scene, profile, parallelism, settleMs, pushes = false, scenery, wished } = rehearsal;
  const theater = openTheater(profile, settleMs, scenery);
  const { fault, death, fullDiskAt } = act.at(n);
  if (fault !== undefined) theater.service.control.addFault(fault);
  const gate = watchGate(theater.service, wished);
  const story: string[] = [];
  let calls = 0;
  let runs = 0;
  let thirdEmpty = false;
  for (let run = 1; run <= 4; run++) {
    const first = run === 1;
    const ran = await theater.run(scene.files, {
      parallelism,
      pushes,
      watch: gate.watch,
      ...(first && death !== undefined ? { death } : {}),
      ...(first && fullDiskAt !== undefined ? { fullDiskAt } : {}),
    });
    calls += ran.calls;
    const { applied } = ran;
    const summary = applied === null ? "killed" : JSON.stringify(applied.refusal ?? applied.report.summary);
    story.push(`run ${run}: ${summary} ${applied?.notes.map((note) => note.message).join(" ") ?? ""}`);
    for (const outcome of applied?.report.outcomes ?? []) {
      if (outcome.result !== "done" && outcome.error?.code !== "needs-failed")
        story.push(`  ${JSON.stringify(outcome)}`);
    }
    // Late effects have landed by the time that somebody runs it again.
    await theater.service.control.settle();
    const quiet = applied !== null && applied.refusal === null && applied.report.plan.changes.length === 0;
    if (runs === 0 && quiet) runs = run - 1;
    if (run === 3) thirdEmpty = quiet;
    if (run >= 3 && quiet) break;
    theater.service.control.clearFaults();
  }
  return {
    ...damageOf(theater.service, wished, theater.disk.secrets),
    runs: runs === 0 ? 9 : runs,
    thirdEmpty,
    publicTooEarly: gate.tooEarly(),
    extraCalls: calls - rehearsal.calls,
    story: [...story, theater.disk.journal === "" ? "" : `journal: ${theater.disk.journal}`],
  };
}
