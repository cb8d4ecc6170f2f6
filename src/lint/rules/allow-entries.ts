// Risks that files accept: those whose last day is over, and those for an event that has no document.

import { type Address, keyInAddress } from "../../model/address.ts";
import { type Diagnostic, suggest } from "../../model/diagnostic.ts";
import type { AllowEntry, Project } from "../../model/wish.ts";
import { dayIn, isExpired, isFor } from "../../model/wish.ts";

export function allowRemarks({ settings, events, ended }: Project, now: number): readonly Diagnostic[] {
  const today = dayIn(settings.timezone, now);
  const keys = [...events, ...ended].flatMap(({ own, address }) => [
    ...(own.series === undefined ? [] : [keyInAddress(own.series.of)]),
    own.key ?? keyInAddress(address),
  ]);
  const ofProject = settings.allow.flatMap((each) => [
    ...expired(each, today, each.source === undefined ? {} : { source: each.source }),
    ...unknownEvent(each, keys),
    ...emptyWhy(each, each.source === undefined ? {} : { source: each.source }),
  ]);
  const ofEvents = events.flatMap(({ own, address, places, source }) =>
    (own.allow ?? []).flatMap((each) => {
      const about = { address, source: places.allow ?? source };
      // What a template or a series accepts may be for one of its events.
      const isOwn = own.series === undefined && about.source.file === source.file;
      return [...expired(each, today, about), ...emptyWhy(each, about), ...(isOwn ? ofAnother(each, about) : [])];
    }),
  );
  return [...ofProject, ...ofEvents];
}

/** Copied from the comment with the plan, without filling in the reason. */
function emptyWhy({ risk, why }: AllowEntry, about: Pick<Diagnostic, "address" | "source">): readonly Diagnostic[] {
  if (why !== "…" && why !== "...") return [];
  const message = `The \`why\` of the accepted risk \`${risk}\` still says "${why}".`;
  const hint = "Write why the risk is accepted, or remove `why`.";
  return [{ code: "placeholder-text", severity: "warning", message, hint, ...about }];
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
      message: `The risk \`${risk}\` was accepted${event === undefined ? "" : ` for "${event}"`} only until ${until}.`,
      hint: "Remove the entry, or set a later `until` if the risk is still accepted.",
      ...about,
    },
  ];
}

function ofAnother(
  { risk, event }: AllowEntry,
  about: Pick<Diagnostic, "source"> & { readonly address: Address },
): readonly Diagnostic[] {
  if (event === undefined || isFor(event, about.address)) return [];
  const message = `\`${risk}\` is accepted here for "${event}", a different event: the entry has no effect.`;
  const hint = "Write it in the file of that event, or in the `allow` of ticketing.yaml.";
  return [{ code: "allow-unknown-event", severity: "warning", message, hint, ...about }];
}

/** Normal for a deletion. Any other risk needs an event that has a document, so the entry has no effect. */
function unknownEvent({ risk, event, source }: AllowEntry, keys: readonly string[]): readonly Diagnostic[] {
  if (event === undefined || keys.includes(event)) return [];
  const about = { code: "allow-unknown-event", ...(source === undefined ? {} : { source }) } as const;
  if (risk === "delete-event") {
    const message = `The deletion of the event "${event}" is accepted, but no file describes this event.`;
    const hint = "Check the key, and remove the entry once the deletion is applied.";
    return [{ ...about, severity: "info", message, hint }];
  }
  const [series = event, day] = event.split("@");
  const dates = keys.filter((key) => key.startsWith(`${series}@`));
  const isDate = day !== undefined && dates.length > 0;
  // An address is a mistake. `gala-2026` is last year's event, and not a misspelling of `gala-2027`.
  const near = suggest(event.split("/").at(-1) ?? event, keys);
  const isSlip = near !== null && near.replace(/\d/g, "") !== event.replace(/\d/g, "");
  const fix = isDate ? `Use one of its dates, such as ${dates[0]}, or ${series} for all of them` : "Correct the key";
  return [
    {
      ...about,
      severity: "warning",
      message: `${isDate ? `The series "${series}" has no date ${day}` : `No event or series has the key "${event}"`}, for which \`${risk}\` is accepted: the entry has no effect.`,
      hint: `${isSlip && !isDate ? `Did you mean ${near}? ` : ""}${fix}; if the event is gone, remove the entry.`,
    },
  ];
}
