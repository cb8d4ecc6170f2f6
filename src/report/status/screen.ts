// `status --watch`: what matters most, on one screen. What has changed comes first, then what starts next.
import { formatCount } from "../../model/value.ts";
import { diagnosticLines, makePage, paragraph, piece, type TerminalOptions } from "../text/page.ts";
import type { EventFigures, StatusReport } from "./figures.ts";
import { type StatusSort, sortEvents } from "./groups.ts";
import { eventRow, type OverviewRow, overviewLines } from "./overview.ts";
import { headLines, legendLines, renderStatusText, totalLines } from "./text.ts";

export interface StatusScreenOptions extends TerminalOptions {
  readonly sort: StatusSort;
  readonly named: boolean;
  /** Lines that there is room for. */
  readonly rows: number;
}

export interface StatusScreen {
  /** The report of a round, with what has changed since the first one. */
  render(report: StatusReport, options: StatusScreenOptions): string;
}

interface Seen {
  readonly first: EventFigures;
  readonly last: string;
  /** The round in which it changed last; 0: not since the first. */
  readonly changed: number;
}

export function makeStatusScreen(): StatusScreen {
  const seen = new Map<string, Seen>();
  let round = 0;

  function note(event: EventFigures): void {
    const id = event.id ?? event.key ?? event.name;
    const now = JSON.stringify([event.status, event.sold, event.remaining, event.gross]);
    const before = seen.get(id);
    if (before === undefined) seen.set(id, { first: event, last: now, changed: 0 });
    else if (before.last !== now) seen.set(id, { ...before, last: now, changed: round });
  }

  const seenOf = (event: EventFigures) => seen.get(event.id ?? event.key ?? event.name);

  function rowOf(event: EventFigures): OverviewRow {
    const row = eventRow(event);
    const more = (event.sold ?? 0) - (seenOf(event)?.first.sold ?? event.sold ?? 0);
    const sign = more > 0 ? "+" : "";
    return more === 0
      ? row
      : { ...row, cells: { ...row.cells, name: `(${sign}${formatCount(more)}) ${row.cells.name}` } };
  }

  return {
    render(report, options) {
      round += 1;
      for (const event of report.events) note(event);
      if (options.named) {
        const text = renderStatusText(report, { ...options, verbose: false });
        if (text.split("\n").length <= options.rows) return text;
      }
      const page = makePage(options, 30, 140);
      const changed = (event: EventFigures) => seenOf(event)?.changed ?? 0;
      const events = sortEvents(report.events, options.sort).toSorted((one, other) => changed(other) - changed(one));
      return fillScreen(options.rows, events, (shown) => {
        const hidden = events.length - shown.length;
        const more = `${formatCount(hidden)} more not shown: they start later, and nothing has changed.`;
        const rest = hidden === 0 ? [] : paragraph(page, [piece("quiet", more)], 2);
        const table = shown.length === 0 ? [] : overviewLines(page, shown.map(rowOf));
        return [
          ...headLines(page, report),
          ...table,
          ...rest,
          ...legendLines(page, { ...report, events: shown }),
          ...report.diagnostics.flatMap((diagnostic) => diagnosticLines(page, diagnostic)),
          ...totalLines(page, report),
        ];
      });
    },
  };
}

/** As many as there is room for, and at least one. */
function fillScreen(
  rows: number,
  events: readonly EventFigures[],
  linesOf: (shown: readonly EventFigures[]) => readonly string[],
): string {
  for (let count = events.length; count > 1; count--) {
    // Each takes a line at least: the others need not be tried.
    if (count > rows) continue;
    const lines = linesOf(events.slice(0, count));
    if (lines.length <= rows) return `${lines.join("\n")}\n`;
  }
  return `${linesOf(events.slice(0, 1)).join("\n")}\n`;
}
