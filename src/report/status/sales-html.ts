// Parts of the page of sales: ticket types, money, and sales over time.
import { dayMs, formatLocalDay } from "../../model/time.ts";
import { escapeHtml, formatCount, formatMoney, formatShortMoney, pluralize } from "../../model/value.ts";
import { nameHtml, textHtml } from "../page/frame.ts";
import { type Counted, type OtherOrders, round, type SalesDay, type SalesHistory } from "./figures.ts";
import { formatLeft, formatPercent, formatSold, formatSoldCount, formatTakings } from "./groups.ts";

/** Cells for a row of figures: a bar, sold, left, of. */
export function countCells(counted: Counted, areClosed = false): string {
  const { sold, remaining, quantity } = counted;
  const isSoldOut = remaining === 0 && quantity !== 0 && !areClosed;
  const left = isSoldOut ? '<span class="closed">sold out</span>' : formatLeft({ remaining, isOver: areClosed });
  return `<td class="drawn">${soldBar(counted)}</td><td>${formatSoldCount(counted)}<small>${formatPercent(sold, quantity)}</small></td><td>${left}</td><td>${formatSold(quantity)}</td>`;
}

export const countTitles =
  '<th scope="col"><span class="spoken">Bar</span></th><th scope="col">Sold</th><th scope="col">Left</th><th scope="col">Total</th>';

function soldBar({ sold, quantity }: Counted): string {
  if (sold === null || quantity === null || quantity <= 0) return "";
  return barChart({ part: sold, whole: quantity }, `${formatCount(sold)} of ${formatCount(quantity)} sold`);
}

type CountedType = Counted & { readonly name: string; readonly price?: number | null };

