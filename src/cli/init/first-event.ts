import { formatLocalTime } from "../../model/moment.ts";

export const firstEventFile = "events/open-mic.yaml";

const day = 86_400_000;
const hour = 3_600_000;

/** An event to begin with: a draft that validates, two months ahead. */
export function firstEvent(now: number): string {
  const start = saturdayEvening(now + 56 * day);
  return `# yaml-language-server: $schema=../schemas/event.json
name: Open Mic by the Bay
dateTime: ${formatLocalTime(start, zone)} # local time in Manila; \`timezone\` is for other places
endDateTime: ${formatLocalTime(start + 3 * hour, zone)}
locationType: ONLINE # for a place: \`venue: its name\` (\`ticketing venues search\` finds it)
# status: PUBLISHED # left out, the event is made as a draft and stays one
tickets:
  - name: Stream
    price: 150 # whole pesos
    quantity: 100
    published: true
`;
}

const zone = "Asia/Manila";

/** 19:00 in Manila, which has been at +08:00 for decades. */
function saturdayEvening(instant: number): number {
  const midnight = Math.floor((instant + 8 * hour) / day) * day;
  const weekday = new Date(midnight).getUTCDay();
  return midnight + ((6 - weekday + 7) % 7) * day + 19 * hour - 8 * hour;
}
