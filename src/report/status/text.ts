// `status` for the terminal: a row per event, a row per ticket type below it, and what was earned.
import { formatCount } from "../../model/value.ts";
import {
  diagnosticLines,
  joinBlocks,
  makePage,
  type Page,
  paragraph,
  piece,
  type TerminalOptions,
  type Tone,
} from "../text/page.ts";
import { safeText } from "../text/sanitize.ts";
import { type FixedColumn, layCells, roomBeside, ruleOf } from "../text/table.ts";
import type { EventFigures, StatusReport, TicketFigures } from "./figures.ts";
import {
  capacitySentence,
  describeDivergences,
  feesSentenceOf,
  formatPercent,
  formatSold,
  formatSoldCount,
  formatStart,
  formatStatus,
  markMeanings,
  markOf,
  type StatusMark,
  salesSentence,
  totalSentence,
} from "./messages.ts";

const barWidth = 16;
const numbers: readonly FixedColumn[] = [
  { width: 7, align: "right" },
  { width: 7, align: "right" },
  { width: 7, align: "right" },
  { width: barWidth },
  { width: 5, align: "right" },
];
const narrowestName = 12;

/** Everything but the target, which is above it. */
export function renderStatusText(report: StatusReport, options: TerminalOptions): string {
  const page = makePage(options, 64, 120);
  const { organization } = report.target;
  const head = organization === null ? [] : [`Organization: ${safeText(organization.slug)}`];
  const remarks = report.diagnostics.flatMap((diagnostic) => diagnosticLines(page, diagnostic));
  if (report.events.length === 0)
    return joinBlocks([head, paragraph(page, [piece("word", emptySentence(report))], 0, 2), remarks]);
  const fees = feesSentenceOf(report);
  return joinBlocks([
    head,
    tableLines(page, report),
    legendLines(page, report),
    remarks,
    [
      ...paragraph(page, [piece("heading", totalSentence(report))], 0, 2),
      ...(fees === null ? [] : paragraph(page, [piece("quiet", safeText(fees))], 0, 2)),
    ],
  ]);
}

function emptySentence({ archived }: StatusReport): string {
  if (archived === null || archived === 0)
    return "The organization has no events yet. Write one into events/ and run `ticketing apply`.";
  return `No event is live; ${formatCount(archived)} ${archived === 1 ? "is" : "are"} archived: see them with --archived.`;
}

function tableLines(page: Page, report: StatusReport): readonly string[] {
  const columns = [{ width: roomBeside(numbers, page.columns, narrowestName) }, ...numbers];
  const titles = layCells(columns, ["Event, ticket type", "Sold", "Left", "Of", "", ""]);
  return [
    ...titles.map((line) => page.paint([piece("heading", line)])),
    ruleOf(columns),
    ...report.events.flatMap((event, index) => [...(index === 0 ? [] : [""]), ...eventLines(page, columns, event)]),
  ];
}

function eventLines(page: Page, columns: readonly FixedColumn[], event: EventFigures): readonly string[] {
  const mark = markOf(event);
  const isLive = event.id !== null;
  // Without ticket types there is nothing to count.
  const counted = isLive && event.tickets?.length !== 0 ? event : null;
  const [name = "", ...further] = layRow(columns, `${mark} `, safeText(event.name), counted);
  const below = [
    ...(isLive ? [capacitySentence(event), salesSentence(event)] : []),
    event.divergences === null || event.divergences.length === 0
      ? null
      : `differs from the files: ${describeDivergences(event.divergences)}`,
  ].filter((text) => text !== null);
  const facts = `${formatStatus(event)}, ${formatStart(event)}${event.key === null ? "" : `, events/${event.key}`}`;
  return [
    page.paint([piece(toneOfMark[mark], name)]),
    ...further,
    ...paragraph(page, [piece("quiet", safeText(facts))], 2, 4),
    ...(event.tickets ?? []).flatMap((ticket) => {
      const unsold = ticket.published === false ? " (not on sale)" : "";
      return layRow(columns, "    ", `${safeText(ticket.name)}${unsold}`, ticket);
    }),
    ...below.flatMap((text) => paragraph(page, [piece("word", safeText(text))], 2, 4)),
  ];
}

type Counted = Pick<TicketFigures, "sold" | "someSold" | "remaining" | "quantity">;

/** The name wraps within its own column, indented as its first line is. */
function layRow(
  [first, ...rest]: readonly FixedColumn[],
  lead: string,
  name: string,
  counted: Counted | null,
): readonly string[] {
  const narrow = [{ width: (first?.width ?? narrowestName) - lead.length }, ...rest];
  const lines = layCells(narrow, [name, ...(counted === null ? [] : cellsOf(counted))]);
  return lines.map((line, index) => `${index === 0 ? lead : " ".repeat(lead.length)}${line}`.trimEnd());
}

function cellsOf(counted: Counted): readonly string[] {
  const { sold, remaining, quantity } = counted;
  return [
    formatSoldCount(counted),
    formatSold(remaining),
    formatSold(quantity),
    sold === null || quantity === null || quantity <= 0 ? "" : barOf(sold / quantity),
    formatPercent(sold, quantity),
  ];
}

/** Not empty once anything is sold, and not full before everything is. */
export function barOf(part: number): string {
  const full = Math.min(barWidth, Math.max(0, Math.floor(part * barWidth)));
  const shown = part > 0 && full === 0 ? 1 : full;
  return "█".repeat(shown) + "░".repeat(barWidth - shown);
}

const toneOfMark: Readonly<Record<StatusMark, Tone>> = { "?": "quiet", "~": "change", "+": "create", " ": "name" };

function legendLines(page: Page, report: StatusReport): readonly string[] {
  const used = new Set(report.events.map(markOf));
  return (["~", "+", "?"] as const)
    .filter((mark) => used.has(mark))
    .flatMap((mark) =>
      paragraph(page, [piece(toneOfMark[mark], mark), piece("quiet", ` ${markMeanings[mark]}`)], 0, 2),
    );
}
