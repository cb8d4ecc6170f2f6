/** A data file that cannot be used. `keptAt`: where the damaged one was moved to, if it was. */
export class SandboxDataError extends Error {
  override readonly name = "SandboxDataError";
  readonly file: string;
  readonly keptAt: string | undefined;

  constructor(file: string, message: string, keptAt?: string) {
    super(message);
    this.file = file;
    this.keptAt = keptAt;
  }
}
