// At the start of a run: what an earlier one left without an end is looked at, before anything is planned.
import { kindOf } from "../kinds/index.ts";
import { type Address, sameId } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Live, StateEntry } from "../model/live.ts";
import type { Problem } from "../service/problem.ts";
import { adoptInline } from "./create/inline-tickets.ts";
import { findTwins, judgeCandidates, oursForMs, removeTwins } from "./create/recheck.ts";
import type { IntentEntry } from "./journal/journal-entry.ts";
import {
  type CreateAttempts,
  findOpenWork,
  findUnidentifiedParts,
  type OpenRotation,
  openRotations,
} from "./journal/open-work.ts";
import { replayJournal, type StateObjects } from "./journal/replay-journal.ts";
import { effectTime, findAttempted, waitUntilSettled } from "./run/observe.ts";
import { capital, nameOf, reportNotice, reportWarning } from "./run/outcomes.ts";
import type { Run } from "./run/run.ts";
import { type UnconfirmedCreate, unconfirmedOf } from "./run/unconfirmed-creates.ts";
import { finishRotation, liveFormer } from "./secrets/finish-rotation.ts";
import { pick } from "./update/clearing.ts";
import { confirmFields, hasAny } from "./update/confirm.ts";

// At the start of a run: rotations of webhooks that an earlier one left half done.

/** A new webhook with its secret kept stands beside those that it is to replace. */
export async function goOnRotating(run: Run, rotation: OpenRotation): Promise<void> {
  const { address } = rotation.intent;
  const ended = await finishRotation(run, rotation, { untested: false });
  switch (ended.end) {
    case "finished":
      reportNotice(run, "recovered", address, `The rotation of ${nameOf(address)}, begun earlier, is finished.`);
      return;
    case "void":
      reportNotice(run, "recovered", address, `The rotation of ${nameOf(address)}, begun earlier, was given up.`);
      return;
    case "untested":
    case "open":
      reportWarning(
        run,
        "rotation-unfinished",
        address,
        `The rotation of ${nameOf(address)} is not finished, and the former webhook is still there. ${ended.error.message}`,
        `See that its receiver has the new secret, then run \`ticketing webhooks rotate ${urlOf(rotation.intent)}\` again.`,
      );
  }
}

export function wasHanded(run: Run, intents: readonly IntentEntry[]): boolean {
  const seqs = new Set(intents.map(({ seq }) => seq));
  return run.journal.entries.some((entry) => entry.type === "hand" && seqs.has(entry.seq));
}

/** The sink has the former secret or the new one, and nobody can ask it: so both webhooks stay until another is made. */
export function reportHalfHanded(run: Run, intent: IntentEntry): void {
  reportWarning(
    run,
    "rotation-unfinished",
    intent.address,
    `An earlier run was cut off while the new secret of ${nameOf(intent.address)} was being handed over, so two webhooks are live: nobody can tell whose secret was kept.`,
    `Run \`ticketing webhooks rotate ${urlOf(intent)}\` again: it makes another in the place of both.`,
  );
}

function urlOf({ fields }: IntentEntry): string {
  return String(fields.url ?? "");
}

export interface Recovered {
  /** What is remembered, with what the journal adds. */
  readonly objects: StateObjects;
  /** Why nothing may be planned yet; null where all is clear. */
  readonly problem: Diagnostic | null;
  /** What of ours is to go: shown with the plan first, and done once that is approved. */
  readonly takebacks: readonly RecoveryDelete[];
}

/** Live objects that an earlier run made and that are to be deleted. */
export interface RecoveryDelete {
  readonly address: Address;
  readonly lives: readonly Live[];
  /** "an interrupted run made it …" */
  readonly why: string;
  /** Deletes them, and nothing that was not shown. Gives what kept it from being done. */
  execute(): Promise<Diagnostic | null>;
}

/** Whether an earlier run left anything to be looked at. */
export function hasLeftovers(run: Pick<Run, "journal">): boolean {
  const { open, doubtful, unfinished } = findOpenWork(run.journal.entries);
  const others = [...openRotations(run.journal.entries), ...findUnidentifiedParts(run.journal.entries)];
  return open.length + doubtful.length + unfinished.length + others.length > 0;
}

/**
 * Adopts what was made and finds what is too many; deletes nothing by itself. `run.ids` must know every id that is
 * remembered. `leave`: a rotation that the caller goes on with.
 */
