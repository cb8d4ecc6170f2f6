// Text for people: safe, wrapped, laid out.
export { cutText } from "./text/display-width.ts";
export { renderSentence, severityNames, targetLine } from "./text/page.ts";
export {
  safeJson,
  safeJsonLine,
  safeLine,
  safeText,
  sanitize,
  withoutPeople,
  withoutSecrets,
} from "./text/sanitize.ts";
export { renderTable } from "./text/table.ts";
export { wrapPieces } from "./text/wrap.ts";
