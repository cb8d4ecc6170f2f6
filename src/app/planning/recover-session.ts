// What an interrupted run left unfinished, resolved before anything is planned; the plan shows what is to be deleted.
import { openJournal } from "../../apply/journal.ts";
import { hasLeftovers, type Recovered, type RecoveryDelete, recover } from "../../apply/recover.ts";
import { type ApplyListener, describeAddress, makeRun } from "../../apply/run.ts";
import { type Address, idKey } from "../../model/address.ts";
import { attempt, type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { type Leftover, type Plan, recoveryDelete } from "../../model/plan.ts";
import { checkAccount } from "../../plan/judge.ts";
import { safeText } from "../../report/text.ts";
import { readAccount } from "../../snapshot/read-organization.ts";
import { attemptRead, makeReader } from "../../snapshot/reader.ts";
import { keyNames } from "../session/guarded-settings.ts";
import { type Session, serviceNow } from "../session/open-session.ts";
import { problemDiagnostic, writeLines } from "../session/report-problems.ts";
import { loadSavedState } from "../session/saved-state.ts";
import { openSink } from "../session/secret-sink.ts";
import type { World } from "../world.ts";

interface RecoverSetup extends Omit<Parameters<typeof makeRun>[0], "service" | "known" | "signal"> {
  readonly state: State | null;
}

/** What is planned with after a recovery. */
interface RecoveredSession extends Pick<Recovered, "objects" | "problem" | "deletes"> {
  readonly session: Session;
}

/** `listen`: reports progress. null: the deletes cannot be approved, so nothing is written and they are only shown. */
export async function recoverSession(
  world: World,
  session: Session,
  setup: RecoverSetup,
  listen: (() => { readonly listener: ApplyListener; end(): void }) | null,
): Promise<RecoveredSession> {
  const found = { session, objects: setup.state?.objects ?? {}, problem: null, deletes: [] };
  if (!hasLeftovers(setup)) return found;
  if (listen === null) return { ...found, session: await surveyLeftovers(world, session, setup.settleMs) };
  const waiting = listen();
  const recovered = await recoverLeftovers(world, session, { ...setup, listener: waiting.listener });
  // An earlier snapshot may show what is gone by now.
  await session.store.snapshots.clear();
  waiting.end();
  const isDone = recovered.problem === null;
  return { ...recovered, session: isDone ? withRecovery(session, setup.state, recovered) : session };
}

/** The same for a plan: what an apply would find, without writing anything. */
export async function surveyLeftovers(world: World, session: Session, settleMs: number): Promise<Session> {
  const memory = await loadSavedState(session.store);
  if (!memory.ok || memory.unverified !== null) return session;
  const journal = openJournal("survey", memory.entries, { append: async () => undefined, note: () => undefined });
  if (!hasLeftovers({ journal })) return session;
  const keys = keyNames(world, session.project.settings, session.environment);
  const sink = openSink(world, session.directory, session.sink, keys);
  const listener: ApplyListener = {
    onWait: (_address, message) => writeLines(world.stderr, [`waiting: ${safeText(message)}`]),
  };
  const common = { journal, state: memory.state, sink, settleMs, listener, notes: [] };
  return withRecovery(session, memory.state, await recoverLeftovers(world, session, common));
}

/** While another run is active, the open entries of its journal are not leftovers. */
export async function hasActiveRun({ store }: Session): Promise<boolean> {
  try {
    return (await store.holders()).length > 0;
  } catch {
    return false;
  }
}

/** A session that plans with what recovery found: objects that recovery is to delete count as deleted, and are shown. */
function withRecovery(session: Session, state: State | null, recovered: Recovered): Session {
  const names = eventNames(session);
  const leftovers = recovered.deletes.flatMap(({ address, lives, why, once }) =>
    lives.map(({ id }): Leftover => ({ address, id, why, ...(once === undefined ? {} : { once }) })),
  );
  return {
    ...session,
    state: state === null ? null : { ...state, objects: recovered.objects },
    leftovers,
    remarks: [
      ...session.remarks,
      ...leftovers.map(({ address, id, why, once }) => ({
        code: recoveryDelete,
        severity: "warning" as const,
        message: `Apply will delete ${describeAddress(address, names)} (id ${id})${once === undefined ? "" : ` once ${once}`}: ${why}.`,
        address,
      })),
      ...recovered.unresolved,
    ],
  };
}

export function eventNames({ project }: Session): ReadonlyMap<Address, string> {
  return new Map(project.events.map(({ address, name }) => [address, name]));
}

async function recoverLeftovers(world: World, session: Session, setup: RecoverSetup): Promise<Recovered> {
  const objects = setup.state?.objects ?? {};
  const concern = await checkKeyOwner(world, session, setup.state);
  if (concern !== null) return { objects, problem: concern, deletes: [], unresolved: [] };
  const run = makeRun({
    ...setup,
    service: session.target.client,
    names: eventNames(session),
    known: Object.values(objects).map((entry) => entry.id),
    signal: world.interrupted,
  });
  for (const [address, entry] of Object.entries(objects)) run.ids.give(address, entry.id);
  return recover(run, objects);
}

/** Nothing is recovered with the key of another organization. */
async function checkKeyOwner(world: World, session: Session, state: State | null): Promise<Diagnostic | null> {
  const account = await attemptRead(() => readAccount(makeReader(session.target.client)));
  if (!account.ok) return problemDiagnostic(account.problem);
  const now = serviceNow(world, session);
  const concerns = checkAccount(account.value, session.environment.organization, state, now);
  return concerns.find((each) => each.severity === "error") ?? null;
}

/** Once it is approved, deletes what the plan shows of earlier runs. Returns why nothing may be applied. */
export async function deleteOnceApproved(
  plan: Plan,
  deletes: readonly RecoveryDelete[],
  approve: () => Promise<Diagnostic | null>,
): Promise<Diagnostic | null> {
  return notInPlan(plan, deletes) ?? (await approve()) ?? (await carryOut(deletes));
}

/** Nothing is deleted that the plan does not show, and a saved plan shows only what existed when it was made. */
function notInPlan(plan: Plan, deletes: readonly RecoveryDelete[]): Diagnostic | null {
  const shown = new Set(plan.leftovers?.map(({ id }) => idKey(id)));
  const missing = deletes.flatMap(({ lives }) => lives).find(({ id }) => !shown.has(idKey(id)));
  if (missing === undefined) return null;
  const message = `An earlier run left the object with the id ${missing.id} on the service. It has to be deleted first, and the saved plan does not include that.`;
  const hint = "Make a new plan with `ticketing plan --out FILE`, review it, and apply that.";
  return errorOf("stale-plan", message, hint);
}

async function carryOut(deletes: readonly RecoveryDelete[]): Promise<Diagnostic | null> {
  for (const each of deletes) {
    const done = await attempt(() => each.execute());
    const problem = done.ok ? done.value : (done.diagnostics[0] as Diagnostic);
    if (problem !== null) return problem;
  }
  return null;
}
