// Parts of the page of sales: ticket types, money, and sales over time.
import { dayMs, formatLocalDay } from "../../model/time.ts";
import { formatCount, formatMoney, formatShortMoney, pluralize } from "../../model/value.ts";
import { nameHtml, textHtml } from "../page/frame.ts";
import { barChart, type Step, stepChart } from "./charts.ts";
import type { TicketFigures } from "./figures.ts";
import type { OtherOrders, SalesDay, SalesHistory } from "./history.ts";
import { formatPercent, formatSold, formatSoldCount, formatTakings } from "./messages.ts";

type Counted = Pick<TicketFigures, "sold" | "someSold" | "remaining" | "quantity">;

/** Cells for a row of figures: a bar, sold, left, of. */
export function countCells(counted: Counted): string {
  const { sold, remaining, quantity } = counted;
  const soldOut = remaining === 0 && quantity !== 0;
  const left = soldOut ? '<span class="closed">sold out</span>' : formatSold(remaining);
  return `<td class="drawn">${soldBar(counted)}</td><td>${formatSoldCount(counted)}<small>${formatPercent(sold, quantity)}</small></td><td>${left}</td><td>${formatSold(quantity)}</td>`;
}

export const countTitles =
  '<th scope="col"><span class="spoken">Drawn</span></th><th scope="col">Sold</th><th scope="col">Left</th><th scope="col">Of</th>';

function soldBar({ sold, quantity }: Counted): string {
  if (sold === null || quantity === null || quantity <= 0) return "";
  return barChart({ part: sold, whole: quantity }, `${formatCount(sold)} of ${formatCount(quantity)} sold`);
}

export function typesTable(
  tickets: readonly (Counted & { readonly name: string; readonly price?: number | null })[],
): string {
  if (tickets.length === 0) return '<p class="quiet">No ticket types.</p>';
  const rows = tickets.map((ticket) => {
    const price = ticket.price === undefined ? "" : `<small>${formatTakings(ticket.price)}</small>`;
    return `<tr><th scope="row">${nameHtml(ticket.name)}${price}</th>${countCells(ticket)}</tr>`;
  });
  return `<table><thead><tr><th scope="col">Ticket type</th>${countTitles}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

const otherWords: Readonly<Record<string, string>> = {
  REFUNDED: "refunded",
  CANCELLED: "canceled",
  PENDING: "pending",
};

/** "Not counted: 3 refunded orders (₱4,500.00)." */
export function othersHtml(others: readonly OtherOrders[]): string {
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
  const chart = (pick: (day: SalesDay) => number, what: string, look: "tickets" | "money") => {
    const steps = addUp(days, pick);
    const format = look === "money" ? formatShortMoney : formatCount;
    const sum = format(steps.at(-1)?.value ?? 0);
    const label = `${what} of ${of}, added up by day: ${sum} by ${formatDay(until)}`;
    const drawn = stepChart({ steps, until, label: textHtml(label), look, formatValue: format, formatDay });
    return `<figure><figcaption>${what} <b>${sum}</b></figcaption>${drawn}</figure>`;
  };
  const charts = chart(({ tickets }) => tickets, "Tickets", "tickets") + chart(({ gross }) => gross, "Gross", "money");
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
