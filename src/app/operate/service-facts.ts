// What the service says apart from events: whose key this is, what it may do and for how long; and which venues exist.
import type { Diagnostic } from "../../model/diagnostic.ts";
import { dayMs } from "../../model/time.ts";
import { asObject, comparableText, compareText } from "../../model/value.ts";
import { checkOrganization } from "../../plan/judge.ts";
import type { AccountView, VenueView } from "../../report/lists.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Limits } from "../../service/pace.ts";
import type { Problem } from "../../service/problem.ts";
import type { Me } from "../../service/records.ts";
import { explainProblem, reportProblems } from "../session/report-problems.ts";
import { type TargetOptions, withTarget } from "../session/target.ts";
import type { World } from "../world.ts";
import { withService } from "./project-wishes.ts";

/** `target`: which service was asked; `refused`: why every other command would not use this key for the project. */
export type AccountRead =
  | { readonly ok: true; readonly account: AccountView; readonly refused: Diagnostic | null }
  | { readonly ok: false; readonly target: AccountView["target"]; readonly problem: Problem };

/** For the environment that flags, variables and the project file name. `show` returns the exit code. */
export async function viewOwnAccount(world: World, options: TargetOptions, show: (read: AccountRead) => number) {
  return withTarget(world, options, async ({ client, environment, baseUrl }) => {
    const target = { environment: environment.name, baseUrl: environment.baseUrl === null ? "embedded" : baseUrl };
    return show(await readOwnAccount(client, target, environment.organization, () => world.now()));
  });
}

export async function readOwnAccount(
  client: TicketingClient,
  target: AccountView["target"],
  pin: string | null,
  now: () => number,
): Promise<AccountRead> {
  const result = await client.me();
  if (!result.ok) return { ok: false, target, problem: result.problem };
  const account = viewAccount(target, result.data, client.limits, now());
  return { ok: true, account, refused: checkOrganization(account.organization.slug ?? "", pin) };
}

const soon = 14 * dayMs;
const disabledWithout: Readonly<Record<string, string>> = {
  "events:read": "plan, apply, import, status and venues search",
  "events:write": "applying changes to events, performers, schedules or brands",
  "tickets:read": "reading ticket types, as plan, apply, import and status do",
  "tickets:write": "applying changes to ticket types",
  "orders:read":
    "orders, revenue in status, and changes that depend on sales (some services grant it without listing it)",
  "webhooks:manage": "webhooks, and for planning and applying webhooks.yaml",
};

function viewAccount(
  target: AccountView["target"],
  { apiKey, organization }: Me,
  limits: Limits,
  now: number,
): AccountView {
  // null: the service does not show them.
  const scopes = Array.isArray(apiKey.scopes)
    ? apiKey.scopes.filter((scope): scope is string => typeof scope === "string")
    : null;
  const missing = Object.entries(disabledWithout).filter(([scope]) => scopes?.includes(scope) === false);
  return {
    formatVersion: 1,
    target,
    organization: {
      id: textOrNull(organization.id),
      name: textOrNull(organization.name),
      slug: textOrNull(organization.slug),
    },
    apiKey: {
      id: textOrNull(apiKey.id),
      name: textOrNull(apiKey.name),
      scopes,
      missingScopes: missing.map(([scope, disables]) => ({ scope, disables })),
      createdAt: textOrNull(apiKey.createdAt),
      lastUsedAt: textOrNull(apiKey.lastUsedAt),
      expiresAt: textOrNull(apiKey.expiresAt),
      expiry: judgeExpiry(apiKey.expiresAt, now),
    },
    limits,
  };
}

/** unknown: the service shows none, or nothing that can be read as a time. */
function judgeExpiry(expiresAt: unknown, now: number): AccountView["apiKey"]["expiry"] {
  if (expiresAt === null) return "never";
  const until = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(until)) return "unknown";
  if (until <= now) return "past";
  return until <= now + soon ? "soon" : "later";
}

export interface VenuesRequest extends TargetOptions {
  readonly text: string;
  readonly city?: string;
}

/** `found`: all whose name matches; `venues`: those in the city, in order. */
type FoundVenues = { readonly venues: readonly VenueView[]; readonly found: readonly VenueView[] };

export async function findVenuesByName(world: World, request: VenuesRequest, show: (found: FoundVenues) => number) {
  const { format, text: query, city = null } = request;
  return withService(world, request, { scope: "events:read" }, async ({ target }) => {
    const result = await target.client.listAll("/venues/search", { query }, { sized: true });
    if (!result.ok) {
      if (world.interrupted.aborted) return 1;
      return reportProblems(world, format, [explainProblem(result.problem, "events:read")]);
    }
    const found = result.data.flatMap((record) => viewVenue(record) ?? []);
    return show({ venues: found.filter((venue) => isIn(venue, city)).sort(byNameAndCity), found });
  });
}

/** "Quezon" finds Quezon City. */
function isIn(venue: VenueView, city: string | null): boolean {
  return city === null || comparableText(venue.city ?? "").includes(comparableText(city));
}

function byNameAndCity(one: VenueView, other: VenueView): number {
  const rank = ({ name, city, id }: VenueView) => `${name} ${city} ${id}`.toLowerCase();
  return compareText(rank(one), rank(other));
}

function viewVenue(shown: unknown): VenueView | null {
  const record = asObject(shown);
  if (typeof record.id !== "string") return null;
  return {
    id: record.id,
    name: textOrNull(record.name),
    address1: textOrNull(record.address1),
    city: textOrNull(record.city),
    state: textOrNull(record.state),
    country: textOrNull(record.country),
    latitude: numberOrNull(record.latitude),
    longitude: numberOrNull(record.longitude),
  };
}

function textOrNull(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === "number" ? value : null;
}
