import { maskUrls } from "../model/mask-urls.ts";
import { sanitise } from "./sanitise.ts";

// Runners of workflows take commands from anywhere within a line of the log.
const logCommand = /##(?=\[|vso\[)/gi;

/** Data made fit to be shown: no control characters, no line ends, no tokens in URLs, no commands to a workflow's runner. */
export function safeText(text: string): string {
  return sanitise(maskUrls(text)).replace(logCommand, "#\\u{23}");
}

/** The same for a whole line: a runner takes one that begins with two colons for a command, whatever blanks stand before. */
export function safeLine(text: string): string {
  return safeText(text).replace(/^(\s*):(?=:)/, "$1\\u{3a}");
}

/** The same for data of several lines. */
export function safeLines(text: string): readonly string[] {
  return text.split("\n").map(safeText);
}
