// What a time zone's name stands for. Formatters are slow to make and fast to use, so each zone's is kept.

const formatters = new Map<string, Intl.DateTimeFormat | null>();

/** Three-letter names that the tz database knows. Others, such as PST, mean different things to different people. */
const shortNames = new Set("CET EET EST GMT HST MET MST PRC ROC ROK UCT UTC WET".split(" "));

/** Zones whose clocks have stood still since `steadySince`. A runtime's first word about any zone costs it a tenth of a start. */
const steadyZones: ReadonlyMap<string, number> = new Map([["Asia/Manila", 8 * 60]]);
const steadySince = Date.UTC(1991, 0, 1);

/** How far a zone that never moves its clocks is ahead of UTC, in minutes; null where the runtime must be asked. */
export function steadyOffset(instant: number, zone: string): number | null {
  return instant >= steadySince ? (steadyZones.get(zone) ?? null) : null;
}

/** Whether it is a name of the IANA time zone database. */
export function isTimezone(name: string): boolean {
  if (steadyZones.has(name)) return true;
  if (name.length <= 4 && !shortNames.has(name) && !/^(Cuba|Eire|Iran|Zulu)$/.test(name)) return false;
  // Some runtimes also take offsets such as +08:00, which are no zones.
  return /^[A-Za-z]/.test(name) && formatterOf(name) !== null;
}

/** How far the zone's clocks are ahead of UTC at an instant, in minutes; null where there is no such zone or instant. */
export function offsetAt(instant: number, zone: string): number | null {
  const steady = steadyOffset(instant, zone);
  if (steady !== null && instant <= 8.64e15) return steady;
  const formatter = formatterOf(zone);
  if (formatter === null || !(Math.abs(instant) <= 8.64e15)) return null;
  const day = Math.floor(instant / dayLength) * dayLength;
  const first = offsetAtEdge(day, zone, formatter);
  // Where a day begins and ends with one offset, no clock was changed in it.
  if (first === offsetAtEdge(day + dayLength, zone, formatter)) return first;
  return readOffset(instant, formatter);
}

const dayLength = 86_400_000;
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
  // Years before our era come without a sign; nobody sells tickets for them.
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
