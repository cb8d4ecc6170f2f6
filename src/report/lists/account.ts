// Whose key this is, what it may do and for how long, and how many calls it has left.
import { dayMs, formatMoment, standardZone } from "../../model/time.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { safeLine } from "../text/sanitize.ts";
import { targetLine } from "../text/terminal-text.ts";

export interface AccountView {
  readonly formatVersion: 1;
  readonly target: { readonly environment: string; readonly baseUrl: string };
  readonly organization: { readonly id: string | null; readonly name: string | null; readonly slug: string | null };
  readonly apiKey: {
    readonly id: string | null;
    readonly name: string | null;
    /** null: the service does not show them. */
    readonly scopes: readonly string[] | null;
    readonly missingScopes: readonly { readonly scope: string; readonly disables: string }[];
    readonly createdAt: string | null;
    readonly lastUsedAt: string | null;
    readonly expiresAt: string | null;
    /** unknown: the service shows none, or nothing that can be read as a time. */
    readonly expiry: "never" | "later" | "soon" | "past" | "unknown";
  };
  readonly limits: { readonly tier: string | null; readonly windows: readonly WindowView[] };
}

interface WindowView {
  readonly span: string;
  readonly limit: number;
  readonly left: number;
  /** By the service itself. */
  readonly shown: boolean;
  readonly resetsInSeconds: number | null;
}

export function accountLines(account: AccountView, now: number): readonly string[] {
  const { target, organization, apiKey, limits } = account;
  const slug = organization.slug === null ? "" : ` (${organization.slug})`;
  return [
    targetLine(target.environment, target.baseUrl),
    `Organization: ${organization.name ?? organization.slug ?? notShown}${organization.name === null ? "" : slug}`,
    `Key: ${describeKey(apiKey)}`,
    `Expires: ${describeExpiry(apiKey, now)}`,
    ...(apiKey.lastUsedAt === null ? [] : [`Last used: ${formatMoment(apiKey.lastUsedAt, standardZone)}`]),
    `Scopes: ${apiKey.scopes === null ? notShown : apiKey.scopes.join(", ") || "none"}`,
    ...apiKey.missingScopes.map(({ scope, disables }) => `Missing scope ${scope}: needed for ${disables}.`),
    ...limitLines(limits),
  ].map(safeLine);
}

const notShown = "not shown by the service";

function describeKey({ id, name }: AccountView["apiKey"]): string {
  if (name === null && id === null) return notShown;
  return `${name ?? "unnamed"}${id === null ? "" : `, id ${id}`}`;
}

function describeExpiry({ expiresAt, expiry }: AccountView["apiKey"], now: number): string {
  if (expiry === "never") return "never";
  if (expiresAt === null) return notShown;
  if (expiry === "unknown") return `${expiresAt} (not a readable time)`;
  const moment = formatMoment(expiresAt, standardZone);
  const days = Math.floor(Math.abs(Date.parse(expiresAt) - now) / dayMs);
  const distance = days === 0 ? "less than a day" : pluralize(days, "day");
  const renew = "Create a new API key in the organizer dashboard (Settings, API Keys).";
  if (expiry === "past") return `${moment}: expired ${distance} ago. ${renew}`;
  return expiry === "soon" ? `${moment}: expires in ${distance}. ${renew}` : `${moment}, in ${distance}`;
}

function limitLines({ tier, windows }: AccountView["limits"]): readonly string[] {
  if (windows.length === 0) return ["Rate limit: not shown by the service"];
  return windows.map(
    (window) => `Rate limit per ${window.span}${tier === null ? "" : ` (${tier} tier)`}: ${describeWindow(window)}`,
  );
}

function describeWindow({ limit, left, shown, resetsInSeconds }: WindowView): string {
  const turns = resetsInSeconds === null ? "" : `, resets in ${formatCount(resetsInSeconds)} s`;
  return `${shown ? "" : "about "}${formatCount(left)} of ${formatCount(limit)} calls left${turns}`;
}
