// Every command that can be typed, in the order that help lists them.

import {
  completion,
  copyUsage,
  explainUsage,
  fmt,
  importUsage,
  init,
  preview,
  schema,
  show,
  upcoming,
} from "./usage/files.ts";
import { sandbox, state } from "./usage/local.ts";
import { orders, status, venues, webhooks, whoami } from "./usage/operate.ts";
import { apply, ci, plan, validate } from "./usage/plan-and-apply.ts";
import type { Usage } from "./usage/usage.ts";

/** Commands by when somebody needs them, as help lists them. */
export const usageGroups: readonly { readonly heading: string; readonly usages: readonly Usage[] }[] = [
  { heading: "Get started", usages: [init, importUsage, sandbox, whoami, schema, completion] },
  { heading: "Change events", usages: [validate, fmt, preview, plan, apply, explainUsage, show, copyUsage, venues] },
  { heading: "In CI", usages: [ci] },
  { heading: "Operate", usages: [status, upcoming, orders, webhooks, state] },
];

export const usages: readonly Usage[] = usageGroups.flatMap((group) => group.usages);

export function headingOf(usage: Usage): string | undefined {
  return usageGroups.find((group) => group.usages.includes(usage))?.heading;
}
