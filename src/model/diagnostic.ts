import type { Address } from "./address.ts";
import type { Source } from "./source.ts";

/** An error blocks; a warning is shown; info of `validate` is shown with --verbose, info of `plan` (a notice) always. */
export type Severity = "error" | "warning" | "info";

/** A problem or a remark: where, what is wrong in one sentence, what to do. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly address?: Address;
  readonly source?: Source;
  /** Further places that belong to the problem, such as the first of two twins. */
  readonly related?: readonly { readonly message: string; readonly source: Source }[];
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}
