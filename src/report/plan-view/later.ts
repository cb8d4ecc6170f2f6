// What comes by itself, in a line each.
import { dateOf } from "../../model/address.ts";
import { formatLocalMoment } from "../../model/time.ts";
import { groupBy, pluralize } from "../../model/value.ts";
import type { EventStatus, Upcoming } from "../../model/wish.ts";
import { safeText } from "../text/sanitize.ts";
import { transitionVerb } from "./messages.ts";
import { fewestDates } from "./series-names.ts";

const mostShown = 5;

/** "Later: Sun 31 Jan 2027 10:00 Announce: publish "Manila Nights"". What comes on many dates of a series is one line, with its first time. */
export function laterNotes(upcoming: readonly Upcoming[], full: boolean): readonly string[] {
  const alike = groupBy(upcoming, ({ address, type, phase, fields, context }) =>
    JSON.stringify([dateOf(address)?.series ?? address, type, phase, fields, context?.status]),
  );
  const lines = [...alike.values()].flatMap((all) =>
    all.length < fewestDates ? all.map((one) => ({ one, all: [one] })) : all.slice(0, 1).map((one) => ({ one, all })),
  );
  const shown = full ? lines : lines.slice(0, mostShown);
  const more = lines.slice(shown.length).reduce((sum, { all }) => sum + all.length, 0);
  return [
    ...shown.map(({ one, all }) => laterNote(one, all)),
    ...(more > 0
      ? [`Later: ${pluralize(more, "more change")}; --verbose lists them all, and so does --format json.`]
      : []),
  ];
}

function laterNote({ at, address, type, phase, fields, context }: Upcoming, all: readonly Upcoming[]): string {
  const when = formatLocalMoment(at, context?.timezone ?? "UTC");
  const isEnd = type === "phase-end";
  const what = phase === null ? (isEnd ? " end of a phase:" : "") : ` ${safeText(phase)}${isEnd ? " ends" : ""}:`;
  const does = changeWords(fields, context?.status);
  // A status is of the event; anything else is something in it.
  const within = fields.some((pointer) => pointer !== "/status") || fields.length === 0 ? " in" : "";
  const more = all.length === 1 ? "" : `, and the same on ${pluralize(all.length - 1, "more date")}`;
  return `Later: ${when}${what} ${does}${within} "${safeText(context?.name ?? address)}"${more}`;
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
