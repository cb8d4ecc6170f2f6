// Commands that only use the files. ticketing copy: an event's file for another date.
import {
  type CopyDocumentOptions,
  copyDocument,
  copyJson,
  copyLines,
  type FormatRequest,
  formatFiles,
  listUpcoming,
  type PreviewOptions,
  type ProjectPreview,
  renderOrigins,
  type ShowDocumentOptions,
  servePreview,
  showDocument,
  type UpcomingOptions,
} from "../../app/documents.ts";
import { reportProblems, writeLines } from "../../app/session.ts";
import { adviser, type CommonOptions, interruptedCode, type World } from "../../app/world.ts";
import { errorOf } from "../../model/diagnostic.ts";
import { listSome } from "../../model/value.ts";
import { offlineTargetLine } from "../../report/diagnostics.ts";
import {
  isFormatted,
  renderFormattedJson,
  renderFormattedText,
  renderUpcomingCalendar,
  renderUpcomingMarkdown,
  renderUpcomingText,
} from "../../report/lists.ts";
import { renderSentence, safeJson, safeJsonLine, safeLine, severityCounts } from "../../report/text.ts";
import { reportCrash } from "../report-crash.ts";
import { dateReached, timeOfDay, whatChanged } from "../terminal/watch-rounds.ts";

type CopyOptions = CommonOptions & Omit<CopyDocumentOptions, "to"> & { readonly to?: string };

export async function runCopy(world: World, options: CopyOptions): Promise<number> {
  const { format, to } = options;
  if (to === undefined) {
    const hint = "Pass the day on which the copy starts, such as --to 2028-03-10.";
    return reportProblems(world, format, [errorOf("usage", "--to is missing.", hint)]);
  }
  const copied = await copyDocument(world, { ...options, to });
  if (!copied.ok) return reportProblems(world, format, copied.diagnostics);
  const { columns } = world.stdout;
  if (format === "json") world.stdout.write(copyJson(copied));
  else
    for (const line of copyLines(copied))
      world.stdout.write(renderSentence(adviser(world)(line), { columns, color: false }));
  reportProblems(world, "text", copied.diagnostics);
  return 0;
}

// ticketing fmt: the project's files in one layout.

export async function runFmt(world: World, options: CommonOptions & FormatRequest): Promise<number> {
  const formatted = await formatFiles(world, options);
  if (!formatted.ok) return reportProblems(world, options.format, formatted.diagnostics);
  if (options.format === "json") world.stdout.write(renderFormattedJson(formatted));
  else world.stdout.write(renderFormattedText(formatted, { diffs: options.verbose }));
  reportProblems(world, "text", formatted.diagnostics);
  return isFormatted(formatted) ? 0 : 1;
}

// ticketing show: one event as everything together makes it.

export async function runShow(world: World, options: CommonOptions & ShowDocumentOptions): Promise<number> {
  const shown = await showDocument(world, options);
  if (!shown.ok) return reportProblems(world, options.format, shown.diagnostics);
  const { target, address, document, origins, problems } = shown;
  if (options.format === "json") {
    writeLines(world.stderr, [offlineTargetLine(target)]);
    world.stdout.write(`${safeJson({ formatVersion: 1, ok: problems.length === 0, address, document, origins })}\n`);
  } else world.stdout.write(`# ${offlineTargetLine(target)}\n${renderOrigins(document, origins)}`);
  // What is shown may be incomplete: the exit code says so.
  return problems.length === 0 ? 0 : reportProblems(world, "text", problems);
}

// ticketing upcoming: phases, starts and ends that are still to come.

export async function runUpcoming(world: World, options: CommonOptions & UpcomingOptions): Promise<number> {
  const { format } = options;
  const listed = await listUpcoming(world, options);
  if (!listed.ok) return reportProblems(world, format, listed.diagnostics);
  const { target, coming, problems } = listed;
  if (format !== "text") writeLines(world.stderr, [offlineTargetLine(target)]);
  if (format === "markdown") world.stdout.write(renderUpcomingMarkdown(coming, options.until ?? null));
  else if (format === "ics") world.stdout.write(renderUpcomingCalendar(coming, world.now()));
  else if (format === "text") {
    const table = renderUpcomingText(coming, options.until ?? null, world.stdout.columns);
    world.stdout.write(`${offlineTargetLine(target)}\n\n${table}`);
  } else {
    const keys = ["at", "address", "type", "phase", "fields", "changes", "name"] as const;
    const upcoming = coming.map((one) => Object.fromEntries(keys.map((key) => [key, one[key]])));
    world.stdout.write(`${safeJson({ formatVersion: 1, ok: problems.length === 0, upcoming })}\n`);
  }
  // What is listed may be incomplete: the exit code says so.
  return problems.length === 0 ? 0 : reportProblems(world, "text", problems);
}

// ticketing preview: the events as buyers will see them, in a browser, until it is stopped.

interface PreviewCommandOptions extends CommonOptions, PreviewOptions {
  readonly port?: number;
  readonly format: "text" | "json";
}

export async function runPreview(world: World, options: PreviewCommandOptions): Promise<number> {
  const problems = await servePreview(world, options, {
    started(url, preview, taken) {
      if (options.format === "json") {
        writeLines(world.stderr, [offlineTargetLine(preview.target)]);
        world.stdout.write(`${safeJsonLine({ url, formatVersion: 1 })}\n`);
      } else writeLines(world.stdout, previewGreeting(url, preview, taken));
    },
    changed(files, phases, preview) {
      const reached = phases.length === 0 ? dateReached : safeLine(`${dateReached} (${listSome(phases, 3)})`);
      const words = `${files.length === 0 ? reached : whatChanged(files)}: ${problemWords(preview)}`;
      writeLines(world.stderr, [`${timeOfDay(world.now())} ${words}`]);
      return words;
    },
    crashed: (problem) => reportCrash(world, problem),
  });
  return problems.length === 0 ? interruptedCode : reportProblems(world, options.format, problems);
}

function previewGreeting(url: string, preview: ProjectPreview, taken: number | null): readonly string[] {
  return [
    offlineTargetLine(preview.target),
    ...(taken === null ? [] : [`Port ${taken} is in use by another program, so a different one was chosen.`]),
    `The preview is at ${url}`,
    `It is redrawn as files change (${problemWords(preview)}). Stop it with Ctrl-C.`,
  ];
}

function problemWords(preview: ProjectPreview): string {
  return severityCounts(preview.problems()) || "no problems";
}
