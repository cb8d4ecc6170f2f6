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

export const usages: readonly Usage[] = [
  init,
  validate,
  plan,
  apply,
  importUsage,
  status,
  orders,
  venues,
  webhooks,
  whoami,
  state,
  schema,
  sandbox,
  completion,
];
