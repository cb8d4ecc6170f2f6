import { isUnsafeFile } from "../system/private-folder.ts";

export type SandboxErrorCode = "sandbox-refused" | "sandbox-data" | "sandbox-profile" | "port-taken";

/** Something that a sandbox cannot do, and what to do instead. */
export class SandboxError extends Error {
  override readonly name = "SandboxError";
  readonly code: SandboxErrorCode;
  readonly sentence: string;
  readonly hint: string;
  /** Where a damaged data file was moved to. */
  readonly keptAt: string | undefined;

  constructor(code: SandboxErrorCode, sentence: string, hint: string, keptAt?: string) {
    super(`${sentence} ${hint}`);
    this.code = code;
    this.sentence = sentence;
    this.hint = hint;
    this.keptAt = keptAt;
  }
}

/** A request to the control API that cannot be done. */
export function controlError(sentence: string, hint: string): SandboxError {
  return new SandboxError("sandbox-refused", sentence, hint);
}

/** A data file that cannot be used. */
export function dataError(sentence: string, hint: string, keptAt?: string): SandboxError {
  return new SandboxError("sandbox-data", sentence, hint, keptAt);
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

/** What the system refused about the place of a data file, for people; anything else is returned as it is. */
export function dataPlaceError(file: string, error: unknown): unknown {
  if (isUnsafeFile(error)) return dataError(error.sentence, error.hint);
  if (!(error instanceof Error && "syscall" in error && "code" in error)) return error;
  return dataError(
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
