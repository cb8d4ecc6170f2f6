/** Something asked of the control face that cannot be done; the hint says what could be. */
export class ControlError extends Error {
  override readonly name = "ControlError";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(`${message} ${hint}`);
    this.hint = hint;
  }
}
