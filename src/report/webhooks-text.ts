// Webhooks for the terminal: a row each, and its id and what it is told about below.
import { formatCount } from "../model/money.ts";
import { type FixedColumn, layCells, roomBeside, ruleOf } from "./fixed-columns.ts";
import { makePaint } from "./paint.ts";
import { safeText } from "./safe-text.ts";
import { renderSentence } from "./sentence.ts";
import { type Page, paragraph, piece } from "./text-lines.ts";

export interface WebhookView {
  readonly id: string;
  readonly url: string;
  /** null: not shown. */
  readonly events: readonly string[] | null;
  readonly isActive: boolean | null;
  /** Whether webhooks.yaml names it; null: there is no such file. */
  readonly managed: boolean | null;
  /** Whether the place for secrets holds its secret; null: nobody can tell. */
  readonly secretHeld: boolean | null;
}

const beside: readonly FixedColumn[] = [{ width: 6 }, { width: 8 }, { width: 7 }];

export function renderWebhooksText(
  webhooks: readonly WebhookView[],
  options: { readonly columns: number; readonly color: boolean },
): string {
  if (webhooks.length === 0) {
    return `\n${renderSentence("The organization has no webhooks yet. List one in webhooks.yaml and run `ticketing apply`.", options)}`;
  }
  const page: Page = { columns: Math.max(64, Math.min(options.columns, 120)), paint: makePaint(options.color) };
  const columns = [{ width: roomBeside(beside, page.columns, 20) }, ...beside];
  const lines = [
    ...layCells(columns, ["Url", "Active", "In files", "Secret"]).map((line) => page.paint([piece("heading", line)])),
    ruleOf(columns),
    ...webhooks.flatMap((webhook) => rowLines(page, columns, webhook)),
    "",
    `${formatCount(webhooks.length)} ${webhooks.length === 1 ? "webhook" : "webhooks"}.`,
    ...wayOut(page, webhooks),
  ];
  return `\n${lines.join("\n")}\n`;
}

function rowLines(page: Page, columns: readonly FixedColumn[], webhook: WebhookView): readonly string[] {
  const { url, isActive, managed, secretHeld, id, events } = webhook;
  const cells = [safeText(url === "" ? "address not shown" : url), yesNo(isActive), yesNo(managed), held(secretHeld)];
  const told = events === null ? "events not shown" : events.length === 0 ? "no events" : events.join(", ");
  return [
    ...layCells(columns, cells),
    ...paragraph(page, [piece("quiet", id), piece("word", `  ${safeText(told)}`)], 2, 4),
  ];
}

function yesNo(value: boolean | null): string {
  return value === null ? "?" : value ? "yes" : "no";
}

function held(value: boolean | null): string {
  return value === null ? "?" : value ? "kept" : "missing";
}

function wayOut(page: Page, webhooks: readonly WebhookView[]): readonly string[] {
  const missing = webhooks.filter(({ secretHeld, managed }) => secretHeld === false && managed !== false);
  const off = webhooks.some(({ isActive }) => isActive === false);
  const [first] = missing;
  return [
    ...(first === undefined
      ? []
      : [
          `A secret that is missing here is of no harm if the receiver has it; \`ticketing webhooks rotate ${safeText(first.url)}\` makes another.`,
        ]),
    ...(off ? ["One that is not active is told nothing: `isActive: true` in webhooks.yaml switches it on."] : []),
  ].flatMap((text) => paragraph(page, [piece("quiet", text)], 0, 2));
}
