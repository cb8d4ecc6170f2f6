// How problems become the result of an operation, and what is reported to people.

import type { Kind } from "../../kinds/define.ts";
import type { Address } from "../../model/address.ts";
import type { AnyCode, Code } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { OutcomeError } from "../../model/plan.ts";
import { asSentence, maskUrls, sentenceCase } from "../../model/value.ts";
import { attributed, describeDetails, type OwnCode, type Problem } from "../../service/problem.ts";
import type { FieldValues } from "../journal/journal-entry.ts";
import { formOf, sameReading } from "./compare-live.ts";
import { endedWith, type OperationResult, type Run } from "./run-context.ts";

export function outcomeError(problem: Problem, message = problem.message): OutcomeError {
  const details = describeDetails(problem);
  return {
    code: problem.code,
    message: details.length === 0 ? message : `${message} (${details.join("; ")})`,
    hint: problem.hint,
    requestId: problem.requestId,
    status: problem.status,
  };
}

/** Nothing was done: it was refused, or never sent. */
export function notDone(problem: Problem): OperationResult {
  const about = problem.details.map((each) => each.field);
  return { result: stoppedBefore.has(problem.code) ? "skipped" : "failed", error: outcomeError(problem), about };
}

/** Not refused: the run ended before it was sent. */
const stoppedBefore: ReadonlySet<string> = new Set<OwnCode>(["interrupted", "lock-lost", "rate-limited-too-long"]);

export function unsure(problem: Problem, message: string, code: AnyCode = problem.code): OperationResult {
  const { status, hint } = problem;
  // After a redirect or a response that is not JSON, running again would end the same way.
  const lasts = status !== null && status < 500 && hint !== null && hint !== recheckHint;
  return {
    result: "unsure",
    error: {
      ...outcomeError(problem, `${message} ${attributed(problem)}`),
      code,
      hint: lasts ? `${hint} ${recheckHint}` : recheckHint,
    },
  };
}

/** A change that was sent `times` times, the last time with this problem. */
export function stillUnchanged(times: number, problem: Problem): OperationResult {
  const message = `The call was sent ${times} times, but the service does not show the change.`;
  return unsure(problem, message, "not-confirmed");
}

export function joinHints(...hints: readonly (string | null)[]): string {
  return hints.flatMap((hint) => (hint === null ? [] : asSentence(hint))).join(" ");
}

export const recheckHint = "Run the command again: it checks first and does only what is still missing.";

/** Now, by the service's clock if it shows it, else by ours. */
export function serviceTime(run: Run): string {
  return (run.service.serverDate ?? new Date(run.clock.now())).toISOString();
}

export function reportRecovery(run: Run, address: Address, what: string): void {
  reportNotice(run, "recovered", address, `${sentenceCase(run.called(address))} ${what}.`);
}

export function reportNotice(run: Run, code: Code, address: Address, message: string, hint?: string): void {
  run.note({ code, severity: "info", message, address, ...(hint === undefined ? {} : { hint }) });
}

export function reportWarning(run: Run, code: Code, address: Address, message: string, hint: string): void {
  run.note({ code, severity: "warning", message, hint, address });
}

/** The service accepted a number, a time, a flag or a choice and shows another one. */
export function failWrongValue(run: Run, address: Address, sent: FieldValues, wrong: FieldValues): OperationResult {
  const message = `${sentenceCase(run.called(address))} is not as it should be: ${describeWrong(sent, wrong)}.`;
  const hint =
    "Somebody else may have changed it, or the service has its own rule for this value: check it in the dashboard, then run `ticketing plan`.";
  return endedWith("failed", "verify", message, hint);
}

export const publishAgain =
  "Run `ticketing apply` again: if the file says `status: PUBLISHED`, that publishes the event. Otherwise, publish it in the dashboard.";

export function describeWithdrawn({ status }: Live): string {
  return `is ${status} now and no longer on the marketplace, but was PUBLISHED before it was changed`;
}

/** The change was accepted, and the event is no longer public. */
export function failWithdrawn(run: Run, address: Address, live: Live): OperationResult {
  const message = `${sentenceCase(run.called(address))} ${describeWithdrawn(live)}.`;
  return endedWith("failed", "verify", message, publishAgain);
}

export function describeWrong(sent: FieldValues, wrong: FieldValues): string {
  const quote = (value: FieldValues[string] | undefined) => JSON.stringify(value ?? null);
  return Object.entries(wrong)
    .map(([field, shown]) => `\`${field}\` is ${quote(shown)}, but should be ${quote(sent[field])}`)
    .join(", ");
}

const remembered = "This is remembered, and the value is not sent again.";
const forgotten =
  "Without state this is not remembered, so the next run may send the value again: write it in the file as the service keeps it, or set `state:` in ticketing.yaml.";

/** Reported once: from then on the service's form counts as equal. */
export function reportNormalized(
  run: Run,
  kind: Kind,
  address: Address,
  sent: FieldValues,
  returned: FieldValues,
): void {
  for (const [field, shown] of Object.entries(returned)) {
    const wished = sent[field] ?? null;
    // Markup around the same words, or another host for the same picture, is left to the service.
    if (sameReading(formOf(kind, field), wished, shown)) continue;
    // A difference only in what is masked cannot be shown.
    if (maskUrls(JSON.stringify(shown)) === maskUrls(JSON.stringify(wished))) continue;
    const message = `${sentenceCase(run.called(address))}: the service keeps \`${field}\` as ${JSON.stringify(shown)}; ${wished === null ? "it was left empty" : `${JSON.stringify(wished)} was sent`}.`;
    reportNotice(run, "normalized", address, message, run.unremembered ? forgotten : remembered);
  }
}
