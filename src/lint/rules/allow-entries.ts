// Risks that files accept: those whose last day is over, and those for an event that has no document.

import { keyInAddress } from "../../model/address.ts";
import { type Diagnostic, suggest } from "../../model/diagnostic.ts";
import type { AllowEntry, Project } from "../../model/wish.ts";
import { dayIn, isExpired } from "../../model/wish.ts";

export function allowRemarks({ settings, events }: Project, now: number): readonly Diagnostic[] {
  const today = dayIn(settings.timezone, now);
  const keys = events.flatMap(({ own, address }) => own.key ?? keyInAddress(address));
  const ofProject = settings.allow.flatMap((each) => [
    ...expired(each, today, each.source === undefined ? {} : { source: each.source }),
    ...unknownEvent(each, keys),
  ]);
  const ofEvents = events.flatMap(({ own, address, places, source }) =>
    (own.allow ?? []).flatMap((each) => expired(each, today, { address, source: places.allow ?? source })),
  );
  return [...ofProject, ...ofEvents];
}

function expired(
  allowance: AllowEntry,
  today: string,
  about: Pick<Diagnostic, "address" | "source">,
): readonly Diagnostic[] {
  if (!isExpired(allowance, today)) return [];
  const { risk, event, until } = allowance;
  return [
    {
      code: "allow-expired",
      severity: "info",
      message: `The acceptance of \`${risk}\`${event === undefined ? "" : ` for "${event}"`} ended on ${until}.`,
      hint: "Remove the entry, or give it a later last day if the risk is still accepted.",
      ...about,
    },
  ];
}

/** Ordinary for a deletion. For another risk fine if its document was deleted; if another key is near, a mistake is more likely. */
function unknownEvent({ risk, event, source }: AllowEntry, keys: readonly string[]): readonly Diagnostic[] {
  if (event === undefined || keys.includes(event)) return [];
  const about = { code: "allow-unknown-event", ...(source === undefined ? {} : { source }) } as const;
  if (risk === "delete-event") {
    const message = `The deletion of the event "${event}" is accepted, and no file has this event.`;
    return [{ ...about, severity: "info", message, hint: "Remove the entry once the deletion is applied." }];
  }
  const near = suggest(event, keys);
  // `gala-2026` is last year's event, and not a misspelling of `gala-2027`.
  const isSlip = near !== null && near.replace(/\d/g, "") !== event.replace(/\d/g, "");
  return [
    {
      ...about,
      severity: isSlip ? "warning" : "info",
      message: `No event has the event key "${event}", for which \`${risk}\` is accepted.`,
      hint: `${isSlip ? `Did you mean ${near}? ` : ""}If you deleted its file, keep the entry until the deletion is applied, then remove it.`,
    },
  ];
}
