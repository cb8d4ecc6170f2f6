import { SandboxError } from "./sandbox-error.ts";

/** A profile that cannot be read; the hint says what could be written. */
export class ProfileError extends SandboxError {
  override readonly name = "ProfileError";

  constructor(sentence: string, hint: string) {
    super("sandbox-profile", sentence, hint);
  }
}
