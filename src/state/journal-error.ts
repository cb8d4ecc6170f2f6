import type { Diagnostic } from "../model/diagnostic.ts";

/** What is about to be done could not be written down, so it must not be done. */
export class JournalError extends Error {
  override readonly name = "JournalError";
  readonly diagnostic: Diagnostic;

  constructor(diagnostic: Diagnostic) {
    super(diagnostic.message);
    this.diagnostic = diagnostic;
  }
}
