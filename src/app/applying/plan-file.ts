// A saved plan: whole, unaltered, and made for this service. All of it is checked before the service is read.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { howToTarget } from "../../model/address.ts";
import { type Code, errorOf, type Fallible, failed, type ResultOr } from "../../model/diagnostic.ts";
import type { Shard } from "../../model/live.ts";
import type { Plan } from "../../model/plan.ts";
import { parseJson } from "../../model/value.ts";
import { projectFile } from "../../model/wish.ts";
import { alterationsOf } from "../../plan/alterations.ts";
import { fingerprintOf, isSignedWith } from "../../plan/fingerprint.ts";
import { fileProblem } from "../../state/folder.ts";
import type { Session } from "../session/open-session.ts";
import { planKeyOf } from "../session/secret-sink.ts";
import { isOnRunner, version, type World } from "../world.ts";

type PlanFile = Fallible<{ readonly plan: Plan }>;

const again = "Make a new plan with `ticketing plan --out FILE`, review it, and apply that.";

export async function readPlanFile(
  world: World,
  { directory, environment, baseUrl }: Session,
  file: string,
): Promise<PlanFile> {
  let text: string;
  try {
    text = await readFile(resolve(directory, file), "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const { message } = fileProblem(error, "Reading the plan file", file);
    const fix = `Check the path.${/\.json$/.test(file) ? "" : ` ${howToTarget(file)}`}`;
    return wrong("plan-unreadable", isMissing ? `There is no plan file ${file}.` : message, fix);
  }
  const parsed = await parsePlan(text);
  if (!parsed.ok) {
    const isEvent = /\.ya?ml$/i.test(file) && !file.endsWith(projectFile);
    const fix = isEvent ? `${again} ${howToTarget(file)}` : again;
    return wrong("plan-unreadable", `${file} ${parsed.why}.`, fix);
  }
  const { plan } = parsed;
  if (fingerprintOf(plan) !== plan.fingerprint) {
    // A printed plan masks the queries of URLs, and would send them masked.
    const isPrinted = /\?\*\*\*|\/\*\*\*@/.test(text);
    const what = isPrinted ? "was printed, not saved: the URLs in it are masked" : "was altered after it was made";
    return wrong("plan-altered", `${file} ${what}.`, again);
  }
  const unsigned = whyUnsigned(plan, planKeyOf(world));
  if (unsigned !== null) return wrong("plan-altered", `${file} ${unsigned.message}`, unsigned.hint);
  // A plan applied there is not reviewed, so only its signature shows who made it.
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
      plan.tool.version === version
        ? ""
        : `The plan was made by version ${plan.tool.version}; this is version ${version}. `;
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
      hint: "Set TICKETING_PLAN_KEY to the plan-signing key that the plan was made with.",
    };
  }
  if (plan.signature === undefined) {
    return {
      message: "is not signed, and TICKETING_PLAN_KEY is set: only signed plans are applied here.",
      hint: `Set TICKETING_PLAN_KEY where the plan is made, too. ${again}`,
    };
  }
  if (isSignedWith(plan, planKey)) return null;
  return { message: "is not signed with the plan-signing key in TICKETING_PLAN_KEY.", hint: again };
}

type ParsedPlan = ResultOr<{ readonly plan: Plan }, { readonly ok: false; readonly why: string }>;

/** `why`: what is wrong with the file, which anyone may have written. */
async function parsePlan(text: string): Promise<ParsedPlan> {
  const refuse = (why: string) => ({ ok: false, why }) as const;
  const value = parseJson(text);
  if (value === undefined) return refuse("is not a saved plan: it is not JSON");
  const schema = await import("../../plan/plan-schema.ts");
  const [issue] = schema.planSchema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return { ok: true, plan: value as Plan };
  const place = issue.path.map(String).join("/");
  const isOther = place === "formatVersion" && typeof (value as Partial<Plan>).formatVersion === "number";
  if (isOther) return refuse("was made by a different version of `ticketing`");
  const what = place === "" ? "its fields are not those of a plan" : `\`${place}\` is missing or not valid`;
  return refuse(`is not a saved plan: ${what}`);
}

function trimmed(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, "");
}

function wrong(code: Code, message: string, hint: string): PlanFile {
  return failed(errorOf(code, message, hint));
}
