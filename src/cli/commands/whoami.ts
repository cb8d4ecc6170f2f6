// Whose key this is, what it may do and for how long, and how many calls it has left.
import { problemDiagnostic, reportProblems, type TargetOptions, withTarget, writeLines } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { dayMs, formatMoment, standardZone } from "../../model/time.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { safeJson, safeLine, targetLine } from "../../report/text.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { Limits, WindowLimit } from "../../service/pace.ts";
import type { Problem } from "../../service/problem.ts";
import type { Me } from "../../service/records.ts";

export interface WhoamiOptions {
  readonly client: TicketingClient;
  readonly target: { readonly environment: string; readonly baseUrl: string };
  readonly format: "text" | "json";
}

/** As it is typed: of the environment that flags, variables and the project file name. */
export async function runTargetWhoami(world: World, options: TargetOptions & { readonly format: "text" | "json" }) {
  return withTarget(world, options, ({ client, environment, baseUrl }) =>
    runWhoami(world, {
      client,
      target: { environment: environment.name, baseUrl: environment.baseUrl === null ? "embedded" : baseUrl },
      format: options.format,
    }),
  );
}

type AccountView = ReturnType<typeof viewAccount>;

const soon = 14 * dayMs;
const disabledWithout: Readonly<Record<string, string>> = {
  "events:read": "plan, apply, import, status and venues search",
  "events:write": "apply, where it touches events, performers, schedules or brands",
  "tickets:read": "plan, apply, import and status, where they read ticket types",
  "tickets:write": "apply, where it touches ticket types",
  "orders:read":
    "orders, revenue in status, and changes that depend on sales (some services grant it without listing it)",
  "webhooks:manage": "webhooks, and plan and apply of webhooks.yaml",
};

export async function runWhoami(world: World, { client, target, format }: WhoamiOptions): Promise<number> {
  const result = await client.me();
  if (!result.ok) {
    reportProblem(world, target, format, result.problem);
    return 1;
  }
  const account = viewAccount(target, result.data, client.limits, world.now());
  if (format === "json") {
    writeLines(world.stderr, [safeLine(targetLine(target.environment, target.baseUrl))]);
    world.stdout.write(`${safeJson(account)}\n`);
  } else writeLines(world.stdout, accountLines(account, world.now()));
  return account.apiKey.expiry === "past" ? 1 : 0;
}

function viewAccount(target: WhoamiOptions["target"], { apiKey, organization }: Me, limits: Limits, now: number) {
  // null: the service does not show them.
  const scopes = Array.isArray(apiKey.scopes)
    ? apiKey.scopes.filter((scope): scope is string => typeof scope === "string")
    : null;
  const missing = Object.entries(disabledWithout).filter(([scope]) => scopes?.includes(scope) === false);
  return {
    formatVersion: 1,
    target,
    organization: {
      id: nonEmptyText(organization.id),
      name: nonEmptyText(organization.name),
      slug: nonEmptyText(organization.slug),
    },
    apiKey: {
      id: nonEmptyText(apiKey.id),
      name: nonEmptyText(apiKey.name),
      scopes,
      missingScopes: missing.map(([scope, disables]) => ({ scope, disables })),
      createdAt: nonEmptyText(apiKey.createdAt),
      lastUsedAt: nonEmptyText(apiKey.lastUsedAt),
      expiresAt: nonEmptyText(apiKey.expiresAt),
      expiry: judgeExpiry(apiKey.expiresAt, now),
    },
    limits,
  };
}

/** unknown: the service shows none, or nothing that can be read as a time. */
function judgeExpiry(expiresAt: unknown, now: number): "never" | "later" | "soon" | "past" | "unknown" {
  if (expiresAt === null) return "never";
  const until = typeof expiresAt === "string" ? Date.parse(expiresAt) : Number.NaN;
  if (Number.isNaN(until)) return "unknown";
  if (until <= now) return "past";
  return until <= now + soon ? "soon" : "later";
}

function accountLines(account: AccountView, now: number): readonly string[] {
  const { target, organization, apiKey, limits } = account;
  const slug = organization.slug === null ? "" : ` (${organization.slug})`;
  return [
    targetLine(target.environment, target.baseUrl),
    `Organization: ${organization.name ?? organization.slug ?? notShown}${organization.name === null ? "" : slug}`,
    `Key: ${describeKey(apiKey)}`,
    `Expires: ${describeExpiry(apiKey, now)}`,
    ...(apiKey.lastUsedAt === null ? [] : [`Last used: ${formatMoment(apiKey.lastUsedAt, standardZone)}`]),
    `Scopes: ${apiKey.scopes === null ? notShown : apiKey.scopes.join(", ") || "none"}`,
    ...apiKey.missingScopes.map(({ scope, disables }) => `Missing scope ${scope}, needed for ${disables}.`),
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
  const renew = "Create a new key in the organizer dashboard (Settings, API Keys).";
  if (expiry === "past") return `${moment}: expired ${distance} ago. ${renew}`;
  return expiry === "soon" ? `${moment}: expires in ${distance}. ${renew}` : `${moment}, in ${distance}`;
}

function limitLines({ tier, windows }: Limits): readonly string[] {
  if (windows.length === 0) return ["Rate limit: not shown by the service"];
  return windows.map(
    (window) => `Rate limit per ${window.span}${tier === null ? "" : ` (${tier} tier)`}: ${describeWindow(window)}`,
  );
}

function describeWindow({ limit, left, shown, resetsInSeconds }: WindowLimit): string {
  const turns = resetsInSeconds === null ? "" : `, resets in ${formatCount(resetsInSeconds)} s`;
  return `${shown ? "" : "about "}${formatCount(left)} of ${formatCount(limit)} calls left${turns}`;
}

function reportProblem(world: World, target: WhoamiOptions["target"], format: "text" | "json", problem: Problem): void {
  const diagnostics = [problemDiagnostic(problem)];
  if (format === "json") {
    const { code, message, hint, requestId, status } = problem;
    const error = { code, message, hint, requestId, status };
    world.stdout.write(`${safeJson({ formatVersion: 1, ok: false, target, error, diagnostics })}\n`);
  }
  writeLines(world.stderr, [safeLine(targetLine(target.environment, target.baseUrl))]);
  reportProblems(world, "text", diagnostics);
}

function nonEmptyText(value: unknown): string | null {
  return typeof value === "string" && value !== "" ? value : null;
}
