import type { RotationEnd } from "../../apply/secrets.ts";
import type { OutcomeError } from "../../model/plan.ts";
import type { RotationReport } from "../../report/lists.ts";
import type { RotateOutcome } from "./rotate-session.ts";

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
  const shown = plain(error, again);
  return {
    ...nothing(url),
    result: result === "unsure" ? "unsure" : "failed",
    error: { ...shown, hint: `The webhook that was to be replaced is unchanged. ${shown.hint ?? ""}`.trim() },
  };
}

function reportEnd(url: string, made: string, end: RotationEnd, secret: string, again: string): RotationReport {
  switch (end.end) {
    case "finished":
      return {
        ...nothing(url),
        webhook: made,
        removed: end.removed,
        tested: end.tested || null,
        secret,
        result: "done",
      };
    case "void":
      return {
        ...nothing(url),
        result: "failed",
        error: {
          code: "webhook-gone",
          message: `The webhook that was made to replace it (${made}) no longer exists.`,
          hint: `\`${again}\` makes another.`,
        },
      };
    case "untested":
    case "open": {
      const waits = end.end === "untested";
      const hint = waits
        ? `Give its receiver the new secret, then run \`${again}\` again: it tests the webhook and removes the former one. With --untested the former one is removed without a test.`
        : `Run \`${again}\` again to continue.`;
      return {
        ...nothing(url),
        webhook: made,
        tested: waits ? false : null,
        secret,
        result: waits ? "waiting" : "unsure",
        error: { ...plain(end.error, again), hint },
      };
    }
  }
}

function nothing(url: string): RotationReport {
  return {
    formatVersion: 1,
    url,
    webhook: null,
    removed: [],
    tested: null,
    secret: null,
    result: "done",
    error: null,
  };
}

/** The error of an apply, where `ticketing apply` is this command. */
function plain({ code, message, requestId, hint }: OutcomeError, again: string): NonNullable<RotationReport["error"]> {
  return {
    code,
    message: requestId === null ? message : `${message} (request ${requestId})`,
    hint: hint?.replaceAll("`ticketing apply`", `\`${again}\``) ?? null,
  };
}
