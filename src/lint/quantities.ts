import { kindOf } from "../kinds/index.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { formatCount } from "../model/money.ts";
import { isPinned, type Wish } from "../model/wish.ts";
import { callOf, childrenOf, isStated, numberOf } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none } from "./rule.ts";

export function maxPurchaseAboveQuantity(ticket: Wish): readonly Diagnostic[] {
  const quantity = numberOf(ticket, "quantity");
  if (quantity === undefined) return none;
  const most = numberOf(ticket, "maximumPurchaseQuantity");
  if (most !== undefined) {
    if (most <= quantity) return none;
    return [
      remarkAt(ticket, ["maximumPurchaseQuantity", "quantity"], {
        code: "max-purchase-above-quantity",
        severity: "error",
        message: `One order may hold ${formatCount(most)} of ${callOf(ticket)}, but there are only ${formatCount(quantity)}.`,
        hint: `Set \`maximumPurchaseQuantity\` to ${quantity} or less.`,
      }),
    ];
  }
  // What a pinned ticket type leaves out is not managed; what is written and unreadable is told elsewhere.
  if (isStated(ticket, "maximumPurchaseQuantity") || isPinned(ticket) || standardMost <= quantity) {
    return none;
  }
  return [
    remarkAt(ticket, ["quantity"], {
      code: "max-purchase-above-quantity",
      severity: "warning",
      message: `There are only ${formatCount(quantity)} of ${callOf(ticket)}, but the service lets one order hold ${standardMost} where nothing else is said.`,
      hint: `Write \`maximumPurchaseQuantity: ${quantity}\` or less.`,
    }),
  ];
}

export function ticketsExceedCapacity(event: Wish): readonly Diagnostic[] {
  const capacity = numberOf(event, "eventCapacity");
  if (capacity === undefined) return none;
  let sum = 0;
  for (const ticket of childrenOf(event, "ticket")) sum += numberOf(ticket, "quantity") ?? 0;
  if (sum <= capacity) return none;
  return [
    remarkAt(event, ["eventCapacity", "tickets"], {
      code: "tickets-exceed-capacity",
      severity: "warning",
      message: `The ticket types of ${callOf(event)} add up to ${formatCount(sum)}, which is ${formatCount(sum - capacity)} more than its capacity of ${formatCount(capacity)}.`,
      hint: "Lower the quantities, or raise `eventCapacity` if the venue holds that many.",
    }),
  ];
}

const standardMost = findStandardMost();

function findStandardMost(): number {
  const policy = kindOf("ticket").fields.maximumPurchaseQuantity;
  return policy?.role === "value" && typeof policy.standard === "number" ? policy.standard : Number.NEGATIVE_INFINITY;
}
