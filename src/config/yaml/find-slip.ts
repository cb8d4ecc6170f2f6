// What somebody who writes in a word processor, or by hand, most likely did where YAML could not be read. Only files that
// were refused are searched.
import type { Code } from "../../model/diagnostic.ts";

export interface Slip {
  readonly at: number;
  readonly message: string;
  readonly hint: string;
  readonly code?: Code;
}

type Line = ReturnType<typeof lineAt>;

type Finder = (line: Line) => Slip | null;

// The cause may be this many lines above the place where the parser stumbled.
const reach = 5;
const furthestDash = 100;

/** `offset`: where the parser stumbled. */
export function findSlip(text: string, offset: number): Slip | null {
  const conflict = mergeConflict(text);
  if (conflict !== null) return conflict;
  const here = lineAt(text, offset);
  const found = firstSlip(
    [
      hardSpace,
      listMark,
      wideColon,
      curlyQuote,
      dashAlone,
      quoteWithin,
      quoteThenMore,
      swallowedBracket,
      cutKey,
      colonWithin,
      noSpace,
    ],
    here,
  );
  const slipHere = found ?? dashOff(text, here) ?? cutAbove(text, here) ?? noCommaAbove(text, here);
  if (slipHere !== null) return slipHere;
  let line = here;
  for (let step = 0; step < reach && line.start > 0; step += 1) {
    line = lineAt(text, line.start - 1);
    if (isWithinText(text, line)) continue;
    // A line that was already read can be the cause only by changing the meaning of the lines below it.
    const above = firstSlip([hardSpace, listMark, wideColon, dashAlone, swallowedBracket, noSpace], line);
    if (above !== null) return above;
  }
  return null;
}

/** What git leaves in a file that two people edited in the same place. */
function mergeConflict(text: string): Slip | null {
  const at = text.search(/^<{7} /m);
  if (at === -1 || !/^={7}\r?$/m.test(text.slice(at)) || !/^>{7} /m.test(text.slice(at))) return null;
  const message = "git could not merge two versions of these lines, and left both in the file.";
  const hint = "Keep one version, or combine them, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>.";
  return slip(at, message, hint);
}

export function slip(at: number, message: string, hint: string, code?: Code): Slip {
  return { at, message, hint, ...(code === undefined ? {} : { code }) };
}

