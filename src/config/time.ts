export { type Calendar, loadCalendar, readMoment, steadyInstant } from "./time/calendar.ts";
export { daysBetween, moveTime } from "./time/move-time.ts";
export { parseTime, readDay } from "./time/read-time.ts";
export { parseRelative } from "./time/relative-time.ts";
