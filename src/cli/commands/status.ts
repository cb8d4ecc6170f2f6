// ticketing status: how sales are going.
import { followStatus, type StatusRequest, type StatusRound } from "../../app/operate.ts";
import { reportProblems } from "../../app/session.ts";
import { adviser, type World } from "../../app/world.ts";
import { errorOf } from "../../model/diagnostic.ts";
import { pluralize } from "../../model/value.ts";
import {
  makeStatusScreen,
  renderStatusCsv,
  renderStatusHtml,
  renderStatusMarkdown,
  renderStatusText,
} from "../../report/status.ts";
import { safeJson, safeJsonLine } from "../../report/text.ts";
import { clearScreen, liveScreen } from "../terminal/live-screen.ts";
import { readingProgress } from "../terminal/progress.ts";

export async function runStatus(outside: World, options: StatusRequest): Promise<number> {
  const { format, watch } = options;
  const screen = liveScreen(outside);
  const { world } = screen;
  if (watch && format === "html") return reportProblems(world, format, [noPageOfWatch]);
  const showRound = watch ? makeRounds(world, options) : (round: StatusRound) => showOnce(world, options, round);
  return followStatus(world, options, { progress: () => readingProgress(screen), show: showRound });
}

const noPageOfWatch = errorOf(
  "bad-option",
  "--watch prints text until you press Ctrl-C, so it cannot be combined with --format html.",
  "Leave out one of the two.",
);

async function showOnce(world: World, options: StatusRequest, round: StatusRound): Promise<void> {
  const { report, ordersRead, calls } = round;
  if (options.format === "html") {
    const orders = `${pluralize(ordersRead, "order")} of ${pluralize(report.totals.events, "event")}`;
    world.stderr.write(`Read ${orders} in ${pluralize(calls, "call")}.\n`);
  }
  world.stdout.write(await renderRound(world, options, round));
  // CSV has no place for remarks.
  if (options.format === "csv") reportProblems(world, "text", report.diagnostics);
}

/** On a terminal, each round replaces the one before; elsewhere it follows it. */
function makeRounds(world: World, options: StatusRequest): (round: StatusRound) => Promise<void> {
  const { stdout } = world;
  const { format, color, sort } = options;
  const advise = adviser(world);
  const kept = makeStatusScreen();
  return async (round) => {
    if (format === "text" && stdout.isTerminal) {
      const { report, line, isNamed: named, seconds } = round;
      const again = `Next refresh in ${seconds} s; Ctrl-C stops.`;
      const { columns, rows = 24 } = stdout;
      // The target and what comes last may take more than a line; the cursor is below them.
      const around = Math.ceil(line.length / columns) + Math.ceil(again.length / columns) + 1;
      const text = kept.render(report, { columns, rows: rows - around, color, advise, sort, named });
      stdout.write(`${clearScreen}${line}\n${text}${again}\n`);
      return;
    }
    const text = await renderRound(world, options, round);
    stdout.write(format === "text" ? `\n${new Date(world.now()).toISOString()}\n${text}` : text);
  };
}

async function renderRound(world: World, options: StatusRequest, { report, isNamed: named }: StatusRound) {
  const { format, color, sort, verbose, watch } = options;
  const advise = adviser(world);
  switch (format) {
    case "json":
      // Round after round, each is one line.
      return `${(watch ? safeJsonLine : safeJson)(report)}\n`;
    case "markdown":
      return renderStatusMarkdown(report);
    case "csv":
      return renderStatusCsv(report);
    case "html": {
      const { codeEntry } = await import("../../report/reference.ts");
      return renderStatusHtml(report, sort, codeEntry);
    }
    case "text":
      return renderStatusText(report, { columns: world.stdout.columns, color, advise, sort, verbose, named });
  }
}
