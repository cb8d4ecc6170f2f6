// The history of a webhook for the terminal.
import { formatLocalTime } from "../model/moment.ts";
import { formatCount } from "../model/money.ts";
import type { DeliveryView } from "./delivery-view.ts";
import { renderSentence } from "./sentence.ts";
import { renderTable } from "./table.ts";

export interface DeliveriesTextOptions {
  readonly columns: number;
  readonly url: string;
  readonly zone: string;
}

export function renderDeliveriesText(deliveries: readonly DeliveryView[], options: DeliveriesTextOptions): string {
  const head = renderSentence(`Deliveries to ${options.url}, times in ${options.zone}`, { ...options, color: false });
  if (deliveries.length === 0) return `\n${head}\nNothing was sent yet.\n`;
  const table = renderTable(
    [
      { title: "Sent", whole: true },
      { title: "Event" },
      { title: "Result" },
      { title: "Answer", align: "right" },
      { title: "Tries", align: "right" },
      { title: "Error" },
    ],
    deliveries.map(({ at, event, result, answer, attempts, error }) => [
      at === null ? "?" : formatLocalTime(at, options.zone).replace("T", " "),
      event ?? "?",
      result ?? "?",
      answer ?? "",
      attempts === null ? "" : formatCount(attempts),
      error ?? "",
    ]),
    { columns: Math.min(options.columns, 120) },
  );
  const count = deliveries.length;
  return `\n${head}\n${table}\n${formatCount(count)} ${count === 1 ? "delivery" : "deliveries"}.\n`;
}