/** In double quotes, unless it contains what they would change. */
export function inQuotes(text: string): string {
  return /["\\]/.test(text) ? `'${text.replaceAll("'", "''")}'` : `"${text}"`;
}

export function lineAt(text: string, offset: number) {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return { start, text: text.slice(start, endOfLine(text, start)) };
}

export function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}

/** Below `description: |`, any character is part of the text. */
export function isWithinText(text: string, own: Line): boolean {
  let indent = own.text.search(/\S/);
  for (let line = own; line.start > 0 && indent > 0; ) {
    line = lineAt(text, line.start - 1);
    const further = line.text.search(/\S/);
    if (further === -1 || further >= indent) continue;
    if (/[:-] +[|>][-+\d]*\s*(#.*)?$/.test(line.text)) return true;
    indent = further;
  }
  return false;
}

function firstSlip(finders: readonly Finder[], line: Line): Slip | null {
  if (/^\s*#/.test(line.text)) return null;
  for (const find of finders) {
    const found = find(line);
    if (found !== null) return found;
  }
  return null;
}

// Characters that look like a space and are none to YAML: no-break, figure, narrow, wide, zero-width.
const hardSpaces = /^[ -]*[\u00a0\u2007\u202f\u3000\u200b\ufeff]|:[\u00a0\u2007\u202f\u3000\u200b\ufeff]/;

function hardSpace({ text, start }: Line): Slip | null {
  const found = hardSpaces.exec(text);
  if (found === null) return null;
  const hint = "Delete it and type a regular space; check the lines around it too.";
  const at = start + found.index + found[0].length - 1;
  return slip(at, "This is a no-break space, which YAML does not accept as a space.", hint);
}

function listMark({ text, start }: Line): Slip | null {
  const [all = "", mark] = /^\s*([–—−•·‣▪◦*])\s/.exec(text) ?? [];
  if (mark === undefined) return null;
  return slip(start + all.indexOf(mark), `A list entry starts with a hyphen, not with ${mark}.`, "Write `- ` instead.");
}

function wideColon({ text, start }: Line): Slip | null {
  const found = /^[\s-]*[A-Za-z]+ ?(?=：)/.exec(text);
  if (found === null) return null;
  const message = "This is a full-width colon (：), which YAML does not accept.";
  return slip(start + found[0].length, message, "Write `:` and a space.");
}

function curlyQuote({ text, start }: Line): Slip | null {
  const found = /(?:[:{[,]|^\s*-) *(?=[“”„«‘’‚])/.exec(text);
  if (found === null) return null;
  const at = found.index + found[0].length;
  const message = `${text.charAt(at)} is a curly quote; YAML needs straight quotes.`;
  return slip(start + at, message, "Put the text in straight quotes: \" or '.");
}

// Each matches a quoted text to its end, so that none is read twice.
const singleQuoted = /(?:[:{[,]|^\s*-) *'(?:[^']|'')*/gu;
const doubleQuoted = /(?:[:{[,]|^\s*-) *"(?:[^"\\]|\\.)*/gu;

function quoteWithin({ text, start }: Line): Slip | null {
  for (const { index, 0: read } of text.matchAll(singleQuoted)) {
    const at = index + read.length;
    if (!/[\p{L}\d]'[\p{L}\d]/u.test(text.slice(Math.max(0, at - 2), at + 3))) continue;
    const hint = 'Use double quotes ("Manila\'s Nights"), or write the apostrophe twice.';
    return slip(start + at, "This apostrophe ends the text, which starts with a single quote.", hint);
  }
  for (const { index, 0: read } of text.matchAll(doubleQuoted)) {
    const at = index + read.length;
    if (!/^"[^\s,:}\]]/u.test(text.slice(at, at + 3))) continue;
    const hint = 'Use single quotes (\'The "Big" Night\'), or write \\" inside the text.';
    return slip(start + at, "This quote ends the text, which starts with a double quote.", hint);
  }
  return null;
}

/** `title: Act 1: Doors`, alone or within brackets. */
function colonWithin({ text, start }: Line): Slip | null {
  const found = /(?:[{,]|^|^\s*- )\s*[a-z][A-Za-z]*: +(?=([^\s"'{[&*!|>%@`#“‘][^,{}[\]:]*): +\S)/.exec(text);
  if (found === null) return null;
  const at = found.index + found[0].length;
  const isWithinBrackets = /[{[]/.test(text.slice(0, at));
  const [next = "", ...before] = (found[1] ?? "").split(/\s+/).reverse();
  if (isWithinBrackets && before.length > 0 && /^[a-z][A-Za-z]*$/.test(next)) {
    const hint = `Put a comma before ${next}; if it is part of the text, put the text in quotes.`;
    return slip(start + text.indexOf(`${next}:`, at), "A comma seems to be missing before this field.", hint);
  }
  const whole = (isWithinBrackets ? /^[^,{}[\]]*/ : /^.*?(?= #|$)/).exec(text.slice(at))?.[0].trim() ?? "";
  const message = "This text contains a colon and a space, which start a new field in YAML.";
  return slip(start + at, message, `Put the text in quotes: ${inQuotes(whole)}.`);
}

/** `{ a: 1 # words }`: the bracket at the end is part of the comment. */
function swallowedBracket({ text, start }: Line): Slip | null {
  const at = commentAt(text);
  if (at === -1) return null;
  const read = text.slice(0, at);
  if (!hasOpenBracket(read) || !/[}\]]/.test(text.slice(at))) return null;
  const color = /^#[0-9a-f]{3,8}\b/i.exec(text.slice(at))?.[0];
  return slip(
    start + at,
    "Everything after # is a comment, including the closing bracket.",
    color === undefined
      ? "Move the comment after the bracket, or quote the text that contains #."
      : `Put the color in quotes: "${color}".`,
    /^#\S/.test(text.slice(at)) ? "yaml-trap" : undefined,
  );
}

/** `Jazz #3: x`: the colon of the key is part of the comment. */
function cutKey({ text, start }: Line): Slip | null {
  const at = commentAt(text);
  if (at === -1 || !/^#\S.*: /.test(text.slice(at)) || /:(?: |$)|["'{[]/.test(text.slice(0, at))) return null;
  const message = "Everything after # is a comment, including the colon of this field.";
  return slip(start + at, message, "Quote the name that contains #.", "yaml-trap");
}

/** `name: GA #3,` and the line below continues it: the comma, or the rest of the text, is part of the comment. */
function cutAbove(text: string, here: Line): Slip | null {
  if (here.start === 0) return null;
  const line = lineAt(text, here.start - 1);
  const at = commentAt(line.text);
  if (at <= 0 || !/^#[^\s#=*~_-]/.test(line.text.slice(at)) || isWithinText(text, line)) return null;
  const bracket = swallowedBracket(line);
  if (bracket !== null) return bracket;
  const read = line.text.slice(0, at);
  const further = here.text.search(/\S/) - line.text.search(/\S/);
  const continues = further > 0 || (further === 0 && !/^\s*(?:- +)?[\w.][\w.-]*:(?: |$)/.test(read));
  if ((!hasOpenBracket(read) && !continues) || /[,:{[]\s*$/.test(read)) return null;
  const message = "Everything after # is a comment, so the text before it is cut short and the next line does not fit.";
  const hint = "Quote the text that contains #; a comment needs a space after its #.";
  return slip(line.start + at, message, hint, "yaml-trap");
}

/** `{ name: Palace` and the next field is below it, further in: otherwise it is the bracket that is missing. */
function noCommaAbove(text: string, here: Line): Slip | null {
  const line = lineAt(text, Math.max(0, here.start - 1));
  const comment = commentAt(line.text);
  const read = line.text.slice(0, comment === -1 ? undefined : comment).trimEnd();
  const isBelow = /^\s*[a-z][A-Za-z]*: /.test(here.text) && here.text.search(/\S/) > line.text.search(/\S/);
  if (!isBelow || !hasOpenBracket(read) || /[,:{[]$/.test(read) || isWithinText(text, line)) return null;
  const message = "A comma is missing at the end of this line.";
  return slip(line.start + read.length, message, "Put a comma between two fields.");
}

/** A dash that neither lines up with the one before it nor belongs to another field. */
function dashOff(text: string, here: Line): Slip | null {
  const indent = dashIndent(here);
  if (indent === null) return null;
  let above: number | null = null;
  let line = here;
  for (let step = 0; step < furthestDash && line.start > 0; step += 1) {
    line = lineAt(text, line.start - 1);
    const further = line.text.search(/\S/);
    if (further === -1 || line.text.charAt(further) === "#") continue;
    // Below `tickets:` a dash may be at any column.
    if (above === null && further <= indent && /:\s*$/.test(line.text)) return null;
    const other = dashIndent(line);
    if (other === indent) return null;
    above ??= other;
    if (further < indent) break;
  }
  if (above === null) return null;
  const spaces = above === 0 ? "no space" : above === 1 ? "1 space" : `${above} spaces`;
  const message = `This dash is at column ${indent + 1}, but the dash of the entry above is at column ${above + 1}.`;
  return slip(here.start + indent, message, `Line up the dashes of a list: start this line with ${spaces}.`);
}

function dashIndent({ text }: Line): number | null {
  return /^( *)-(?: |$)/.exec(text)?.[1]?.length ?? null;
}

/** `-name: GA` */
function dashAlone({ text, start }: Line): Slip | null {
  const [all, key] = /^ *-([A-Za-z]\w*): /.exec(text) ?? [];
  if (all === undefined || key === undefined) return null;
  return slip(start + all.indexOf("-"), "The space after the dash is missing.", `Write \`- ${key}: …\`.`);
}

/** `name: "Jazz" Night` */
function quoteThenMore({ text, start }: Line): Slip | null {
  const found = /(?:: |[{[,] ?|^ *- )("[^"]*"|'[^']*') +(?=[^\s#,:}\]])/.exec(text);
  if (found === null) return null;
  const hint = "Put the whole text in quotes of the kind that it does not contain: '\"Jazz\" Night'.";
  return slip(start + found.index + found[0].length, "The text continues after its closing quote.", hint);
}

/** `name:GA` */
function noSpace({ text, start }: Line): Slip | null {
  const [all, key] = /^[\s-]*([a-z][A-Za-z]+):(?=[^\s:/'"])/.exec(text) ?? [];
  if (all === undefined || key === undefined) return null;
  const comment = commentAt(text);
  const value = text.slice(all.length, comment === -1 ? undefined : comment).trimEnd();
  return slip(start + all.length, "The space after the colon is missing.", `Write \`${key}: ${value}\`.`);
}

/** Where a comment starts that is not within quotes; -1 if there is none. */
function commentAt(text: string): number {
  let quote = "";
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charAt(at);
    if (quote !== "") quote = sign === quote ? "" : quote;
    else if ((sign === '"' || sign === "'") && /[\s:{[,]/.test(text.charAt(at - 1))) quote = sign;
    else if (sign === "#" && /\s/.test(text.charAt(at - 1))) return at;
  }
  return -1;
}

function hasOpenBracket(text: string): boolean {
  return (text.match(/[{[]/g)?.length ?? 0) > (text.match(/[}\]]/g)?.length ?? 0);
}
