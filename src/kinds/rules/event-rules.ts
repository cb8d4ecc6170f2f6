// What blocks a change of an event or makes it risky, and what people should know about it.

import { type Address, dateOf, keyInAddress, yamlKey } from "../../model/address.ts";
import { type Diagnostic, type RiskCode, withOption } from "../../model/diagnostic.ts";
import { hasEnded } from "../../model/live.ts";
import { sentenceCase } from "../../model/value.ts";
import type { DateLoss } from "../../model/wish.ts";
import type { Facts, Remark, RemarkFacts, Rule, Verdict } from "../define.ts";
import {
  describeSold,
  editOf,
  isAmbiguous,
  liveEdit,
  mayHurtBuyers,
  risk,
  rule,
  salesUnknown,
} from "../fields/verdicts.ts";
import { callDate, findingAt, howToLeave } from "../lint-rules/finding.ts";
import { needsNoTickets } from "../lint-rules/sale.ts";

function statusUnknown({ live, change, name }: Facts): Verdict | null {
  if (live?.otherStatus === undefined || change.transition === null) return null;
  const isDeletion = change.action === "delete";
  const what = isDeletion ? `"${name}" cannot be deleted` : `The status of "${name}" cannot be changed`;
  return rule(
    "status-unknown",
    `${what}: the service shows its status as "${live.otherStatus}", which is not a known status.`,
    `Make this change in the dashboard${isDeletion ? "" : ", or remove `status` from the file: then it is not managed"}.`,
  );
}

function showsOtherStatus(facts: RemarkFacts): Diagnostic | null {
  const shown = facts.live?.otherStatus;
  // A change of the status is blocked, and says the same.
  if (shown === undefined || (facts.change?.transition ?? null) !== null) return null;
  return findingAt(facts.wish, ["status"], {
    code: "status-unknown",
    message: `The service shows the status of "${facts.name}" as "${shown}", which is not a known status. The event is treated as if it were on the marketplace.`,
    hint: "Check the event in the dashboard.",
  });
}

function eventDeletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  if (facts.eventSold.any === null) return salesUnknown(facts, facts.eventSold);
  if (facts.eventSold.any) {
    const inList = facts.hasAllow === true && dateOf(facts.change.address) === null;
    const allowed = inList ? "`archive-with-sales` to its `allow`" : "`allow: [archive-with-sales]` there";
    const accepting = facts.eventSold.count === 0 ? "" : `, and add ${allowed}`;
    const verdict = rule(
      "delete-after-sales",
      `"${facts.name}" cannot be deleted: ${describeSold(facts.eventSold)}.`,
      `${howToArchive(facts)}${accepting}. It then leaves the marketplace, and its orders are kept.`,
    );
    const hasFile = facts.change.source !== null && dateOf(facts.change.address) === null;
    return hasFile ? { ...verdict, yaml: "status: ARCHIVED" } : verdict;
  }
  const message = `"${facts.name}" would be deleted for good (${describeSold(facts.eventSold)}).`;
  if (facts.change.source !== null) return risk(facts, "delete-event", message);
  return {
    code: "delete-event",
    message,
    ...withOption(howToKeep(facts), howToAcceptRemoval(facts.change.address)),
    risk: true,
  };
}

/** For an event that was deleted by mistake. */
function howToKeep({ change: { address, id }, whyDateLeft }: Facts): string {
  if (dateOf(address) === null)
    return `To keep it, bring its file back from git, or write it again, without its phases, with \`ticketing import ${id}\`. If the file was moved or renamed, put its former \`key:\` (or its \`id:\`) in the new one.`;
  if (whyDateLeft === undefined)
    return "To keep it, bring back the file of its series, or its `series:` block. If the series was renamed, give it its former `key:`.";
  return `To keep it, ${howToRestore[whyDateLeft]}. If it was moved to another day, undo that change in \`series\`, and write its new \`dateTime\` under \`dates\`.`;
}

// A date in `also` may lie outside the rule: then restoring the end of the rule does not bring it back.
const howToRestore: Readonly<Record<DateLoss, string>> = {
  skip: "take the date out of `skip`",
  start: "restore the former `from` of its series, or, if `from` was not changed, add the date to `also`",
  end: "restore the former `until` (or `count`) of its series, or, if that was not changed, add the date to `also`",
  unnamed:
    "undo the change to the rule of its series, or add the date to `also` (or to the sheet that lists the dates)",
};

/** For an event, or all dates of a series, without a file. */
export function howToAcceptRemoval(address: Address): string {
  // In the project file a bare code would accept the deletion of every event.
  const entry = `{ risk: delete-event, event: ${yamlKey(address)} }`;
  return `To accept this risk, pass --allow delete-event, or add \`${entry}\` to the list \`allow\` in ticketing.yaml.`;
}

