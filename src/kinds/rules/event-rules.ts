// What forbids or endangers a change of an event, and what people should know of it.

import { dateOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { sentenceCase } from "../../model/value.ts";
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
import { findingAt } from "../lint-rules/finding.ts";

function eventDeletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  if (facts.eventSold.any === null) return salesUnknown(facts, facts.eventSold);
  if (facts.eventSold.any) {
    return rule(
      "delete-after-sales",
      `"${facts.name}" cannot be deleted: ${describeSold(facts.eventSold)}.`,
      `${howToArchive(facts)}: it leaves the marketplace and its orders are kept.`,
    );
  }
  const message = `"${facts.name}" would be deleted for good (${describeSold(facts.eventSold)}).`;
  if (facts.change.source !== null) return risk(facts, "delete-event", message);
  const accept = "To accept it, pass --allow delete-event, or add `allow: [delete-event]` to ticketing.yaml.";
  const keep =
    dateOf(facts.change.address) === null
      ? "If its file was moved or renamed, write its former `key:` (or `id:`) into the new one."
      : "If the date was moved, write it under `dates` of its series with its new `dateTime`; if the series was renamed, give it its former `key:`.";
  return { code: "delete-event", message, hint: `${keep} ${accept}`, risk: true };
}

function howToArchive({ change }: Facts): string {
  if (dateOf(change.address) !== null)
    return "Keep the date in its series (take it out of `skip`, or add it to `also`), and write `status: ARCHIVED` for it under `dates`";
  if (change.source !== null) return "Change `status` to `ARCHIVED`";
  return `Bring its file back from git, or write it again with \`ticketing import ${change.id}\`, and set \`status: ARCHIVED\` in it`;
}

function unpublishWithSales(facts: Facts): Verdict | null {
  const transition = facts.change.transition;
  if (transition?.from !== "PUBLISHED" || transition.to !== "DRAFT" || !mayHurtBuyers(facts, facts.eventSold))
    return null;
  return risk(
    facts,
    "unpublish-with-sales",
    `"${facts.name}" would leave the marketplace although ${describeSold(facts.eventSold)}.`,
  );
}

function archiveWithSales(facts: Facts): Verdict | null {
  const transition = facts.change.transition;
  if (transition?.to !== "ARCHIVED" || !mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk(
    facts,
    "archive-with-sales",
    `"${facts.name}" would be archived although ${describeSold(facts.eventSold)}.`,
  );
}

function rescheduleWithSales(facts: Facts): Verdict | null {
  if (!changes(facts, ["/dateTime"]) || !mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk(
    facts,
    "reschedule-with-sales",
    `The start of "${facts.name}" would move although ${describeSold(facts.eventSold)}.`,
    notifyBuyers,
  );
}

function venueChangeWithSales(facts: Facts): Verdict | null {
  if (!changes(facts, ["/venueId", "/venue", "/locationType"]) || !mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk(
    facts,
    "venue-change-with-sales",
    `The venue of "${facts.name}" would change although ${describeSold(facts.eventSold)}.`,
    notifyBuyers,
  );
}

function makePrivateWithSales(facts: Facts): Verdict | null {
  if (editOf(facts, "/visibility")?.after !== "PRIVATE" || facts.live === null) return null;
  if (!mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk(
    facts,
    "make-private-with-sales",
    `"${facts.name}" would be hidden from the public although ${describeSold(facts.eventSold)}.`,
  );
}

const notifyBuyers = "The service does not notify buyers: write to them yourself.";

function changes(facts: Facts, paths: readonly string[]): boolean {
  return (
    facts.live !== null && facts.change.action === "update" && paths.some((path) => editOf(facts, path) !== undefined)
  );
}

/** The files ask for it again; whoever applies them should know that somebody deleted it. */
function deletedOutside(facts: RemarkFacts): Diagnostic | null {
  const { id } = facts.remembered;
  if (facts.change?.action !== "create" || id === null || facts.eventObstacles.length > 0) return null;
  const published = facts.change.transition?.to === "PUBLISHED";
  return findingAt(facts.wish, ["name"], {
    code: "deleted-outside",
    message: `"${facts.name}" was live with the id ${id} and no longer is: somebody deleted it on the service. Apply would create it again${published ? " and publish it" : ""}.`,
    hint: "To leave it deleted, write `status: DELETED` or delete its file; to bring it back, apply.",
  });
}

function newInThePast(facts: RemarkFacts): Diagnostic | null {
  const start = facts.wish.fields.dateTime;
  if (facts.change?.action !== "create" || typeof start !== "string" || Date.parse(start) >= facts.now) return null;
  if (isAmbiguous(facts)) return null;
  return findingAt(facts.wish, ["dateTime"], {
    code: "starts-in-the-past",
    severity: "error",
    message: `"${facts.name}" is new and its start is already past.`,
    hint: "Correct `dateTime` (is it the right year?), pin the live event with `id`, or silence this with `ignore: [starts-in-the-past]`.",
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
  const field = ["dateTime", "venueId", "locationType", "visibility"].find((each) => liveEdit(facts, `/${each}`));
  if (facts.live === null || field === undefined || facts.eventSold.any !== true) return null;
  const sold = describeSold(facts.eventSold);
  return findingAt(facts.wish, [field === "venueId" && facts.wish.places.venue !== undefined ? "venue" : field], {
    code: "buyers-not-told",
    message: `${sentenceCase(sold)} for "${facts.name}", and the service does not notify buyers of this change.`,
    hint: `Write to the buyers yourself: \`ticketing orders ${facts.live.id} --with-buyers\` lists them.`,
  });
}

/** In this order they are asked, and what they find is shown. */
export const eventRules: readonly Rule[] = [
  eventDeletion,
  unpublishWithSales,
  archiveWithSales,
  rescheduleWithSales,
  venueChangeWithSales,
  makePrivateWithSales,
];

export const eventRemarks: readonly Remark[] = [deletedOutside, newInThePast, renameChangesAddress, buyersNotTold];
