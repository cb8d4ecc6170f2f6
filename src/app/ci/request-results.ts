// The result in the comment of each pull request that one run has applied: what the run did, and what is left of that pull request.
import { rootOf } from "../../model/address.ts";
import { type Change, isFullyApplied, type Outcome, type Plan } from "../../model/plan.ts";
import type { wishesByAddress } from "../../model/wish.ts";
import { digestsOf, eventDigests, partsWithin, reviewedOf, reviewedPlace } from "../../plan/judge.ts";
import { resultIn } from "../../report/comment.ts";
import type { Applied } from "../applying/apply-session.ts";
import type { ReviewedRequest } from "./find-reviews.ts";

/** `listed`: of the changes in its comment, those that belong to it. */
export interface OwningRequest extends ReviewedRequest {
  readonly listed: ReadonlySet<string>;
}

/** A change belongs to the first merge that lists it; if it was reverted since, to the one that made it again. */
export function withOwn(
  requests: readonly ReviewedRequest[],
  { changes }: Plan,
  document: ReturnType<typeof wishesByAddress>,
): readonly OwningRequest[] {
  const owners = new Map<string, ReviewedRequest>();
  const firstOf = (digest: string) => requests.find(({ digests }) => digests.has(digest));
  for (const change of changes)
    for (const { digest, path } of partsWithin(change)) {
      const counts = (one: ReviewedRequest) =>
        reviewedOf(reviewedPlace(change), { reviewed: [one], document }, path).has(digest);
      const owner = requests.find(counts);
      if (owner !== undefined) owners.set(digest, owner);
    }
  const isOwn = (request: ReviewedRequest) => (digest: string) => (owners.get(digest) ?? firstOf(digest)) === request;
  return requests.map((request) => ({ ...request, listed: new Set([...request.digests].filter(isOwn(request))) }));
}

type IsListed = (change: Change) => boolean;

/** The result without what is left of other pull requests, whose own comments say it. */
export function resultOn(
  request: OwningRequest,
  all: readonly OwningRequest[],
  applied: Applied,
): Applied & { readonly elsewhere?: boolean; readonly doneElsewhere?: number } {
  const { report, refusal, problem, notes } = applied;
  if (refusal !== null) return applied;
  const { plan } = report;
  const others = new Set(all.flatMap((each) => (each === request ? [] : [...each.listed])));
  const isTheirs = isListedIn(plan, others, (digests) => digests.length > 0 && digests.every((one) => others.has(one)));
  const isChange = isOfChange(plan, isTheirs);
  const outcomes = report.outcomes.filter((outcome) => !isChange(outcome));
  const count = (result: Outcome["result"]) => outcomes.filter((outcome) => outcome.result === result).length;
  const changes = plan.changes.filter((each) => each.blockedBy.length === 0 || !isTheirs(each));
  const isElsewhere = ({ source }: Change) =>
    source !== null && !request.files.has(source.file) && all.some(({ files }) => files.has(source.file));
  const held = (plan.held ?? []).filter((change) => !isElsewhere(change));
  const own = {
    ...report,
    plan: { ...plan, changes, held },
    outcomes,
    summary: { done: count("done"), failed: count("failed"), skipped: count("skipped"), unsure: count("unsure") },
  };
  const isDone = !isFullyApplied(report) && isFullyApplied(own) && problem === null;
  const open = new Set(report.outcomes.flatMap(({ operation, result }) => (result === "done" ? [] : operation)));
  const left = new Set(plan.operations.flatMap(({ id, because }) => (open.has(id) ? because : [])));
  const isLeft = (change: Change) => isTheirs(change) && (change.blockedBy.length > 0 || left.has(change.address));
  const elsewhere = plan.changes.some(isLeft) || held.length !== (plan.held ?? []).length;
  const succeeded = applied.succeeded || (isDone && !notes.some(isUnverified));
  const { digests } = request;
  const isListed = isListedIn(plan, digests, (those) => those.some((one) => digests.has(one)));
  const isShared = isOfChange(plan, isListed);
  const doneElsewhere = report.outcomes.filter((one) => one.result === "done" && isChange(one) && isShared(one)).length;
  return { ...applied, report: own, succeeded, elsewhere, doneElsewhere };
}

/** Whether the run has something to say there. If it worked only for other pull requests, the result of an earlier run stays. */
export function isNewsOn(
  request: OwningRequest,
  all: readonly OwningRequest[],
  applied: Applied,
  isPart: boolean,
): boolean {
  const before = request.comment === null ? "none" : resultIn(request.comment.body);
  if (before === "none" && !isPart) return true;
  const { report, refusal } = applied;
  if (refusal !== null) return false;
  const { listed } = request;
  const isOwn = isListedIn(report.plan, listed, (digests) => digests.some((one) => listed.has(one)));
  const isTouched = report.outcomes.some(
    (outcome) => outcome.result !== "skipped" && isOfChange(report.plan, isOwn)(outcome),
  );
  return isTouched || (before === "open" && isFullyApplied(resultOn(request, all, applied).report));
}

/** Whether a change is listed: its whole event, or as much of it as `areListed` asks for. */
function isListedIn(
  { changes }: Plan,
  listed: ReadonlySet<string>,
  areListed: (digests: readonly string[]) => boolean,
): IsListed {
  const ofEvents = eventDigests(changes);
  return (change) => listed.has(ofEvents.get(rootOf(change.address)) ?? "") || areListed(digestsOf(change));
}

function isOfChange({ operations, changes }: Plan, isListed: IsListed): (outcome: Outcome) => boolean {
  const listed = new Set(changes.filter(isListed).map(({ address }) => address));
  const causes = new Map(operations.map(({ id, because }) => [id, because]));
  return ({ operation }) => listed.has(causes.get(operation) ?? "");
}

/** The service does not show what was sent. */
function isUnverified({ code }: Applied["notes"][number]): boolean {
  return code === "verify";
}
