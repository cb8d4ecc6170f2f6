// A saved plan: whole, unaltered, and made for this service. All of it is checked before anything is read of the service.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Code, type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import type { Shard, State } from "../../model/live.ts";
import { type Change, type Plan, planErrors } from "../../model/plan.ts";
import { isObject, parseJson, pluralize } from "../../model/value.ts";
import { alterationsOf } from "../../plan/alterations.ts";
import { shardFilter } from "../../plan/compare.ts";
import { digestsOf, fingerprintOf, isSignedWith, reviewedDigests } from "../../plan/fingerprint.ts";
import { unreviewedAmong } from "../../plan/judge.ts";
import { type PlanFlags, reviewOf, unreviewedMode } from "../planning/plan-session.ts";
import type { Session } from "../session/open-session.ts";
import { planKeyOf } from "../session/secrets.ts";
import { isOnRunner, version, type World } from "../world.ts";

type PlanFile = Fallible<{ readonly plan: Plan }>;

const again = "Make a new one with `ticketing plan --out FILE`, review it, and apply that.";

export async function readPlanFile(
  world: World,
  { directory, environment, baseUrl }: Session,
  file: string,
): Promise<PlanFile> {
  let text: string;
  try {
    text = await readFile(resolve(directory, file), "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return wrong("plan-unreadable", `The plan file ${file} cannot be read: ${why}.`, "Check the path.");
  }
  const parsed = await parse(text);
  if (typeof parsed === "string") return wrong("plan-unreadable", `${file} ${parsed}.`, again);
  const plan = parsed;
  if (fingerprintOf(plan) !== plan.fingerprint) {
    // A printed plan masks the queries of URLs, and would send them masked.
    const isPrinted = /\?\*\*\*|\/\*\*\*@/.test(text);
    const what = isPrinted ? "was printed, not saved: the URLs in it are masked" : "was altered after it was made";
    return wrong("plan-altered", `${file} ${what}.`, again);
  }
  const unsigned = whyUnsigned(plan, planKeyOf(world));
  if (unsigned !== null) return wrong("plan-altered", `${file} ${unsigned.message}`, unsigned.hint);
  // No person reviews what is applied there: only a signature says who made it.
  if (isOnRunner(world) && plan.signature === undefined) {
    return wrong(
      "plan-unsigned",
      `${file} is not signed, and this is a CI job: anyone who can write the file could decide what is applied.`,
      "Set TICKETING_PLAN_KEY to the same secret in the job that plans and in the job that applies.",
    );
  }
  const target = { environment: environment.name, baseUrl };
  if (trimmed(plan.target.baseUrl) !== trimmed(baseUrl) || plan.target.environment !== target.environment) {
    return wrong(
      "plan-of-another-target",
      `${file} was made for ${describeTarget(plan.target)}, but this run targets ${describeTarget(target)}.`,
      "Choose the environment that the plan was made for with --env.",
    );
  }
  const [alteration] = alterationsOf(plan);
  if (alteration !== undefined) {
    const other =
      plan.tool.version === version ? "" : `It was made by version ${plan.tool.version}, and this is ${version}. `;
    return wrong("plan-altered", `${file} was altered: ${alteration}.`, `${other}${again}`);
  }
  return { ok: true, plan };
}

/** The part that a plan file is of, before the file is checked: the lock depends on it. Left out: all, or it cannot be read. */
export async function shardOfPlanFile(directory: string, file: string): Promise<{ readonly shard?: Shard }> {
  try {
    const { shard }: { readonly shard?: Shard } = JSON.parse(await readFile(resolve(directory, file), "utf8"));
    return typeof shard === "string" && /^\d+\/\d+$/.test(shard) ? { shard } : {};
  } catch {
    return {};
  }
}

function describeTarget({ environment, baseUrl }: { readonly environment: string; readonly baseUrl: string }): string {
  return `${environment} (${baseUrl})`;
}

/** If either the signature or the key is missing, it is unknown who made the plan. */
function whyUnsigned(plan: Plan, planKey: string | null): { readonly message: string; readonly hint: string } | null {
  if (planKey === null) {
    if (plan.signature === undefined) return null;
    return {
      message: "is signed, but TICKETING_PLAN_KEY is not set here, so the signature cannot be checked.",
      hint: "Set TICKETING_PLAN_KEY to the key that the plan was made with.",
    };
  }
  if (plan.signature === undefined) {
    return {
      message: "is not signed, and TICKETING_PLAN_KEY is set: only signed plans are applied here.",
      hint: `Set TICKETING_PLAN_KEY where the plan is made, too. ${again}`,
    };
  }
  if (isSignedWith(plan, planKey)) return null;
  return { message: "is not signed with the key in TICKETING_PLAN_KEY.", hint: again };
}

/** The plan, or what is wrong with the file: text that anyone may have written. */
async function parse(text: string): Promise<Plan | string> {
  const value = parseJson(text);
  if (value === undefined) return "is not a saved plan: it is not JSON";
  const schema = await import("../../plan/plan-schema.ts");
  const [issue] = schema.planSchema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return value as Plan;
  const place = issue.path.map(String).join("/");
  const isOther = place === "formatVersion" && typeof (value as Partial<Plan>).formatVersion === "number";
  if (isOther) return "was made by another version of this program";
  const what = place === "" ? "its fields are not those of a plan" : `\`${place}\` is not valid there`;
  return `is not a saved plan: ${what}`;
}

function trimmed(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, "");
}

