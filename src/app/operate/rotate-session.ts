// A rotation under the lock: leftovers of an earlier run are resolved first, every call is journaled before it is sent, and
// what was created is remembered.
import {
  findOpenWork,
  type Journal,
  type OpenRotation,
  openJournal,
  replayJournal,
  rotatedIds,
} from "../../apply/journal.ts";
import { hasLeftovers, type RecoveryDelete, recover } from "../../apply/recover.ts";
import { describeAddress, makeRun, outliveCommand, type Run, type SecretStore } from "../../apply/run.ts";
import { finishRotation, type Rotated, type RotationEnd, rotateWebhook } from "../../apply/secrets.ts";
import { kindOfAddress } from "../../kinds/index.ts";
import { sameId } from "../../model/address.ts";
import { attempt, type Diagnostic } from "../../model/diagnostic.ts";
import type { Account, Live } from "../../model/live.ts";
import type { OutcomeError } from "../../model/plan.ts";
import { asSentence } from "../../model/value.ts";
import { checkAccount } from "../../plan/judge.ts";
import type { RotationReport } from "../../report/lists.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Clock } from "../../service/clock.ts";
import type { Lock, StateStore } from "../../state/store.ts";
import { reportProblems } from "../session/report-problems.ts";
import { loadSavedState, movedAway, type SavedState, saveState } from "../session/saved-state.ts";
import type { World } from "../world.ts";
import { findWebhooks, type PlannedRotation, type RotationPlan } from "./rotation-plan.ts";

export interface RotateSetup {
  readonly world: World;
  readonly client: TicketingClient;
  readonly account: Account;
  readonly pin: string | null;
  readonly store: StateStore;
  readonly lock: Lock;
  readonly sink: SecretStore | null;
  /** Address or id. */
  readonly word: string;
  readonly untested: boolean;
  readonly settleMs: number;
  readonly plan: (former: readonly [Live, ...Live[]]) => PlannedRotation;
  readonly clock?: Clock;
  /** A line for people, as things happen. */
  readonly report: (line: string) => void;
}

export type RotateOutcome =
  | { readonly kind: "refused"; readonly diagnostics: readonly Diagnostic[] }
  /** One that was begun earlier. */
  | { readonly kind: "continued"; readonly url: string; readonly created: string; readonly end: RotationEnd }
  | { readonly kind: "rotated"; readonly plan: RotationPlan; readonly rotated: Rotated };

export interface RotateResult {
  readonly outcome: RotateOutcome;
  readonly notes: readonly Diagnostic[];
}

export async function rotateSession(setup: RotateSetup): Promise<RotateResult> {
  const { world, store, lock } = setup;
  const notes: Diagnostic[] = [];
  const memory = await loadSavedState(store);
  if (!memory.ok) return { outcome: { kind: "refused", diagnostics: memory.diagnostics }, notes };
  const foreign = checkAccount(setup.account, setup.pin, memory.state, world.now()).find(
    ({ severity }) => severity === "error",
  );
  const refused = foreign ?? memory.unverified ?? movedAway(store, memory);
  if (refused != null) return { outcome: { kind: "refused", diagnostics: [refused] }, notes };
  const unopened = await store.journal.open(() => lock.isHeld());
  if (unopened !== null) return { outcome: { kind: "refused", diagnostics: [unopened] }, notes };
  const journal = openJournal(lock.holder.token, memory.entries, store.journal);
  try {
    const done = await attempt(() => rotateWithJournal(setup, memory, journal, notes));
    if (!done.ok) return { outcome: { kind: "refused", diagnostics: done.diagnostics }, notes };
    const problem = await rememberRotation(setup, memory, journal);
    return { outcome: done.value, notes: problem === null ? notes : [...notes, problem] };
  } finally {
    await store.journal.close();
  }
}

