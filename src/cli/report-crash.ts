import { reportProblems, writeLines } from "../app/session.ts";
import type { World } from "../app/world.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { sentenceCase } from "../model/value.ts";
import { safeLine } from "../report/text.ts";
import { maskSecrets } from "../service/calls.ts";
import { isUnsafeFile } from "../system/private-folder.ts";
import { explainRefusal, isSystemError } from "../system/refusal.ts";

/** A program that asked for JSON gets it, whatever else was wrong with what it typed. */
export function asksForJson(argv: readonly string[]): boolean {
  return argv.some((word, index) => word === "--format=json" || (word === "--format" && argv[index + 1] === "json"));
}

/** Reports an unexpected exception, with its stack on request. */
export function reportCrash(world: World, error: unknown): void {
  const verbose = world.argv.includes("--verbose");
  const unsafe = isUnsafeFile(error) ? error : null;
  const { reason, fix } = explainRefusal(error);
  const system = unsafe !== null || isSystemError(error);
  const path = isSystemError(error) && error.path !== undefined ? `: ${error.path}` : "";
  const said = fix === undefined ? reason : `${sentenceCase(reason)}${path}.`;
  const diagnostic: Diagnostic = {
    code: unsafe !== null ? "unsafe-file" : system ? "system-refused" : "bug",
    severity: "error",
    message: maskedText(system ? said : `This is a bug in ticketing: ${said}`, world),
    hint: unsafe?.hint ?? (system ? (fix ?? otherFix) : verbose ? reportBelow : reportShort),
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

const otherFix = "The system refused this; your files are fine. Fix the cause and run the command again.";
const reportBelow = "Please report it with the lines below and the command you typed.";
const reportShort =
  "Please report it with the command you typed; --verbose adds details. Finished work is kept: it is safe to run the command again.";

function maskedText(text: string, world: World): string {
  const named = Object.entries(world.env).flatMap(([name, value]) =>
    value !== undefined && value.length >= 6 && /KEY|SECRET|TOKEN|PASSWORD/i.test(name) ? [value] : [],
  );
  return maskSecrets(text, named);
}
