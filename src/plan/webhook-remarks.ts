import type { Diagnostic } from "../model/diagnostic.ts";
import type { Case } from "./case.ts";
import { acceptedRisks } from "./judge.ts";

export interface SecretKeeping {
  readonly secretSink: "file" | "command" | null;
  readonly holdsSecret: (webhookId: string) => boolean | null;
  readonly onRunner: boolean;
}

export function webhookRemarks(cases: readonly Case[], keeping: SecretKeeping): readonly Diagnostic[] {
  return cases
    .flatMap((one) => [...acceptedRisks(one), secretOnThisRunnerOnly(one, keeping), secretNotHeld(one, keeping)])
    .filter((found) => found !== null);
}

function secretOnThisRunnerOnly(one: Case, keeping: SecretKeeping): Diagnostic | null {
  if (
    one.change?.action !== "create" ||
    keeping.secretSink !== "file" ||
    !keeping.onRunner ||
    isSilent(one, "secret-on-this-runner-only")
  )
    return null;
  return at(one, {
    code: "secret-on-this-runner-only",
    severity: "warning",
    message: `The secret of the webhook ${one.name} would be written to a file on this runner and be gone with it.`,
    hint: "Use a command sink in ticketing.yaml (`secrets: { sink: command, command: […] }`), or create the webhook from your own machine.",
  });
}

function secretNotHeld(one: Case, keeping: SecretKeeping): Diagnostic | null {
  if (
    one.live === null ||
    one.wish === null ||
    keeping.holdsSecret(one.live.id) !== false ||
    isSilent(one, "secret-not-held")
  )
    return null;
  return at(one, {
    code: "secret-not-held",
    severity: "info",
    message:
      keeping.secretSink === "command"
        ? `The webhook ${one.name} is live, and nothing shows that the command under \`secrets:\` was ever given its secret.`
        : `The webhook ${one.name} is live, and its secret is not in the place that ticketing.yaml names.`,
    hint: `If its receiver does not have the secret either, \`ticketing webhooks rotate ${one.name}\` makes a new one.`,
  });
}

function isSilent(one: Case, code: string): boolean {
  return one.wish?.own.ignore?.includes(code) === true;
}

function at(one: Case, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, address: one.address, ...(one.wish === null ? {} : { source: one.wish.source }) };
}