async function rotateWithJournal(
  setup: RotateSetup,
  memory: SavedState,
  journal: Journal,
  notes: Diagnostic[],
): Promise<RotateOutcome> {
  const { client, word } = setup;
  const run = runFor(setup, memory, journal, notes, []);
  if (hasLeftovers({ journal })) {
    const recovered = await recover(run, memory.state?.objects ?? {}, (rotation) => isMeant(rotation, word));
    if (recovered.problem !== null) return { kind: "refused", diagnostics: [recovered.problem] };
    const left = await deleteRecovered(setup, recovered.deletes);
    if (left !== null) return { kind: "refused", diagnostics: [left] };
    for (const remark of recovered.unresolved) run.note(remark);
  }
  // A rotation that was cut off after its secret was stored, or that waits for its receiver, is finished first.
  const open = findOpenWork(journal.entries).rotations.find((rotation) => isMeant(rotation, word));
  if (open !== undefined) {
    const end = await finishRotation(run, open, { untested: setup.untested });
    return { kind: "continued", url: String(open.intent.fields.url), created: open.created, end };
  }
  const found = await findWebhooks(client, word);
  if (!found.ok) return { kind: "refused", diagnostics: found.diagnostics };
  // If a rotation is unresolved, the other webhook involved is replaced, too.
  const unresolved = findOpenWork(journal.entries).unresolvedRotations.filter((rotation) => isMeant(rotation, word));
  for (const { intent } of unresolved) await outliveCommand(run, intent);
  const ids = unresolved.flatMap(rotatedIds);
  const others = found.all.filter((live) => ids.some((id) => sameId(id, live.id)) && !found.found.includes(live));
  const planned = setup.plan([...found.found, ...others]);
  if (!planned.ok) return { kind: "refused", diagnostics: planned.diagnostics };
  const { plan } = planned;
  const known = found.all.map(({ id }) => id);
  await journal.begin({ at: Math.round(run.clock.now()), organization: setup.account.organization, known });
  const fresh = runFor(setup, memory, quietJournal(journal, plan), notes, known, plan);
  setup.report(`creating a new webhook for ${plan.url}`);
  const rotated = await rotateWebhook(fresh, { ...plan, untested: setup.untested });
  return { kind: "rotated", plan, rotated };
}

/** Leftovers of an earlier attempt must not be mistaken for the webhook to replace; other leftovers are left to `apply`, which shows them. */
async function deleteRecovered(setup: RotateSetup, deletes: readonly RecoveryDelete[]): Promise<Diagnostic | null> {
  for (const each of deletes) {
    const name = describeAddress(each.address);
    if (!kindOfAddress(each.address).secret) {
      setup.report(`${name}: ${each.why}; \`ticketing apply\` deletes it`);
      continue;
    }
    for (const { id } of each.lives) {
      const does = each.once === undefined ? `deleting ${id}` : `${id} is deleted once ${each.once}`;
      setup.report(`${name}: ${each.why}; ${does}`);
    }
    const problem = await each.execute();
    if (problem !== null) return problem;
  }
  return null;
}

function runFor(
  setup: RotateSetup,
  memory: SavedState,
  journal: Journal,
  notes: Diagnostic[],
  known: readonly string[],
  plan: RotationPlan | null = null,
): Run {
  const objects = Object.entries(memory.state?.objects ?? {});
  const run = makeRun({
    service: setup.client,
    journal,
    sink: setup.sink,
    secretName: () => plan?.secretName ?? null,
    ...(plan === null ? {} : { unsent: { [plan.address]: plan.unsent } }),
    known: [...known, ...objects.map(([, { id }]) => id)],
    settleMs: setup.settleMs,
    notes,
    listener: {
      onWait: (_, message) => setup.report(`waiting: ${message}`),
      // Errors are reported at the end, with everything that failed.
      onNote: (note) => void (note.severity !== "error" && reportProblems(setup.world, "text", [note])),
    },
    signal: setup.world.interrupted,
    ...(setup.clock === undefined ? {} : { clock: setup.clock }),
  });
  for (const [address, { id }] of objects) run.ids.give(address, id);
  return run;
}

