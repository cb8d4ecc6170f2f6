// A saved plan: whole, unaltered, and made for this service. All of it is checked before anything is read of the service.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Plan } from "../../model/plan.ts";
import { fingerprintOf, isSignedWith } from "../../plan/fingerprint.ts";
import { refusal } from "./refusal.ts";

export type PlanFile =
  | { readonly ok: true; readonly plan: Plan }
  | { readonly ok: false; readonly diagnostic: Diagnostic };

export interface PlanFileQuestion {
  readonly directory: string;
  readonly file: string;
  /** The address that calls would go to. */
  readonly baseUrl: string;
  readonly planKey: string | null;
}

const again = "Make a new one with `ticketing plan --out FILE`, look at it, and apply that.";

export async function readPlanFile(question: PlanFileQuestion): Promise<PlanFile> {
  const { file, planKey } = question;
  let text: string;
  try {
    text = await readFile(resolve(question.directory, file), "utf8");
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return wrong("plan-unreadable", `The plan file ${file} cannot be read: ${why}.`, "Check the path.");
  }
  const plan = parse(text);
  if (plan === null) return wrong("plan-unreadable", `${file} is not a saved plan.`, again);
  if (fingerprintOf(plan) !== plan.fingerprint) {
    return wrong("plan-altered", `${file} was altered after it was made.`, again);
  }
  const doubt = whyUnsigned(plan, planKey);
  if (doubt !== null) return wrong("plan-altered", `${file} ${doubt.message}`, doubt.hint);
  if (trimmed(plan.target.baseUrl) !== trimmed(question.baseUrl)) {
    return wrong(
      "plan-of-another-target",
      `${file} was made for ${plan.target.baseUrl}, and this would go to ${question.baseUrl}.`,
      "Choose the environment that the plan was made for with --env.",
    );
  }
  return { ok: true, plan };
}

/** A signature is there to be checked: where either half is missing, nobody knows who made the plan. */
function whyUnsigned(plan: Plan, planKey: string | null): { readonly message: string; readonly hint: string } | null {
  if (planKey === null) {
    if (plan.signature === undefined) return null;
    return {
      message: "is signed, and TICKETING_PLAN_KEY is not set here: the signature cannot be checked.",
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

function parse(text: string): Plan | null {
  try {
    const value = JSON.parse(text) as Partial<Plan> | null;
    if (typeof value !== "object" || value === null || value.formatVersion !== 1) return null;
    const lists = [value.changes, value.operations, value.diagnostics, value.seen];
    if (!lists.every(Array.isArray) || typeof value.fingerprint !== "string") return null;
    return typeof value.target?.baseUrl === "string" ? (value as Plan) : null;
  } catch {
    return null;
  }
}

function trimmed(baseUrl: string): string {
  return baseUrl.replace(/(?<!\/)\/+$/, "");
}

function wrong(code: string, message: string, hint: string): PlanFile {
  return { ok: false, diagnostic: refusal(code, message, hint) };
}
