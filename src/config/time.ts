export { loadCalendar, steadyInstant } from "./time/calendar.ts";
export { readTime } from "./time/read-time.ts";
