// An instant as people read it, in the zone where it happens.

// Time zones by name. Formatters are slow to make and fast to use, so each zone's is kept.

const formatters = new Map<string, Intl.DateTimeFormat | null>();

/** Three-letter names that the tz database knows. Others, such as PST, mean different things to different people. */
const shortNames = new Set("CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET".split(" "));

export const dayMs = 86_400_000;

/** The zone that the service uses for an event without one. */
export const standardZone = "Asia/Manila";

/** Zones whose offset has not changed since `steadySince`. Asking the runtime about any zone for the first time takes a tenth of the start-up time. */
const steadyZones: ReadonlyMap<string, number> = new Map([[standardZone, 8 * 60]]);
const steadySince = Date.UTC(1991, 0, 1);

/** How far a zone that never moves its clocks is ahead of UTC, in minutes; null if the runtime must be asked. */
export function steadyOffset(instant: number, zone: string): number | null {
  return instant >= steadySince ? (steadyZones.get(zone) ?? null) : null;
}

export function isTimezone(name: string): boolean {
  if (steadyZones.has(name)) return true;
  if (name.length <= 4 && !shortNames.has(name) && !/^(Cuba|Eire|Iran|Zulu)$/.test(name)) return false;
  // Some runtimes also take offsets such as +08:00, which are not zones.
  return /^[A-Za-z]/.test(name) && formatterOf(name) !== null;
}

/** The zone's name with the capitals that it has in the IANA database, as far as they are known. */
export function officialZone(name: string): string {
  if (steadyZones.has(name)) return name;
  const known = formatterOf(name)?.resolvedOptions().timeZone ?? name;
  // An older name of a zone resolves to its newer one, which is not what was written.
  return known.toLowerCase() === name.toLowerCase() ? known : name;
}

/** The zone, if there is one of that name. */
export function zoneOr(name: unknown, otherwise: string): string {
  return typeof name === "string" && isTimezone(name) ? name : otherwise;
}

/** How far the zone's clocks are ahead of UTC at an instant, in minutes; null if there is no such zone or instant. */
export function offsetAt(instant: number, zone: string): number | null {
  const steady = steadyOffset(instant, zone);
  if (steady !== null && instant <= 8.64e15) return steady;
  const formatter = formatterOf(zone);
  if (formatter === null || !(Math.abs(instant) <= 8.64e15)) return null;
  const day = Math.floor(instant / dayMs) * dayMs;
  const first = offsetAtEdge(day, zone, formatter);
  // If a day begins and ends with the same offset, no clock was changed in it.
  if (first === offsetAtEdge(day + dayMs, zone, formatter)) return first;
  return readOffset(instant, formatter);
}

const edges = new Map<string, Map<number, number>>();

function offsetAtEdge(day: number, zone: string, formatter: Intl.DateTimeFormat): number {
  let known = edges.get(zone);
  if (known === undefined) {
    known = new Map();
    edges.set(zone, known);
  }
  let offset = known.get(day);
  if (offset === undefined) {
    offset = readOffset(day, formatter);
    known.set(day, offset);
  }
  return offset;
}

function readOffset(instant: number, formatter: Intl.DateTimeFormat): number {
  if (Math.abs(instant) > 8.64e15) return 0;
  const shown = /^(\d+)\/(\d+)\/(\d+), (\d+):(\d+):(\d+)$/.exec(formatter.format(instant));
  if (shown === null) return 0;
  const [, month, day, year, hour, minute, second] = shown.map(Number) as [number, ...number[]];
  const local = new Date(0);
  local.setUTCFullYear(year ?? 0, (month ?? 1) - 1, day);
  local.setUTCHours(hour ?? 0, minute, second);
  const minutes = Math.round((local.getTime() - instant) / 60_000);
  // Years before our era come without a sign; no tickets are sold for them.
  return Math.abs(minutes) <= 26 * 60 ? minutes : 0;
}

function formatterOf(zone: string): Intl.DateTimeFormat | null {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    formatter = makeFormatter(zone);
    formatters.set(zone, formatter);
  }
  return formatter;
}

