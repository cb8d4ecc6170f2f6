// Whether this key may be used for this project at all: asked before anything else is read.
import { kindOf, kindOfAddress } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import { type Diagnostic, errorOf, warningOf } from "../../model/diagnostic.ts";
import type { Account, State } from "../../model/live.ts";
import type { Operation } from "../../model/plan.ts";
import { dayMs, formatMoment, standardZone } from "../../model/time.ts";
import { pluralize } from "../../model/value.ts";

export function checkAccount(
  account: Account,
  pin: string | null,
  state: State | null,
  now: number,
): readonly Diagnostic[] {
  const { id, slug } = account.organization;
  const wrong = checkOrganization(slug, pin);
  if (wrong !== null && slug === "") return [wrong];
  if (state !== null && state.organization !== null && id === "")
    return [organizationNotShown(`the state was written for "${state.organization.slug}"`)];
  return [wrong, foreignState(account, state), expiry(account, now)].filter((found) => found !== null);
}

/** `slug`: of the organization that the key belongs to; "" if the service does not show it. */
export function checkOrganization(slug: string, pin: string | null): Diagnostic | null {
  if (pin === null || slug === pin) return null;
  if (slug === "") return organizationNotShown(`the project is for "${pin}"`);
  const message = `The API key belongs to the organization "${slug}", but the project is for "${pin}". Nothing further was read.`;
  const hint = "Use the API key of the right organization, or correct `organization` in ticketing.yaml.";
  return errorOf("wrong-organization", message, hint);
}

/** Scopes that reading these kinds needs and the key does not have. */
export function checkReadScopes(
  account: Account,
  kinds: ReadonlySet<KindName>,
  what = "what the files describe",
): readonly Diagnostic[] {
  const needed = new Set([...kinds].map((kind) => kindOf(kind).endpoints.readScope));
  return missingScopes(account, needed).map((scope) =>
    errorOf(
      "scope-missing",
      `The API key${keyNameText(account)} is not allowed to read ${what}: it lacks the scope ${scope}.`,
      `Give the API key the scope ${scope} in the organizer dashboard (Settings, API Keys), or use another API key.`,
    ),
  );
}

/** A read-only key serves pull requests: a missing write scope is a warning here, and an error in apply. */
export function checkWriteScopes(account: Account, operations: readonly Operation[]): readonly Diagnostic[] {
  const needed = new Set(operations.map((operation) => kindOfAddress(operation.address).endpoints.writeScope));
  return missingScopes(account, needed).map((scope) =>
    warningOf(
      "scope-missing",
      `This plan can be shown but not applied with the API key${keyNameText(account)}: it lacks the scope ${scope}.`,
      `Apply it with an API key that has ${scope}.`,
    ),
  );
}

/** Whether the key may read webhooks; true if only trying can show it. */
export function maySeeWebhooks(account: Account): boolean {
  return missingScopes(account, new Set([webhookScope])).length === 0;
}

const webhookScope = kindOf("webhook").endpoints.readScope;

/** What a plan did not read. `asApplied`: state knows the webhooks as the files have them, so an apply leaves nothing undone. */
export function webhooksNotRead(account: Account, asApplied: boolean): Diagnostic {
  const fact = `Webhooks were not read: the API key${keyNameText(account)} lacks the scope ${webhookScope}. Everything else is planned.`;
  if (asApplied) {
    return warningOf(
      "webhooks-not-read",
      `${fact} According to state, they match the files.`,
      `To compare them with what is live, plan with an API key that has ${webhookScope}.`,
    );
  }
  const apply = `Apply with an API key that has ${webhookScope}`;
  const hint = `${apply}, or leave webhooks out with --target 'events/*'.`;
  return { ...warningOf("scope-missing", fact, hint), plainHint: `${apply}.` };
}

function missingScopes(account: Account, needed: ReadonlySet<string>): readonly string[] {
  return account.scopes === null ? [] : [...needed].filter((scope) => !account.scopes?.includes(scope)).sort();
}

function keyNameText(account: Account): string {
  return account.keyName === null ? "" : ` "${account.keyName}"`;
}

function organizationNotShown(but: string): Diagnostic {
  const message = `The service did not say which organization the API key belongs to, but ${but}. Nothing further was read.`;
  const hint =
    "Check that baseUrl names the ticketing service, version 1 (it ends in /open-api/v1). If it does, report its response to GET /me to the service's support.";
  return errorOf("wrong-organization", message, hint);
}

const howTo = "`ticketing explain state-of-another-organization` says how for each backend";

function foreignState(account: Account, state: State | null): Diagnostic | null {
  if (state === null || state.organization === null || state.organization.id === account.organization.id) return null;
  const { slug } = state.organization;
  // A sandbox that was reset is another organization of the same name.
  const isReset = slug === account.organization.slug;
  return errorOf(
    "state-of-another-organization",
    isReset
      ? `The state belongs to an organization "${slug}" with the id ${state.organization.id}, but the organization of the API key has the id ${account.organization.id}: was the sandbox reset?`
      : `The state was written for the organization "${slug}", but the API key belongs to "${account.organization.slug}".`,
    isReset
      ? `Start over without that state: ${howTo}. Live events are then matched by name and start.`
      : `Use the API key of "${slug}", or a different environment name for the other organization; or start over without this state: ${howTo}.`,
  );
}

function expiry(account: Account, now: number): Diagnostic | null {
  const until = account.expiresAt === null ? Number.NaN : Date.parse(account.expiresAt);
  if (Number.isNaN(until) || until > now + 14 * dayMs) return null;
  const moment = formatMoment(account.expiresAt ?? "", standardZone);
  const hint = "Create a new API key in the organizer dashboard (Settings, API Keys) and store it where this one is.";
  if (until <= now) return errorOf("key-expired", `The API key${keyNameText(account)} expired on ${moment}.`, hint);
  const days = Math.floor((until - now) / dayMs);
  return warningOf(
    "key-expires-soon",
    `The API key${keyNameText(account)} expires in ${days === 0 ? "less than a day" : pluralize(days, "day")}, on ${moment}.`,
    hint,
  );
}
