// A phase that can be read, and is hardly meant: it is reported as a warning.
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { entryOf, type Located, type LocatedMap } from "../yaml/located.ts";

/** The fields of a phase that are not laid over the document. */
export const ownFields = ["name", "from", "until"];

export function oddPhase(item: LocatedMap, from: Located, changes: LocatedMap, isLate: boolean): readonly Diagnostic[] {
  const warn = (source: Source, message: string, hint: string): Diagnostic => ({
    code: "bad-phase",
    severity: "warning",
    source,
    message,
    hint,
  });
  const nothing = "This phase changes nothing: `name` is only what the phase is called.";
  if ([...item.entries.keys()].every((field) => ownFields.includes(field)))
    return [warn(item.source, nothing, "Add the fields that change from then on, or remove the phase.")];
  const time = from.type === "scalar" ? String(from.value).trim() : "";
  const late = isLate ? tooLate(changes) : null;
  if (late !== null) {
    const earlier = time.startsWith("+") ? time.replace("+", "-") : "-6w at 10:00";
    return [warn(from.source, `This phase ${late}.`, `Write an earlier time, such as ${earlier}.`)];
  }
  const minutes = /^-(?:[1-9]|1[0-2])m$/.exec(time);
  if (minutes === null || !changes.entries.has("status")) return [];
  const message = `${minutes} is only minutes before the start: \`m\` does not stand for months.`;
  return [warn(from.source, message, "Count in weeks, such as -4w, or write a date and a time.")];
}

/** What is of no use once the event is over. Closing a sale still is: the service may go on selling. */
function tooLate(changes: LocatedMap): string | null {
  const sets = (node: Located, field: string, to: string | boolean) => {
    const set = entryOf(node, field);
    return set?.type === "scalar" && set.value === to;
  };
  if (sets(changes, "status", "PUBLISHED")) return "publishes the event only after it is over";
  const tickets = entryOf(changes, "tickets");
  const isForBuyers = (entry: Located) => sets(entry, "published", true) || entryOf(entry, "price") !== undefined;
  const isLate = tickets?.type === "list" && tickets.items.some(isForBuyers);
  return isLate ? "changes ticket sales only after the event is over" : null;
}
