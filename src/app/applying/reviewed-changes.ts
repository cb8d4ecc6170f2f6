// What was reviewed, and what is held because it was not.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Executed } from "../../apply/execute.ts";
import { isInFamily } from "../../kinds/index.ts";
import { rootOf } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed, warningOf } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import { type Change, type GuardChange, type Plan, planErrors, planFormat } from "../../model/plan.ts";
import { groupBy, isObject, listSome, pluralize } from "../../model/value.ts";
import { type Project, projectFile } from "../../model/wish.ts";
import { shardFilter } from "../../plan/compare.ts";
import {
  digestsOf,
  type MergedReview,
  reviewedDigests,
  reviewedWhere,
  sentDigests,
  unreviewedAmong,
} from "../../plan/judge.ts";
import type { ReviewedChanges } from "../planning/plan-inputs.ts";
import { reviewOf, unreviewedMode } from "../planning/plan-session.ts";
import { atAddressesOfNow, guardsChanged, guardTexts, loosenedGuards, withoutLoosened } from "../session/guards.ts";
import type { Session } from "../session/open-session.ts";
import type { ApplyFlags } from "./attempt.ts";

type ReviewedSet = Fallible<{ readonly reviewed: ReadonlySet<string> }>;

/** The digests in a plan that somebody has read, as `ticketing plan --format json` prints it. */
export async function readReviewed(
  file: string,
  { directory, environment }: Pick<Session, "directory" | "environment">,
): Promise<ReviewedSet> {
  const again = "Give the plan that was reviewed, as `ticketing plan --format json` prints it.";
  const wrong = (why: string, hint = again) => failed(errorOf("review-unreadable", `${file} ${why}.`, hint));
  let plan: unknown;
  try {
    plan = JSON.parse(await readFile(resolve(directory, file), "utf8"));
  } catch (error) {
    return wrong(error instanceof SyntaxError ? "is not JSON" : "cannot be read");
  }
  if (
    !isObject(plan) ||
    plan.formatVersion !== planFormat ||
    !areChanges(plan.changes) ||
    !areChanges(plan.held ?? [])
  ) {
    return wrong("is not a plan");
  }
  const made = isObject(plan.target) ? plan.target.environment : undefined;
  if (typeof made !== "string") return wrong("is not a plan: it does not say which environment it was made for");
  if (made !== environment.name) {
    return wrong(`was made for the environment ${made}, and this run is for ${environment.name}`);
  }
  return { ok: true, reviewed: reviewedDigests(plan as unknown as Plan) };
}

function areChanges(value: unknown): value is readonly Change[] {
  return Array.isArray(value) && value.every((each) => isObject(each) && Array.isArray(each.edits));
}

/** Why nothing may be applied: the project wants all or nothing, or a saved plan contains what was not reviewed. */
export function whyHeld(plan: Plan, flags: ApplyFlags, review: ReviewedChanges, session: Session): Diagnostic | null {
  const inFile = flags.planFile === undefined ? [] : unreviewedAmong(plan.changes, reviewOf(flags, review, session));
  const isStopped = unreviewedMode(flags, session.project) === "stop";
  const held = [...inFile, ...(isStopped ? (plan.held ?? []) : [])];
  if (held.length === 0) return null;
  const addresses = [...new Set(held.map(({ address }) => address))];
  return errorOf(
    "unreviewed",
    `${pluralize(held.length, "change")} ${held.length === 1 ? "was" : "were"} not reviewed (${listSome(addresses, 3)}).`,
    inFile.length > 0
      ? "A saved plan is applied as a whole. Apply without it, or have a plan reviewed that lists these changes."
      : `Merge a branch whose plan lists them. To apply the rest, ${flags.unreviewed === "stop" ? "run with `--unreviewed hold`" : "write `review: { unreviewed: hold }` in ticketing.yaml"}.`,
  );
}

/**
 * The session with the safeguards that are in force: what was loosened without a review stays as it was, whichever change it would let
 * pass. Where nothing says what was reviewed, what an earlier run held stays held.
 */
