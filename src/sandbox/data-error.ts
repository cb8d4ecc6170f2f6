import { SandboxError } from "./sandbox-error.ts";

/** A data file that cannot be used. `keptAt`: where the damaged one was moved to, if it was. */
export class SandboxDataError extends SandboxError {
  override readonly name = "SandboxDataError";
  readonly file: string;
  readonly keptAt: string | undefined;

  constructor(file: string, sentence: string, hint: string, keptAt?: string) {
    super("sandbox-data", sentence, hint);
    this.file = file;
    this.keptAt = keptAt;
  }
}
