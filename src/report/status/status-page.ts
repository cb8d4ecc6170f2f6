// `status` as a page: sums at the top, then each series and event with its ticket types and its sales over time.
import { formatLocalDay, formatLocalMoment, formatMoment, formatShortMoment } from "../../model/time.ts";
import { commissionPercent, formatCount, formatMoney, pluralize } from "../../model/value.ts";
import { dayIn } from "../../model/wish.ts";
import { statusClass } from "../page/card.ts";
import { type ExplainCode, explainedCodes, nameHtml, renderPage, textHtml } from "../page/frame.ts";
import { compareStarts, diagnosticsHtml } from "../page/lines.ts";
import { type EventFigures, isClosed, joinHistories, type SeriesFigures, type StatusReport } from "./figures.ts";
import {
  closedSentence,
  feesSentenceOf,
  foreignText,
  formatDaysToGo,
  formatSold,
  formatTakings,
  groupEvents,
  isNotLive,
  markMeanings,
  type StatusGroup,
  type StatusSort,
  sortEvents,
  sumTypes,
} from "./groups.ts";
import { columnChart, countCells, countTitles, epochDay, historyHtml, typesTable } from "./sales-html.ts";

export function renderStatusHtml(report: StatusReport, sort: StatusSort, explain: ExplainCode = () => null): string {
  const { target, events, diagnostics } = report;
  const whose = target.organization?.slug ?? target.environment;
  const groups = groupEvents(events, sort);
  const today = epochDay(dayIn(report.timezone, Date.parse(report.createdAt)));
  const fees = feesSentenceOf(report);
  const body = [
    "<header>",
    `<h1>Sales of ${nameHtml(whose)}</h1>`,
    `<p class="quiet">${textHtml(target.environment)}, ${textHtml(formatMoment(report.createdAt, report.timezone))}. Days are those of ${textHtml(report.timezone)}.</p>`,
    "</header>",
    "<main>",
    diagnostics.length === 0 ? "" : diagnosticsHtml(diagnostics),
    events.length === 0 ? "<p>No events.</p>" : sumsHtml(report),
    fees === null ? "" : `<p class="quiet">${textHtml(fees)}</p>`,
    archivedHtml(report),
    events.length > 1
      ? `<h2>All events</h2>${historyHtml(historyOf(events), "all events", today)}${listHtml(groups)}`
      : "",
    ...groups.map((group, index) => statusGroupHtml(group, index, today)),
  ];
  const explained = explainedCodes(body.filter((part) => part !== "").join("\n"), explain);
  return renderPage({ title: `Sales of ${whose}`, body: `${explained}\n</main>` });
}

function archivedHtml({ archived }: StatusReport): string {
  if (archived === null || archived === 0) return "";
  const [is, it] = archived === 1 ? ["is", "it"] : ["are", "them"];
  return `<p class="quiet">${pluralize(archived, "archived event")} ${is} not shown or counted; --archived includes ${it}.</p>`;
}

function historyOf(events: readonly EventFigures[]) {
  const known = events.flatMap(({ history }) => history ?? []);
  return known.length === 0 ? undefined : joinHistories(known);
}

function sumsHtml({ totals, events }: StatusReport): string {
  const live = events.filter(({ id }) => id !== null);
  const isKnown = live.every(({ gross }) => gross !== null);
  const soldOut = events.filter((event) => event.soldOut).length;
  const next = sortEvents(events, "date").find(({ ended, dateTime }) => !ended && dateTime !== null);
  const money = (pesos: number) => (isKnown ? formatMoney(pesos) : "not known");
  return tilesHtml([
    [
      "Tickets sold",
      formatCount(totals.sold),
      `of ${formatCount(totals.quantity)}; ${formatCount(totals.remaining)} left to sell`,
    ],
    ["Gross", money(totals.gross), "completed orders"],
    ["Net", money(totals.net), `less ${commissionPercent}% commission, before processing fees`],
    ["Events", formatCount(totals.events), soldOut === 0 ? "none sold out" : `${formatCount(soldOut)} sold out`],
    ...(next === undefined ? [] : [["Next", textHtml(formatDaysToGo(next)), textHtml(next.name)] as const]),
  ]);
}

function tilesHtml(tiles: readonly (readonly [string, string, string])[]): string {
  const items = tiles.map(
    ([name, value, more]) => `<div><dt>${name}</dt><dd><b>${value}</b><small>${more}</small></dd></div>`,
  );
  return `<dl class="tiles">${items.join("")}</dl>`;
}

/** A row for each series and event, which leads to its own part of the page. */
function listHtml(groups: readonly StatusGroup[]): string {
  const rows = groups.map((group, index) => {
    const [event] = group.events;
    const counted = group.sums ?? event;
    if (counted === undefined) return "";
    const when =
      group.sums === null
        ? whenText(event)
        : `${spanText(group.sums, group.events)}, ${pluralize(group.events.length, "date")}`;
    return `<tr><th scope="row"><a href="#g${index}">${nameHtml(group.name)}</a><small>${textHtml(when)}${group.sums === null ? statusNote(event) : ""}</small></th>${rowCells(counted, group.events)}</tr>`;
  });
  return tableHtml("Event", rows, "Sums by event");
}

function tableHtml(first: string, rows: readonly string[], label: string): string {
  return `<div class="wide sums" tabindex="0" role="region" aria-label="${label}"><table><thead><tr><th scope="col">${first}</th>${countTitles}<th scope="col">Gross</th><th scope="col">Net</th></tr></thead><tbody>${rows.join("\n")}</tbody></table></div>`;
}

