// The law of import: `plan` right after shows no changes, and importing again changes no byte, whatever the service leaves open.
import { describe, expect, it } from "vitest";
import { lint } from "../../src/lint/lint.ts";
import { type Knob, type KnobName, knobs, profiles } from "../../src/sandbox/index.ts";
import { beginState } from "../../src/state/store.ts";
import { importInto, serviceWith } from "../stage/import-into.ts";
import { organization } from "../stage/organization.ts";
import { load, now, planOf } from "../stage/plan-of.ts";

const statuses = ["PUBLISHED", "DRAFT", "ARCHIVED"] as const;

/** Open points that change what a reader sees; the others are about writes, limits and time. */
const readKnobs: readonly KnobName[] = [
  "eventRecord",
  "ticketRecord",
  "ticketPrice",
  "scheduleRecord",
  "embedded",
  "dates",
  "colorCase",
  "listOrder",
  "childLists",
  "takeAbove",
  "statusDefault",
  "webhookList",
  "webhookSecret",
  "oneRecord",
];

function singleKnobs(): readonly string[] {
  return readKnobs.flatMap((name) => {
    const knob: Knob = knobs[name];
    return "values" in knob ? knob.values.slice(1).map((value) => `${name}=${value}`) : [];
  });
}

async function holdsUnder(profile: string): Promise<void> {
  const service = serviceWith(organization, profile);
  const first = await importInto({ service, statuses });
  expect(first.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(first.diagnostics.filter(({ code }) => code === "plan-will-differ")).toEqual([]);
  expect(first.imported.events).toHaveLength(6);

  const project = await load(first.files);
  const found = [...project.diagnostics, ...lint(project, { now, environment: "production" })];
  expect(found.filter(({ severity }) => severity !== "info")).toEqual([]);

  const plan = await planOf({ files: first.files, service });
  expect(plan.plan.changes).toEqual([]);
  expect(plan.plan.diagnostics.filter(({ severity }) => severity === "error")).toEqual([]);
  expect(plan.plan.summary.unmanaged).toBe(0);

  const known = beginState({ id: "00000000-0000-4000-8000-000000000099", slug: "sandbox" });
  const organizationId = plan.plan.target.organization?.id ?? "";
  const state = { ...known, organization: { id: organizationId, slug: "sandbox" }, objects: plan.matched };
  const withState = await planOf({ files: first.files, service, state });
  expect(withState.plan.changes).toEqual([]);

  for (const memory of [null, state]) {
    const again = await importInto({ service, statuses, files: first.files, state: memory });
    expect(again.imported.files).toEqual([]);
    expect(again.imported.events.map(({ action }) => action)).toEqual(Array(6).fill("unchanged"));
  }
}

describe("import, then plan", () => {
  it.each(Object.keys(profiles))("shows no changes under the profile %s", holdsUnder);
  it.each(singleKnobs())("shows no changes under %s", holdsUnder);
});
