import type { Diagnostic } from "../model/diagnostic.ts";
import { safeJson } from "../report/safe-json.ts";
import { safeLines, safeText } from "../report/safe-text.ts";
import type { World } from "./world.ts";

/** Says what keeps a command from its work: to people on stderr, to programs as JSON on stdout. The exit code is 1. */
export function tellProblems(world: World, format: string, diagnostics: readonly Diagnostic[]): number {
  if (format === "json") world.stdout.write(`${safeJson({ formatVersion: 1, ok: false, diagnostics })}\n`);
  for (const { severity, message, hint, source } of diagnostics) {
    const place = source === undefined ? "" : `${safeText(source.file)}:${source.line}:${source.column} `;
    // A message may go on in further lines, such as a list of candidates.
    world.stderr.write(`${place}${severity}: ${safeLines(message).join("\n")}\n`);
    if (hint !== undefined) world.stderr.write(`  ${safeText(hint)}\n`);
  }
  return 1;
}
