import type { Form } from "./define.ts";

const rewritable: ReadonlySet<Form> = new Set<Form>(["text", "markup", "url", "list"]);

/** A service may trim, clean, wrap or re-host these. In any other form another value is another value. */
export function isRewritable(form: Form): boolean {
  return rewritable.has(form);
}
