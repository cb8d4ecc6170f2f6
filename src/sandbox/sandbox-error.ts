/** Something that a sandbox cannot do, and what could be done instead. */
export class SandboxError extends Error {
  /** A word for programs. */
  readonly code: string;
  readonly sentence: string;
  readonly hint: string;

  constructor(code: string, sentence: string, hint: string) {
    super(`${sentence} ${hint}`);
    this.code = code;
    this.sentence = sentence;
    this.hint = hint;
  }
}
