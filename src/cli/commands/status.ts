// ticketing status: how sales are going.
import {
  type EventChoice,
  isNamed,
  loadProjectWishes,
  type OperateService,
  type ProjectWishes,
  readStatus,
  type StatusRead,
  watchSeconds,
  withService,
} from "../../app/operate.ts";
import { explainProblem, reportProblems, type TargetOptions } from "../../app/session.ts";
import { interruptedCode, type World } from "../../app/world.ts";
import { errorOf } from "../../model/diagnostic.ts";
import { pluralize } from "../../model/value.ts";
import {
  makeStatusScreen,
  renderStatusCsv,
  renderStatusHtml,
  renderStatusMarkdown,
  renderStatusText,
  type StatusReport,
  type StatusScreen,
  type StatusSort,
} from "../../report/status.ts";
import { safeJson, safeJsonLine } from "../../report/text.ts";
import { ReadFailure } from "../../snapshot/reader.ts";
import { clearScreen, type LiveScreen, liveScreen } from "../terminal/live-screen.ts";
import { readingProgress } from "../terminal/progress.ts";

interface StatusOptions extends TargetOptions {
  readonly format: "text" | "json" | "markdown" | "csv" | "html";
  /** Keys, addresses, ids, slugs or names. */
  readonly event?: readonly string[];
  readonly target?: readonly string[];
  /** In seconds. */
  readonly next?: number;
  readonly sort: StatusSort;
  readonly archived: boolean;
  readonly watch: boolean;
}

export async function runStatus(outside: World, options: StatusOptions): Promise<number> {
  const screen = liveScreen(outside);
  const { world } = screen;
  if (options.watch && options.format === "html") return reportProblems(world, options.format, [noPageOfWatch]);
  return withService(world, options, { scope: "events:read", account: true }, async (service) => {
    const project = await loadProjectWishes(world, options.directory, service.target, service.loaded);
    if (options.watch) return watchStatus(screen, options, service, project);
    const before = service.target.client.counts.reads;
    const read = await readOnce(screen, options, service, project);
    if (world.interrupted.aborted) return interruptedCode;
    if (!read.ok) return reportProblems(world, options.format, read.diagnostics);
    if (options.format === "html") {
      const orders = `${pluralize(read.ordersRead, "order")} of ${pluralize(read.report.totals.events, "event")}`;
      world.stderr.write(`Read ${orders} in ${pluralize(service.target.client.counts.reads - before, "call")}.\n`);
    }
    world.stdout.write(await statusOutput(world, options, read.report));
    // A table of numbers has no room for them.
    if (options.format === "csv") reportProblems(world, "text", read.report.diagnostics);
    return 0;
  });
}

const noPageOfWatch = errorOf(
  "bad-option",
  "--watch prints one result after another, until Ctrl-C: it cannot be combined with --format html.",
  "Leave out one of the two.",
);

async function watchStatus(
  screen: LiveScreen,
  options: StatusOptions,
  service: OperateService,
  project: ProjectWishes,
): Promise<number> {
  const { world } = screen;
  const { client } = service.target;
  const kept = makeStatusScreen();
  let report: StatusReport | null = null;
  while (!world.interrupted.aborted) {
    const before = client.counts.reads;
    try {
      const read = await readOnce(screen, options, service, project);
      if (world.interrupted.aborted) break;
      if (!read.ok) return reportProblems(world, options.format, read.diagnostics);
      report = read.report;
    } catch (error) {
      // Once it has worked, a broken connection is something to wait out.
      if (!(error instanceof ReadFailure) || report === null) throw error;
      if (world.interrupted.aborted) break;
      reportProblems(world, "text", [explainProblem(error.problem, "events:read")]);
    }
    const seconds = watchSeconds(client.limits, client.counts.reads - before);
    await showStatus(world, options, service.target.line, kept, report, seconds);
    await client.pause(seconds * 1000);
  }
  return interruptedCode;
}

async function showStatus(
  world: World,
  options: StatusOptions,
  line: string,
  kept: StatusScreen,
  report: StatusReport,
  seconds: number,
): Promise<void> {
  const { stdout } = world;
  if (options.format === "text" && stdout.isTerminal) {
    const again = `Next refresh in ${seconds} s; Ctrl-C stops.`;
    const { columns, rows = 24 } = stdout;
    // The target and what comes last may take more than a line; the cursor is below them.
    const around = Math.ceil(line.length / columns) + Math.ceil(again.length / columns) + 1;
    const { color, sort } = options;
    const text = kept.render(report, { columns, rows: rows - around, color, sort, named: isNamed(choiceOf(options)) });
    stdout.write(`${clearScreen}${line}\n${text}${again}\n`);
    return;
  }
  const text = await statusOutput(world, options, report);
  stdout.write(options.format === "text" ? `\n${new Date(world.now()).toISOString()}\n${text}` : text);
}

function choiceOf({ event = [], target = [], next }: StatusOptions): EventChoice {
  return { words: event, targets: target, nextSeconds: next ?? null };
}

async function readOnce(
  screen: LiveScreen,
  options: StatusOptions,
  service: OperateService,
  project: ProjectWishes,
): Promise<StatusRead> {
  const { onProgress, end } = readingProgress(screen);
  return readStatus({
    service,
    project,
    choice: choiceOf(options),
    sort: options.sort,
    archivedToo: options.archived,
    history: options.format === "html",
    now: screen.world.now(),
    mask: (text) => screen.world.secrets?.mask(text) ?? text,
    onProgress,
  }).finally(end);
}

async function statusOutput(world: World, options: StatusOptions, report: StatusReport): Promise<string> {
  switch (options.format) {
    case "json":
      // Round after round, each is one line.
      return `${(options.watch ? safeJsonLine : safeJson)(report)}\n`;
    case "markdown":
      return renderStatusMarkdown(report);
    case "csv":
      return renderStatusCsv(report);
    case "html": {
      const { codeEntry } = await import("../../report/reference.ts");
      return renderStatusHtml(report, options.sort, codeEntry);
    }
    case "text": {
      const { color, sort, verbose } = options;
      const { columns } = world.stdout;
      return renderStatusText(report, { columns, color, sort, verbose, named: isNamed(choiceOf(options)) });
    }
  }
}
