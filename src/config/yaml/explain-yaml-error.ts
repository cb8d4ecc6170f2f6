// The parser's complaints in the words of somebody who writes events.
import type { YAMLError } from "yaml";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { findSlip } from "./find-slip.ts";
import type { Places } from "./locate.ts";

interface Words {
  readonly code?: string;
  readonly message: string;
  readonly hint: string;
}

const words: Readonly<Record<string, Words>> = {
  TAB_AS_INDENT: {
    code: "yaml-trap",
    message: "The line begins with a tab. YAML counts spaces only.",
    hint: "Indent with two spaces.",
  },
  BAD_INDENT: {
    message: "The line is indented otherwise than the lines it belongs to.",
    hint: "Give all fields of one object the same number of spaces.",
  },
  MULTILINE_IMPLICIT_KEY: {
    message: "A text runs over the end of the line here, where a field is expected.",
    hint: "Check for a missing colon, a missing quote, or a line that is indented too far.",
  },
  BLOCK_AS_IMPLICIT_KEY: {
    message: "Two fields stand in one line, or a text holds a colon.",
    hint: 'Put a text that holds ": " in quotes: "Act 1: Doors".',
  },
  BLOCK_IN_FLOW: {
    message: "A list with dashes or an indented map cannot stand within brackets.",
    hint: "Close the bracket before it, or write the list with commas.",
  },
  BAD_SCALAR_START: {
    message: "A text cannot begin with this character.",
    hint: "Put the text in quotes.",
  },
  BAD_DQ_ESCAPE: {
    message: "Within double quotes a backslash begins a special character, and this is none.",
    hint: "Use single quotes, or write the backslash twice.",
  },
  MISSING_CHAR: {
    message: "Something is missing here: a colon, a quote, a comma or a closing bracket.",
    hint: "Check this line and the one before it.",
  },
  UNEXPECTED_TOKEN: {
    message: "This does not belong here.",
    hint: "Check this line and the one before it for a stray or missing bracket, quote or comma.",
  },
  TAG_RESOLVE_FAILED: {
    message: "A word that begins with `!` is a tag to YAML, and tags are not used here.",
    hint: "Put the text in quotes if the exclamation mark belongs to it.",
  },
  BAD_ALIAS: {
    message: "A word that begins with `*` or `&` refers to another place of the document, and this one cannot.",
    hint: "Put the text in quotes if the sign belongs to it.",
  },
  BAD_DIRECTIVE: {
    message: "A line that begins with `%` is an instruction to YAML, and this one is not known.",
    hint: "Remove the line, or put the text in quotes.",
  },
};

const otherwise: Words = {
  message: "This is not YAML that can be read.",
  hint: "Check this line and the one before it for brackets, quotes, colons and indentation.",
};

/** `openQuote`: where a quote begins that is never closed, if there is one. */
export function explainYamlError(error: YAMLError, text: string, places: Places, openQuote: number | null): Diagnostic {
  const offset = Math.min(error.pos[0], text.length);
  const place = openQuote !== null && openQuote < offset ? openQuote : offset;
  const { at, code, message, hint } =
    findSlip(text, place) ??
    lookCloser(error, text, offset, openQuote) ??
    ({ at: offset, ...(words[error.code] ?? otherwise) } as Closer);
  return { code: code ?? "yaml-syntax", severity: "error", message, hint, source: places(at) };
}

interface Closer extends Words {
  readonly at: number;
}

/** What the file shows there says more than the parser's complaint. */
function lookCloser(error: YAMLError, text: string, offset: number, openQuote: number | null): Closer | null {
  if (openQuote !== null && openQuote <= offset) {
    return { at: openQuote, message: "A quote is opened here and not closed.", hint: "Add the closing quote." };
  }
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  const line = text.slice(start, endOfLine(text, offset));
  if (/^ *\t/.test(line)) return { at: start + line.indexOf("\t"), ...(words.TAB_AS_INDENT as Words) };
  const sign = /(?::|^ *-) +([*&!|>%@`])/.exec(line);
  if (sign !== null && start + sign.index < offset + 1 && error.code !== "TAG_RESOLVE_FAILED") {
    return {
      at: start + sign.index + sign[0].length - 1,
      message: `A text cannot begin with ${sign[1]} unless it stands in quotes.`,
      hint: "Put the text in quotes.",
    };
  }
  if (/Sequence item without - indicator|must start at the same column/.test(error.message)) {
    return { at: start + Math.max(0, line.search(/\S/)), ...(words.BAD_INDENT as Words) };
  }
  if (error.code === "BLOCK_AS_IMPLICIT_KEY" || error.code === "MULTILINE_IMPLICIT_KEY")
    return indentedTooFar(text, offset) ?? noColon(text, offset);
  return missing(error, offset);
}

/** `name A B`: the parser takes the line and the next one for one key. */
function noColon(text: string, offset: number): Closer | null {
  const [line = "", word] = /^([A-Za-z]\w*) +[^\n]*/.exec(text.slice(offset, endOfLine(text, offset))) ?? [];
  if (word === undefined || /:(?: |$)/.test(line)) return null;
  return {
    at: offset,
    message: `There is no colon after \`${word}\`.`,
    hint: `Write \`${word}: …\`, with a space after the colon.`,
  };
}

/** `name: x` and below it, further in, `dateTime: y`: the parser takes both lines for one key. */
function indentedTooFar(text: string, offset: number): Closer | null {
  if (/: |:$/.test(text.slice(offset, endOfLine(text, offset)))) return null;
  const next = /\n[ ]*(?=[^\s#])/.exec(text.slice(offset));
  const before = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  if (next === null || !/: +$/.test(before)) return null;
  return {
    at: offset + next.index + next[0].length,
    message: "This line is indented further than the one before it, as if it went on with that text.",
    hint: "Give the fields of one object the same number of spaces.",
  };
}

/** Which character is missing, where the parser says so. */
function missing(error: YAMLError, at: number): Closer | null {
  if (error.code === "BAD_INDENT" && /Flow/.test(error.message)) {
    return { at, message: "A bracket is still open here.", hint: "Close it with } or ] before the next field." };
  }
  if (error.code !== "MISSING_CHAR" && error.code !== "BAD_INDENT") return null;
  if (/must end with a|to end with/i.test(error.message)) {
    return { at, message: "A bracket is opened and not closed.", hint: "Add the closing } or ]." };
  }
  if (/Implicit map keys need to be followed by map values/.test(error.message)) {
    return {
      at,
      message: "There is no colon after this word.",
      hint: "Write `name: value`, with a space after the colon.",
    };
  }
  if (/Missing ,/.test(error.message)) {
    return { at, message: "A comma is missing before this.", hint: "Put a comma between the entries within brackets." };
  }
  return null;
}

function endOfLine(text: string, offset: number): number {
  const end = text.indexOf("\n", offset);
  return end === -1 ? text.length : end;
}
