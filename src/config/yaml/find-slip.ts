// What somebody who writes in a word processor, or by hand, most likely did where YAML could not be read. Only a file that
// was refused is looked at.

export interface Slip {
  readonly at: number;
  readonly message: string;
  readonly hint: string;
  readonly code?: string;
}

interface Line {
  readonly text: string;
  readonly start: number;
}

type Finder = (line: Line) => Slip | null;

// So far above the place where the parser stumbled its cause may stand.
const reach = 5;

/** `offset`: where the parser stumbled. */
export function findSlip(text: string, offset: number): Slip | null {
  const here = lineAt(text, offset);
  const found = firstOf(
    [
      hardSpace,
      listMark,
      wideColon,
      curlyQuote,
      dashAlone,
      quoteWithin,
      quoteThenMore,
      swallowed,
      cutKey,
      colonWithin,
      noSpace,
    ],
    here,
  );
  if (found !== null) return found;
  const across = dashOff(text, here) ?? cutAbove(text, here);
  if (across !== null) return across;
  let line = here;
  for (let step = 0; step < reach && line.start > 0; step += 1) {
    line = lineAt(text, line.start - 1);
    if (isWithinText(text, line)) continue;
    // Of a line that was read already, only what changes the meaning of those below it can be the cause.
    const above = firstOf([hardSpace, listMark, wideColon, dashAlone, swallowed, noSpace], line);
    if (above !== null) return above;
  }
  return null;
}