function makeFormatter(timeZone: string): Intl.DateTimeFormat | null {
  try {
    return new Intl.DateTimeFormat("en-US", {
      timeZone,
      hourCycle: "h23",
      calendar: "gregory",
      numberingSystem: "latn",
      year: "numeric",
      month: "2-digit",
      day: "2-digit",
      hour: "2-digit",
      minute: "2-digit",
      second: "2-digit",
    });
  } catch {
    return null;
  }
}

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

/** `Sun 14 Mar 2027 19:00 Asia/Manila (11:00Z)`; in UTC if there is no such zone, and the text itself if it is not an instant. */
export function formatMoment(instant: string | number, zone: string): string {
  const milliseconds = toMilliseconds(instant);
  if (milliseconds === null) return String(instant);
  const utc = wallClock(milliseconds, 0);
  const offset = offsetAt(milliseconds, zone);
  if (offset === null) return `${formatDate(utc)} ${formatTime(utc)}Z`;
  const local = wallClock(milliseconds, offset);
  return `${formatDate(local)} ${formatTime(local)} ${zone} (${formatTime(utc)}Z)`;
}

/** `Sun 14 Mar 2027 19:00`, where it is clear whose clock shows it. */
export function formatLocalMoment(instant: string | number, zone: string): string {
  const local = readWallClock(instant, zone);
  return local === null ? String(instant) : `${formatDate(local)} ${formatTime(local)}`;
}

/** `Sun 14 Mar 2027`. */
export function formatLocalDay(instant: string | number, zone: string): string {
  const local = readWallClock(instant, zone);
  return local === null ? String(instant) : formatDate(local);
}

/** `Sun 14 Mar 19:00`: short, for places where year and zone are clear from the context. */
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

/** What clocks in the zone show at an instant (UTC if there is no such zone); null if it is not an instant. */
export function readWallClock(instant: string | number, zone: string): WallClock | null {
  const milliseconds = toMilliseconds(instant);
  return milliseconds === null ? null : wallClock(milliseconds, offsetAt(milliseconds, zone) ?? 0);
}

const weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

// A day from either end of what Date can hold is left free, so that no offset leads beyond it.
const furthest = 8.64e15 - 2 * dayMs;

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

export function pad(number: number): string {
  return String(number).padStart(2, "0");
}

// The days of the week as people write them.

/** In the order of `Date.getUTCDay`. */
export const weekdayNames = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"] as const;

/** 0 is Sunday; null if it is not a day. The first three letters are enough, upper or lower case. */
export function readWeekday(text: string): number | null {
  const word = text.trim().toLowerCase();
  const day = weekdayNames.findIndex((name) => name === word || name.slice(0, 3) === word);
  return day === -1 ? null : day;
}

/** Without flags, which schemas of editors do not have. */
export const weekdayPattern =
  /^(?:[Ss][Uu][Nn](?:[Dd][Aa][Yy])?|[Mm][Oo][Nn](?:[Dd][Aa][Yy])?|[Tt][Uu][Ee](?:[Ss][Dd][Aa][Yy])?|[Ww][Ee][Dd](?:[Nn][Ee][Ss][Dd][Aa][Yy])?|[Tt][Hh][Uu](?:[Rr][Ss][Dd][Aa][Yy])?|[Ff][Rr][Ii](?:[Dd][Aa][Yy])?|[Ss][Aa][Tt](?:[Uu][Rr][Dd][Aa][Yy])?)$/;

/** Seconds in the words of an estimate: "about 10 s", "about 4 min", "about 1 h 20 min". */
export function formatDuration(seconds: number): string {
  if (seconds < 90) return `about ${Math.round(seconds)} s`;
  const minutes = Math.round(seconds / 60);
  if (minutes < 90) return `about ${minutes} min`;
  const rest = minutes % 60;
  return `about ${Math.floor(minutes / 60)} h${rest === 0 ? "" : ` ${rest} min`}`;
}
