import { rules } from "../model/rules.ts";

/** Every code that `ignore` can name: those on the page of rules. */
export const ruleCodes: readonly string[] = Object.keys(rules);