/** `areClosed`: the events of all of them are over. */
export function typesTable(tickets: readonly CountedType[], areClosed = false): string {
  if (tickets.length === 0) return '<p class="quiet">No ticket types.</p>';
  const rows = tickets.map((ticket) => {
    const price = ticket.price === undefined ? "" : `<small>${formatTakings(ticket.price)}</small>`;
    return `<tr><th scope="row">${nameHtml(ticket.name)}${price}</th>${countCells(ticket, areClosed)}</tr>`;
  });
  return `<table><thead><tr><th scope="col">Ticket type</th>${countTitles}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

const otherWords: Readonly<Record<string, string>> = {
  REFUNDED: "refunded",
  CANCELLED: "canceled",
  PENDING: "pending",
};

/** "Not counted: 3 refunded orders (₱4,500.00)." */
function othersHtml(others: readonly OtherOrders[]): string {
  if (others.length === 0) return "";
  const parts = others.map(({ status, orders, amount }) => {
    const word = otherWords[status] ?? textHtml(status);
    return `${pluralize(orders, `${word} order`)} (${formatMoney(amount)})`;
  });
  return `<p class="quiet">Not counted: ${parts.join(", ")}.</p>`;
}

/** Sales over time, drawn and as a table; `today` is the last day, in days since the epoch. */
export function historyHtml(history: SalesHistory | undefined, of: string, today: number): string {
  if (history === undefined) return "";
  const { days, unclear, others } = history;
  const remark =
    unclear === 0
      ? ""
      : `<p class="quiet">${pluralize(unclear, "order")} ${unclear === 1 ? "does" : "do"} not show a day, a number of tickets or an amount, so these charts are not complete.</p>`;
  if (days.length === 0) return `<p class="quiet">No completed orders yet.</p>${remark}${othersHtml(others)}`;
  const until = Math.max(today, epochDay(days.at(-1)?.day ?? ""));
  const chart = (pick: (day: SalesDay) => number, what: string, format: keyof typeof formats) => {
    const steps = addUp(days, pick);
    if (steps.at(-1)?.value === 0) return "";
    const sum = formats[format](steps.at(-1)?.value ?? 0);
    const label = `${what} of ${of}, by day: ${sum} by ${formatDay(until)}`;
    return `<figure><figcaption>${what} <b>${sum}</b></figcaption>${stepChart(steps, until, textHtml(label), format)}</figure>`;
  };
  const charts =
    chart(({ tickets }) => tickets, "Tickets so far", "tickets") + chart(({ gross }) => gross, "Gross so far", "money");
  return `<div class="charts">${charts}</div>${daysTable(days)}${remark}${othersHtml(others)}`;
}

function addUp(days: readonly SalesDay[], pick: (day: SalesDay) => number): readonly Step[] {
  let value = 0;
  return days.map((day) => {
    value += pick(day);
    return { day: epochDay(day.day), value };
  });
}

function daysTable(days: readonly SalesDay[]): string {
  let [tickets, gross] = [0, 0];
  const rows = days.map((day) => {
    tickets += day.tickets;
    gross += day.gross;
    return `<tr><th scope="row">${formatDay(epochDay(day.day))}</th><td>${formatCount(day.orders)}</td><td>${formatCount(day.tickets)}</td><td>${formatMoney(day.gross)}</td><td>${formatCount(tickets)}</td><td>${formatMoney(gross)}</td></tr>`;
  });
  const titles = ["Day", "Orders", "Tickets", "Gross", "Tickets so far", "Gross so far"];
  return `<details><summary>The same as a table: ${pluralize(days.length, "day")} with orders</summary><div class="wide" tabindex="0" role="region" aria-label="Sales by day"><table><thead><tr>${titles.map((title) => `<th scope="col">${title}</th>`).join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table></div></details>`;
}

/** Days since the epoch. */
export function epochDay(day: string): number {
  return Math.floor(Date.parse(`${day}T00:00:00Z`) / dayMs);
}

/** Without the weekday. */
function formatDay(day: number): string {
  return formatLocalDay(day * dayMs, "UTC").replace(/^\w+ /, "");
}

// Charts as SVG that fits any width: across they are laid out in percent, so that text keeps its size. No script.

/** Round numbers from 0 to the most or just above it, a handful of them. */
export function niceTicks(most: number): readonly number[] {
  if (!(most > 0)) return [0];
  const rough = most / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough) ?? power * 10;
  // There are no half tickets.
  const whole = Math.max(1, Math.ceil(step));
  return Array.from({ length: Math.ceil(most / whole) + 1 }, (_, index) => index * whole);
}

interface Bar {
  readonly part: number;
  readonly whole: number;
}

/** How much of the whole is reached: one horizontal bar. `label` says it in words. */
export function barChart({ part, whole }: Bar, label: string): string {
  const share = whole <= 0 ? 0 : Math.min(1, part / whole);
  // Even one of many is visible.
  const width = share === 0 ? "0" : `max(2px, ${round(share * 100)}%)`;
  return `<svg class="chart bar" role="img" aria-label="${escapeHtml(label)}" height="14"><rect class="rest" width="100%" height="14" rx="3"/><rect class="part" style="width:${width}" height="14" rx="3"/></svg>`;
}

export interface Column extends Bar {
  /** What the pointer shows of it. */
  readonly label: string;
}

const columnsHeight = 140;
/** For the numbers, which bars would hide. */
const leftPercent = 6;

/** A standing bar for each of many, all to one scale. `ends`: what the first and the last are. */
export function columnChart(columns: readonly Column[], label: string, ends: readonly [string, string]): string {
  const ticks = niceTicks(Math.max(...columns.map(({ part, whole }) => Math.max(part, whole))));
  const top = ticks.at(-1) || 1;
  const high = (value: number) => round((value / top) * columnsHeight);
  const step = (100 - leftPercent) / columns.length;
  const bars = columns.map(({ part, whole, label: own }, index) => {
    const at = `x="${round(leftPercent + index * step + step * 0.12)}%" width="${round(step * 0.76)}%"`;
    const bar = (value: number, cssClass: string) =>
      value <= 0
        ? ""
        : `<rect class="${cssClass}" ${at} y="${plotTop + columnsHeight - high(value)}" height="${high(value)}"/>`;
    return `<g><title>${escapeHtml(own)}</title>${bar(whole, "rest")}${bar(part, "part")}</g>`;
  });
  return frame(label, columnsHeight, [
    ...grid(ticks, columnsHeight),
    ...bars,
    ...gridLabels(ticks, columnsHeight, formatCount),
    ...underneath(columnsHeight, [
      [leftPercent, ends[0]],
      [100, ends[1]],
    ]),
  ]);
}

export interface Step {
  /** In days since the epoch. */
  readonly day: number;
  readonly value: number;
}

const stepsHeight = 150;
const plotTop = 16;

/** The keys are CSS classes, too. */
const formats = { tickets: formatCount, money: formatShortMoney } as const;

/** `until`: the last day shown, on which the last sum still holds. */
export function stepChart(steps: readonly Step[], until: number, label: string, format: keyof typeof formats): string {
  const from = (steps[0]?.day ?? until) - 1;
  // The last day has a width, too.
  const span = until + 1 - from;
  const ticks = niceTicks(Math.max(...steps.map(({ value }) => value)));
  const top = ticks.at(-1) || 1;
  const x = (day: number) => round(((day - from) / span) * 1000);
  const y = (value: number) => round(stepsHeight - (value / top) * stepsHeight);
  const path = [`M0 ${stepsHeight}`, ...steps.map(({ day, value }) => `H${x(day)}V${y(value)}`), "H1000"].join("");
  const plot = `<svg y="${plotTop}" width="100%" height="${stepsHeight}" viewBox="0 0 1000 ${stepsHeight}" preserveAspectRatio="none" overflow="visible"><path class="area ${format}" d="${path}V${stepsHeight}Z"/><path class="line ${format}" d="${path}"/></svg>`;
  const days = dayTicks(from, until).map((day) => [round(((day - from) / span) * 100), formatDay(day)] as const);
  return frame(label, stepsHeight, [
    ...grid(ticks, stepsHeight),
    plot,
    ...gridLabels(ticks, stepsHeight, formats[format]),
    ...underneath(stepsHeight, days),
  ]);
}

/** The first and the last day, and one between them if there is room. */
function dayTicks(from: number, until: number): readonly number[] {
  const middle = Math.round((from + until) / 2);
  return until - from < 2 ? [from, until] : [from, middle, until];
}

function frame(label: string, height: number, parts: readonly string[]): string {
  return `<svg class="chart" role="img" aria-label="${escapeHtml(label)}" height="${height + plotTop + 22}">${parts.join("")}</svg>`;
}

function grid(ticks: readonly number[], height: number): readonly string[] {
  return ticks.map(
    (tick) => `<line x2="100%" y1="${gridAt(tick, ticks, height)}" y2="${gridAt(tick, ticks, height)}"/>`,
  );
}

/** The number of each line above its left end, on top of what is drawn. */
function gridLabels(ticks: readonly number[], height: number, format: (value: number) => string): readonly string[] {
  const shown = ticks.filter((tick) => tick !== 0);
  return shown.map((tick) => `<text y="${round(gridAt(tick, ticks, height) - 3)}">${escapeHtml(format(tick))}</text>`);
}

function gridAt(tick: number, ticks: readonly number[], height: number): number {
  return round(plotTop + height - (tick / (ticks.at(-1) || 1)) * height);
}

function underneath(height: number, labels: readonly (readonly [number, string])[]): readonly string[] {
  return labels.map(([percent, text], index) => {
    const anchor = index === 0 ? "start" : index === labels.length - 1 ? "end" : "middle";
    return `<text x="${percent}%" y="${plotTop + height + 16}" text-anchor="${anchor}">${escapeHtml(text)}</text>`;
  });
}
