import { SandboxError } from "./sandbox-error.ts";

/** Something asked of the control face that cannot be done; the hint says what could be. */
export class ControlError extends SandboxError {
  override readonly name = "ControlError";

  constructor(sentence: string, hint: string) {
    super("sandbox-refused", sentence, hint);
  }
}
