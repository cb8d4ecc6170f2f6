import type { Problem } from "../service/problem.ts";

/** The service could not be read to the end; nothing can be planned from half a picture. */
export class ReadFailure extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.message);
    this.name = "ReadFailure";
    this.problem = problem;
  }
}
