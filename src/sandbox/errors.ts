import { isUnsafeFile } from "../system/private-files.ts";

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

/** Something asked of the control face that cannot be done; the hint says what could be. */
export class ControlError extends SandboxError {
  override readonly name = "ControlError";

  constructor(sentence: string, hint: string) {
    super("sandbox-refused", sentence, hint);
  }
}

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

/** What the system refused about the place of a data file, for people; anything else is given back as it is. */
export function dataPlaceError(file: string, error: unknown): unknown {
  if (isUnsafeFile(error)) return new SandboxDataError(file, error.sentence, error.hint);
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
  const why = reasons[String(error.code)] ?? error.message;
  return new SandboxDataError(
    file,
    `The sandbox data cannot be kept in ${file}: ${why}.`,
    "Put that right, or choose another place: a file in a folder that this user may write to.",
  );
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: "no folder can be made there",
  EACCES: "this user may not write there",
  EPERM: "this user may not write there",
  EROFS: "the disk can only be read",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENOTDIR: "a part of its path is a file",
  EISDIR: "there is a folder of that name",
};

/** Somebody else listens on the port. */
export class PortTakenError extends SandboxError {
  override readonly name = "PortTakenError";
  readonly port: number;

  constructor(port: number) {
    super(
      "port-taken",
      `Port ${port} on 127.0.0.1 is taken by another program.`,
      "Choose another with --port N, or let one be chosen with --port 0.",
    );
    this.port = port;
  }
}

/** A profile that cannot be read; the hint says what could be written. */
export class ProfileError extends SandboxError {
  override readonly name = "ProfileError";

  constructor(sentence: string, hint: string) {
    super("sandbox-profile", sentence, hint);
  }
}
