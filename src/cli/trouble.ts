import { safeLine } from "../report/safe-text.ts";
import { maskSecrets } from "../service/redact.ts";
import type { World } from "./world.ts";

/** Tells of an exception that nobody expected: one clear line, and the stack for those who ask for it. */
export function tellTrouble(world: World, error: unknown): void {
  const verbose = world.argv.includes("--verbose");
  const message = error instanceof Error ? error.message : String(error);
  const lines = isSystemError(error)
    ? [
        `ticketing: ${message}`,
        "The system refused this; nothing is wrong with your files. Put it right and run the command again.",
      ]
    : [
        `ticketing: this is a bug in ticketing: ${message}`,
        verbose
          ? "Please report it with the lines below and the command you typed."
          : "Please report it with the command you typed; with --verbose it says more. What was done so far is kept: running the command again is safe.",
      ];
  if (verbose && error instanceof Error && error.stack !== undefined) lines.push(error.stack);
  world.stderr.write(`${withoutSecrets(lines.flatMap(safeLinesOf).join("\n"), world)}\n`);
}

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
