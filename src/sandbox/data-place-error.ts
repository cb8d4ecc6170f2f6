import { UnsafeFileError } from "../system/private-files.ts";
import { SandboxDataError } from "./data-error.ts";

/** What the system refused about the place of a data file, for people; anything else is given back as it is. */
export function dataPlaceError(file: string, error: unknown): unknown {
  if (error instanceof UnsafeFileError) return new SandboxDataError(file, error.sentence, error.hint);
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
