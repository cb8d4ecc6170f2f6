// What is odd or risky about a price: by the files alone, compared with what is live, and after sales.
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import { formatMoney } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { Facts, LintFinding, LintScene, RemarkFacts, Verdict } from "../define.ts";
import { describeSold, editOf, liveEdit, mayHurtBuyers, risk } from "../fields/verdicts.ts";
import { callOf, childrenOf, findingAt, isStated, lacks, numberField, textField } from "../lint-rules/finding.ts";

export function freeEventWithPrice(ticket: Wish, { event }: LintScene): LintFinding {
  const price = numberField(ticket, "price") ?? 0;
  if (event === null || price <= 0 || textField(event, "type") !== "FREE") return null;
  return findingAt(ticket, ["price"], {
    code: "free-event-with-price",
    severity: "error",
    message: `${callOf(ticket)} costs ${formatMoney(price)}, but the event is FREE.`,
    hint: "Set the price to 0, or the event's `type` to PAID.",
  });
}

export function paidEventAllFree(event: Wish): LintFinding {
  const tickets = childrenOf(event, "ticket");
  if (tickets.length === 0 || tickets.some((ticket) => numberField(ticket, "price") !== 0)) return null;
  const stated = textField(event, "type") === "PAID";
  const byDefault = lacks(event, "type") && textField(event, "journeyType") !== "RSVP";
  if (!stated && !byDefault) return null;
  return findingAt(event, ["type"], {
    code: "paid-event-all-free",
    message: stated
      ? `${callOf(event)} is PAID, but every ticket type costs nothing.`
      : `Every ticket type of ${callOf(event)} costs nothing, but without a \`type\` the service treats the event as PAID.`,
    hint: "Write `type: FREE` in the event itself, or give the ticket types their prices.",
  });
}

export function rsvpWithPrice(ticket: Wish, { event }: LintScene): LintFinding {
  const price = numberField(ticket, "price") ?? 0;
  if (event === null || price <= 0 || textField(event, "journeyType") !== "RSVP") return null;
  return findingAt(ticket, ["price"], {
    code: "rsvp-with-price",
    message: `${callOf(ticket)} costs ${formatMoney(price)}, but guests of an RSVP event only say whether they are coming.`,
    hint: "Set the price to 0, or the event's `journeyType` to STANDARD.",
  });
}

export function vipCheaperThanGa(event: Wish): LintFinding {
  const tickets = childrenOf(event, "ticket");
  const vips = tickets.filter((ticket) => isVip(ticket) && numberField(ticket, "price") !== undefined);
  if (vips.length === 0) return null;
  const general = mostExpensive(tickets.filter(isPlainlyGeneral)) ?? mostExpensive(tickets.filter(isGeneral));
  if (general === null) return null;
  const found: Diagnostic[] = [];
  for (const vip of vips) {
    const price = numberField(vip, "price") ?? 0;
    if (price >= general.price) continue;
    found.push(
      findingAt(vip, ["price"], {
        code: "vip-cheaper-than-ga",
        message: `${callOf(vip)} costs ${formatMoney(price)}, less than ${callOf(general.ticket)} (${formatMoney(general.price)}).`,
        hint: "Check both prices; if they are right, add `ignore: [vip-cheaper-than-ga]` to the ticket type.",
      }),
    );
  }
  return found;
}

function isVip(ticket: Wish): boolean {
  return isStated(ticket, "type") ? textField(ticket, "type") === "VIP" : /\bvip\b/i.test(ticket.name);
}

function isGeneral(ticket: Wish): boolean {
  return isStated(ticket, "type") ? textField(ticket, "type") === "GENERAL_ADMISSION" : !isVip(ticket);
}

// A bundle for five friends may cost more than one VIP seat, so a type that is named GA takes precedence.
function isPlainlyGeneral(ticket: Wish): boolean {
  return isGeneral(ticket) && /^(ga|gen(eral)?( admissions?)?|regular|standard)$/i.test(ticket.name.trim());
}

function mostExpensive(tickets: readonly Wish[]): { readonly ticket: Wish; readonly price: number } | null {
  let found: { readonly ticket: Wish; readonly price: number } | null = null;
  for (const ticket of tickets) {
    const price = numberField(ticket, "price");
    if (price !== undefined && (found === null || price > found.price)) found = { ticket, price };
  }
  return found;
}

/** The service once took centavos. A price that still counts in them is a hundred times what was intended. */
export function priceLooksLikeCentavos(event: Wish): LintFinding {
  const priced: Priced[] = [];
  for (const ticket of childrenOf(event, "ticket")) {
    const price = numberField(ticket, "price");
    // Free tickets say nothing about the unit of the others.
    if (price !== undefined && price > 0) priced.push({ ticket, price });
  }
  if (priced.length === 0) return null;
  const sorted = priced.map(({ price }) => price).sort((one, other) => one - other);
  const found: Diagnostic[] = [];
  for (const { ticket, price } of priced) {
    const suspicion = suspect(price, sorted);
    if (suspicion !== null) found.push(explain(ticket, price, suspicion));
  }
  return found;
}

