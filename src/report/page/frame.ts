// The frame of every page: one file that needs nothing else, whatever text is in it.
import { compareText, escapeHtml } from "../../model/value.ts";
import { safeText } from "../text/sanitize.ts";

// The look of every page. Colors repeat what words and symbols say; both themes keep a contrast of 4.5 to 1 and more.

export const pageStyle = `
:root { color-scheme: light dark; --text: #1f2328; --quiet: #57606a; --page: #ffffff; --card: #f6f8fa; --line: #d0d7de;
  --create: #116329; --change: #7d4e00; --delete: #a40e26; --replace: #0550ae; --add: #dafbe1; --cut: #ffebe9; --warn: #fff8c5; }
@media (prefers-color-scheme: dark) { :root { --text: #e6edf3; --quiet: #9ea7b3; --page: #0d1117; --card: #161b22;
  --line: #3d444d; --create: #56d364; --change: #e3b341; --delete: #ff8b84; --replace: #79c0ff; --add: #12351f; --cut: #4a1a1d; --warn: #3a2f0b; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 76rem; padding: 1.5rem 1rem 4rem; background: var(--page); color: var(--text);
  font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.15rem; line-height: 1.35; margin: 0; }
h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
h4, h5 { font-size: .95rem; margin: .75rem 0 .25rem; }
p { margin: .5rem 0; }
code { font: .92em ui-monospace, Menlo, Consolas, monospace; }
a { color: var(--replace); }
a:focus-visible, summary:focus-visible, [tabindex]:focus-visible { outline: 3px solid var(--replace); outline-offset: 2px; }
summary { cursor: pointer; }
.quiet { color: var(--quiet); }
.summary { font-size: 1.1rem; font-weight: 600; }
section { background: var(--card); border: 1px solid var(--line); border-left: .4rem solid var(--line); border-radius: .4rem;
  margin: 1rem 0; padding: .75rem 1rem 1rem; }
.create { --mark: var(--create); } .change { --mark: var(--change); } .delete { --mark: var(--delete); }
.replace { --mark: var(--replace); } .blocked { --mark: var(--delete); }
section.create, section.change, section.delete, section.replace, section.blocked { border-left-color: var(--mark); }
.mark { color: var(--mark); font-weight: 700; font-family: ui-monospace, Menlo, Consolas, monospace; }
.part { border-top: 1px solid var(--line); margin-top: .75rem; padding-top: .1rem; }
dl { display: grid; grid-template-columns: minmax(8rem, max-content) 1fr; gap: .15rem 1rem; margin: .5rem 0; }
dt { color: var(--quiet); } dd { margin: 0; }
del, ins { text-decoration: none; padding: 0 .2em; border-radius: .2em; }
dd > del, dd > ins, td > del, td > ins { display: inline-block; max-width: 100%; }
.does { font-weight: 400; }
del { background: var(--cut); } ins { background: var(--add); }
.words del { text-decoration: line-through; } .words ins { text-decoration: underline; }
.diff { list-style: none; margin: 0; padding: 0; }
.diff li { padding-left: 1.4em; text-indent: -1.4em; }
.block { border-left: .25rem solid var(--delete); margin: .5rem 0; padding: .1rem .75rem; }
.waiting { background: var(--warn); border: 1px solid var(--line); border-radius: .4rem; padding: .5rem 1rem; }
.remarks { list-style: none; padding: 0; } .remarks li { border: 1px solid var(--line); border-radius: .4rem; margin: .5rem 0; padding: .5rem 1rem; }
.remarks .warning { background: var(--warn); } .remarks .error { background: var(--cut); }
.codes dd p { margin: 0 0 .25rem; } .codes dt:target { color: var(--text); font-weight: 700; } .codes dt, [id^="of-"] { scroll-margin-top: 1rem; }
ol.steps { padding-left: 2.2rem; }
.spoken { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.skip { position: absolute; left: -100rem; } .skip:focus { position: static; }
.card { background: var(--page); border: 1px solid var(--line); border-radius: .6rem; overflow: hidden; }
.card-body { padding: .75rem 1rem 1rem; }
.card-title { font-size: 1.25rem; line-height: 1.25; margin: 0 0 .25rem; }
.card p { margin: .25rem 0; }
.cover { display: block; width: 100%; height: 11rem; object-fit: cover; background: var(--card); color: var(--quiet); font-size: .85rem; }
.card .no-cover { display: flex; flex-direction: column; justify-content: center; align-items: center; height: auto; min-height: 5rem; margin: 0; padding: .5rem 1rem; text-align: center; }
.when { font-weight: 600; }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: .7rem; font-size: .78rem; font-weight: 600; line-height: 1.4; padding: 0 .55rem; margin-right: .25rem; overflow-wrap: normal; }
.badge.new { color: var(--create); } .badge.changed { color: var(--change); } .badge.gone { color: var(--delete); }
.sale { color: var(--create); } .closed { color: var(--delete); } .draft { color: var(--quiet); }
table { border-collapse: collapse; width: 100%; font-size: .9rem; font-variant-numeric: tabular-nums; }
th, td { border-bottom: 1px solid var(--line); padding: .3rem .4rem; text-align: right; vertical-align: top; }
th:first-child, td:first-child { text-align: left; padding-left: 0; }
thead th { color: var(--quiet); font-weight: 500; font-size: .8rem; line-height: 1.25; vertical-align: bottom; }
tbody th { font-weight: 600; overflow-wrap: anywhere; min-width: 5.5rem; }
td { overflow-wrap: normal; white-space: nowrap; } td:last-child { white-space: normal; } thead th { overflow-wrap: normal; }
td small, th small { display: block; color: var(--quiet); font-weight: 400; line-height: 1.35; }
tr.gone th bdi, li.gone bdi, .struck .card-title { text-decoration: line-through; }
.parts { display: grid; gap: 0 2rem; align-items: start; }
.one .parts, .same .parts { grid-template-columns: repeat(auto-fit, minmax(min(26rem, 100%), 1fr)); }
.card-part { min-width: 0; margin-top: .75rem; } .card-part > :first-child { margin-top: 0; }
.people { list-style: none; margin: .25rem 0; padding: 0; display: grid; gap: .5rem 1rem; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 100%), 1fr)); }
.people li { display: flex; gap: .6rem; }
.people img { flex: none; width: 2.75rem; height: 2.75rem; border-radius: .4rem; object-fit: cover; background: var(--card); overflow: hidden; font-size: .6rem; }
.people small { color: var(--quiet); display: block; }
.prose { max-width: 46rem; }
.gallery { display: flex; flex-wrap: wrap; gap: .4rem; }
.gallery img { width: 6rem; height: 4rem; object-fit: cover; border-radius: .3rem; background: var(--card); font-size: .6rem; overflow: hidden; }
.days { display: grid; gap: .5rem 1rem; grid-template-columns: repeat(auto-fit, minmax(min(18rem, 100%), 1fr)); align-items: start; }
.days p { margin: 0 0 .5rem 3.1rem; }
.day { display: flex; gap: .5rem; margin: .25rem 0 .75rem; padding-top: .4rem; font-size: .78rem; line-height: 1.25; }
.hours { position: relative; flex: none; width: 2.6rem; color: var(--quiet); }
.hours span { position: absolute; right: 0; transform: translateY(-50%); }
.lanes { flex: 1; overflow-x: auto; padding-bottom: 2px; }
.lanes ol { position: relative; list-style: none; margin: 0; padding: 0; border-left: 1px solid var(--line);
  background: repeating-linear-gradient(var(--line) 0 1px, transparent 1px var(--hour)); }
.lanes li { position: absolute; overflow: hidden; border-radius: .3rem; padding: .05rem .35rem; background: var(--card); border: 1px solid var(--line);
  box-shadow: inset 0 0 0 1px var(--page); }
.lanes .badge { color: inherit; font-size: .7rem; } .quiet-time { white-space: nowrap; }
.lanes li.new, .lanes li.changed { outline: 2px solid var(--text); outline-offset: -2px; } .lanes li.gone { border: 2px dashed var(--delete); }
.pair { display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; margin: .5rem 0; } .pair > div, .one { min-width: 0; }
.side { color: var(--quiet); font-size: .8rem; font-weight: 700; letter-spacing: .04em; text-transform: uppercase; margin: .5rem 0 .25rem; }
.side.after, .side.new { color: var(--create); } .side.gone { color: var(--delete); }
.pair .cover { height: 7rem; } .pair > :first-child .card { border-style: dashed; } .struck .card { border: 2px dashed var(--delete); }
details { margin: .5rem 0; } .same > .card { margin-top: .5rem; }
.highlights { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); gap: 1rem; margin: 1rem 0; }
.highlight { border: 1px solid var(--line); border-top: .3rem solid var(--mark); border-radius: .4rem; padding: .5rem 1rem; min-width: 0; }
.highlight ul { margin: .25rem 0; padding-left: 1.1rem; }
.calendar { list-style: none; margin: .75rem 0; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem 1rem; font-size: .85rem; }
.calendar > li { display: flex; gap: .75rem; align-items: baseline; } .calendar .month { flex: none; min-width: 4.2rem; color: var(--quiet); }
.calendar ol { list-style: none; margin: 0; padding: 0; display: flex; flex-wrap: wrap; gap: .35rem; }
.calendar ol li { border: 1px solid var(--line); border-left: .25rem solid var(--mark); border-radius: .3rem; background: var(--page); padding: .05rem .5rem; }
.calendar em { color: var(--mark); font-style: normal; font-weight: 600; } .calendar span { color: var(--quiet); }
.calendar .new { --mark: var(--create); } .calendar .changed { --mark: var(--change); } .calendar .deleted, .calendar .archived, .calendar .blocked { --mark: var(--delete); }
.calendar .staying { --mark: var(--line); border-style: dashed; } .calendar .deleted b { text-decoration: line-through; }
@media (max-width: 52rem) { .pair { grid-template-columns: 1fr; gap: .25rem; } }
.cards { list-style: none; margin: 1rem 0; padding: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(20rem, 100%), 1fr)); gap: 1rem; }
.calendar a { color: inherit; text-decoration: none; } .calendar a:hover { text-decoration: underline; } .calendar .sale { --mark: var(--create); color: var(--create); } .calendar .draft { --mark: var(--line); border-style: dashed; }
.time input { width: 100%; margin: .25rem 0; accent-color: var(--replace); } .time input:focus-visible { outline: 3px solid var(--replace); outline-offset: 2px; }
.time ol { max-height: 16rem; overflow-y: auto; } .time [aria-current] { font-weight: 700; }
.live { position: fixed; right: .5rem; bottom: .5rem; z-index: 1; margin: 0; padding: .15rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: var(--quiet); font-size: .8rem; }
.live:empty { padding: 0; border: 0; } .lost .live { background: var(--cut); color: var(--text); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9.5rem, 1fr)); gap: .6rem; margin: 1rem 0; }
.tiles div { background: var(--card); border: 1px solid var(--line); border-radius: .6rem; padding: .6rem .8rem; }
.tiles b { display: block; font-size: 1.35rem; line-height: 1.25; font-variant-numeric: tabular-nums; } .tiles small { color: var(--quiet); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); gap: .5rem 2rem; }
figure { margin: .75rem 0; } figcaption { font-size: .9rem; }
.chart { display: block; width: 100%; overflow: visible; font-size: .75rem; print-color-adjust: exact; }
.chart text { fill: var(--quiet); paint-order: stroke; stroke: var(--page); stroke-width: 3px; } .chart line { stroke: var(--line); stroke-width: 1; }
section .chart text { stroke: var(--card); }
.chart .part { fill: var(--replace); } .chart .rest { fill: var(--line); }
.chart .line { fill: none; stroke: var(--replace); stroke-width: 2; vector-effect: non-scaling-stroke; } .chart .line.money { stroke: var(--create); }
.chart .area { fill: var(--replace); opacity: .14; } .chart .area.money { fill: var(--create); }
td.drawn { width: 24%; min-width: 3.5rem; vertical-align: middle; } .wide { overflow-x: auto; }
@media (max-width: 36rem) { dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .35rem; } dd > del, dd > ins { display: inline; }
  body { padding: 1rem .75rem 3rem; } section { padding: .6rem .6rem .75rem; } .card-body { padding: .6rem; } .tiles b { font-size: 1.1rem; } table { font-size: .82rem; } th, td { padding: .3rem .2rem; }
  /* A name has a line of its own, above its figures. */
  .wide.sums tr { display: grid; grid-template-columns: repeat(3, minmax(0, 1fr)); border-bottom: 1px solid var(--line); } .sums th:first-child { grid-column: 1 / -1; } .sums :is(th, td) { border: 0; } .sums td.drawn { width: auto; }
  .tickets tr { display: grid; grid-template-columns: repeat(2, minmax(min-content, 1fr)) repeat(2, minmax(min-content, 1.2fr)); border-bottom: 1px solid var(--line); } .tickets th:first-child { grid-column: 1 / -1; } .tickets :is(th, td) { border: 0; } .tickets td { white-space: normal; } }
@media (min-width: 70rem) { .tickets td:last-child { white-space: nowrap; } .tickets td small { white-space: normal; } }
@media print { html { font-size: 80%; } body { max-width: none; padding: 0; } .pair { grid-template-columns: 1fr 1fr; gap: 1rem; } .card, tr, .people li, .highlight, .block, .remarks li { break-inside: avoid; } h2, h3, .side { break-after: avoid; }
  a { color: inherit; text-decoration: none; } .skip, [href^="#of-"] { display: none; } details::details-content { content-visibility: visible; } .card, .lanes li { print-color-adjust: exact; } }
`;

export interface PageContent {
  readonly title: string;
  /** HTML of what is between the body's tags; text in it has gone through `textHtml`. */
  readonly body: string;
  /** A script, only for pages that a server on this machine serves; it may contact that server. */
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

/** Text of files or of the service as HTML: nothing in it has an effect on the page or its reader. */
export function textHtml(text: string): string {
  return escapeHtml(safeText(text));
}

/** The same for what people named: its direction of writing stays its own. */
export function nameHtml(text: string): string {
  return `<bdi>${textHtml(text)}</bdi>`;
}

export function sentenceHtml(text: string): string {
  return text
    .split(/`([^`]+)`/)
    .map((part, index) => (index % 2 === 1 ? `<code>${escapeHtml(part)}</code>` : escapeHtml(part)))
    .join("");
}

// Codes of messages on a page: each leads to what it means, further down on the same page, and back again.

/** What a code means and what to do; null if it is unknown. */
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

/** The HTML with its codes as links, and below it what each of them means. An unknown code stays as it is. */
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
  const sorted = [...rows].sort(([one], [other]) => compareText(one, other)).map(([, row]) => row);
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
