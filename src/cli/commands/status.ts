// ticketing status: how sales are going, for every event that is live.
import {
  loadProjectWishes,
  type OperateService,
  type ProjectWishes,
  readStatus,
  watchSeconds,
  withService,
} from "../../app/operate.ts";
import { explainProblem, reportProblems, type TargetOptions } from "../../app/session.ts";
import { interruptedCode, type World } from "../../app/world.ts";
import { type StatusReport, totalsOf } from "../../report/status.ts";
import { ReadFailure } from "../../snapshot/reader.ts";
import { clearScreen, type LiveScreen, liveScreen } from "../terminal/live-screen.ts";
import { readingProgress } from "../terminal/reading-progress.ts";

export interface StatusOptions extends TargetOptions {
  readonly format: "text" | "json" | "markdown" | "csv";
  readonly archived: boolean;
  readonly watch: boolean;
}

export async function runStatus(outside: World, options: StatusOptions): Promise<number> {
  const screen = liveScreen(outside);
  const { world } = screen;
  return withService(world, options, { scope: "events:read", account: true }, async (service) => {
    const project = await loadProjectWishes(world, options.directory, service.target, service.loaded);
    if (options.watch) return watchStatus(screen, options, service, project);
    const report = await readOnce(screen, options, service, project);
    if (world.interrupted.aborted) return interruptedCode;
    world.stdout.write(await render(world, options, report));
    // A table of numbers has no room for remarks.
    if (options.format === "csv") reportProblems(world, "text", report.diagnostics);
    return 0;
  });
}

async function watchStatus(
  screen: LiveScreen,
  options: StatusOptions,
  service: OperateService,
  project: ProjectWishes,
): Promise<number> {
  const { world } = screen;
  const { client } = service.target;
  let text = "";
  while (!world.interrupted.aborted) {
    const before = client.counts.reads;
    try {
      text = await render(world, options, await readOnce(screen, options, service, project));
    } catch (error) {
      // Once it has worked, a broken connection is something to wait out.
      if (!(error instanceof ReadFailure) || text === "") throw error;
      if (world.interrupted.aborted) break;
      reportProblems(world, "text", [explainProblem(error.problem, "events:read")]);
    }
    if (world.interrupted.aborted) break;
    const seconds = watchSeconds(client.limits, client.counts.reads - before);
    show(world, options, service, text, seconds);
    await client.pause(seconds * 1000);
  }
  return interruptedCode;
}

function show(world: World, options: StatusOptions, service: OperateService, text: string, seconds: number): void {
  const again = `Next refresh in ${seconds} s; Ctrl-C stops.`;
  if (options.format !== "text") world.stdout.write(text);
  else if (world.stdout.isTerminal) world.stdout.write(`${clearScreen}${service.target.line}\n${text}\n${again}\n`);
  else world.stdout.write(`\n${new Date(world.now()).toISOString()}\n${text}`);
}

async function readOnce(
  screen: LiveScreen,
  options: StatusOptions,
  { target, account }: OperateService,
  project: ProjectWishes,
): Promise<StatusReport> {
  const { world } = screen;
  const progress = readingProgress(screen);
  try {
    const read = await readStatus({
      client: target.client,
      project,
      archivedToo: options.archived,
      now: world.now(),
      onProgress: progress.onProgress,
    });
    return {
      formatVersion: 1,
      target: {
        environment: target.environment.name,
        baseUrl: target.environment.baseUrl ?? "embedded",
        organization: account?.organization ?? null,
      },
      createdAt: new Date(world.now()).toISOString(),
      events: read.events,
      archived: read.archived,
      totals: totalsOf(read.events),
      diagnostics: read.diagnostics,
    };
  } finally {
    progress.end();
  }
}

async function render(world: World, options: StatusOptions, report: StatusReport): Promise<string> {
  switch (options.format) {
    case "json": {
      const { safeJson, safeJsonLine } = await import("../../report/text.ts");
      // Round after round, each is one line.
      return `${(options.watch ? safeJsonLine : safeJson)(report)}\n`;
    }
    case "markdown":
      return (await import("../../report/status.ts")).renderStatusMarkdown(report);
    case "csv":
      return (await import("../../report/status.ts")).renderStatusCsv(report);
    case "text": {
      const { renderStatusText } = await import("../../report/status.ts");
      return renderStatusText(report, { columns: world.stdout.columns, color: options.color });
    }
  }
}
