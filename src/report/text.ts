// Text for people: safe, wrapped, laid out.

export {
  safeJson,
  safeJsonLine,
  safeLine,
  safeText,
  sanitize,
  withoutPeople,
  withoutSecrets,
} from "./text/sanitize.ts";
export { cutText, renderTable, wrapText } from "./text/table.ts";
export { renderProblems, renderSentence, severityCounts, targetLine } from "./text/terminal-text.ts";
