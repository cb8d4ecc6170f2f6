// The frame of every page: one file that needs nothing else, whatever text is in it.
import { escapeHtml } from "../../model/value.ts";
import { safeText } from "../text/sanitize.ts";
import { pageStyle } from "./style.ts";

export interface PageContent {
  readonly title: string;
  /** HTML of what is between the body's tags; text in it has gone through `textHtml`. */
  readonly body: string;
  /** A script of a page that a server of this machine gives out: it may run, and ask that server. Other pages have none. */
  readonly script?: { readonly code: string; readonly nonce: string };
}

/** Pictures may come from https addresses; nothing else is fetched, and nothing that text says can run. */
export function pagePolicy(nonce: string | null): string {
  const granted = nonce === null ? "" : `; script-src 'nonce-${nonce}'; connect-src 'self'`;
  return `default-src 'none'; style-src 'unsafe-inline'; img-src https:; base-uri 'none'; form-action 'none'${granted}`;
}

export function renderPage({ title, body, script }: PageContent): string {
  const code = script === undefined ? "" : `<script nonce="${script.nonce}">${script.code}</script>\n`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<meta http-equiv="Content-Security-Policy" content="${pagePolicy(script?.nonce ?? null)}">
<title>${textHtml(title)}</title>
<style>${pageStyle}</style>
</head>
<body>
${body}
${code}</body>
</html>
`;
}

/** Text of files or of the service as HTML: nothing in it acts, on the page or on who reads it. */
export function textHtml(text: string): string {
  return escapeHtml(safeText(text));
}

/** The same for what people named: its direction of writing stays its own. */
export function nameHtml(text: string): string {
  return `<bdi>${textHtml(text)}</bdi>`;
}

/** A sentence in which text between backticks is code. */
export function sentenceHtml(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join("");
}
