// Every command that can be typed, in the order that help lists them.
import { apply } from "./usage/apply.ts";
import { completion } from "./usage/completion.ts";
import { importUsage } from "./usage/import.ts";
import { init } from "./usage/init.ts";
import { orders } from "./usage/orders.ts";
import { plan } from "./usage/plan.ts";
import { sandbox } from "./usage/sandbox.ts";
import { schema } from "./usage/schema.ts";
import { state } from "./usage/state.ts";
import { status } from "./usage/status.ts";
import { validate } from "./usage/validate.ts";
import { venues } from "./usage/venues.ts";
import { webhooks } from "./usage/webhooks.ts";
import { whoami } from "./usage/whoami.ts";
import type { Usage } from "./usage.ts";

/** Commands by when somebody needs them, as help lists them. */
export const usageGroups: readonly { readonly heading: string; readonly usages: readonly Usage[] }[] = [
  { heading: "Day one, to begin", usages: [init, importUsage, sandbox, whoami, schema, completion] },
  { heading: "Every day, to change events", usages: [validate, plan, apply, venues] },
  { heading: "Day two, when tickets are on sale", usages: [status, orders, webhooks, state] },
];

export const usages: readonly Usage[] = usageGroups.flatMap((group) => group.usages);

/** Under which heading a command stands in the program's help. */
export function headingOf(usage: Usage): string | undefined {
  return usageGroups.find((group) => group.usages.includes(usage))?.heading;
}
