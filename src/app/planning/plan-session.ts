// A plan within a session: shared by plan and apply, so that both see the same.

import { idsIn } from "../../apply/journal.ts";
import { isInFamily } from "../../kinds/index.ts";
import { idKey, rootOf } from "../../model/address.ts";
import { type Diagnostic, warningOf } from "../../model/diagnostic.ts";
import type { Live, State } from "../../model/live.ts";
import type { Revision } from "../../model/plan.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { type Project, type Settings, wishesByAddress } from "../../model/wish.ts";
import type { HoldPolicy } from "../../plan/judge.ts";
import type { TicketingClient } from "../../service/client.ts";
import { attemptRead, makeReader, type Reader } from "../../snapshot/reader.ts";
import { showingWrites } from "../../snapshot/recent-writes.ts";
import { keyNow, type Session } from "../session/open-session.ts";
import type { NoSession } from "../session/prepare-session.ts";
import { problemDiagnostic } from "../session/report-problems.ts";
import { withoutSealAdvice } from "../session/saved-state.ts";
import { planKeyOf, readSecretHolder, secretPlaceOf } from "../session/secret-sink.ts";
import { advise, isOnRunner, version, type World } from "../world.ts";
import { unjudgedDocuments, withUnreadDeletions } from "./deleted-documents.ts";
import { emptyPlan, type MadePlan, makePlan } from "./make-plan.ts";
import { type PlanFlags, type PlanInputs, type PlanUse, patienceOf, type ReviewedChanges } from "./plan-inputs.ts";
import { readResumably } from "./resumed-reading.ts";

export async function planSession(
  world: World,
  session: Session,
  flags: PlanFlags,
  use: PlanUse,
  onProgress: (done: number, total: number) => void,
): Promise<MadePlan> {
  const { client } = session.target;
  const named = flags.mergeInto ?? flags.base;
  const isCompared = use.purpose === "compare";
  const common = {
    flags,
    target: { environment: session.environment.name, baseUrl: session.baseUrl },
    version,
    now: session.now,
    planKey: planKeyOf(world),
    ...advising(world),
    client,
    revision: revisionOf(session),
  };
  const deleted = isCompared ? [] : await unjudgedDocuments(world, session, flags);
  async function make(reading: Reader, older: () => readonly Diagnostic[]): Promise<MadePlan> {
    const reader = showingWrites(reading, session.state, patienceOf(world, session, flags), session.leftovers);
    const made = await makePlan({
      ...session,
      ...common,
      use,
      deleted,
      ...(named === undefined ? {} : { baseName: baseName(named, session.state) }),
      review: reviewOf(flags, use, session),
      reader,
      organizationPin: session.environment.organization,
      secretSink: session.sink?.sink ?? null,
      secretPlace: secretPlaceOf(world, session),
      holdsSecret: readSecretHolder(session.directory, session.sink, session.state),
      onRunner: isOnRunner(world),
      budget: (writes) => [...older(), ...budgetRemark(client, writes, client.estimateSeconds(writes))],
      estimateSeconds: (writes) => client.estimateSeconds(writes),
      keyNow: () => keyNow(world, session),
      onProgress,
    });
    const complete = { ...made, known: () => idsIn(reader.kept()) };
    return isCompared ? complete : withUnreadDeletions(session, flags, complete);
  }
  const { store, state } = session;
  const given = use.reader === "resume" ? null : (use.reader ?? makeReader(client));
  const how = { client, cache: store.snapshots, state, maxWait: flags.maxWait, matters: touchedBy };
  const read = given === null ? await readResumably(world, how, make) : await attemptRead(() => make(given, () => []));
  // Without state, nothing records when something was changed last.
  if (read.ok && given !== null && store.stateless === true) await store.snapshots.clear();
  if (read.ok) return read.value;
  const remarks = read.problem.status === 401 ? withoutSealAdvice(session.remarks) : session.remarks;
  const resumable = "resumable" in read && read.resumable;
  return emptyPlan(common, null, [...remarks, problemDiagnostic(read.problem, resumable)]);
}

/** Everything except what is below an event that the plan leaves as it is: its path begins as its address does. */
function touchedBy({ plan, matched }: MadePlan): (path: string) => boolean {
  const roots = new Set(plan.changes.map(({ address }) => rootOf(address)));
  const ids = new Set([...roots].flatMap((address) => (matched[address] ? [idKey(matched[address].id)] : [])));
  return (path) => {
    const [, , id = ""] = path.split("/");
    return !isInFamily(path.slice(1)) || ids.has(idKey(id));
  };
}

export function reviewOf(
  flags: PlanFlags,
  { reviewed, spent = new Set(), unattended }: ReviewedChanges,
  { project, state, base }: Pick<Session, "project" | "state" | "base">,
): HoldPolicy {
  if (unreviewedMode(flags, project) === "apply") return { mode: "off" };
  const held = new Set(Object.keys(state?.held ?? {}));
  const known = new Set(Object.values(state?.objects ?? {}).map(({ id }) => idKey(id)));
  const isUnknown = ({ id }: Live) => unattended === true && !known.has(idKey(id));
  if (reviewed != null) {
    return {
      mode: "compare",
      reviewed,
      spent,
      held,
      isUnknown,
      recorded: (address) => state?.objects[address],
      document: wishesByAddress(project),
      formerly: base === null ? () => undefined : wishesByAddress(base),
    };
  }
  if (reviewed === undefined) return { mode: "list", held };
  if (unattended !== true) return { mode: "keep", held };
  return { mode: "unattended", held, isUnknown };
}

export function unreviewedMode(
  { unreviewed }: Pick<PlanFlags, "unreviewed">,
  { settings }: Project,
): Settings["unreviewed"] {
  return unreviewed ?? settings.unreviewed;
}

type AtRevision = Partial<Pick<Session, "checkout" | "baseRevision" | "state">>;

function revisionOf({ checkout = null, baseRevision = null, state }: AtRevision): Revision | null {
  if (checkout === null && baseRevision === null) return null;
  const { revision: head = null, dirty = false } = checkout ?? {};
  return { head, dirty, base: baseRevision, applied: state?.appliedRevision ?? null };
}

/** For people: the short form of the revision that was applied last, else what was typed. */
function baseName(base: string, state: State | null): string {
  const revision = base === "last" ? (state?.appliedRevision ?? base) : base;
  return /^[0-9a-f]{40,64}$/.test(revision) ? revision.slice(0, 12) : revision;
}

function advising(world: World): Pick<PlanInputs, "advise"> {
  return { advise: (said) => advise(world, said) };
}

/** A plan that says what keeps it from being made. */
export function planOfNothing(world: World, none: NoSession): MadePlan {
  const target = { environment: none.environment, baseUrl: none.baseUrl };
  const client = { counts: { reads: 0 } };
  const revision = revisionOf(none);
  const common = { target, version, flags: {}, now: world.now(), planKey: null, client, revision, ...advising(world) };
  return emptyPlan(common, null, none.diagnostics);
}

/** Says when the calls to come are more than the hour still has. */
function budgetRemark({ limits }: TicketingClient, writes: number, waitSeconds: number): readonly Diagnostic[] {
  const hour = limits.windows.find((window) => window.span === "hour");
  if (hour === undefined || writes <= hour.left) return [];
  return [
    warningOf(
      "over-budget",
      `The plan needs ${formatCount(writes)} calls, but the service allows only ${formatCount(hour.left)} more this hour: an apply would wait about ${pluralize(Math.ceil(waitSeconds / 60), "minute")}.`,
      "Apply a part of it with --target, raise --max-wait, or ask for a higher tier.",
    ),
  ];
}
