// ticketing copy: an event's file for another date.
import { type CopyDocumentOptions, copyDocument, copyJson, copyLines } from "../../../app/documents.ts";
import { reportProblems } from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { errorOf } from "../../../model/diagnostic.ts";
import { renderSentence } from "../../../report/text.ts";

export interface CopyOptions extends Omit<CopyDocumentOptions, "to"> {
  readonly format: "text" | "json";
  readonly to?: string;
}

export async function runCopy(world: World, options: CopyOptions): Promise<number> {
  const { format, to } = options;
  if (to === undefined) {
    const hint = "Write the day on which the copy starts: --to 2028-03-10.";
    return reportProblems(world, format, [errorOf("usage", "--to is missing.", hint)]);
  }
  const copied = await copyDocument(world, { ...options, to });
  if (!copied.ok) return reportProblems(world, format, copied.diagnostics);
  const { columns } = world.stdout;
  if (format === "json") world.stdout.write(copyJson(copied));
  else for (const line of copyLines(copied)) world.stdout.write(renderSentence(line, { columns, color: false }));
  return 0;
}
