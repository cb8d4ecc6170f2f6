// An apply over a socket that something happens to, and what the runs after it make of it.
import { expect } from "vitest";
import { watchGate } from "./gate.ts";
import { damageOf, type Picture, pictureOf } from "./picture.ts";
import { type Ended, openPlace, type Place } from "./run-program.ts";
import type { Scene } from "./scenes.ts";
import type { Table } from "./table.ts";

/** What is read back to be sure depends on what else is under way: a run may make a few calls fewer than another. */
export const certain = 5;

export const unharmed = { duplicates: 0, orphans: 0, missing: 0, lostSecrets: 0 };

/** A scene without any fault: what it leads to and what it takes. */
export interface Rehearsal {
  readonly scene: Scene;
  readonly wished: Picture;
  readonly calls: number;
}

/** The place as it is before the apply that is disturbed. */
export async function prepare(scene: Scene): Promise<Place> {
  const place = await openPlace(scene.before ?? scene.files);
  if (scene.before !== null) {
    const { code, output } = await place.applyHere();
    expect(code, output).toBe(0);
    place.replace(scene.files);
  }
  place.sandbox.control.clearCalls();
  return place;
}

const rehearsals = new Map<string, Promise<Rehearsal>>();

export function rehearse(scene: Scene): Promise<Rehearsal> {
  const known = rehearsals.get(scene.name) ?? rehearseOnce(scene);
  rehearsals.set(scene.name, known);
  return known;
}

async function rehearseOnce(scene: Scene): Promise<Rehearsal> {
  const place = await prepare(scene);
  const { code, output } = await place.applyHere();
  expect(code, output).toBe(0);
  const rehearsal = { scene, wished: pictureOf(place.sandbox.service), calls: place.sandbox.control.calls().length };
  await place.close();
  return rehearsal;
}

/** `row` is where it is counted; `first` says whether the run was disturbed after all. */
export async function survive(
  row: { readonly table: Table; readonly fault: string },
  rehearsal: Rehearsal,
  first: (place: Place) => Promise<{ readonly ended: Ended; readonly disturbed: boolean }>,
): Promise<boolean> {
  const place = await prepare(rehearsal.scene);
  const gate = watchGate(place.sandbox.service, rehearsal.wished);
  place.watch(gate.watch);
  const { ended, disturbed } = await first(place);
  // Late effects have landed by the time that somebody runs it again.
  await place.sandbox.control.settle();
  place.sandbox.control.clearFaults();
  const second = await place.applyHere();
  const third = await place.applyHere();
  const made = place.sandbox.control.calls().length;
  const damage = damageOf(place.sandbox.service, rehearsal.wished, place.secrets());
  const story = [ended, second, third]
    .map((each) => `${each.code} ${each.signal}\n${each.output.slice(-1500)}`)
    .join("\n---\n");
  if (disturbed) {
    row.table.add(row.fault, {
      ...damage,
      runs: second.code === 0 ? 2 : 9,
      publicTooEarly: gate.tooEarly(),
      extraCalls: made - rehearsal.calls,
    });
  }
  expect({ ...damage, tooEarly: gate.tooEarly() }, story).toEqual({ ...unharmed, tooEarly: 0 });
  expect(second.code, story).toBe(0);
  expect(third.output, story).toContain("No changes");
  await place.close();
  return disturbed;
}
