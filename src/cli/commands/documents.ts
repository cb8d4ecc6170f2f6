// ticketing copy: an event's file for another date.
import {
  type CopyDocumentOptions,
  copyDocument,
  copyJson,
  copyLines,
  type FormatRequest,
  formatFiles,
  type UpcomingOptions as ListOptions,
  listUpcoming,
  type ShowDocumentOptions,
  showDocument,
} from "../../app/documents.ts";
import { reportProblems } from "../../app/session.ts";
import type { World } from "../../app/world.ts";
import { renderOrigins } from "../../import/text.ts";
import { errorOf } from "../../model/diagnostic.ts";
import {
  isFormatted,
  renderFormattedJson,
  renderFormattedText,
  renderUpcomingCalendar,
  renderUpcomingMarkdown,
  renderUpcomingText,
} from "../../report/lists.ts";
import { renderSentence, safeJson } from "../../report/text.ts";

interface CopyOptions extends Omit<CopyDocumentOptions, "to"> {
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

// ticketing fmt: the project's files in one layout.

interface FmtOptions extends FormatRequest {
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

// ticketing show: one event as everything together makes it.

interface ShowOptions extends ShowDocumentOptions {
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

// ticketing upcoming: phases, starts and ends that are still to come.

interface UpcomingCommandOptions extends ListOptions {
  readonly format: "text" | "json" | "markdown" | "ics";
}

export async function runUpcoming(world: World, options: UpcomingCommandOptions): Promise<number> {
  const { format } = options;
  const listed = await listUpcoming(world, options);
  if (!listed.ok) return reportProblems(world, format, listed.diagnostics);
  const { coming, problems } = listed;
  switch (format) {
    case "json": {
      const upcoming = coming.map(({ at, address, type, phase, fields, name }) => ({
        at,
        address,
        type,
        phase,
        fields,
        name,
      }));
      world.stdout.write(`${safeJson({ formatVersion: 1, ok: problems.length === 0, upcoming })}\n`);
      break;
    }
    case "markdown":
      world.stdout.write(renderUpcomingMarkdown(coming));
      break;
    case "ics":
      world.stdout.write(renderUpcomingCalendar(coming, world.now()));
      break;
    case "text":
      world.stdout.write(renderUpcomingText(coming, world.stdout.columns));
  }
  // What is listed may be incomplete: the exit code says so.
  return problems.length === 0 ? 0 : reportProblems(world, "text", problems);
}
