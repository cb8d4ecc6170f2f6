// How the sandbox says no: thrown inside a handler, turned into the error envelope in one place.

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

export function notFound(what: string, id: string): Refusal {
  return new Refusal(
    404,
    "NOT_FOUND",
    `${what} ${id} was not found.`,
    `Check the ${what.toLowerCase()} id, and that it belongs to the organization of this API key.`,
  );
}

export function invalid(details: readonly FieldProblem[], status = 400): Refusal {
  const fields = [...new Set(details.map((problem) => problem.field))].join(", ");
  return new Refusal(
    status,
    "VALIDATION_ERROR",
    `The request is not valid: ${fields}.`,
    "Correct what is named here, then try again.",
    details,
  );
}

const refusalCodes = {
  "400": "VALIDATION_ERROR",
  "403": "FORBIDDEN",
  "409": "CONFLICT",
  "422": "VALIDATION_ERROR",
} as const;

/** A delete or a transition that the state of the object does not allow. */
export function refused(status: keyof typeof refusalCodes, message: string, hint: string): Refusal {
  return new Refusal(Number(status), refusalCodes[status], message, hint);
}