export async function recover(
  run: Run,
  remembered: Readonly<Record<Address, StateEntry>>,
  leave: (rotation: OpenRotation) => boolean = () => false,
): Promise<Recovered> {
  const { open, unfinished } = findOpenWork(run.journal.entries);
  const takebacks: RecoveryDelete[] = [];
  for (const intent of unfinished) {
    run.journal.close(intent.seq, "passed");
    tellCutOff(run, intent, "the plan looks at how it is now");
  }
  for (const attempts of open) {
    const problem = await settleAttempts(run, attempts);
    if (problem !== null)
      return {
        objects: replayJournal(remembered, run.journal.entries),
        problem: hindranceOf(attempts, problem),
        takebacks: [],
      };
  }
  for (const parts of findUnidentifiedParts(run.journal.entries)) {
    // Whether this works or not: the plan looks at them by name.
    await adoptInline(run, parts);
    run.journal.clear(parts.intent.seq);
  }
  for (const rotation of openRotations(run.journal.entries)) {
    const lives = leave(rotation) ? null : await liveFormer(run, rotation);
    // Where they cannot be shown, the rotation waits for the next run.
    if (lives !== null) takebacks.push(formerWebhooks(run, rotation, lives));
  }
  // Settling the open ones may have left others in doubt.
  for (const attempts of findOpenWork(run.journal.entries).doubtful) {
    const doubt = unconfirmedOf(attempts);
    const twins = await findTwins(run, doubt);
    if (twins !== null && twins.length > 0) {
      takebacks.push(lateTwins(run, doubt, twins));
      continue;
    }
    // After so long nothing of it is taken for ours any more: it was told, and that is the end of it.
    const old = attempts.intents.every((intent) => run.clock.now() - intent.at > oursForMs);
    if (twins !== null || old) clearAll(run, attempts.intents);
  }
  return { objects: replayJournal(remembered, run.journal.entries), problem: null, takebacks };
}

function lateTwins(run: Run, doubt: UnconfirmedCreate, twins: readonly Live[]): RecoveryDelete {
  const [first] = doubt.intents;
  const lost = first !== undefined && kindOf(first.kind).secret;
  return {
    address: doubt.address,
    lives: twins,
    why: lost
      ? "a run that was cut off made it, and its secret was lost"
      : "a run that was cut off made it a second time",
    async execute() {
      // Somebody may have thought about it for a while.
      const found = await findTwins(run, doubt);
      if (found === null) return changedSince(doubt.address);
      const shown = found.filter(({ id }) => twins.some((twin) => sameId(twin.id, id)));
      const problem = await removeTwins(run, doubt, shown);
      if (problem !== null) return notRemoved(doubt.address, problem);
      if (shown.length === found.length) clearAll(run, doubt.intents);
      return null;
    },
  };
}

function changedSince(address: Address): Diagnostic {
  return {
    code: "cannot-recover",
    severity: "error",
    message: `${capital(nameOf(address))}: what an earlier run left has changed since the plan was shown, so it was left alone.`,
    hint: "Run the command again: it looks first.",
    address,
  };
}

function notRemoved(address: Address, problem: Problem): Diagnostic {
  return {
    code: "cannot-recover",
    severity: "error",
    message: `${capital(nameOf(address))}: what an earlier run left could not be deleted. ${problem.message}`,
    hint: problem.hint ?? "Run the command again: it looks first.",
    address,
  };
}

/** The new webhook is there with its secret kept; the ones that it replaces go once it works. */
function formerWebhooks(run: Run, rotation: OpenRotation, lives: readonly Live[]): RecoveryDelete {
  return {
    address: rotation.intent.address,
    lives,
    why: "a rotation that was cut off has replaced it; it goes once the new one works",
    async execute() {
      await goOnRotating(run, rotation);
      return null;
    },
  };
}

function clearAll(run: Run, intents: readonly IntentEntry[]): void {
  for (const intent of intents) run.journal.clear(intent.seq);
}

