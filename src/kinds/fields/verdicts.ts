// The words that rules of several kinds share.
import { type Address, dateOf, rootOf } from "../../model/address.ts";
import { type Code, type RiskCode, withOption } from "../../model/diagnostic.ts";
import type { Live, Sold } from "../../model/live.ts";
import { type Edit, isDrift } from "../../model/plan.ts";
import { formatCount } from "../../model/value.ts";
import type { Facts, RemarkFacts, Verdict } from "../define.ts";
import { howToLeave } from "../lint-rules/finding.ts";

export function rule(code: Code, message: string, hint: string): Verdict {
  return { code, message, hint, risk: false };
}

export function risk(
  { change, hasAllow }: Pick<Facts, "change" | "hasAllow">,
  code: RiskCode,
  message: string,
  advice = "",
): Verdict {
  const accept = `To accept this risk, ${howToAllow(change.address, code, hasAllow)} or pass --allow ${code}.`;
  return { code, message, ...withOption(advice, accept), risk: true };
}

function howToAllow(address: Address, code: RiskCode, hasAllow = false): string {
  const isOfEvent = rootOf(address).startsWith("events/");
  const isOfDate = isOfEvent && dateOf(address) !== null;
  if (isOfEvent && !isOfDate)
    return hasAllow ? `add \`${code}\` to the \`allow\` of the event` : `add \`allow: [${code}]\` to the event`;
  const where = isOfDate ? "the event's date under `dates` in the series" : "ticketing.yaml";
  return `add \`allow: [${code}]\` to ${where} (or \`${code}\` to the \`allow\` that is there),`;
}

export function editOf({ change }: Pick<RemarkFacts, "change">, path: string): Edit | undefined {
  return change?.edits.find((edit) => edit.path === path);
}

/** The same for a live object. */
export function liveEdit(facts: RemarkFacts, path: string): Edit | undefined {
  return facts.live === null ? undefined : editOf(facts, path);
}

/** Whether the event is new at all is not known yet. */
export function isAmbiguous({ eventObstacles }: RemarkFacts): boolean {
  return eventObstacles.some(({ code }) => code === "ambiguous-event");
}

/** "12 tickets have been sold", "some tickets have been sold", or that it is not known. */
export function describeSold(sold: Sold): string {
  if (sold.count !== null && sold.count > 0)
    return sold.count === 1 ? "1 ticket has been sold" : `${formatCount(sold.count)} tickets have been sold`;
  if (sold.any === true && sold.count === 0)
    return "there are orders whose tickets do not count as sold (perhaps they were refunded)";
  if (sold.any === true) return "some tickets have been sold";
  if (sold.any === null) return "it is not known whether any tickets have been sold";
  return sold.never ? "no tickets have been sold" : "no tickets sold";
}

/** An unknown status is assumed to be public. */
export function mayBePublic(event: Live | null): boolean {
  return event?.status === "PUBLISHED" || event?.otherStatus !== undefined;
}

/** People may hold tickets: some are sold, or the event is public and it is not known. */
export function mayHurtBuyers(facts: Facts, sold: Sold): boolean {
  if (sold.any !== null) return sold.any;
  return mayBePublic(facts.event);
}

/** What exactly is unknown: whether anything is sold, and why neither quantities nor orders show it. */
export function salesUnknown({ live, change }: Facts, sold: Sold): Verdict {
  const isClosed = change.kind !== "event" && typeof live?.fields.quantity === "number" && live.remaining === 0;
  const quantities = isClosed
    ? "no tickets are left, which can also mean that the sale was closed"
    : "the quantities of tickets do not show it";
  const orders =
    sold.unknown === undefined
      ? "this API key cannot read orders"
      : `the event's orders could not be read (${sold.unknown})`;
  return rule(
    "sales-unknown",
    `It is not known whether any tickets have been sold: ${quantities}, and ${orders}.`,
    sold.unknown === undefined
      ? "Give the API key the scope orders:read (and tickets:read), or make this change by hand in the dashboard."
      : "Run the command again, or make this change by hand in the dashboard.",
  );
}

/** The file of a series is that of its other dates, too. */
function howToDrop({ change, eventWish }: Facts): string {
  const series = eventWish?.own.series;
  if (series !== undefined) return howToLeave(series);
  return dateOf(change.address) === null ? "delete the file" : "take the date out of its series";
}

const inPhase = "Add the phase `{ from: …, status: ARCHIVED }`, with the current time as `from`,";

/** An ARCHIVED event stays as it is, and so does everything below it. */
export function archivedIsFinal(facts: Facts): Verdict | null {
  if (facts.event?.status !== "ARCHIVED") return null;
  const isEvent = facts.change.kind === "event";
  // The file may give it a new name, which the service does not know.
  const name = isEvent ? (facts.event.fields.name ?? facts.name) : facts.name;
  const archived = facts.eventWish?.own.timeless === undefined ? "Keep or set `status: ARCHIVED`" : inPhase;
  const same = isDrift(facts.change)
    ? "Archiving cannot be undone."
    : `${archived} and undo the other edits, or ${howToDrop(facts)}.`;
  return rule(
    "archived-is-final",
    `"${name}" ${isEvent ? "is archived" : "belongs to an archived event"}: the service no longer accepts changes to it.`,
    `${same} To run the event again, describe it in a new file, with a different name or start.`,
  );
}
