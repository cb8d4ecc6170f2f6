// ticketing fmt: the project's files in one layout.
import { type FormatRequest, formatFiles } from "../../../app/documents.ts";
import { reportProblems } from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { isFormatted, renderFormattedJson, renderFormattedText } from "../../../report/lists.ts";

export interface FmtOptions extends FormatRequest {
  readonly format: "text" | "json";
  readonly verbose: boolean;
}

export async function runFmt(world: World, options: FmtOptions): Promise<number> {
  const formatted = await formatFiles(world, options);
  if (!formatted.ok) return reportProblems(world, options.format, formatted.diagnostics);
  if (options.format === "json") world.stdout.write(renderFormattedJson(formatted));
  else world.stdout.write(renderFormattedText(formatted, { diffs: options.verbose }));
  reportProblems(world, "text", formatted.diagnostics);
  return isFormatted(formatted) ? 0 : 1;
}
