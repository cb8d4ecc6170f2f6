import type { Problem } from "../service/problem.ts";

/** The service could not be read to the end; nothing can be planned from half a picture. */
export class ReadFailure extends Error {
  readonly problem: Problem;
  /** What the call needs of the key, where it is not what the whole command needs. */
  readonly scope: string | null;

  constructor(problem: Problem, scope: string | null = null) {
    super(problem.message);
    this.name = "ReadFailure";
    this.problem = problem;
    this.scope = scope;
  }
}
