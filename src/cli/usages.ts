// Every command that can be typed, in the order that help lists them.
import { completion } from "./usage/completion.ts";
import { plan } from "./usage/plan.ts";
import { sandbox } from "./usage/sandbox.ts";
import { schema } from "./usage/schema.ts";
import { validate } from "./usage/validate.ts";
import type { Usage } from "./usage.ts";

export const usages: readonly Usage[] = [validate, plan, schema, sandbox, completion];
