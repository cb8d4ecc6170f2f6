import type { Diagnostic } from "../model/diagnostic.ts";
import { safeJson } from "../report/safe-json.ts";
import { safeLine, safeText } from "../report/safe-text.ts";
import { say } from "./say.ts";
import type { World } from "./world.ts";

/** Says what keeps a command from its work: to people on stderr, to programs as JSON on stdout. The exit code is 1. */
export function tellProblems(world: World, format: string, diagnostics: readonly Diagnostic[]): number {
  if (format === "json") world.stdout.write(`${safeJson({ formatVersion: 1, ok: false, diagnostics })}\n`);
  for (const { severity, message, hint, source } of diagnostics) {
    const place = source === undefined ? "" : `${safeText(source.file)}:${source.line}:${source.column} `;
    // A message of ours may go on in further lines, such as a list of candidates.
    const [first = "", ...further] = message.split("\n");
    const lines = [`${place}${severity}: ${first}`, ...further.map(indent)];
    say(world.stderr, (hint === undefined ? lines : [...lines, `  ${hint}`]).map(safeLine));
  }
  return 1;
}

function indent(line: string): string {
  return line.startsWith(" ") ? line : `  ${line}`;
}
