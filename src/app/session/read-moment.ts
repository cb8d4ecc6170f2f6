import type { LoadedSettings } from "../../config/project.ts";
import { loadCalendar, parseTime } from "../../config/time.ts";
import { errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { isTimezone } from "../../model/time.ts";

/** A time that was typed; without an offset it is in the zone of the project's defaults. */
export async function readMoment(
  text: string,
  { written }: LoadedSettings,
): Promise<Fallible<{ readonly instant: number }>> {
  const time = parseTime(text);
  if (time.type === "instant") return { ok: true, instant: time.milliseconds };
  if (time.type === "unreadable") return failed(errorOf("usage", `"${text}" ${time.reason}.`, time.hint));
  const node = written.defaults?.entries.get("timezone")?.value;
  const zone = node?.type === "scalar" && isTimezone(String(node.value)) ? String(node.value) : "Asia/Manila";
  const instant = (await loadCalendar()).instantOf(time.time, zone);
  if (typeof instant === "number") return { ok: true, instant };
  const hint = "Write it with an offset, such as 2027-03-28T02:30+01:00.";
  return failed(errorOf("usage", `${text} is not one time in ${zone}: clocks are moved there.`, hint));
}
