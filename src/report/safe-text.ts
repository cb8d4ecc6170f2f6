import { maskUrls } from "./mask-urls.ts";
import { sanitise } from "./sanitise.ts";

// Runners of workflows take commands from anywhere within a line of the log.
const logCommand = /##(?=\[|vso\[)/g;

/** Data made fit to be shown: no control characters, no line ends, no tokens in URLs, no commands to a workflow's runner. */
export function safeText(text: string): string {
  return sanitise(maskUrls(text)).replace(logCommand, "#\\u{23}");
}

/** The same for data of several lines. */
export function safeLines(text: string): readonly string[] {
  return text.split("\n").map(safeText);
}
