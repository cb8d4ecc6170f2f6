// How the sandbox says no: thrown inside a handler, turned into the error envelope in one place.
import type { Profile } from "../profile/knobs.ts";

export interface FieldProblem {
  readonly field: string;
  readonly message: string;
}

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly status: number;
  readonly code: string;
  readonly hint: string;
  readonly details: readonly FieldProblem[] | undefined;

  constructor(status: number, code: string, message: string, hint: string, details?: readonly FieldProblem[]) {
    super(message);
    this.status = status;
    this.code = code;
    this.hint = hint;
    this.details = details;
  }
}

export function notFound(label: string, id: string): Refusal {
  const hint = `Check the ${label.toLowerCase()} id, and that it belongs to the organization of this API key.`;
  return new Refusal(404, "NOT_FOUND", `${label} ${id} was not found.`, hint);
}

/** Throws where there is any problem. */
export function requireValid(problems: readonly FieldProblem[]): void {
  if (problems.length === 0) return;
  const fields = [...new Set(problems.map((problem) => problem.field))].join(", ");
  const hint = "Correct the fields named here, then try again.";
  throw new Refusal(400, "VALIDATION_ERROR", `The request is not valid: ${fields}.`, hint, problems);
}

const refusalCodes = {
  "400": "VALIDATION_ERROR",
  "403": "FORBIDDEN",
  "409": "CONFLICT",
  "422": "VALIDATION_ERROR",
} as const;

/** A delete or a transition that the state of the object does not allow. */
export function refused({ refusalStatus }: Profile, message: string, hint: string): Refusal {
  return new Refusal(Number(refusalStatus), refusalCodes[refusalStatus], message, hint);
}