function howToArchive(facts: Facts): string {
  const { change } = facts;
  const isDate = dateOf(change.address) !== null;
  const toArchive = "To archive it instead,";
  if (isDate && change.source !== null)
    return `${toArchive} write \`status: ARCHIVED\` for the date under \`dates\` of its series`;
  if (change.source !== null) return `${toArchive} change \`status\` to \`ARCHIVED\``;
  // With phases, only a time says whether it is archived before or after them.
  const inPhase =
    "(if it has phases, add the phase `{ from: …, status: ARCHIVED }` instead, with the current time as `from`)";
  const bringBack = isDate
    ? "bring the date back in the same way and write `status: ARCHIVED` for it under `dates`"
    : "bring its file back in the same way and set `status: ARCHIVED` in it";
  return `${howToKeep(facts)} ${toArchive} ${bringBack} ${inPhase}`;
}

/** A change that would hurt ticket holders; `happens` says what it would do to the event of this name. */
function riskWithSales(
  code: RiskCode,
  isOne: (facts: Facts) => boolean,
  happens: (name: string) => string,
  advise: (facts: Facts) => string = () => "",
): Rule {
  return (facts) => {
    if (!isOne(facts) || !mayHurtBuyers(facts, facts.eventSold)) return null;
    return risk(facts, code, `${happens(`"${facts.name}"`)} although ${describeSold(facts.eventSold)}.`, advise(facts));
  };
}

function isUnpublished({ change }: Pick<RemarkFacts, "change">): boolean {
  return change?.transition?.from === "PUBLISHED" && change.transition.to === "DRAFT";
}

/** Postponing an event moves its phases too, and with them the one that has published it. */
function toStayPublished({ eventWish }: Pick<RemarkFacts, "eventWish">): string {
  const { timeless, phased, ended } = eventWish?.own ?? {};
  if (
    !/status\W+PUBLISHED/.test(timeless ?? "") ||
    phased?.includes("status") === true ||
    ended?.some(({ field }) => field === "status")
  )
    return "";
  return "With these files, the phase that publishes the event is still to come: to keep the event published, write `status: PUBLISHED` in the event, or set `from` in that phase to the date on which the phase originally began.";
}

function unpublishedByMove(facts: RemarkFacts): Diagnostic | null {
  const hint = toStayPublished(facts);
  // With tickets sold, it is blocked and says the same.
  if (hint === "" || !isUnpublished(facts) || facts.eventSold.any === true) return null;
  const message = `${callDate(facts.name, facts.wish.address)} would leave the marketplace until a phase publishes it again.`;
  return findingAt(facts.wish, ["status"], { code: "phases-moved", message, hint });
}

const notifyBuyers = () => "The service does not notify buyers: write to them yourself.";

function changes(facts: Facts, paths: readonly string[]): boolean {
  return (
    facts.live !== null && facts.change.action === "update" && paths.some((path) => editOf(facts, path) !== undefined)
  );
}

/** The files still contain it; those who apply them should know that somebody deleted it. */
function deletedOutside(facts: RemarkFacts): Diagnostic | null {
  const { id, reassigned } = facts.remembered;
  if (facts.change?.action !== "create" || id === null || reassigned || facts.eventObstacles.length > 0) return null;
  const published = facts.change.transition?.to === "PUBLISHED";
  const { series } = facts.wish.own;
  const day = dateOf(facts.change.address)?.day;
  // The file of a series is that of its other dates, too.
  const keep =
    series === undefined
      ? "write `status: DELETED` or delete its file"
      : `${howToLeave(series, day)} (in ${facts.wish.source.file})`;
  // The name of a date often comes from a template, which is not where the date can be removed.
  return findingAt(facts.wish, series === undefined ? ["name"] : [], {
    code: "deleted-outside",
    message: `Somebody deleted ${callDate(facts.name, facts.wish.address)} (id ${id}) on the service. Apply would create it again${published ? " and publish it" : ""}.`,
    hint: `To leave it deleted, ${keep}; to bring it back, apply.`,
  });
}

function newInThePast(facts: RemarkFacts): Diagnostic | null {
  const start = facts.wish.fields.dateTime;
  if (facts.change?.action !== "create" || typeof start !== "string" || Date.parse(start) >= facts.now) return null;
  if (isAmbiguous(facts)) return null;
  const { series } = facts.wish.own;
  const day = dateOf(facts.wish.address)?.day;
  return findingAt(facts.wish, ["dateTime"], {
    code: "starts-in-the-past",
    severity: "error",
    message: `${callDate(facts.name, facts.wish.address)} is new, but its start is in the past.`,
    hint:
      series === undefined
        ? "Correct `dateTime` (is it the right year?), pin the live event with `id`, or, if this is intentional, add `ignore: [starts-in-the-past]`."
        : `Check the year in \`series\`. To leave this date out, ${howToLeave(series, day)}; if it is live already, pin it with \`id\` under \`dates\`.`,
  });
}