function wrong(code: Code, message: string, hint: string): PlanFile {
  return failed(errorOf(code, message, hint));
}

// What was reviewed, and what is held because it was not.

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
  if (!isObject(plan) || plan.formatVersion !== 1 || !areChanges(plan.changes) || !areChanges(plan.held ?? [])) {
    return wrong("is not a plan");
  }
  const made = isObject(plan.target) ? plan.target.environment : undefined;
  if (made !== environment.name) {
    return wrong(`was made for the environment ${String(made)}, and this run is for ${environment.name}`);
  }
  return { ok: true, reviewed: reviewedDigests(plan as unknown as Plan) };
}

function areChanges(value: unknown): value is readonly Change[] {
  return Array.isArray(value) && value.every((each) => isObject(each) && Array.isArray(each.edits));
}

/** Why nothing may be applied: the project wants all or nothing, or a saved plan holds what was not reviewed. */
export function whyHeld(
  plan: Plan,
  flags: PlanFlags & { readonly planFile?: string },
  session: Session,
): Diagnostic | null {
  const review = reviewOf(flags, session);
  const inFile = flags.planFile === undefined || review === null ? [] : unreviewedAmong(plan.changes, review);
  const isStopped = unreviewedMode(flags, session.project) === "stop";
  const held = [...inFile, ...(isStopped ? (plan.held ?? []) : [])];
  if (held.length === 0) return null;
  const addresses = [...new Set(held.map(({ address }) => address))];
  const more = addresses.length > 3 ? ` and ${pluralize(addresses.length - 3, "other")}` : "";
  return errorOf(
    "unreviewed",
    `${pluralize(held.length, "change")} ${held.length === 1 ? "was" : "were"} not reviewed (${addresses.slice(0, 3).join(", ")}${more}).`,
    inFile.length > 0
      ? "A saved plan is applied as a whole. Apply without it, or have a plan reviewed that lists these changes."
      : "Merge a branch whose plan lists them, or write `review: { unreviewed: hold }` in ticketing.yaml to apply the rest.",
  );
}

/** What the next run holds: all that this one has left out, and what it did not look at. */
export function heldAfter(
  plan: Plan,
  { target = [], planFile }: PlanFlags & { readonly planFile?: string },
  { held: before = {} }: Pick<State, "held">,
  now: number,
): State["held"] {
  const sawAll = target.length === 0 && planFile === undefined && planErrors(plan).length === 0;
  const isOwn = shardFilter(plan.shard ?? null);
  const sawWebhooks = plan.compared?.webhooksUnseen !== true;
  const sent = new Set(plan.changes.flatMap(digestsOf));
  const kept = Object.entries(before).filter(([digest, { address }]) => {
    const wasSeen = sawAll && isOwn(address) && (sawWebhooks || !address.startsWith("webhooks/"));
    return !wasSeen && !sent.has(digest);
  });
  const at = new Date(now).toISOString();
  const added = (plan.held ?? []).flatMap((change) =>
    digestsOf(change).map((digest) => {
      const path = change.edits.find((edit) => edit.digest === digest)?.path;
      return [
        digest,
        before[digest] ?? { address: change.address, ...(path === undefined ? {} : { path }), at },
      ] as const;
    }),
  );
  return Object.fromEntries([...kept, ...added]);
}