export function withGuardsInForce<Opened extends Omit<Session, "guards">>(
  session: Opened,
  reviewed: readonly MergedReview[] | null,
  flags: Pick<ApplyFlags, "unreviewed" | "planFile">,
): Fallible<{ readonly session: Opened }> {
  const { project, guarded, comparedWith, remarks, state } = session;
  if (guarded === null) return { ok: true, session };
  const isLooserThan = (then: Project, digest: string) =>
    loosenedGuards(project, then).some((one) => one.digest === digest);
  const isHeld = ({ digest }: GuardChange) =>
    reviewed === null
      ? state?.held?.[digest] !== undefined
      : !reviewedWhere(reviewed, ({ hasErrors, project: then }) => hasErrors || !isLooserThan(then, digest)).has(
          digest,
        );
  const guards = loosenedGuards(project, guarded).map((one) => (isHeld(one) ? { ...one, held: true as const } : one));
  const held = guards.filter(isHeld);
  const inForce = withoutLoosened(project, guarded, held);
  const mode = unreviewedMode(flags, inForce);
  if (held.length === 0 || mode === "apply") return { ok: true, session };
  const texts = guardTexts(project, guarded, isHeld);
  const how = `${session.recorded ? shownLater : revertState}, or check the change and run \`ticketing ci apply --unreviewed apply\`.`;
  const said = "No reviewed plan shows these changed safeguards, so";
  // State that is kept elsewhere knows nothing of what is held.
  if (mode === "stop" || flags.planFile !== undefined || held.some(({ setting }) => setting === "state"))
    return failed(errorOf("guards-held", `${said} nothing was sent: ${texts}.`, how));
  const all = [
    ...remarks.filter(({ code }) => code !== "guards-changed"),
    ...guardsChanged(inForce, comparedWith && atAddressesOfNow(comparedWith, inForce, state)),
    warningOf("guards-held", `${said} they are not in force: ${texts}.`, how),
  ];
  return { ok: true, session: { ...session, project: inForce, guards, remarks: all } };
}

const shownLater = "Merge a pull request whose plan shows the change (any edit to a file of the project is enough)";
const revertState = "Revert the change of `state`, and make it in a pull request whose plan shows it";

/** What the next run holds: everything that this one left out, and what it did not read. */
export function heldAfter(
  plan: Plan,
  { target = [], planFile }: ApplyFlags,
  { state }: Pick<Session, "state">,
  now: number,
): State["held"] {
  const before = state?.held ?? {};
  const observedAll = target.length === 0 && planFile === undefined && planErrors(plan).length === 0;
  const isOwn = shardFilter(plan.shard ?? null);
  const readWebhooks = plan.compared?.webhooksUnread !== true;
  const sent = new Set(plan.changes.flatMap(digestsOf));
  const guards = plan.guards ?? [];
  const kept = Object.entries(before).filter(([digest, { address, guard }]) => {
    if (guard === true) return !observedAll && guards.every((one) => one.digest !== digest);
    const wasObserved = observedAll && isOwn(address) && (readWebhooks || isInFamily(address));
    return !wasObserved && !sent.has(digest);
  });
  const at = new Date(now).toISOString();
  const added = (plan.held ?? []).flatMap((change) =>
    digestsOf(change).map((digest) => {
      const { path, origin } = change.edits.find((edit) => edit.digest === digest) ?? { origin: change.origin };
      const where = { address: change.address, ...(path === undefined ? {} : { path }) };
      const whose = origin === "drift" ? { drift: true as const } : {};
      return [digest, { ...where, at: before[digest]?.at ?? at, ...whose }] as const;
    }),
  );
  const loosened = guards.flatMap(({ held, digest, event = projectFile }) =>
    held === true ? [[digest, { address: event, at: before[digest]?.at ?? at, guard: true as const }] as const] : [],
  );
  return Object.fromEntries([...kept, ...added, ...loosened]);
}

/** What the next runs do not send again by the same review: all that was sent in full. What failed, or was blocked, is still to come. */
export function sentAfter(
  { changes, operations }: Plan,
  { report, notes = [] }: Partial<Executed>,
  revision: string | null,
  before: State["sent"] = {},
): State["sent"] {
  if (revision === null) return before;
  const calls = groupBy(operations, ({ because }) => because);
  const done = new Set(report?.outcomes.flatMap(({ operation, result }) => (result === "done" ? operation : [])));
  const unseen = new Set(notes.flatMap(({ code, address }) => (code === "verify" ? address : [])));
  const isSent = ({ address, blockedBy, heldBack }: Change) => {
    // What is created or deleted together with its event has no call of its own.
    const own = calls.get(address) ?? calls.get(rootOf(address)) ?? [];
    const isWhole = blockedBy.length === 0 && heldBack === undefined && !unseen.has(address);
    return isWhole && own.length > 0 && own.every(({ id }) => done.has(id));
  };
  return { ...before, ...Object.fromEntries(sentDigests(changes, isSent).map((digest) => [digest, revision])) };
}
