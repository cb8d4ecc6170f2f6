// Remarks that need both the files and the live service: what the rules allow and people should still know.

import type { Block, Edit } from "../model/change.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { formatMoney } from "../model/money.ts";
import type { Case, EventCase } from "./case.ts";
import { withBlocks } from "./compare.ts";
import { acceptedRisks } from "./judge.ts";
import type { Remember } from "./memory.ts";
import { type OrderCount, soldOfEvent } from "./sold.ts";

export interface RemarkContext {
  readonly now: number;
  readonly orders: OrderCount;
  readonly remember: Remember;
}

type Remark = (one: Case, event: EventCase, context: RemarkContext) => Diagnostic | null;

export function remarksOn(event: EventCase, context: RemarkContext): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const one of [event.self, ...event.children]) {
    found.push(...acceptedRisks(one));
    for (const remark of remarks[one.kind.name] ?? []) {
      const diagnostic = remark(one, event, context);
      if (diagnostic !== null && !isIgnored(diagnostic.code, one, event)) found.push(diagnostic);
    }
  }
  return found;
}

/** Mistakes that only show beside the live service, and that are too dear to be remarks. */
export function judgeMistakes(event: EventCase, now: number): EventCase {
  const self = startsInThePast(event.self, now);
  return { ...event, self, children: event.children.map((child) => centavosBesideLive(child)) };
}

const remarks: Readonly<Record<string, readonly Remark[]>> = {
  event: [renameChangesAddress, buyersNotTold],
  ticket: [largePriceChange, soldOutStays],
};

function startsInThePast(one: Case, now: number): Case {
  const start = one.wish?.fields.dateTime;
  if (one.change?.action !== "create" || one.change.blockedBy.length > 0 || typeof start !== "string") return one;
  if (Date.parse(start) >= now || one.wish?.own.ignore?.includes("starts-in-the-past")) return one;
  return blocked(one, {
    code: "starts-in-the-past",
    message: `'${one.name}' is new and its start is already past.`,
    hint: "Correct `dateTime` (is it the right year?), pin the live event with `id`, or silence this with `ignore: [starts-in-the-past]`.",
  });
}

function centavosBesideLive(one: Case): Case {
  const edit = one.kind.name === "ticket" ? editOf(one, "/price") : undefined;
  if (edit === undefined || typeof edit.before !== "number" || typeof edit.after !== "number" || edit.before <= 0)
    return one;
  if (
    edit.after % 100 !== 0 ||
    edit.after < 100 * edit.before ||
    one.wish?.own.ignore?.includes("price-looks-like-centavos")
  )
    return one;
  return blocked(one, {
    code: "price-looks-like-centavos",
    message: `${one.name} costs ${formatMoney(edit.before)} now and would cost ${formatMoney(edit.after)}. Prices are whole pesos: did you mean ${edit.after / 100}?`,
    hint: `Write \`price: ${edit.after / 100}\`, or silence this with \`ignore: [price-looks-like-centavos]\` on the ticket type.`,
  });
}

function blocked(one: Case, block: Block): Case {
  return one.change === null ? one : { ...one, change: withBlocks(one.change, [block]) };
}

function renameChangesAddress(one: Case): Diagnostic | null {
  const edit = editOf(one, "/name");
  if (one.live?.status !== "PUBLISHED" || edit === undefined) return null;
  return at(one, "name", {
    code: "rename-changes-address",
    severity: "warning",
    message: `'${one.live.fields.name}' is public, and a new name may change its address on the marketplace: links that people shared may break.`,
    hint: "Check the event's page after the apply, and the links in your own announcements.",
  });
}

function buyersNotTold(one: Case, event: EventCase, context: RemarkContext): Diagnostic | null {
  const edited = ["dateTime", "venueId", "visibility"].filter((field) => editOf(one, `/${field}`) !== undefined);
  const [field] = edited;
  if (one.live === null || field === undefined) return null;
  const sold = soldOfEvent(event.lists.ticket, context.orders);
  if (sold.any !== true) return null;
  const count =
    sold.count === null ? "Tickets are sold" : `${sold.count} ${sold.count === 1 ? "ticket is" : "tickets are"} sold`;
  return at(one, field === "venueId" ? "venue" : field, {
    code: "buyers-not-told",
    severity: "warning",
    message: `${count} for '${one.name}', and the service tells nobody about this change.`,
    hint: `Write to the buyers yourself: \`ticketing orders ${one.live.id} --with-buyers\` lists them.`,
  });
}

function largePriceChange(one: Case, event: EventCase): Diagnostic | null {
  const edit = editOf(one, "/price");
  if (event.self.live?.status !== "PUBLISHED" || typeof edit?.before !== "number" || typeof edit.after !== "number")
    return null;
  if (edit.before === 0 || Math.abs(edit.after - edit.before) <= edit.before / 2) return null;
  const percent = Math.round(((edit.after - edit.before) / edit.before) * 100);
  return at(one, "price", {
    code: "large-price-change",
    severity: "warning",
    message: `${one.name} goes from ${formatMoney(edit.before)} to ${formatMoney(edit.after)} (${percent > 0 ? "+" : ""}${percent} %) on a public event.`,
    hint: "Check that the price is meant; it holds for the next buyer at once.",
  });
}

function soldOutStays(one: Case, _event: EventCase, context: RemarkContext): Diagnostic | null {
  if (one.live === null || one.wish === null || one.live.remaining !== 0 || one.wish.fields.soldOut === true)
    return null;
  const told = context.remember(one.address).applied?.soldOut === true;
  const raised = editOf(one, "/quantity");
  if (one.wish.fields.soldOut !== false && !told && raised === undefined) return null;
  return at(one, "soldOut", {
    code: "sold-out-stays",
    severity: "warning",
    message: `${one.name} is sold out on the service, and no call undoes that.`,
    hint:
      raised === undefined
        ? "To sell more, raise `quantity`."
        : "Look at it after the apply: whether a higher quantity brings tickets back is up to the service.",
  });
}

function editOf(one: Case, path: string): Edit | undefined {
  return one.live === null ? undefined : one.change?.edits.find((edit) => edit.path === path);
}

function at(one: Case, field: string, diagnostic: Diagnostic): Diagnostic {
  const source = one.wish?.places[field] ?? one.wish?.source;
  return { ...diagnostic, address: one.address, ...(source === undefined ? {} : { source }) };
}

function isIgnored(code: string, one: Case, event: EventCase): boolean {
  return one.wish?.own.ignore?.includes(code) === true || event.self.wish?.own.ignore?.includes(code) === true;
}
