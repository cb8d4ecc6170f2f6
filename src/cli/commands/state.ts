// ticketing state: what is remembered of each object, and repairing that.
import {
  describeHolder,
  findInState,
  forgetObject,
  inspectState,
  type MigrateRequest,
  migrateState,
  readRuns,
  removeLock,
  resealState,
} from "../../app/operate.ts";
import { reportProblems } from "../../app/session.ts";
import type { CommonOptions, World } from "../../app/world.ts";
import type { Fallible } from "../../model/diagnostic.ts";
import { pluralize } from "../../model/value.ts";
import {
  type StateView,
  sealReviewLines,
  viewLog,
  viewMigration,
  viewObject,
  viewObjects,
} from "../../report/lists.ts";
import { safeJson, safeLine, safeText } from "../../report/text.ts";
import { ask, canAsk } from "../terminal/watch-rounds.ts";

interface AddressOptions extends CommonOptions {
  readonly address: string;
}

interface ConfirmOptions extends CommonOptions {
  readonly yes: boolean;
}

export async function runStateList(world: World, options: CommonOptions): Promise<number> {
  return showState(world, options, await inspectState(world, options), ({ state }) => viewObjects(state));
}

export async function runStateShow(world: World, options: AddressOptions): Promise<number> {
  return showState(world, options, await findInState(world, options), viewObject);
}

export async function runStateLog(world: World, options: CommonOptions): Promise<number> {
  return showState(world, options, await readRuns(world, options), ({ runs, couldKeepMore }) =>
    viewLog(runs, couldKeepMore),
  );
}

export async function runStatePull(world: World, options: CommonOptions): Promise<number> {
  const empty = { formatVersion: 1, lineage: null, serial: 0, organization: null, objects: {} };
  const json = { ...options, format: "json" };
  return showState(world, json, await inspectState(world, json), ({ state }) => ({ json: state ?? empty, lines: [] }));
}

export async function runStateMigrate(world: World, options: MigrateRequest): Promise<number> {
  return showState(world, options, await migrateState(world, options), viewMigration);
}

export async function runStateRm(world: World, options: AddressOptions & ConfirmOptions): Promise<number> {
  const forgot = await forgetObject(world, options, ({ address, below }) => {
    const entries = below > 0 ? ` and the ${pluralize(below, "entry", "entries")} below it` : "";
    return confirm(world, options, `Forget ${address}${entries}?`);
  });
  return showState(world, options, forgot, ({ forgotten }) => ({
    json: { formatVersion: 1, forgotten },
    lines: [`Forgotten: ${forgotten.join(", ")}. Nothing live was touched.`],
  }));
}

export async function runStateUnlock(world: World, options: ConfirmOptions): Promise<number> {
  let isActive = false;
  const removed = await removeLock(world, options, (active) => {
    isActive = active.length > 0;
    const held = active.map(describeHolder).join(" and ");
    const question =
      held === ""
        ? "Remove the lock, if there is one? No run that holds it seems to be active."
        : `Remove the lock of ${held}? A run without its lock stops before its next call.`;
    return confirm(world, options, question);
  });
  return showState(world, options, removed, ({ holders, unreadable = false }) => {
    const lines = holders.map((holder) => `Removed the lock held by ${describeHolder(holder)}.`);
    if (isActive) lines.push("That run still seems to be active: it stops before its next call.");
    const other = unreadable ? "Removed a lock that could not be read." : "There is no lock.";
    const json = { formatVersion: 1, unlocked: holders.length > 0 || unreadable, holders };
    return { json, lines: holders.length > 0 ? lines : [other] };
  });
}

export async function runStateReseal(world: World, options: ConfirmOptions): Promise<number> {
  const sealed = await resealState(world, options, (found) => {
    world.stderr.write(`${sealReviewLines(found).map(safeText).join("\n")}\n`);
    const question = "Accept all of this as written by your own runs? The next apply will rely on it.";
    return confirm(world, options, question);
  });
  return showState(world, options, sealed, ({ kept, resealed }) => {
    const none = kept === 0 ? "There is no local data to seal." : "All seals are valid.";
    return {
      json: { formatVersion: 1, resealed },
      lines: [resealed.length === 0 ? none : `Sealed: ${resealed.join(", ")}.`],
    };
  });
}

/** null: there is no terminal to ask at. */
async function confirm(world: World, { yes }: ConfirmOptions, question: string): Promise<boolean | null> {
  return yes || (canAsk(world) ? ask(world, safeText(question)) : null);
}

function showState<Value>(
  world: World,
  { format }: CommonOptions,
  outcome: Fallible<Value>,
  view: (value: Value) => StateView,
): number {
  if (!outcome.ok) return reportProblems(world, format, outcome.diagnostics);
  const { json, lines } = view(outcome);
  world.stdout.write(`${format === "json" ? safeJson(json) : lines.map(safeLine).join("\n")}\n`);
  return 0;
}
