export { loadCalendar, steadyInstant } from "./time/calendar.ts";

export { parseTime } from "./time/read-time.ts";
