/** A profile that cannot be read; the hint says what could be written. */
export class ProfileError extends Error {
  override readonly name = "ProfileError";
  readonly hint: string;

  constructor(message: string, hint: string) {
    super(`${message} ${hint}`);
    this.hint = hint;
  }
}
