import { reportProblems, writeLines } from "../app/session.ts";
import type { World } from "../app/world.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { safeLine } from "../report/text.ts";
import { maskSecrets } from "../service/calls.ts";
import { isUnsafeFile } from "../system/private-folder.ts";

/** A program that asked for JSON gets it, whatever else was wrong with what it typed. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => word === "--format=json" || (word === "--format" && argv[index + 1] === "json"));
}

/** Reports an unexpected exception, with its stack on request. */
export function reportCrash(world: World, error: unknown): void {
  const verbose = world.argv.includes("--verbose");
  const unsafe = isUnsafeFile(error) ? error : null;
  const said = error instanceof Error ? error.message : String(error);
  const system = unsafe !== null || isSystemError(error);
  const fix = isSystemError(error) ? (systemFixes[error.code ?? ""] ?? otherFix) : verbose ? reportBelow : reportShort;
  const diagnostic: Diagnostic = {
    code: unsafe !== null ? "unsafe-file" : system ? "system-refused" : "bug",
    severity: "error",
    message: maskedText(system ? said : `This is a bug in ticketing: ${said}`, world),
    hint: unsafe?.hint ?? fix,
  };
  // Text that is already on stdout cannot be taken back, and a second document after it would spoil the first.
  const isJson = asksForJson(world.argv) && world.stdout.isUsed !== true;
  reportProblems(world, isJson ? "json" : "text", [diagnostic]);
  // An exception's text may come from anywhere, the service included.
  const stack = verbose && error instanceof Error ? (error.stack ?? "").split("\n") : [];
  writeLines(
    world.stderr,
    stack.map((line) => maskedText(safeLine(line), world)),
  );
}

const full = "Free some space and run the command again: it continues where this run stopped.";
const rights = "Give this user permission to read and write it, and run the command again.";

/** What to do when the system refuses something, by its code. */
const systemFixes: Readonly<Record<string, string>> = {
  EMFILE: "This process has too many open files: raise the limit with `ulimit -n 1024`, and run the command again.",
  ENFILE: "This machine has too many open files: close other programs, and run the command again.",
  ENOSPC: full,
  EDQUOT: full,
  EACCES: rights,
  EPERM: rights,
  EROFS: "The disk is read-only: run the command in a folder that can be written to.",
  EISDIR: "There is a folder where a file is expected: move it away, and run the command again.",
  ENOTDIR: "A part of that path is a file, not a folder: move it away, and run the command again.",
  ELOOP: "The links there form a loop: remove them, and run the command again.",
  ENAMETOOLONG: "That path is too long for this disk: shorten the name, or move the project to a shorter path.",
  ENOENT: "It no longer exists: restore it, or change to a folder that exists, and run the command again.",
  ENOMEM: "This machine is out of memory: close other programs, and run the command again.",
};

const otherFix = "The system refused this; your files are fine. Fix the cause and run the command again.";
const reportBelow = "Please report it with the lines below and the command you typed.";
const reportShort =
  "Please report it with the command you typed; --verbose adds details. Finished work is kept: it is safe to run the command again.";

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

function maskedText(text: string, world: World): string {
  const named = Object.entries(world.env).flatMap(([name, value]) =>
    value !== undefined && value.length >= 6 && /KEY|SECRET|TOKEN|PASSWORD/i.test(name) ? [value] : [],
  );
  return maskSecrets(text, named);
}
