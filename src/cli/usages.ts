// Every command that can be typed, in the order that help lists them.
import { apply } from "./usage/apply.ts";
import { completion } from "./usage/completion.ts";
import { plan } from "./usage/plan.ts";
import { sandbox } from "./usage/sandbox.ts";
import { schema } from "./usage/schema.ts";
import { state } from "./usage/state.ts";
import { validate } from "./usage/validate.ts";
import { whoami } from "./usage/whoami.ts";
import type { Usage } from "./usage.ts";

export const usages: readonly Usage[] = [validate, plan, apply, whoami, state, schema, sandbox, completion];
