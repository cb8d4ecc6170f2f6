import type { Diagnostic } from "../../model/diagnostic.ts";
import { dayMs, formatMoment, formatShortMoment } from "../../model/time.ts";
import { isReference } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { LintFinding, LintScene } from "../define.ts";
import { callOf, childrenOf, findingAt, instantOf, isOnBadEnd, isRetired, placeOf, withoutDate } from "./finding.ts";

export function scheduleOutsideEvent(entry: Wish, scene: LintScene): LintFinding {
  const { event, start: opening } = scene;
  if (event === null) return null;
  // An end before the start is reported separately; compared with it, every entry would be outside.
  const isSane = opening === undefined || scene.end === undefined || scene.end >= opening;
  const closing = isSane ? scene.end : undefined;
  const start = instantOf(entry, "startTime");
  const end = instantOf(entry, "endTime");
  if (isOnBadEnd(entry, "startTime", scene)) return null;
  if (opening !== undefined && start !== undefined && start < opening)
    return outside(entry, event, "startTime", "starts", opening, scene);
  if (closing === undefined) return null;
  if (start !== undefined && start > closing) return outside(entry, event, "startTime", "ends", closing, scene);
  return end !== undefined && end > closing ? outside(entry, event, "endTime", "ends", closing, scene) : null;
}

function outside(entry: Wish, event: Wish, field: string, edge: "starts" | "ends", limit: number, scene: LintScene) {
  const at = formatMoment(instantOf(entry, field) ?? limit, scene.zone);
  const happens = `${field === "startTime" ? "begins" : "ends"} (${at}) ${edge === "starts" ? "before" : "after"}`;
  const clock = edge === "ends" && field === "startTime" && /^\d\d:\d\d$/.exec(String(entry.written[field]));
  const limitField = edge === "starts" ? "dateTime" : "endDateTime";
  const those = `its \`${field}\`, or the event's \`${limitField}\``;
  const ignore = "add `ignore: [schedule-outside-event]` to the entry";
  const moving = edge === "starts" ? movingTimes(entry, limit) : "";
  const afterStart = clock
    ? `${clock} means the first ${clock} at or after the start; for a time before the start, write a time such as \`start -1h\`. `
    : "";
  return findingAt(entry, [field], {
    code: "schedule-outside-event",
    message: `${callOf(entry)} ${happens} ${callOf(event)} ${edge} (${formatMoment(limit, scene.zone)}).`,
    hint:
      (moving === "" ? withoutDate(entry, field, scene) : null) ??
      `${afterStart}Correct ${those}. If this is intentional, ${moving}${ignore}.`,
  });
}

/** How an entry shortly before the start is written so that it moves with the event; "" if its times have no date. */
function movingTimes(entry: Wish, opening: number): string {
  const at = (field: string) => (/^\d{4}-/.test(String(entry.written[field])) && instantOf(entry, field)) || Number.NaN;
  const [ahead, length] = [opening - at("startTime"), at("endTime") - at("startTime")].map(offsetOf);
  // If it is half a day or more, the event was probably moved and the entry was not.
  if (ahead == null || opening - at("startTime") >= dayMs / 2) return "";
  const first = `write \`startTime: -${ahead}\``;
  const both = length == null ? `${first}, which moves` : `${first} and \`endTime: +${length}\`, which move`;
  return `${both} with the event, and `;
}

/** `1h30m`; null if it is no whole number of minutes of less than a day. */
function offsetOf(duration: number): string | null {
  const minutes = duration / 60_000;
  if (!(minutes > 0 && duration < dayMs && Number.isInteger(minutes))) return null;
  return `${Math.floor(minutes / 60)}h${minutes % 60}m`.replace(/^0h|(?<=h)0m$/, "");
}

export function performerInTwoPlaces(event: Wish, { zone }: LintScene): LintFinding {
  const entries = childrenOf(event, "schedule");
  if (entries.length < 2 || isRetired(event)) return null;
  const found: Diagnostic[] = [];
  for (const slots of slotsByPerformer(entries).values()) {
    slots.sort((one, other) => one.start - other.start);
    let running = slots[0];
    for (const slot of slots.slice(1)) {
      if (running !== undefined && slot.start < running.end) found.push(overlap(slot, running, zone));
      if (running === undefined || slot.end > running.end) running = slot;
    }
  }
  return found;
}

interface PerformerSlot {
  readonly entry: Wish;
  readonly performer: string;
  readonly start: number;
  readonly end: number;
}

function slotsByPerformer(entries: readonly Wish[]): Map<string, PerformerSlot[]> {
  const byPerformer = new Map<string, PerformerSlot[]>();
  for (const entry of entries) {
    const reference = entry.fields.performerId;
    const start = instantOf(entry, "startTime");
    const end = instantOf(entry, "endTime");
    if (!isReference(reference) || start === undefined || end === undefined || end <= start) continue;
    const written = entry.written.performer;
    const performer = typeof written === "string" ? `"${written.trim()}"` : "The performer";
    const slots = byPerformer.get(reference.$id) ?? [];
    slots.push({ entry, performer, start, end });
    byPerformer.set(reference.$id, slots);
  }
  return byPerformer;
}

function overlap(slot: PerformerSlot, running: PerformerSlot, zone: string): Diagnostic {
  return findingAt(slot.entry, ["performer", "startTime"], {
    code: "performer-in-two-places",
    message: `${slot.performer} is in ${callOf(running.entry)} until ${formatShortMoment(running.end, zone)}, but also in ${callOf(slot.entry)} from ${formatShortMoment(slot.start, zone)} on.`,
    hint: "Move one of the two entries, or name another performer.",
    related: [
      { message: `the entry ${callOf(running.entry)}`, source: placeOf(running.entry, ["performer", "startTime"]) },
    ],
  });
}
