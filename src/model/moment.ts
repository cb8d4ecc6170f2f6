// An instant as people read it, in the zone where it happens.
import { offsetAt } from "./timezone.ts";

/** What a clock on the wall shows. */
export interface WallClock {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  readonly day: number;
  /** 0 is Sunday. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** `Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z)`; in UTC where there is no such zone, and the text itself where it is no instant. */
export function formatMoment(instant: string | number, zone: string): string {
  const milliseconds = toMilliseconds(instant);
  if (milliseconds === null) return String(instant);
  const utc = wallClock(milliseconds, 0);
  const offset = offsetAt(milliseconds, zone);
  if (offset === null) return `${formatDate(utc)} ${formatTime(utc)}Z`;
  const local = wallClock(milliseconds, offset);
  return `${formatDate(local)} ${formatTime(local)} ${zone} (${formatTime(utc)}Z)`;
}

/** `Sun 14 Mar 19:00`: short, where year and zone are plain from what stands beside it. */
export function formatShortMoment(instant: string | number, zone: string): string {
  const local = readWallClock(instant, zone);
  return local === null ? String(instant) : `${formatDayAndMonth(local)} ${formatTime(local)}`;
}

/** `2027-03-14T19:00`, as a file writes a local time. */
export function formatLocalTime(instant: string | number, zone: string): string {
  const local = readWallClock(instant, zone);
  if (local === null) return String(instant);
  return `${local.year}-${pad(local.month)}-${pad(local.day)}T${formatTime(local)}`;
}

/** `+08:00`. */
export function formatOffset(minutes: number): string {
  const size = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(size / 60))}:${pad(size % 60)}`;
}

/** What clocks in the zone show at an instant (UTC where there is no such zone); null where it is no instant. */
export function readWallClock(instant: string | number, zone: string): WallClock | null {
  const milliseconds = toMilliseconds(instant);
  return milliseconds === null ? null : wallClock(milliseconds, offsetAt(milliseconds, zone) ?? 0);
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// A day from either end of what Date can hold is left free, so that no offset leads beyond it.
const furthest = 8.64e15 - 2 * 86_400_000;

function toMilliseconds(instant: string | number): number | null {
  const milliseconds = typeof instant === "number" ? instant : Date.parse(instant);
  return Math.abs(milliseconds) <= furthest ? milliseconds : null;
}

function wallClock(milliseconds: number, offset: number): WallClock {
  const date = new Date(milliseconds + offset * 60_000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    weekday: date.getUTCDay(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

function formatDate(clock: WallClock): string {
  return `${formatDayAndMonth(clock)} ${clock.year}`;
}

function formatDayAndMonth(clock: WallClock): string {
  return `${weekdays[clock.weekday]} ${clock.day} ${months[clock.month - 1]}`;
}

// Seconds are rare and matter where they are written: 19:00 and 19:00:30 must not look alike.
function formatTime(clock: WallClock): string {
  const seconds = clock.second === 0 ? "" : `:${pad(clock.second)}`;
  return `${pad(clock.hour)}:${pad(clock.minute)}${seconds}`;
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
