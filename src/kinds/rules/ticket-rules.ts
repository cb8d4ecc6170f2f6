// What blocks a change of a ticket type or makes it risky, and what people should know about it.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { pluralize, type Value } from "../../model/value.ts";
import type { Facts, RemarkFacts, Verdict } from "../define.ts";
import {
  describeSold,
  editOf,
  isAmbiguous,
  liveEdit,
  mayBePublic,
  mayHurtBuyers,
  risk,
  rule,
  salesUnknown,
} from "../fields/verdicts.ts";
import { callDate, findingAt, isPhased } from "../lint-rules/finding.ts";

export function ticketDeletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  // A ticket type that was added on the service is not a renamed entry.
  const ifRenamed =
    facts.change.origin === "drift" ? "" : `If it was renamed, write \`renamedFrom: ${facts.name}\` in the new entry. `;
  if (facts.sold.any === null) return salesUnknown(facts, facts.sold);
  if (facts.sold.any) {
    return rule(
      "delete-after-sales",
      `The ticket type "${facts.name}" cannot be deleted: ${
        facts.sold.ofEvent === true
          ? "the event has orders that do not say which ticket type was bought, so tickets of this type may have been sold"
          : describeSold(facts.sold)
      }.`,
      `${ifRenamed}To end its sale, list it with \`soldOut: true\`: it can no longer be bought, and sold tickets stay valid.`,
    );
  }
  // If the service does not show whether it is on sale, it may be.
  if (!mayBePublic(facts.event) || facts.live?.fields.published === false) return null;
  // Nothing remains although nothing was sold: the sale was closed.
  const state = facts.live?.remaining === 0 ? "is published but no longer on sale" : "is on sale";
  return risk(
    facts,
    "delete-ticket-on-sale",
    `The ticket type "${facts.name}" ${state} (${describeSold(facts.sold)}) and would be deleted.`,
    ifRenamed.trim(),
  );
}

export function noWithdrawal(facts: Facts): Verdict | null {
  const edit = editOf(facts, "/published");
  if (facts.live === null || edit === undefined || edit.after !== false || edit.before !== true) return null;
  // If the event was postponed, the phase is in the future again.
  const hasPhases = facts.eventWish?.own.timeless !== undefined;
  const orDate = hasPhases
    ? " (or, in the phase that put it on sale, set `from` to the date on which that phase began)"
    : "";
  return rule(
    "no-withdrawal",
    `The ticket type "${facts.name}" is on sale, and the service has no way to withdraw it.`,
    `In the entry "${facts.name}", write \`published: true\`${orDate}. To end its sale for good, also write \`soldOut: true\`.`,
  );
}

export function quantityBelowSold(facts: Facts): Verdict | null {
  const edit = editOf(facts, "/quantity");
  const wished = edit?.after;
  if (facts.live === null || typeof wished !== "number") return null;
  const count = facts.sold.count ?? soldSince(facts.live, edit?.before);
  if (count === null) return wished < leastQuantity(facts.live, edit?.before) ? loweredUnjudged(facts) : null;
  if (wished >= count) return null;
  const stop = editOf(facts, "/soldOut")?.after === true ? "" : " To stop the sale, also write `soldOut: true`.";
  return rule(
    "quantity-below-sold",
    `The ticket type "${facts.name}" cannot have ${pluralize(wished, "ticket")}: ${describeSold({ count, any: true })}.`,
    `Set \`quantity\` to ${count} or more.${stop}`,
  );
}

/** If the service hides the quantity: the one applied last, less what remains. null if nothing remains: the sale may have been closed. */
function soldSince({ fields, remaining }: Live, applied: Value | undefined): number | null {
  const isHidden = fields.quantity === undefined && remaining !== null && remaining > 0;
  return isHidden && typeof applied === "number" ? Math.max(0, applied - remaining) : null;
}

/** The quantity is at least what remains. */
function leastQuantity({ remaining }: Live, before: Value | undefined): number {
  return Math.max(remaining ?? 0, typeof before === "number" ? before : 0);
}

function loweredUnjudged(facts: Facts): Verdict | null {
  if (!mayHurtBuyers(facts, facts.sold)) return null;
  if (facts.sold.any === null) return salesUnknown(facts, facts.sold);
  return rule(
    "sales-unknown",
    `The quantity of "${facts.name}" would be lowered, and it is not known how many tickets of this type have been sold.`,
    "Keep the quantity as it is, or lower it by hand in the dashboard.",
  );
}

export function createdSoldOut(facts: RemarkFacts): Diagnostic | null {
  if (facts.change?.action !== "create" || facts.wish.fields.soldOut !== true) return null;
  if (isAmbiguous(facts) || isPhased(facts.wish, "soldOut")) return null;
  const onSale =
    facts.event?.status === "PUBLISHED" && facts.wish.fields.published === true ? ", puts it on sale," : "";
  return findingAt(facts.wish, ["soldOut"], {
    code: "born-sold-out",
    message: `"${facts.name}" is not live yet and has \`soldOut: true\`: apply creates it${onSale} and then closes its sale.`,
    hint: "Remove `soldOut` if it was copied from an earlier event; if this is intentional, add `ignore: [born-sold-out]`.",
  });
}

export function soldOutStays(facts: RemarkFacts): Diagnostic | null {
  if (facts.live === null || facts.live.remaining !== 0 || facts.wish.fields.soldOut === true) return null;
  const wasSoldOut = facts.remembered.applied?.soldOut === true;
  const { before, after } = liveEdit(facts, "/quantity") ?? {};
  const isRaised = Number(after) > Number(before);
  if (facts.wish.fields.soldOut !== false && !wasSoldOut && !isRaised) return null;
  const { eventWish } = facts;
  const ofDate = eventWish?.own.series === undefined ? "" : ` of ${callDate(eventWish.name, eventWish.address)}`;
  return findingAt(facts.wish, ["soldOut"], {
    code: "sold-out-stays",
    severity: isRaised ? "warning" : "info",
    message: `"${facts.name}"${ofDate} is sold out on the service, and no API call can undo that.`,
    hint: isRaised
      ? "Check it after the apply: whether a higher quantity puts tickets back on sale is up to the service."
      : `To sell more, try raising \`quantity\`${ofDate === "" ? "" : " for that date, under `dates`"}: whether that puts tickets back on sale is up to the service.`,
  });
}