/** null: the attempts are settled, one way or the other. */
async function settleAttempts(run: Run, attempts: CreateAttempts): Promise<Problem | null> {
  const { intents, address, known } = attempts;
  const [first] = intents;
  const last = intents.at(-1);
  if (first === undefined || last === undefined) return null;
  const kind = kindOf(first.kind);
  await waitUntilSettled(run, effectTime(run, last.at), address, "An earlier run was cut off");
  const isTaken = (id: string) => run.ids.isTaken(id) || known.has(id);
  const found = await findAttempted(run, kind, first.parentId, first.fields, isTaken);
  if (!found.ok) {
    if (found.problem.status !== 404 && found.problem.status !== 410) return found.problem;
    // What it belonged to is gone, and everything below with it.
    closeAll(run, intents, "passed");
    return null;
  }
  const judged = judgeCandidates(found.lives, intents.length);
  const fresh = run.clock.now() - last.at <= oursForMs;
  if (judged.verdict === "absent") {
    closeAll(run, intents, "absent");
    tellCutOff(run, last, "it was not made");
    return null;
  }
  const surplus = judged.verdict === "adopt" ? judged.surplus : found.lives.slice(1);
  if (judged.verdict === "too-many" || (surplus.length > 0 && !fresh)) {
    closeAll(run, intents, "passed");
    tellLookalikes(run, last, found.lives);
    return null;
  }
  return kind.secret ? settleSecret(run, intents, found.lives, fresh) : adopt(run, intents, judged.keep, surplus);
}

async function adopt(
  run: Run,
  intents: readonly IntentEntry[],
  keep: Live,
  surplus: readonly Live[],
): Promise<Problem | null> {
  const last = intents.at(-1);
  if (last === undefined) return null;
  const kind = kindOf(last.kind);
  run.ids.give(last.address, keep.id);
  // One too many was made by an attempt before: that one stays in doubt until it was taken back.
  closeAll(run, intents.slice(0, -1), surplus.length > 0 ? "absent" : "passed");
  run.journal.close(last.seq, "adopted", { id: keep.id, ...(last.date === null ? {} : { madeAt: last.date }) });
  // What it shows is what the service makes of what we sent.
  const { returned } = confirmFields(kind, last.fields, keep);
  if (hasAny(returned)) {
    const fields = pick(last.fields, Object.keys(returned));
    run.journal.learn({ address: last.address, kind: kind.name, id: keep.id, fields, returned });
  }
  const lost = await adoptInline(run, { intent: last, parentId: keep.id });
  if (lost !== null) return lost;
  tellCutOff(run, last, surplus.length === 0 ? "found it, adopted it" : "found it more than once, kept the oldest");
  return null;
}

/** A webhook whose secret is safe is kept; one whose secret nobody has is of no use. */
async function settleSecret(
  run: Run,
  intents: readonly IntentEntry[],
  found: readonly Live[],
  fresh: boolean,
): Promise<Problem | null> {
  const last = intents.at(-1);
  if (last === undefined) return null;
  for (const live of found) {
    if ((await run.sink?.holds(live.id)) === true) {
      return adopt(
        run,
        intents,
        live,
        found.filter((each) => each.id !== live.id),
      );
    }
  }
  if (last.rotation !== undefined && wasHanded(run, intents)) {
    closeAll(run, intents, "passed");
    reportHalfHanded(run, last);
    return null;
  }
  if (!fresh) {
    closeAll(run, intents, "passed");
    tellLookalikes(run, last, found);
    return null;
  }
  // What was found is of no use, and goes as a twin that came late would.
  closeAll(run, intents, "absent");
  return null;
}

function closeAll(run: Run, intents: readonly IntentEntry[], how: "absent" | "passed"): void {
  for (const intent of intents) run.journal.close(intent.seq, how);
}

const doing: Readonly<Record<IntentEntry["verb"], string>> = {
  create: "creating",
  update: "changing",
  delete: "deleting",
  publish: "publishing",
  unpublish: "unpublishing",
  archive: "archiving",
  "sold-out": "closing the sale of",
};

function tellCutOff(run: Run, intent: IntentEntry, what: string): void {
  const message = `An earlier run was cut off while ${doing[intent.verb]} ${nameOf(intent.address)}: ${what}.`;
  reportNotice(run, "recovered", intent.address, message);
}

function tellLookalikes(run: Run, intent: IntentEntry, found: readonly Live[]): void {
  const ids = found.map((each) => each.id).join(", ");
  reportWarning(
    run,
    "late-lookalikes",
    intent.address,
    `An earlier run was cut off while ${doing[intent.verb]} ${nameOf(intent.address)}, and several things look like it: ${ids}.`,
    "Delete those that are not wanted in the dashboard, or pin the right one with `id:`.",
  );
}

function hindranceOf(attempts: CreateAttempts, problem: Problem): Diagnostic {
  return {
    code: "cannot-recover",
    severity: "error",
    message: `${capital(nameOf(attempts.address))}: an earlier run was cut off while creating it, and looking for it did not work. ${problem.message}`,
    hint: problem.hint ?? "Run the command again: nothing was sent.",
    address: attempts.address,
  };
}
