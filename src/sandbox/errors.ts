import { isUnsafeFile } from "../system/private-files.ts";

/** Something that a sandbox cannot do, and what to do instead. */
export class SandboxError extends Error {
  /** A code for programs. */
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

/** A request to the control face that cannot be done. */
export class ControlError extends SandboxError {
  override readonly name = "ControlError";

  constructor(sentence: string, hint: string) {
    super("sandbox-refused", sentence, hint);
  }
}

/** A data file that cannot be used. `keptAt`: where a damaged one was moved to. */
export class SandboxDataError extends SandboxError {
  override readonly name = "SandboxDataError";
  readonly keptAt: string | undefined;

  constructor(sentence: string, hint: string, keptAt?: string) {
    super("sandbox-data", sentence, hint);
    this.keptAt = keptAt;
  }
}

export class PortTakenError extends SandboxError {
  override readonly name = "PortTakenError";

  constructor(port: number) {
    super(
      "port-taken",
      `Port ${port} on 127.0.0.1 is in use by another program.`,
      "Choose another with --port N, or let the system choose one with --port 0.",
    );
  }
}

export class ProfileError extends SandboxError {
  override readonly name = "ProfileError";

  constructor(sentence: string, hint: string) {
    super("sandbox-profile", sentence, hint);
  }
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** What the system refused about the place of a data file, for people; anything else is returned as it is. */
export function dataPlaceError(file: string, error: unknown): unknown {
  if (isUnsafeFile(error)) return new SandboxDataError(error.sentence, error.hint);
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
  return new SandboxDataError(
    `The sandbox data cannot be kept in ${file}: ${reasons[String(error.code)] ?? error.message}.`,
    "Fix that, or choose a file in a folder that this user can write to.",
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no folder can be created there",
  EACCES: "this user cannot write there",
  EPERM: "this user cannot write there",
  EROFS: "the disk is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "there is a folder of that name",
};
