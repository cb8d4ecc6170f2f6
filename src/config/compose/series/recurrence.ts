// The only file that knows the library for rules of RFC 5545: a separate file, so that it is loaded with the first series.
import { RRuleTemporal } from "rrule-temporal";

export interface Recurrence {
  /** Without COUNT and UNTIL. */
  readonly rule: string;
  /** Days are written like 2027-01-08. */
  readonly from: string;
  readonly until: string | null;
  /** The most days that are wanted, in a rule with an end too. */
  readonly most: number;
}

/** The days of the rule, in order; or a text that says why there are none. */
export function daysOf({ rule, from, until, most }: Recurrence): readonly string[] | string {
  const start = `DTSTART:${compact(from)}T000000Z\nRRULE:${rule}`;
  const end = until === null ? "" : `;UNTIL=${compact(until)}T000000Z`;
  try {
    // Strict mode rejects parts that do not go together; only lenient mode accepts both an end and a count.
    new RRuleTemporal({ rruleString: `${start};COUNT=${most}`, strict: true });
    const found = new RRuleTemporal({ rruleString: `${start};COUNT=${most}${end}` }).all();
    return found.map(({ epochMilliseconds }) => new Date(epochMilliseconds).toISOString().slice(0, 10));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    // It counts steps and gives up on rules that never match, such as 30 February.
    return /iterations|out-of-bounds/i.test(reason) ? "it asks for days that the calendar does not have" : reason;
  }
}

function compact(day: string): string {
  return day.replaceAll("-", "");
}
