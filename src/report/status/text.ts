// `status` for the terminal: a row per event, a row per ticket type below it, and what was earned.
import { formatCount } from "../../model/value.ts";
import { makePaint, type Tone } from "../formats/paint.ts";
import { type Page, paragraph, piece } from "../formats/text-lines.ts";
import { safeText } from "../text/sanitize.ts";
import { type FixedColumn, layCells, roomBeside, ruleOf } from "../text/table.ts";
import type { EventFigures, StatusReport, TicketFigures } from "./figures.ts";
import {
  capacitySentence,
  divergenceMessages,
  divergenceSentence,
  feesSentenceOf,
  formatPercent,
  formatSold,
  formatSoldCount,
  formatStart,
  formatStatus,
  markOf,
  type StatusMark,
  salesSentence,
  totalSentence,
} from "./messages.ts";

export interface StatusTextOptions {
  readonly columns: number;
  readonly color: boolean;
}

const barWidth = 16;
const numbers: readonly FixedColumn[] = [
  { width: 7, align: "right" },
  { width: 7, align: "right" },
  { width: 7, align: "right" },
  { width: barWidth },
  { width: 5, align: "right" },
];
const narrowestName = 12;
const widest = 120;

/** Everything but the target, which stands above it. */
export function renderStatusText(report: StatusReport, options: StatusTextOptions): string {
  const page: Page = { columns: Math.max(64, Math.min(options.columns, widest)), paint: makePaint(options.color) };
  const { organization } = report.target;
  const head = organization === null ? [] : [`Organization: ${safeText(organization.slug)}`];
  const remarks = report.diagnostics.flatMap(({ severity, message, hint }) => [
    ...message.split("\n").flatMap((line, index) => {
      const pieces = index === 0 ? [piece("warning", severity), piece("prose", `: ${safeText(line)}`)] : null;
      return pieces === null
        ? paragraph(page, [piece("prose", safeText(line.trimStart()))], 4, 6)
        : paragraph(page, pieces, 0, 2);
    }),
    ...(hint === undefined ? [] : paragraph(page, [piece("heading", "fix: "), piece("prose", safeText(hint))], 2, 4)),
  ]);
  const blocks =
    report.events.length === 0
      ? [head, paragraph(page, [piece("word", emptySentence(report))], 0, 2), remarks]
      : [head, tableLines(page, report), legendLines(page, report), remarks, totalLines(page, report)];
  return `${blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function emptySentence({ archived }: StatusReport): string {
  if (archived !== null && archived > 0) {
    return `No event is live; ${formatCount(archived)} ${archived === 1 ? "is" : "are"} archived: see them with --archived.`;
  }
  return "The organization has no events yet. Write one into events/ and run `ticketing apply`.";
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
  const live = event.id !== null;
  const [name = "", ...further] = layRow(columns, `${mark} `, safeText(event.name), isCounted(event) ? event : null);
  const below = [
    `${formatStatus(event)}, ${formatStart(event)}${event.key === null ? "" : `, events/${event.key}`}`,
    ...(live ? [capacitySentence(event), salesSentence(event)] : []),
    ...(event.divergences === null || event.divergences.length === 0
      ? []
      : [`differs from the files: ${divergenceSentence(event.divergences)}`]),
  ].filter((text) => text !== null);
  const [first = "", ...others] = below;
  return [
    page.paint([piece(toneOf(mark), name)]),
    ...further,
    ...paragraph(page, [piece("quiet", safeText(first))], 2, 4),
    ...(event.tickets ?? []).flatMap((ticket) => layRow(columns, "    ", ticketName(ticket), ticket)),
    ...others.flatMap((text) => paragraph(page, [piece("word", safeText(text))], 2, 4)),
  ];
}

/** Without ticket types there is nothing to count. */
function isCounted(event: EventFigures): boolean {
  return event.id !== null && event.tickets?.length !== 0;
}

function ticketName({ name, published }: TicketFigures): string {
  return `${safeText(name)}${published === false ? " (not on sale)" : ""}`;
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

function toneOf(mark: StatusMark): Tone {
  switch (mark) {
    case "?":
      return "quiet";
    case "~":
      return "change";
    case "+":
      return "create";
    case " ":
      return "name";
  }
}

function legendLines(page: Page, report: StatusReport): readonly string[] {
  const used = new Set(report.events.map(markOf));
  return (["~", "+", "?"] as const)
    .filter((mark) => used.has(mark))
    .flatMap((mark) =>
      paragraph(page, [piece(toneOf(mark), mark), piece("quiet", ` ${divergenceMessages[mark]}`)], 0, 2),
    );
}

function totalLines(page: Page, report: StatusReport): readonly string[] {
  const fees = feesSentenceOf(report);
  return [
    ...paragraph(page, [piece("heading", totalSentence(report))], 0, 2),
    ...(fees === null ? [] : paragraph(page, [piece("quiet", safeText(fees))], 0, 2)),
  ];
}
