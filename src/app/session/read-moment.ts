import { describeJump, loadCalendar, parseTime } from "../../config/time.ts";
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { formatMoment } from "../../model/time.ts";
import type { Settings } from "../../model/wish.ts";

/** A time that was typed; without an offset it is in the zone of the project's defaults. */
export async function readMoment(
  text: string,
  { timezone: zone }: Pick<Settings, "timezone">,
): Promise<Fallible<{ readonly instant: number }>> {
  const time = parseTime(text);
  if (time.type === "instant") return { ok: true, instant: time.milliseconds };
  if (time.type === "unreadable") return failed(errorOf("usage", `"${text}" ${time.reason}.`, time.hint));
  const instant = (await loadCalendar()).instantOf(time.time, zone);
  if (typeof instant === "number") return { ok: true, instant };
  // The zone is unknown only if the project file has an error, which is reported on its own.
  if (instant === null) return failed(errorOf("usage", `"${text}" has no offset.`, "Write it like 2027-03-28T02:30Z."));
  const { message, hint } = describeJump(text, zone, instant);
  return failed(errorOf("usage", message, hint));
}

export function plannedAsOf(instant: number, { timezone }: Pick<Settings, "timezone">): Diagnostic {
  const message = `Planned as of ${formatMoment(instant, timezone)}, not as of now. Such a plan is never applied.`;
  return { code: "not-as-of-now", severity: "info", message };
}
