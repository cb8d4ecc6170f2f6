// Text for people: safe, wrapped, laid out.
export { renderSentence } from "./formats/text-lines.ts";

export { cutText } from "./text/display-width.ts";

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