/** By the address or by any of the ids that take part in it. */
function isMeant(rotation: OpenRotation, word: string): boolean {
  const wanted = word.trim();
  return (
    String(rotation.intent.fields.url).toLowerCase() === wanted.toLowerCase() ||
    rotatedIds(rotation).some((id) => sameId(id, wanted))
  );
}

/** What must not be remembered must not be recorded, either. */
function quietJournal(journal: Journal, { rotation }: RotationPlan): Journal {
  return rotation.unremembered === true ? { ...journal, learn: () => undefined } : journal;
}

async function rememberRotation(setup: RotateSetup, memory: SavedState, journal: Journal): Promise<Diagnostic | null> {
  if (!setup.lock.isHeld()) return null;
  const problem = await saveState({
    store: setup.store,
    stored: memory.stored,
    organization: setup.account.organization,
    objects: replayJournal(memory.stored?.objects ?? {}, journal.entries),
    forgotten: [],
    entries: journal.entries,
    run: null,
  });
  return problem ?? setup.lock.release();
}

/** `secret`: where secrets go, for people; `again`: the command that continues. */
export function reportRotation(
  outcome: Exclude<RotateOutcome, { kind: "refused" }>,
  secret: string,
  again: string,
): RotationReport {
  const url = outcome.kind === "continued" ? outcome.url : outcome.plan.url;
  if (outcome.kind === "continued") return reportEnd(url, outcome.created, outcome.end, secret, again);
  const { rotated } = outcome;
  if (rotated.made !== null) return reportEnd(url, rotated.made, rotated.end, secret, again);
  const { result, error } = rotated.performed;
  const shown = rotationError(error, again);
  const isRefused = error?.status === 400 || error?.status === 409 || error?.status === 422;
  const hints = ["The webhook that was to be replaced is unchanged.", shown.hint, isRefused ? oncePerUrl : null];
  return {
    ...emptyReport(url),
    result: result === "unsure" ? "unsure" : "failed",
    error: { ...shown, hint: hints.filter((each) => each !== null).join(" ") },
  };
}

const oncePerUrl =
  "If the service allows only one webhook per URL, delete the webhook in the dashboard and run `ticketing apply`, which creates it again with a new secret. Notifications in between are lost.";

function reportEnd(url: string, made: string, end: RotationEnd, secret: string, again: string): RotationReport {
  switch (end.end) {
    case "finished":
      return {
        ...emptyReport(url),
        webhook: made,
        removed: end.removed,
        tested: end.tested || null,
        secret,
        result: "done",
      };
    case "void":
      return {
        ...emptyReport(url),
        result: "failed",
        error: {
          code: "webhook-gone",
          message: `The new webhook for ${url} (${made}) no longer exists.`,
          hint: `Run \`${again}\` again to create a new one.`,
        },
      };
    case "untested":
    case "open": {
      const waits = end.end === "untested";
      const first =
        end.error.code === "not-sent"
          ? "Start `ticketing sandbox --deliver-outside` in another terminal"
          : "Check that its receiver is up, responds with 2xx and has the new secret";
      const said = end.error.hint === null ? "" : `${asSentence(end.error.hint)} `;
      const hint = waits
        ? `${said}${first}, then run \`${again}\` again: it tests the webhook and deletes the old one. With --untested, the old one is deleted even if the test event does not arrive.`
        : `Run \`${again}\` again to continue.`;
      return {
        ...emptyReport(url),
        webhook: made,
        tested: waits ? false : null,
        secret,
        result: waits ? "waiting" : "unsure",
        error: { ...rotationError(end.error, again), hint },
      };
    }
  }
}

function emptyReport(url: string): RotationReport {
  return { formatVersion: 1, url, webhook: null, removed: [], tested: null, secret: null, result: "done", error: null };
}

/** The error of an apply, where `ticketing apply` is this command. */
function rotationError(
  { code, message, requestId, hint }: OutcomeError,
  again: string,
): NonNullable<RotationReport["error"]> {
  return {
    code,
    message: requestId === null ? message : `${message} (request ${requestId})`,
    hint: hint?.replaceAll("`ticketing apply`", `\`${again}\``) ?? null,
  };
}
