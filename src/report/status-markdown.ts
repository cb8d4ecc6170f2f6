// `status` as Markdown, for a comment or a page.
import { escapeProse } from "./markdown-escape.ts";
import { dataCell, markdownTable } from "./markdown-table.ts";
import { safeText } from "./safe-text.ts";
import type { EventFigures, StatusReport, TicketFigures } from "./status-report.ts";
import {
  countWords,
  divergenceSentence,
  feesSentenceOf,
  markOf,
  moneyWords,
  percentWords,
  soldCountWords,
  startWords,
  statusWords,
  totalSentence,
} from "./status-words.ts";

const columns = [
  { title: "Event" },
  { title: "Status" },
  { title: "Start" },
  { title: "Sold", align: "right" },
  { title: "Left", align: "right" },
  { title: "Of", align: "right" },
  { title: "Capacity used", align: "right" },
  { title: "Gross", align: "right" },
  { title: "Commission", align: "right" },
  { title: "Net", align: "right" },
] as const;

export function renderStatusMarkdown(report: StatusReport): string {
  const { environment, baseUrl, organization } = report.target;
  const whose = organization === null ? "" : `, organization ${dataCell(organization.slug)}`;
  const notes = [
    ...report.events.flatMap(noteOf),
    ...report.diagnostics.map(({ severity, message, hint }) =>
      escapeProse(safeText(`${severity}: ${message}${hint === undefined ? "" : ` ${hint}`}`)),
    ),
  ];
  const fees = feesSentenceOf(report);
  const lines = [
    `**Status of ${dataCell(environment)}**: ${dataCell(baseUrl)}${whose}`,
    "",
    ...(report.events.length === 0
      ? ["No event is live."]
      : markdownTable(
          columns,
          report.events.flatMap((event) => [eventRow(event), ...(event.tickets ?? []).map(ticketRow)]),
        )),
    ...(notes.length === 0 ? [] : ["", ...notes.map((note) => `- ${note}`)]),
    "",
    totalSentence(report),
    ...(fees === null ? [] : ["", escapeProse(safeText(fees))]),
  ];
  return `${lines.join("\n")}\n`;
}

function eventRow(event: EventFigures): readonly string[] {
  const start = [dataCell(event.name), escapeProse(statusWords(event)), escapeProse(safeText(startWords(event)))];
  if (event.id === null) return [...start, "", "", "", "", "", "", ""];
  return [
    ...start,
    ...countsOf(event),
    percentWords(event.sold, event.capacity),
    moneyWords(event.gross),
    moneyWords(event.commission),
    moneyWords(event.net),
  ];
}

function ticketRow(ticket: TicketFigures): readonly string[] {
  return [`↳ ${dataCell(ticket.name)}`, "", "", ...countsOf(ticket), "", "", "", ""];
}

function countsOf(counted: Pick<TicketFigures, "sold" | "someSold" | "remaining" | "quantity">) {
  const { remaining, quantity } = counted;
  return [soldCountWords(counted), countWords(remaining), countWords(quantity)];
}

function noteOf(event: EventFigures): readonly string[] {
  const name = dataCell(event.name);
  switch (markOf(event)) {
    case "?":
      return [`${name} is not in the files (unmanaged)`];
    case "~":
      return [`${name} differs from the files: ${escapeProse(safeText(divergenceSentence(event.divergences ?? [])))}`];
    case "+":
      return [`${name} is in the files and not live yet`];
    case " ":
      return [];
  }
}
