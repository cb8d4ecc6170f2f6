// What comes by itself, in a line each.
import { formatLocalMoment } from "../../model/time.ts";
import { pluralize } from "../../model/value.ts";
import type { EventStatus, Upcoming } from "../../model/wish.ts";
import { safeText } from "../text/sanitize.ts";
import { transitionVerb } from "./messages.ts";

const mostShown = 5;

/** "Later: Sun 31 Jan 2027 10:00 Announce: publish "Manila Nights"". */
export function laterNotes(upcoming: readonly Upcoming[], full: boolean): readonly string[] {
  const shown = full ? upcoming : upcoming.slice(0, mostShown);
  const more = upcoming.length - shown.length;
  return [
    ...shown.map(laterNote),
    ...(more > 0
      ? [`Later: ${pluralize(more, "more change")}; --verbose lists them all, and so does --format json.`]
      : []),
  ];
}

function laterNote({ at, address, type, phase, fields, context }: Upcoming): string {
  const when = formatLocalMoment(at, context?.timezone ?? "UTC");
  const name = phase === null ? "" : ` ${safeText(phase)}${type === "phase-end" ? " ends" : ""}:`;
  const end = phase === null && type === "phase-end" ? " end of a phase:" : name;
  const does = changeWords(fields, context?.status);
  // A status is of the event; anything else is something in it.
  const within = fields.some((pointer) => pointer !== "/status") || fields.length === 0 ? " in" : "";
  return `Later: ${when}${end} ${does}${within} "${safeText(context?.name ?? address)}"`;
}

/** "publish, change tickets": what a phase does. `status` is the one that it sets. */
export function changeWords(fields: readonly string[], status: string | undefined): string {
  const names = [...new Set(fields.map((pointer) => pointer.split("/")[1] ?? ""))];
  const others = names.filter((name) => name !== "status" || status === undefined);
  const from = status === "DRAFT" ? "PUBLISHED" : "DRAFT";
  return (
    [
      ...(status === undefined ? [] : [transitionVerb({ from, to: status as EventStatus })]),
      ...(others.length === 0 ? [] : [`change ${safeText(others.join(", "))}`]),
    ].join(", ") || "nothing changes"
  );
}
