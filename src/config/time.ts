export { type Calendar, loadCalendar, loadedCalendar, readMoment, steadyInstant } from "./time/calendar.ts";
export { daysMeantBy, howToWriteDay, parseTime, readDay, type WrittenTime } from "./time/read-time.ts";
export { daysBetween, moveTime, parseRelative, resolveRelative } from "./time/relative-time.ts";
