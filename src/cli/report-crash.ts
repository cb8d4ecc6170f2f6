import type { World } from "../app/world.ts";
import { safeJson, safeLine } from "../report/text.ts";
import { maskSecrets } from "../service/calls.ts";
import { isUnsafeFile } from "../system/private-files.ts";

/** A program that asked for JSON gets it, whatever else was wrong with what it typed. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => word === "--format=json" || (word === "--format" && argv[index + 1] === "json"));
}

/** Tells of an exception that nobody expected: one clear line, and the stack for those who ask for it. */
export function reportCrash(world: World, error: unknown): void {
  const verbose = world.argv.includes("--verbose");
  const unsafe = isUnsafeFile(error) ? error : null;
  const said = unsafe?.sentence ?? (error instanceof Error ? error.message : String(error));
  const system = unsafe !== null || isSystemError(error);
  const message = system ? said : `this is a bug in ticketing: ${said}`;
  const code = isSystemError(error) ? (error.code ?? "") : "";
  const hint = unsafe?.hint ?? (system ? (putRight[code] ?? otherwise) : verbose ? reportBelow : reportShort);
  const stack = verbose && error instanceof Error ? (error.stack ?? "") : "";
  // What was begun on stdout cannot be taken back, and a second document behind it would spoil the first.
  if (asksForJson(world.argv) && world.stdout.isUsed !== true) {
    const diagnostic = {
      code: unsafe !== null ? "unsafe-file" : system ? "system-refused" : "bug",
      severity: "error",
      message,
      hint,
    };
    const json = safeJson({ formatVersion: 1, ok: false, diagnostics: [diagnostic] });
    world.stdout.write(`${withoutSecrets(json, world)}\n`);
  }
  const lines = [`ticketing: ${message}`, hint, ...(stack === "" ? [] : [stack])];
  world.stderr.write(`${withoutSecrets(lines.flatMap(safeLinesOf).join("\n"), world)}\n`);
}

const full = "Free some space and run the command again: it goes on where this run stopped.";
const rights = "Give this user the right to read and write it, and run the command again.";

/** What to do about a refusal of the system, by its code. */
const putRight: Readonly<Record<string, string>> = {
  EMFILE:
    "The program may not open more files at once: raise the limit with `ulimit -n 1024`, and run the command again.",
  ENFILE: "This machine has too many files open: end other programs, and run the command again.",
  ENOSPC: full,
  EDQUOT: full,
  EACCES: rights,
  EPERM: rights,
  EROFS: "The disk can only be read: run the command in a folder that can be written to.",
  EISDIR: "There is a folder where a file is expected: move it away, and run the command again.",
  ENOTDIR: "A part of that path is a file and not a folder: move it away, and run the command again.",
  ELOOP: "Links lead in a circle there: remove them, and run the command again.",
  ENAMETOOLONG: "That path is longer than the disk allows: shorten the name, or move the project up.",
  ENOENT: "It is not there any more: bring it back, or go to a folder that is there, and run the command again.",
  ENOMEM: "This machine has no memory left: end other programs, and run the command again.",
};

const otherwise = "The system refused this; nothing is wrong with your files. Put it right and run the command again.";
const reportBelow = "Please report it with the lines below and the command you typed.";
const reportShort =
  "Please report it with the command you typed; with --verbose it says more. What was done so far is kept: running the command again is safe.";

function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "code" in error && "syscall" in error;
}

// An exception's text may come from anywhere, the service included.
function safeLinesOf(text: string): readonly string[] {
  return text.split("\n").map(safeLine);
}

function withoutSecrets(text: string, world: World): string {
  const named = Object.entries(world.env).flatMap(([name, value]) =>
    value !== undefined && value.length >= 6 && /KEY|SECRET|TOKEN|PASSWORD/i.test(name) ? [value] : [],
  );
  return maskSecrets(text, named);
}
