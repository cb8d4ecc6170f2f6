import type { Facts, Rule, Verdict } from "./define.ts";
import { archivedIsFinal, editOf, mayHurtBuyers, risk, rule, salesUnknown, soldWords } from "./verdicts.ts";

function deletion(facts: Facts): Verdict | null {
  if (facts.change.action !== "delete") return null;
  if (facts.eventSold.any === null) return salesUnknown(facts, facts.eventSold);
  if (facts.eventSold.any) {
    return rule(
      "delete-after-sales",
      `'${facts.name}' cannot be deleted: ${soldWords(facts.eventSold)}.`,
      facts.change.source === null
        ? `Bring its file back from git, or write it anew with \`ticketing import ${facts.change.id}\`, and set \`status: ARCHIVED\` in it: it leaves the marketplace and its orders are kept.`
        : "Set `status: ARCHIVED`: it leaves the marketplace and its orders are kept.",
    );
  }
  const message = `'${facts.name}' would be deleted for good (${soldWords(facts.eventSold)}).`;
  if (facts.change.source !== null) return risk("delete-event", message);
  const accept = "To accept it, pass --allow delete-event, or add `allow: [delete-event]` to ticketing.yaml.";
  const keep = "If its file was moved or renamed, write its former `key:` (or `id:`) into the new one.";
  return { code: "delete-event", message, hint: `${keep} ${accept}`, risk: true };
}

function unpublishWithSales(facts: Facts): Verdict | null {
  const transition = facts.change.transition;
  if (transition?.from !== "PUBLISHED" || transition.to !== "DRAFT" || !mayHurtBuyers(facts, facts.eventSold))
    return null;
  return risk(
    "unpublish-with-sales",
    `'${facts.name}' would leave the marketplace while ${soldWords(facts.eventSold)}.`,
  );
}

function archiveWithSales(facts: Facts): Verdict | null {
  const transition = facts.change.transition;
  if (transition?.to !== "ARCHIVED" || !mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk("archive-with-sales", `'${facts.name}' would be archived while ${soldWords(facts.eventSold)}.`);
}

function rescheduleWithSales(facts: Facts): Verdict | null {
  if (!changes(facts, ["/dateTime"]) || !mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk(
    "reschedule-with-sales",
    `The start of '${facts.name}' would move while ${soldWords(facts.eventSold)}.`,
    tellBuyers,
  );
}

function venueChangeWithSales(facts: Facts): Verdict | null {
  if (!changes(facts, ["/venueId", "/venue", "/locationType"]) || !mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk(
    "venue-change-with-sales",
    `The venue of '${facts.name}' would change while ${soldWords(facts.eventSold)}.`,
    tellBuyers,
  );
}

function makePrivateWithSales(facts: Facts): Verdict | null {
  if (editOf(facts, "/visibility")?.after !== "PRIVATE" || facts.live === null) return null;
  if (!mayHurtBuyers(facts, facts.eventSold)) return null;
  return risk(
    "make-private-with-sales",
    `'${facts.name}' would be hidden from the public while ${soldWords(facts.eventSold)}.`,
  );
}

const tellBuyers = "The service tells nobody: write to the buyers yourself.";

function changes(facts: Facts, paths: readonly string[]): boolean {
  return (
    facts.live !== null && facts.change.action === "update" && paths.some((path) => editOf(facts, path) !== undefined)
  );
}

export const eventRules: readonly Rule[] = [
  archivedIsFinal,
  deletion,
  unpublishWithSales,
  archiveWithSales,
  rescheduleWithSales,
  venueChangeWithSales,
  makePrivateWithSales,
];
