// A program drawn to scale: time runs down, entries that overlap stand side by side. It is a list, and is read as one.
import type { CardEntry } from "../../model/live.ts";
import { formatLocalTime, formatShortMoment } from "../../model/time.ts";
import { pluralize } from "../../model/value.ts";
import { wrapText } from "../text/table.ts";
import { nameHtml, textHtml } from "./frame.ts";
import { type Beside, colorStyle, itemMark, markClass, shortMarkHtml } from "./marks.ts";

interface EntrySpan {
  readonly entry: CardEntry;
  readonly from: number;
  readonly to: number;
}

/** An entry with the place it has among those that overlap it. */
interface TimetableSlot extends EntrySpan {
  readonly lane: number;
  /** How many lanes those that overlap share. */
  readonly lanes: number;
}

/** Entries without a long break between them. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly slots: readonly TimetableSlot[];
}

const hour = 3_600_000;
/** A longer break, as between two days, is not drawn. */
const longestBreak = 3 * hour;
/** An entry that ends before it begins, or that has no end, still has to be seen. */
const shortest = hour / 6;

/** In order of time. Entries whose times are not known have no place. */
export function layOut(entries: readonly CardEntry[]): readonly Stretch[] {
  const timed = entries
    .map((entry) => ({ entry, from: Date.parse(entry.start ?? ""), to: Date.parse(entry.end ?? "") }))
    .filter(({ from }) => Number.isFinite(from))
    .map(({ entry, from, to }) => ({ entry, from, to: to >= from + shortest ? to : from + shortest }))
    .sort((one, other) => one.from - other.from || other.to - one.to);
  const stretches = runsOf(timed, longestBreak);
  return stretches.map((run) => ({
    // They are in order of their starts.
    from: Math.floor((run[0]?.from ?? 0) / hour) * hour,
    to: Math.ceil(run.reduce((last, { to }) => Math.max(last, to), 0) / hour) * hour,
    slots: runsOf(run, 0).flatMap(inLanes),
  }));
}

/** Cut where the next begins at least this long after all before it have ended. */
function runsOf(spans: readonly EntrySpan[], least: number): readonly (readonly EntrySpan[])[] {
  const runs: EntrySpan[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    const last = runs.at(-1);
    if (last === undefined || span.from - end >= least) runs.push([span]);
    else last.push(span);
    end = Math.max(end, span.to);
  }
  return runs;
}

/** Each in the first lane that is free when it begins. */
function inLanes(run: readonly EntrySpan[]): readonly TimetableSlot[] {
  const byEnd = [...run.entries()].sort(([, one], [, other]) => one.to - other.to);
  const placed: number[] = [];
  const busyUntil: number[] = [];
  // All lanes before this one are taken, so that thousands that overlap are not searched each time.
  let first = 0;
  let ended = 0;
  for (const { from, to } of run) {
    for (let next = byEnd[ended]; next !== undefined && next[1].to <= from; next = byEnd[++ended])
      first = Math.min(first, placed[next[0]] ?? 0);
    while ((busyUntil[first] ?? from) > from) first++;
    placed.push(first);
    busyUntil[first] = to;
  }
  return run.map((span, at) => ({ ...span, lane: placed[at] ?? 0, lanes: busyUntil.length }));
}

/** In rem: the least width of a lane, and of all lanes of a day. */
const laneWidth = 5.8;
const dayWidth = 14;

/** In rem. The time and title of an entry have room, unless that would make the drawing very long. */
function hourHeight({ slots }: Stretch, beside?: Beside): number {
  const needed = slots.map((slot) => ((linesOfSlot(slot, beside) + 0.4) * hour) / (slot.to - slot.from));
  return needed.reduce((most, each) => Math.max(most, Math.min(10, each)), 2.5);
}

/** The same on both sides of a plan, so that one hour can be held against the other. */
function commonHeight(stretch: Stretch, others: readonly Stretch[], beside?: Beside, mirrored?: Beside): number {
  const facing = others.filter(({ from, to }) => from < stretch.to && stretch.from < to);
  const wanted = Math.max(hourHeight(stretch, beside), ...facing.map((other) => hourHeight(other, mirrored)));
  const longest = Math.max(...[stretch, ...facing].map(({ from, to }) => to - from));
  return Math.min(wanted, Math.max(2.5, (60 * hour) / longest));
}

/** The most lines, each a rem high, that its time and title need; digits are narrow. */
function linesOfSlot({ entry, lanes }: TimetableSlot, beside?: Beside): number {
  const mark = itemMark(beside, "schedule", entry);
  const words = ["00:00–0000", ...(mark === null ? [] : [`((${mark}))`]), entry.name].join(" ");
  return wrapText(words, Math.floor((Math.max(laneWidth, dayWidth / lanes) - 0.7) / 0.48)).length;
}

