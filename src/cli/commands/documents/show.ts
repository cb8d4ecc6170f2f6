// ticketing show: one event as everything together makes it.
import { type ShowDocumentOptions, showDocument } from "../../../app/documents.ts";
import { reportProblems } from "../../../app/session.ts";
import type { World } from "../../../app/world.ts";
import { renderOrigins } from "../../../import/text.ts";
import { safeJson } from "../../../report/text.ts";

export interface ShowOptions extends ShowDocumentOptions {
  readonly format: "text" | "json";
}

export async function runShow(world: World, options: ShowOptions): Promise<number> {
  const shown = await showDocument(world, options);
  if (!shown.ok) return reportProblems(world, options.format, shown.diagnostics);
  const { address, document, origins, problems } = shown;
  if (options.format === "json") {
    world.stdout.write(`${safeJson({ formatVersion: 1, ok: problems.length === 0, address, document, origins })}\n`);
  } else world.stdout.write(renderOrigins(document, origins));
  // What is shown may be incomplete: the exit code says so.
  return problems.length === 0 ? 0 : reportProblems(world, "text", problems);
}
