// Codes of messages on a page: each leads to what it means, further down on the same page, and back again.
import { escapeHtml } from "../../model/value.ts";
import { sentenceHtml, textHtml } from "./frame.ts";

/** What a code means and what to do; null if nothing is known of it. */
export type ExplainCode = (
  code: string,
) => { readonly summary: string; readonly details?: string; readonly fix: string } | null;

/** A code where it is shown. `explainedCodes` makes it a link. */
export function codeHtml(code: string): string {
  return `${opening}${textHtml(code)}</a>`;
}

// No text of a file or of the service can look like it: their angle brackets are escaped.
const opening = '<a class="code">';
const shown = /<a class="code">([^<]*)<\/a>/g;

/** The HTML with its codes as links, and below it what each of them means. A code that is not known stays as it is. */
export function explainedCodes(html: string, explain: ExplainCode): string {
  const rows = new Map<string, string>();
  const linked = html.replace(shown, (_, text: string) => {
    const entry = /^[A-Za-z][\w-]*$/.test(text) ? explain(text) : null;
    if (entry === null) return text;
    const isFirst = !rows.has(text);
    if (isFirst) rows.set(text, rowHtml(text, entry));
    return `<a${isFirst ? ` id="of-${text}"` : ""} href="#code-${text}">${text}</a>`;
  });
  if (rows.size === 0) return linked;
  const sorted = [...rows].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return `${linked}<section class="codes" aria-labelledby="codes"><h2 id="codes">What the codes mean</h2>
<dl>${sorted.join("\n")}</dl>
<p>More, with examples: <code>ticketing explain CODE</code>.</p></section>
`;
}

function rowHtml(code: string, { summary, details, fix }: NonNullable<ReturnType<ExplainCode>>): string {
  const words = details === undefined ? summary : `${summary} ${details}`;
  const back = `<a href="#of-${code}" aria-label="Back to where ${escapeHtml(code)} is shown">back ↑</a>`;
  return `<dt id="code-${code}"><code>${code}</code></dt><dd><p>${sentenceHtml(words)}</p><p><strong>fix:</strong> ${sentenceHtml(fix)} ${back}</p></dd>`;
}