/** Below `description: |`, signs of any kind are part of the text. */
function isWithinText(text: string, { text: own, start }: Line): boolean {
  let indent = own.search(/\S/);
  for (let line = { text: own, start }; line.start > 0 && indent > 0; ) {
    line = lineAt(text, line.start - 1);
    const further = line.text.search(/\S/);
    if (further === -1 || further >= indent) continue;
    if (/[:-] +[|>][-+\d]*\s*(#.*)?$/.test(line.text)) return true;
    indent = further;
  }
  return false;
}

function firstOf(finders: readonly Finder[], line: Line): Slip | null {
  if (/^\s*#/.test(line.text)) return null;
  for (const find of finders) {
    const slip = find(line);
    if (slip !== null) return slip;
  }
  return null;
}

function lineAt(text: string, offset: number): Line {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const end = text.indexOf("\n", start);
  return { start, text: text.slice(start, end === -1 ? text.length : end) };
}

// Spaces that look like one and are none to YAML: no-break, figure, narrow, wide, of no width.
const hardSpaces = /^[ -]*[\u00a0\u2007\u202f\u3000\u200b\ufeff]|:[\u00a0\u2007\u202f\u3000\u200b\ufeff]/;

function hardSpace({ text, start }: Line): Slip | null {
  const found = hardSpaces.exec(text);
  if (found === null) return null;
  return {
    at: start + found.index + found[0].length - 1,
    message: "This is a no-break space, which only looks like the space that YAML expects here.",
    hint: "Delete it and type a space with the space bar; look for more of them on the lines around it.",
  };
}

function listMark({ text, start }: Line): Slip | null {
  const [all = "", mark] = /^\s*([–—−•·‣▪◦*])\s/.exec(text) ?? [];
  if (mark === undefined) return null;
  return {
    at: start + all.indexOf(mark),
    message: `An entry of a list begins with a hyphen, and this is ${mark === "*" ? "a star" : `another sign (${mark})`}.`,
    hint: "Write `- ` in its place.",
  };
}

function wideColon({ text, start }: Line): Slip | null {
  const found = /^[\s-]*[A-Za-z]+ ?(?=：)/.exec(text);
  if (found === null) return null;
  return {
    at: start + found[0].length,
    message: "This is a wide colon (：), which YAML does not know.",
    hint: "Write `:` and a space.",
  };
}

function curlyQuote({ text, start }: Line): Slip | null {
  const found = /(?:[:{[,]|^\s*-) *(?=[“”„«‘’‚])/.exec(text);
  if (found === null) return null;
  const at = found.index + found[0].length;
  return {
    at: start + at,
    message: `${text.charAt(at)} is a letter to YAML, not a quote, so that the text is not held together.`,
    hint: "Put the text in straight quotes, as the keyboard types them: \" or '.",
  };
}

// Each takes a quoted text to its end, so that none is read twice.
const singleQuoted = /(?:[:{[,]|^\s*-) *'(?:[^']|'')*/gu;
const doubleQuoted = /(?:[:{[,]|^\s*-) *"(?:[^"\\]|\\.)*/gu;

function quoteWithin({ text, start }: Line): Slip | null {
  for (const { index, 0: read } of text.matchAll(singleQuoted)) {
    const at = index + read.length;
    if (!/[\p{L}\d]'[\p{L}\d]/u.test(text.slice(Math.max(0, at - 2), at + 3))) continue;
    return {
      at: start + at,
      message: "This apostrophe ends the text, which begins with the same sign.",
      hint: 'Put the text in double quotes, like "Manila\'s Nights"; or write the apostrophe twice.',
    };
  }
  for (const { index, 0: read } of text.matchAll(doubleQuoted)) {
    const at = index + read.length;
    if (!/^"[^\s,:}\]]/u.test(text.slice(at, at + 3))) continue;
    return {
      at: start + at,
      message: "This quote ends the text, which begins with the same sign.",
      hint: 'Put the text in single quotes, like \'The "Big" Night\'; or write \\" within it.',
    };
  }
  return null;
}

/** `title: Act 1: Doors`, alone or within brackets. */
function colonWithin({ text, start }: Line): Slip | null {
  const found = /(?:[{,]|^|^\s*- )\s*[a-z][A-Za-z]*: +(?=([^\s"'{[&*!|>%@`#“‘][^,{}[\]:]*): +\S)/.exec(text);
  const at = (found?.index ?? 0) + (found?.[0].length ?? 0);
  if (found === null) return null;
  const isWithinBrackets = /[{[]/.test(text.slice(0, at));
  const whole = (isWithinBrackets ? /^[^,{}[\]]*/ : /^.*?(?= #|$)/).exec(text.slice(at))?.[0].trim() ?? "";
  return {
    at: start + at,
    message: "This text holds a colon and a space, which begin another field to YAML.",
    hint: `Put the text in quotes: "${whole}".`,
  };
}

/** `{ a: 1 # words }`: the bracket at the end belongs to the comment. */
function swallowed({ text, start }: Line): Slip | null {
  const at = commentAt(text);
  if (at === -1) return null;
  const read = text.slice(0, at);
  if (count(read, /[{[]/g) <= count(read, /[}\]]/g) || !/[}\]]/.test(text.slice(at))) return null;
  const colour = /^#[0-9a-f]{3,8}\b/i.exec(text.slice(at))?.[0];
  return {
    ...(/^#\S/.test(text.slice(at)) ? { code: "yaml-trap" } : {}),
    at: start + at,
    message: "Everything after # is a comment, also the bracket that should close what is opened before it.",
    hint:
      colour === undefined
        ? "Move the comment behind the bracket, or put a text that holds # in quotes."
        : `Put the colour in quotes: "${colour}".`,
  };
}

/** `Jazz #3: x`: the colon of the key belongs to the comment. */
function cutKey({ text, start }: Line): Slip | null {
  const at = commentAt(text);
  if (at === -1 || !/^#\S.*: /.test(text.slice(at)) || /:(?: |$)|["'{[]/.test(text.slice(0, at))) return null;
  return {
    code: "yaml-trap",
    at: start + at,
    message: "Everything after # is a comment, also the colon of this field.",
    hint: "Put a name that holds # in quotes.",
  };
}

/** `name: GA #3,` and the line below it goes on: the comma, or the rest of the text, belongs to the comment. */
function cutAbove(text: string, here: Line): Slip | null {
  if (here.start === 0) return null;
  const line = lineAt(text, here.start - 1);
  const at = commentAt(line.text);
  if (at <= 0 || !/^#[^\s#=*~_-]/.test(line.text.slice(at)) || isWithinText(text, line)) return null;
  const bracket = swallowed(line);
  if (bracket !== null) return bracket;
  const read = line.text.slice(0, at);
  const isOpen = count(read, /[{[]/g) > count(read, /[}\]]/g);
  const further = here.text.search(/\S/) - line.text.search(/\S/);
  const goesOn = further > 0 || (further === 0 && !/^\s*(?:- +)?[\w.][\w.-]*:(?: |$)/.test(read));
  if ((!isOpen && !goesOn) || /[,:{[]\s*$/.test(read)) return null;
  return {
    code: "yaml-trap",
    at: line.start + at,
    message: "Everything after # is a comment, so that the text before it is cut short and the next line does not fit.",
    hint: "Put a text that holds # in quotes; a comment needs a space after its #.",
  };
}

/** A dash that stands neither below the one before it nor under a field of its own. */
function dashOff(text: string, here: Line): Slip | null {
  const indent = dashIndent(here);
  if (indent === null) return null;
  let above: number | null = null;
  let line = here;
  for (let step = 0; step < furthestDash && line.start > 0; step += 1) {
    line = lineAt(text, line.start - 1);
    const further = line.text.search(/\S/);
    if (further === -1 || line.text.charAt(further) === "#") continue;
    // Below `tickets:` a dash may stand anywhere.
    if (above === null && further <= indent && /:\s*$/.test(line.text)) return null;
    const other = dashIndent(line);
    if (other === indent) return null;
    above ??= other;
    if (further < indent) break;
  }
  if (above === null) return null;
  return {
    at: here.start + indent,
    message: `This dash stands at column ${indent + 1}, and the dash of the entry before it at column ${above + 1}.`,
    hint: `Put the dashes of one list below each other: begin this line with ${above === 0 ? "no space" : above === 1 ? "1 space" : `${above} spaces`}.`,
  };
}

const furthestDash = 100;

function dashIndent({ text }: Line): number | null {
  const found = /^( *)-(?: |$)/.exec(text);
  return found === null ? null : (found[1] as string).length;
}

/** `-name: GA` */
function dashAlone({ text, start }: Line): Slip | null {
  const [all, key] = /^ *-([A-Za-z]\w*): /.exec(text) ?? [];
  if (all === undefined || key === undefined) return null;
  return {
    at: start + all.indexOf("-"),
    message: "There is no space after the dash, so that it belongs to the word.",
    hint: `Write \`- ${key}: …\`.`,
  };
}

/** `name: "Jazz" Night` */
function quoteThenMore({ text, start }: Line): Slip | null {
  const found = /(?:: |[{[,] ?|^ *- )("[^"]*"|'[^']*') +(?=[^\s#,:}\]])/.exec(text);
  if (found === null) return null;
  return {
    at: start + found.index + found[0].length,
    message: "The text goes on after the quote that ends it.",
    hint: "Put the whole text in quotes, and those within it in others: '\"Jazz\" Night'.",
  };
}

/** Where a comment begins that is not within quotes. */
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

function count(text: string, sign: RegExp): number {
  return text.match(sign)?.length ?? 0;
}

function noSpace({ text, start }: Line): Slip | null {
  const [all, key, value] = /^[\s-]*([a-z][A-Za-z]+):([^\s:/'"]\S*)/.exec(text) ?? [];
  if (all === undefined || key === undefined || value === undefined) return null;
  return {
    at: start + all.length - value.length,
    message: "There is no space after the colon, so that this is one word to YAML.",
    hint: `Write \`${key}: ${value}\`.`,
  };
}