/** Usually the year is wrong. What the phases would then do, such as closing a sale, could not be undone. */
function movedIntoThePast(facts: RemarkFacts): Diagnostic | null {
  const { before, after } = liveEdit(facts, "/dateTime") ?? {};
  if (typeof before !== "string" || typeof after !== "string") return null;
  if (Date.parse(before) < facts.now || Date.parse(after) >= facts.now) return null;
  return findingAt(facts.wish, ["dateTime"], {
    code: "starts-in-the-past",
    severity: "warning",
    message: `The start of ${callDate(facts.name, facts.wish.address)} is still to come, and would move into the past.`,
    hint: "Correct `dateTime` (is it the right year?), or, if this is intentional, add `ignore: [starts-in-the-past]`.",
  });
}

/** A draft that waited too long, or whose publishing phase came due after the event. */
function publishedLate({ change, live, wish, now, name }: RemarkFacts): Diagnostic | null {
  if (live === null || change?.transition?.to !== "PUBLISHED") return null;
  if (!hasEnded({ fields: { ...live.fields, ...wish.fields } }, now)) return null;
  return findingAt(wish, [wish.places.endDateTime === undefined ? "dateTime" : "endDateTime"], {
    code: "starts-in-the-past",
    severity: "warning",
    message: `${callDate(name, wish.address)} is over, but would be published.`,
    hint: "Check its date (is it the right year?), or keep it off the marketplace with `status: DRAFT`.",
  });
}

/** A live event may have ticket types that its file leaves out; a new one has none. */
function createdWithoutTickets(facts: RemarkFacts): Diagnostic | null {
  const { change, wish } = facts;
  if (change?.action !== "create" || wish.own.status !== "PUBLISHED" || wish.children.ticket !== undefined) return null;
  if (isAmbiguous(facts) || needsNoTickets(wish)) return null;
  return findingAt(wish, ["status"], {
    code: "nothing-on-sale",
    message: `${callDate(facts.name, wish.address)} is new and has no \`tickets\`: buyers see it with nothing to buy.`,
    hint: "Add a ticket type, or keep the event at `status: DRAFT`.",
  });
}

function renameChangesAddress(facts: RemarkFacts): Diagnostic | null {
  const edit = liveEdit(facts, "/name");
  if (facts.live?.status !== "PUBLISHED" || edit === undefined) return null;
  return findingAt(facts.wish, ["name"], {
    code: "rename-changes-address",
    message: `"${facts.live.fields.name}" is published, and a new name may change its URL on the marketplace: links that people shared may break.`,
    hint: "Check the event's page after the apply, and the links in your own announcements.",
  });
}

function buyersNotTold(facts: RemarkFacts): Diagnostic | null {
  const isArchived = facts.change?.transition?.to === "ARCHIVED";
  const edited = ["dateTime", "venueId", "locationType", "visibility"].find((each) => liveEdit(facts, `/${each}`));
  const field = isArchived ? "status" : edited;
  if (facts.live === null || field === undefined || facts.eventSold.any !== true) return null;
  const sold = describeSold(facts.eventSold);
  return findingAt(facts.wish, [field === "venueId" && facts.wish.places.venue !== undefined ? "venue" : field], {
    code: "buyers-not-told",
    message: `${sentenceCase(sold)} for "${facts.name}", and the service does not notify buyers of this change.`,
    hint: `Write to the buyers yourself: \`ticketing orders ${keyInAddress(facts.wish.address)} --with-buyers\` lists them.`,
  });
}

/** Rules are checked, and what they find is shown, in this order. */
export const eventRules: readonly Rule[] = [
  statusUnknown,
  eventDeletion,
  riskWithSales(
    "unpublish-with-sales",
    isUnpublished,
    (name) => `${name} would leave the marketplace`,
    toStayPublished,
  ),
  riskWithSales(
    "archive-with-sales",
    ({ change }) => change.transition?.to === "ARCHIVED",
    (name) => `${name} would be archived`,
  ),
  riskWithSales(
    "reschedule-with-sales",
    (facts) => changes(facts, ["/dateTime"]),
    (name) => `The start of ${name} would move`,
    notifyBuyers,
  ),
  riskWithSales(
    "venue-change-with-sales",
    (facts) => changes(facts, ["/venueId", "/locationType"]),
    (name) => `The venue of ${name} would change`,
    notifyBuyers,
  ),
  riskWithSales(
    "make-private-with-sales",
    (facts) => facts.live !== null && editOf(facts, "/visibility")?.after === "PRIVATE",
    (name) => `${name} would be hidden from the public`,
  ),
];

export const eventRemarks: readonly Remark[] = [
  showsOtherStatus,
  unpublishedByMove,
  deletedOutside,
  newInThePast,
  movedIntoThePast,
  publishedLate,
  createdWithoutTickets,
  renameChangesAddress,
  buyersNotTold,
];
