import type { Diagnostic } from "../model/diagnostic.ts";
import { SandboxError } from "../sandbox/sandbox-error.ts";

/** What a sandbox cannot do, in the form of every other problem; what it did not foresee is thrown on. */
export function sandboxProblem(error: unknown): Diagnostic {
  if (!(error instanceof SandboxError)) throw error;
  return { code: error.code, severity: "error", message: error.sentence, hint: error.hint };
}