/** What a buyer cannot get: a draft, an archived event, or one that is being deleted. */
function statusNote(event: EventFigures | undefined): string {
  if (event == null || event.id === null) return "";
  const status = event.status === "PUBLISHED" ? "" : `, ${event.status ?? "status not shown"}`;
  return `${status}${event.removed === true ? `, ${markMeanings["-"]}` : ""}`;
}

function rowCells(counted: SeriesFigures | EventFigures, events: readonly EventFigures[]): string {
  if (isNotLive(events)) return '<td></td><td colspan="5" class="quiet">not live</td>';
  return `${countCells(counted, events.every(isClosed))}<td>${formatTakings(counted.gross)}</td><td>${formatTakings(counted.net)}</td>`;
}

function whenText(event: EventFigures | undefined): string {
  if (event?.dateTime == null) return "start not shown";
  const days = formatDaysToGo(event);
  return `${formatLocalMoment(event.dateTime, event.timezone)}${days === "" ? "" : `, ${days}`}`;
}

function spanText({ from, until }: SeriesFigures, events: readonly EventFigures[]): string {
  const zone = events[0]?.timezone ?? "UTC";
  const day = (instant: string | null) => (instant === null ? "?" : formatLocalDay(instant, zone));
  return from === until ? day(from) : `${day(from)} to ${day(until)}`;
}

function statusGroupHtml(group: StatusGroup, index: number, today: number): string {
  const [event] = group.events;
  if (group.sums !== null) return seriesHtml(group, group.sums, index, today);
  return event === undefined
    ? ""
    : `<section id="g${index}"><h2>${nameHtml(event.name)}</h2>${eventHtml(event, today)}</section>`;
}

function seriesHtml({ name, events, key }: StatusGroup, sums: SeriesFigures, index: number, today: number): string {
  const inTime = [...events].sort((one, other) => compareStarts(one.dateTime, other.dateTime));
  const columns = inTime.map((event) => ({
    part: event.sold ?? 0,
    whole: event.quantity ?? 0,
    label: `${whenText(event)}: ${formatSold(event.sold)} of ${formatSold(event.quantity)} sold`,
  }));
  const day = (event: EventFigures | undefined) =>
    event?.dateTime == null ? "" : formatShortMoment(event.dateTime, event.timezone).split(" ").slice(0, 3).join(" ");
  const label = `Tickets sold and left on each of ${pluralize(events.length, "date")}`;
  const drawn =
    events.length < 2 || sums.sold === 0
      ? ""
      : `<figure><figcaption>Sold on each date <span class="quiet">(gray: not sold)</span></figcaption>${columnChart(columns, label, [day(inTime[0]), day(inTime.at(-1))])}</figure>`;
  const rows = events.map(
    (event) =>
      `<tr><th scope="row">${textHtml(whenText(event))}<small>${nameHtml(event.name)}${statusNote(event)}</small></th>${rowCells(event, [event])}</tr>`,
  );
  const selling = events.filter((event) => (event.history?.days.length ?? 0) > 0);
  return [
    `<section id="g${index}">`,
    `<h2>${nameHtml(name)}</h2>`,
    `<p class="quiet">${key === null ? "" : `${pluralize(events.length, "date")}, `}${textHtml(spanText(sums, events))}. ${isNotLive(events) ? "Not live." : moneyText(sums)}</p>`,
    drawn,
    isNotLive(events) ? "" : typesTable(sumTypes(events), events.every(isClosed)),
    historyHtml(historyOf(events), name, today),
    `<details><summary>Each date</summary>${tableHtml("Date", rows, "Sums by date")}</details>`,
    selling.length === 0 ? "" : "<h3>Dates with orders</h3>",
    ...selling.map(
      (event) =>
        `<details class="part"><summary>${textHtml(whenText(event))}: ${nameHtml(event.name)}</summary>${eventHtml(event, today)}</details>`,
    ),
    "</section>",
  ].join("\n");
}

function eventHtml(event: EventFigures, today: number): string {
  const badges = [
    `<span class="badge ${statusClass(event.status)}">${event.id === null ? "not live" : (event.status ?? "status not shown")}</span>`,
    ...(event.soldOut ? ['<span class="badge closed">sold out</span>'] : []),
    ...(event.ended ? ['<span class="badge draft">over</span>'] : []),
    ...(event.removed === true ? [`<span class="badge closed">${markMeanings["-"]}</span>`] : []),
  ];
  const when = `<p class="when">${textHtml(whenText(event))} <span class="quiet">${textHtml(event.timezone)}</span></p>`;
  if (event.id === null) return `<p>${badges.join(" ")}</p>${when}`;
  return [
    `<p>${badges.join(" ")}</p>`,
    when,
    `<p>${moneyText(event)}</p>`,
    closedSentence(event) === null ? "" : `<p class="quiet">${closedSentence(event)}.</p>`,
    event.tickets === null
      ? '<p class="quiet">Ticket types could not be read.</p>'
      : typesTable(event.tickets, isClosed(event)),
    historyHtml(event.history, event.name, today),
  ].join("\n");
}

function moneyText(figures: SeriesFigures | EventFigures): string {
  const { orders, gross, commission, net } = figures;
  if (gross === null) return "Gross and net are not known.";
  return `${pluralize(orders ?? 0, "order")}: gross ${formatMoney(gross)}, commission ${formatTakings(commission)}, net ${formatTakings(net)}${textHtml(foreignText(figures))}.`;
}
