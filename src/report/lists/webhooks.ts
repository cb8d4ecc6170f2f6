// Webhooks, their deliveries and their rotation for the terminal. A webhook is a row, with its id and events below.

import type { AnyCode, Diagnostic } from "../../model/diagnostic.ts";
import { formatLocalMoment } from "../../model/time.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { safeText } from "../text/sanitize.ts";
import { displayWidth, type FixedColumn, layCells, renderTable, roomBeside } from "../text/table.ts";
import {
  headingLines,
  makePage,
  type Page,
  paragraph,
  piece,
  renderSentence,
  type TerminalOptions,
} from "../text/terminal-text.ts";

export interface WebhookView {
  readonly id: string;
  readonly url: string;
  /** null: not shown. */
  readonly events: readonly string[] | null;
  readonly isActive: boolean | null;
  /** Whether webhooks.yaml names it; null: there is no such file. */
  readonly managed: boolean | null;
  /** Whether the place for secrets holds its secret; null: not known. */
  readonly secretHeld: boolean | null;
  /** Whether a rotation deletes it once a test event has reached the new one. */
  readonly replaced: boolean;
}

const notShown = "URL not shown";
const beside: readonly FixedColumn[] = [{ width: 6 }, { width: 8 }, { width: 7 }];

export function renderWebhooksText(webhooks: readonly WebhookView[], options: TerminalOptions): string {
  if (webhooks.length === 0) {
    return `\n${renderSentence("The organization has no webhooks yet. Write one in webhooks.yaml, such as `- { url: https://hooks.example.com/orders, events: [order.completed] }`, and run `ticketing apply`.", options)}`;
  }
  const page = makePage(options, 64, 120);
  const widest = Math.max(...webhooks.map(({ url }) => displayWidth(safeText(url || notShown))));
  const columns = [{ width: Math.min(widest, roomBeside(beside, page.columns, 20)) }, ...beside];
  const lines = [
    ...headingLines(page, columns, ["URL", "Active", "In files", "Secret"]),
    ...webhooks.flatMap((webhook) => rowLines(page, columns, webhook)),
    "",
    `${pluralize(webhooks.length, "webhook")}.`,
    ...hintLines(page, webhooks),
  ];
  return `\n${lines.join("\n")}\n`;
}

function rowLines(page: Page, columns: readonly FixedColumn[], webhook: WebhookView): readonly string[] {
  const { url, isActive, managed, secretHeld, id, events, replaced } = webhook;
  const cells = [
    safeText(url || notShown),
    describeBoolean(isActive, "yes", "no"),
    describeBoolean(managed, "yes", "no"),
    describeBoolean(secretHeld, "stored", "missing"),
  ];
  const types = events === null ? "event types not shown" : events.length === 0 ? "no event types" : events.join(", ");
  const old = [piece("word", "the old one: deleted once a test event has reached the new one")];
  return [
    ...layCells(columns, cells),
    ...paragraph(page, [piece("quiet", id), piece("word", `  ${safeText(types)}`)], 2, 4),
    ...(replaced ? paragraph(page, old, 2, 4) : []),
  ];
}

function describeBoolean(value: boolean | null, yes: string, no: string): string {
  return value === null ? "?" : value ? yes : no;
}

function hintLines(page: Page, webhooks: readonly WebhookView[]): readonly string[] {
  const missing = webhooks.filter(({ secretHeld, managed }) => secretHeld === false && managed !== false);
  const off = webhooks.some(({ isActive }) => isActive === false);
  const [first] = missing;
  const isTwin = webhooks.filter(({ url }) => url === first?.url).length > 1;
  const words = [
    first &&
      `A secret missing here does no harm if the receiver has it; \`ticketing webhooks rotate ${safeText(isTwin ? first.id : first.url)}\` creates a new one.`,
    off &&
      "A webhook that is not active receives nothing. `isActive: true` in webhooks.yaml turns it on; if it is not in that file, `ticketing import --webhooks` adds it.",
  ];
  return words.flatMap((text) => (text ? paragraph(page, [piece("quiet", text)], 0, 2) : []));
}

export function renderDeliveriesText(
  records: readonly ShownDelivery[],
  options: { readonly columns: number; readonly id: string; readonly url: string; readonly zone: string },
): string {
  const title = `Deliveries to ${options.url} (${options.id}), times in ${options.zone}`;
  const head = renderSentence(title, { ...options, color: false });
  if (records.length === 0) return `\n${head}\nNothing has been sent yet.\n`;
  const deliveries = records.map(viewDelivery);
  const table = renderTable(
    [
      { title: "Sent", whole: true },
      { title: "Event" },
      { title: "Result" },
      { title: "Response", align: "right" },
      { title: "Attempts", align: "right" },
    ],
    deliveries.map(({ at, event, result, response, attempts }) => [
      at === null ? "?" : formatLocalMoment(at, options.zone),
      event ?? "?",
      result ?? "?",
      response ?? "",
      attempts === null ? "" : formatCount(attempts),
    ]),
    { columns: Math.min(options.columns, 120), notes: deliveries.map(({ error }) => error ?? "") },
  );
  return `\n${head}\n${table}\n${pluralize(records.length, "delivery", "deliveries")}.\n`;
}

// A delivery to a webhook. The service does not say what its records look like, so each part is looked for in several places.

type ShownDelivery = Readonly<Record<string, unknown>>;

export function viewDelivery(record: ShownDelivery) {
  const attempts = first(record, ["attempts", "attemptCount", "attempt", "retries"]);
  return {
    at: scalarOrNull(first(record, ["createdAt", "sentAt", "deliveredAt", "attemptedAt", "timestamp", "date"])),
    event: scalarOrNull(first(record, ["event", "eventType", "type", "topic"])),
    result: deliveryResult(record),
    response: scalarOrNull(
      first(record, ["responseStatus", "statusCode", "responseCode", "httpStatus", "responseStatusCode"]),
    ),
    attempts: typeof attempts === "number" ? attempts : null,
    error: scalarOrNull(first(record, ["error", "errorMessage", "failureReason", "reason"])),
  };
}

function deliveryResult(record: ShownDelivery): string | null {
  const { status, success, delivered } = record;
  if (typeof status === "string") return status;
  const good = typeof success === "boolean" ? success : delivered;
  return typeof good === "boolean" ? (good ? "DELIVERED" : "FAILED") : null;
}

function first(record: ShownDelivery, places: readonly string[]): unknown {
  for (const place of places) {
    const value = record[place];
    if (value !== undefined && value !== null && value !== "") return value;
  }
  return null;
}

function scalarOrNull(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" ? String(value) : null;
}

// The result of a rotation, from which its text and its JSON are made. The secret itself is never in it.

export interface RotationReport {
  readonly formatVersion: 1;
  readonly url: string;
  /** The live webhook whose secret is stored; null if none was created. */
  readonly webhook: string | null;
  readonly removed: readonly string[];
  /** Whether the test event arrived; null: none was sent. */
  readonly tested: boolean | null;
  readonly secret: string | null;
  /** `waiting`: both are live, until the receiver knows the new secret. */
  readonly result: "done" | "waiting" | "failed" | "unsure";
  readonly error: { readonly code: AnyCode; readonly message: string; readonly hint: string | null } | null;
}

export function rotationSentences(report: RotationReport): readonly string[] {
  const { url, webhook, removed, secret, tested } = report;
  if (webhook === null) return [];
  const kept = secret === null ? "" : ` Its secret is in ${secret}.`;
  if (report.result !== "done") {
    const old =
      report.result === "waiting"
        ? "The old one stays live until a test event has arrived at the new one, so no notification is lost."
        : "The old one may still be live.";
    return [`The new webhook for ${url} is ${webhook}.${kept} ${old}`];
  }
  const gone = removed.length === 0 ? "" : ` The old ${removed.length === 1 ? "one was" : "ones were"} deleted.`;
  const checked = tested === true ? " A test event arrived." : "";
  return [`Rotated ${url}: the new webhook is ${webhook}.${kept}${checked}${gone}`];
}

export function rotationProblems({ error }: RotationReport, notes: readonly Diagnostic[]): readonly Diagnostic[] {
  const errors = notes.filter(({ severity }) => severity === "error");
  if (error === null) return errors;
  const { hint, ...rest } = error;
  return [{ ...rest, severity: "error", ...(hint === null ? {} : { hint }) }, ...errors];
}
