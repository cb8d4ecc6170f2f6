// Every command that can be typed.
import { completion } from "./usage/completion.ts";
import { schema } from "./usage/schema.ts";
import type { Usage } from "./usage.ts";

export const usages: readonly Usage[] = [schema, completion];
