// What an earlier run left without an end, looked at before anything is planned.
import type { Journal } from "../../apply/journal.ts";
import { makeRun } from "../../apply/make-run.ts";
import { type Recovered, recover } from "../../apply/recover.ts";
import type { ApplyListener } from "../../apply/run.ts";
import type { SecretSink } from "../../apply/secret-sink.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { State } from "../../model/state.ts";
import { checkAccount } from "../../plan/check-account.ts";
import type { Clock } from "../../service/clock.ts";
import { readAccount } from "../../snapshot/read-account.ts";
import { ReadFailure } from "../../snapshot/read-failure.ts";
import { makeReader } from "../../snapshot/reader.ts";
import { keptSnapshot } from "../../state/kept-snapshot.ts";
import { clockOf } from "../planning/clock-of.ts";
import type { Session } from "../planning/open-session.ts";
import { problemDiagnostic } from "../service-problem.ts";
import type { World } from "../world.ts";

export interface RecoverSetup {
  readonly journal: Journal;
  readonly state: State | null;
  readonly sink: SecretSink | null;
  readonly settleMs: number;
  readonly listener: ApplyListener;
  readonly clock?: Clock;
  readonly notes: Diagnostic[];
}

export async function recoverSession(world: World, session: Session, setup: RecoverSetup): Promise<Recovered> {
  const { client } = session.target;
  const objects = setup.state?.objects ?? {};
  const concern = await foreign(world, session, setup.state);
  if (concern !== null) return { objects, hindrance: concern };
  const run = makeRun({
    ...setup,
    service: client,
    known: Object.values(objects).map((entry) => entry.id),
    signal: world.interrupted,
  });
  for (const [address, entry] of Object.entries(objects)) run.ids.give(address, entry.id);
  const recovered = await recover(run, objects);
  // An earlier snapshot may show what is gone by now.
  await keptSnapshot(session.directory, session.environment.name, session.baseUrl).clear();
  return recovered;
}

/** Nothing is looked at, let alone taken back, with the key of another organization. */
async function foreign(world: World, session: Session, state: State | null): Promise<Diagnostic | null> {
  try {
    const account = await readAccount(makeReader(session.target.client));
    const concerns = checkAccount(account, session.environment.organization, state, clockOf(world, session));
    return concerns.find((each) => each.severity === "error") ?? null;
  } catch (error) {
    if (error instanceof ReadFailure) return problemDiagnostic(error.problem);
    throw error;
  }
}