interface Priced {
  readonly ticket: Wish;
  readonly price: number;
}

/** Hardly any ticket costs less. */
const leastLikely = 50;

/** `why` is empty if the price alone is reason enough; `others`: what to do if not this price is wrong. */
type Suspicion = { readonly severity: Severity; readonly why: string; readonly others?: string };

function suspect(price: number, sorted: readonly number[]): Suspicion | null {
  if (price >= 100_000) return { severity: "error", why: "" };
  const median = medianOfOthers(sorted, price);
  // Tables and boxes are expensive.
  if (median !== null && price % 100 === 0 && price >= 20 * median) {
    const severity = price >= 100 * median ? "error" : "warning";
    const why = `, but the median of the event's other prices is ${formatMoney(median)}`;
    return {
      severity,
      why,
      others: median < leastLikely ? " If the other prices lack two zeros, correct those instead." : "",
    };
  }
  if ((sorted[0] ?? 0) < 20_000) return null;
  return { severity: "warning", why: `, and no paid ticket of the event costs less than ${formatMoney(20_000)}` };
}

function medianOfOthers(sorted: readonly number[], price: number): number | null {
  if (sorted.length < 2) return null;
  const own = sorted.indexOf(price);
  const count = sorted.length - 1;
  const nth = (index: number) => sorted[index < own ? index : index + 1] ?? 0;
  const middle = Math.floor(count / 2);
  return count % 2 === 1 ? nth(middle) : (nth(middle - 1) + nth(middle)) / 2;
}

function explain(ticket: Wish, price: number, { severity, why, others = "" }: Suspicion): Diagnostic {
  const isWhole = price % 100 === 0;
  const meant = isWhole ? `: did you mean ${price / 100}?` : ", not centavos.";
  const ignore = "is right, add `ignore: [price-looks-like-centavos]` to the ticket type.";
  return findingAt(ticket, ["price"], {
    code: "price-looks-like-centavos",
    severity,
    message: `${callOf(ticket)} costs ${formatMoney(price)}${why}. Prices are whole pesos${meant}`,
    hint: isWhole ? `Write \`price: ${price / 100}\`.${others} If ${price} ${ignore}` : `If the price ${ignore}`,
  });
}

export function centavosBesideLive(facts: RemarkFacts): Diagnostic | null {
  const { before, after, origin } = liveEdit(facts, "/price") ?? {};
  if (typeof before !== "number" || typeof after !== "number" || before <= 0) return null;
  if (after % 100 !== 0 || after < 20 * before) return null;
  // A price that undoes a change on the service, or that a phase sets, is not blocked: tickets would go on selling at the wrong price.
  const isLate = origin === "drift" || origin === "phase";
  return findingAt(facts.wish, ["price"], {
    code: "price-looks-like-centavos",
    severity: after >= 100 * before && !isLate ? "error" : "warning",
    message: `"${facts.name}" costs ${formatMoney(before)} now and would cost ${formatMoney(after)}. Prices are whole pesos: did you mean ${after / 100}?`,
    hint: `Write \`price: ${after / 100}\`. If ${after} is right, add \`ignore: [price-looks-like-centavos]\` to the ticket type.`,
  });
}

export function largePriceChange(facts: RemarkFacts): Diagnostic | null {
  const edit = liveEdit(facts, "/price");
  if (facts.event?.status !== "PUBLISHED" || typeof edit?.before !== "number" || typeof edit.after !== "number")
    return null;
  if (Math.abs(edit.after - edit.before) <= edit.before / 2) return null;
  const percent = Math.round(((edit.after - edit.before) / edit.before) * 100);
  const share = edit.before === 0 ? "" : ` (${percent > 0 ? "+" : ""}${percent}%)`;
  return findingAt(facts.wish, ["price"], {
    code: "large-price-change",
    message: `The price of "${facts.name}" changes from ${formatMoney(edit.before)} to ${formatMoney(edit.after)}${share} on a published event.`,
    hint:
      edit.after > 0 && edit.after < leastLikely && edit.before >= 100 * edit.after
        ? `If two zeros are missing, write \`price: ${edit.after * 100}\`; the price applies to the next buyer.`
        : "Check the price; it applies to the next buyer.",
  });
}

export function priceChangeWithSales(facts: Facts): Verdict | null {
  const edit = editOf(facts, "/price");
  if (facts.live === null || edit === undefined || !mayHurtBuyers(facts, facts.sold)) return null;
  return risk(
    facts,
    "price-change-with-sales",
    `The price of "${facts.name}" would change although ${describeSold(facts.sold)}.`,
    edit.origin === "drift" ? "" : "Keep the price, and sell a new ticket type at the new price.",
  );
}
