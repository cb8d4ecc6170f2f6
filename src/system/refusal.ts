// What the operating system refuses, in words: its own codes tell people nothing.

const again = "and run the command again.";
const full = `Free some space, ${again}`;
const rights = `Give this user permission to read and write it, ${again}`;

const known: Readonly<Record<string, readonly [reason: string, fix: string]>> = {
  ENOSPC: ["the disk is full", full],
  EDQUOT: ["the disk quota is used up", full],
  EACCES: ["permission denied", rights],
  EPERM: ["permission denied", rights],
  EROFS: ["the disk is read-only", "Run the command in a folder that can be written to."],
  EISDIR: ["there is a folder of that name", `Move the folder away, ${again}`],
  ENOTDIR: ["a part of its path is a file", `Move that file away, ${again}`],
  ELOOP: ["the links there form a loop", `Remove them, ${again}`],
  ENAMETOOLONG: ["its path is too long for this disk", "Shorten the name, or move the project to a shorter path."],
  ENOENT: ["it or its folder does not exist", `Create the folder or name one that exists, ${again}`],
  EMFILE: ["this process has too many open files", `Raise the limit with \`ulimit -n 1024\`, ${again}`],
  ENFILE: ["this machine has too many open files", `Close other programs, ${again}`],
  ENOMEM: ["this machine is out of memory", `Close other programs, ${again}`],
};

/** `fix`: undefined for a code that is not known here. */
export function explainRefusal(error: unknown): { readonly reason: string; readonly fix?: string | undefined } {
  if (!(error instanceof Error)) return { reason: String(error) };
  const [reason, fix] = known["code" in error ? String(error.code) : ""] ?? [error.message];
  return { reason, fix };
}

/** Whether the system refused something; other exceptions are bugs. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}
