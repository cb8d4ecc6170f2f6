// An instant as a file writes it: what clocks in the event's zone show.
import { formatOffset, readWallClock } from "../model/moment.ts";
import { offsetAt } from "../model/timezone.ts";

const day = 86_400_000;
// Before that, some zones were ahead by minutes and seconds, which no offset can say.
const wholeMinutesSince = Date.UTC(1973, 0, 1);

/** `2027-03-14T19:00`, to the millisecond where that matters; null where it is an instant that no file can hold. */
export function writeLocalTime(instant: string, zone: string): string | null {
  const milliseconds = Date.parse(instant);
  const offset = offsetAt(milliseconds, zone);
  const early = milliseconds < wholeMinutesSince;
  const clock = readWallClock(milliseconds, early ? "UTC" : zone);
  if (clock === null || offset === null || clock.year < 1000 || clock.year > 9999) return null;
  const date = `${clock.year}-${pad(clock.month)}-${pad(clock.day)}`;
  const fraction = ((milliseconds % 1000) + 1000) % 1000;
  const seconds =
    clock.second === 0 && fraction === 0
      ? ""
      : `:${pad(clock.second)}${fraction === 0 ? "" : `.${String(fraction).padStart(3, "0")}`}`;
  const suffix = early ? "Z" : happensTwice(milliseconds, offset, zone) ? formatOffset(offset) : "";
  return `${date}T${pad(clock.hour)}:${pad(clock.minute)}${seconds}${suffix}`;
}

/** Clocks are put back over it, so that the wall shows it twice. */
function happensTwice(milliseconds: number, offset: number, zone: string): boolean {
  return [milliseconds - day, milliseconds + day].some((near) => {
    const other = offsetAt(near, zone);
    if (other === null || other === offset) return false;
    const twin = milliseconds + (offset - other) * 60_000;
    return offsetAt(twin, zone) === other;
  });
}

function pad(number: number): string {
  return String(number).padStart(2, "0");
}