/** Next to the other side of the plan, a day on which nothing changes is folded, and on the side before only named. */
export function timetableHtml(entries: readonly CardEntry[], zone: string, beside?: Beside): string {
  const stretches = layOut(entries);
  const isSame = ({ slots }: Stretch) =>
    beside !== undefined && slots.every(({ entry }) => itemMark(beside, "schedule", entry) === null);
  const others = layOut(beside?.other.schedule ?? []);
  const mirrored: Beside | undefined = beside && {
    ...beside,
    side: beside.side === "before" ? "after" : "before",
    other: { ...beside.other, schedule: entries },
  };
  const isTitled = stretches.length > 1;
  const days = stretches
    .filter((one) => !isSame(one))
    .map((one) => dayHtml(one, commonHeight(one, others, beside, mirrored), zone, isTitled, beside));
  const same = stretches.filter(isSame).map((one) => {
    const title = `${dayName(one.from, zone)}: ${pluralize(one.slots.length, "entry", "entries")}, unchanged`;
    if (beside?.side === "before") return `<p class="quiet">${title}</p>`;
    return `<details><summary>${title}</summary>${dayHtml(one, commonHeight(one, []), zone, false)}</details>`;
  });
  const untimed = entries.filter(({ start }) => !Number.isFinite(Date.parse(start ?? "")));
  const rest = untimed.map((entry) => `<li>${entryHtml(entry, "", beside)}</li>`).join("");
  const about = entries
    .filter(({ description }) => description !== null)
    .map((entry) => `<dt>${nameHtml(entry.name)}</dt><dd>${textHtml(entry.description ?? "")}</dd>`);
  return [
    days.length === 0 ? "" : `<div class="days">${days.join("\n")}</div>`,
    ...same,
    rest === "" ? "" : `<ul>${rest}</ul>`,
    about.length === 0 ? "" : `<details><summary>About the entries</summary><dl>${about.join("")}</dl></details>`,
  ].join("\n");
}

function dayName(instant: number, zone: string): string {
  return textHtml(formatShortMoment(instant, zone).replace(/ [\d:]+$/, ""));
}

function dayHtml({ from, to, slots }: Stretch, height: number, zone: string, isTitled: boolean, beside?: Beside) {
  const hours = (to - from) / hour;
  const marks = Array.from({ length: Math.min(hours, 72) + 1 }, (_, at) => {
    return `<span style="top:${(at * height).toFixed(2)}rem">${clock(from + at * hour, zone)}</span>`;
  });
  const lanes = slots.reduce((most, slot) => Math.max(most, slot.lanes), 1);
  const items = slots.map((slot) => slotHtml(slot, from, height, zone, beside));
  const first = dayName(from, zone);
  const box = `--hour:${height.toFixed(2)}rem;height:${(hours * height).toFixed(2)}rem;min-width:${(lanes * laneWidth).toFixed(1)}rem`;
  return `<div>${isTitled ? `<p class="quiet">${first}</p>` : ""}<div class="day"><div class="hours" aria-hidden="true">${marks.join("")}</div><div class="lanes" role="group" aria-label="Program, ${first}" tabindex="0"><ol style="${box}">${items.join("")}</ol></div></div></div>`;
}

function slotHtml(slot: TimetableSlot, start: number, height: number, zone: string, beside?: Beside): string {
  const { entry, from, to, lane, lanes } = slot;
  const place = [
    `top:${(((from - start) / hour) * height).toFixed(2)}rem`,
    `height:${(((to - from) / hour) * height).toFixed(2)}rem`,
    `left:${((lane * 100) / lanes).toFixed(2)}%`,
    `width:${(100 / lanes).toFixed(2)}%`,
    colorStyle(entry.color),
  ];
  const mark = itemMark(beside, "schedule", entry);
  const end = entry.end === null ? "" : `–${clock(Date.parse(entry.end), zone)}`;
  const time = `<span class="quiet-time">${clock(from, zone)}${end}</span> `;
  return `<li${markClass(mark)} style="${place.filter((part) => part !== "").join(";")}">${entryHtml(entry, time, beside)}</li>`;
}

function entryHtml(entry: CardEntry, time: string, beside?: Beside): string {
  const performer = entry.performer === null || entry.performer === entry.name ? "" : ` · ${nameHtml(entry.performer)}`;
  return `${time}${shortMarkHtml(beside, itemMark(beside, "schedule", entry), entry)}<strong>${nameHtml(entry.name)}</strong>${performer}`;
}

function clock(instant: number, zone: string): string {
  return Number.isFinite(instant) ? formatLocalTime(instant, zone).slice(11, 16) : "";
}
