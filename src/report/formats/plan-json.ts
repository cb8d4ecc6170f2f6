// The plan as JSON: the same plan gives the same bytes, whatever order its parts were put together in.

import type { Plan } from "../../model/plan.ts";
import { compareText } from "../../model/value.ts";
import { safeJson, wholeJson } from "../text/sanitize.ts";

// The keys that a reader looks for first come first; the others follow in alphabetical order.
const order = [
  "formatVersion",
  "tool",
  "createdAt",
  "target",
  "environment",
  "baseUrl",
  "organization",
  "changes",
  "operations",
  "diagnostics",
  "summary",
  "upcoming",
  "calls",
  "seen",
  "revision",
  "shard",
  "fingerprint",
  "signature",
  "id",
  "address",
  "kind",
  "action",
  "code",
  "severity",
  "verb",
  "method",
  "path",
  "before",
  "after",
  "from",
  "to",
  "body",
  "message",
  "hint",
];
const places = new Map(order.map((key, index) => [key, index]));

/** The plan to print. */
export function renderPlanJson(plan: Plan): string {
  return `${safeJson(inOrder(plan))}\n`;
}

/** The plan to apply later, which sends URLs as they are: the same but for those that carry a query or a user. */
export function renderPlanFile(plan: Plan): string {
  return `${wholeJson(inOrder(plan))}\n`;
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => compareKeys(one, other));
  // Made from entries: a key such as `__proto__` is data like any other.
  return Object.fromEntries(entries.map(([key, inner]) => [key, inOrder(inner)]));
}

function compareKeys(one: string, other: string): number {
  const last = order.length;
  return (places.get(one) ?? last) - (places.get(other) ?? last) || compareText(one, other);
}
