// The parser's complaints, rephrased for people who write events.
import type { YAMLError } from "yaml";
import { type Code, type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { endOfLine, findSlip, lineAt, type Slip, slip } from "./find-slip.ts";
import type { YamlFile } from "./locate.ts";

const quoteIt = "Put the text in quotes.";

/** By the parser's code: message and hint. */
const explanations: Readonly<Record<string, readonly [message: string, hint: string, code?: Code]>> = {
  TAB_AS_INDENT: ["This line is indented with a tab; YAML allows only spaces.", "Indent with two spaces.", "yaml-trap"],
  BAD_INDENT: [
    "Indentation does not match the lines above.",
    "Give all fields of one object the same number of spaces.",
  ],
  MULTILINE_IMPLICIT_KEY: [
    "This text runs on to the next line, where a field was expected.",
    "Check for a missing colon, a missing quote, or a line that is indented too far.",
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    "This line holds two fields, or a text that contains a colon.",
    'Quote a text that contains ": ", such as "Act 1: Doors".',
  ],
  BLOCK_IN_FLOW: [
    "A list with dashes or an indented map cannot be inside brackets.",
    "Close the bracket first, or separate the entries with commas.",
  ],
  BAD_SCALAR_START: ["A text cannot start with this character.", quoteIt],
  BAD_DQ_ESCAPE: [
    "Unknown escape: inside double quotes, a backslash starts a special character.",
    "Use single quotes, or double the backslash.",
  ],
  MISSING_CHAR: [
    "Something is missing here: a colon, a quote, a comma, or a closing bracket.",
    "Check this line and the one above.",
  ],
  UNEXPECTED_TOKEN: [
    "Unexpected text.",
    "Check this line and the one above for a stray or missing bracket, quote, or comma.",
  ],
  TAG_RESOLVE_FAILED: [
    "A word that starts with `!` is a YAML tag, and tags are not supported.",
    "Quote the text if the exclamation mark is part of it.",
  ],
  BAD_ALIAS: [
    "A word that starts with `*` or `&` is a YAML reference, and this one is not valid.",
    "Quote the text if the character is part of it.",
  ],
  BAD_DIRECTIVE: [
    "A line that starts with `%` is a YAML directive, and this one is unknown.",
    "Remove the line, or quote the text.",
  ],
};

const unexplained = [
  "This is not valid YAML.",
  "Check this line and the one above for brackets, quotes, colons, and indentation.",
] as const;

export function explainYamlError(error: YAMLError, { text, places, openQuote }: YamlFile): Diagnostic {
  const offset = Math.min(error.pos[0], text.length);
  const { at, message, hint, code } =
    findSlip(text, openQuote !== null && openQuote < offset ? openQuote : offset) ??
    inspectLine(error, text, offset, openQuote) ??
    explained(offset, error.code);
  return errorAt(code ?? "yaml-syntax", places(at), message, hint);
}

function explained(at: number, code: string): Slip {
  return slip(at, ...(explanations[code] ?? unexplained));
}

/** The line itself often shows more than the parser's complaint. */
function inspectLine(error: YAMLError, text: string, offset: number, openQuote: number | null): Slip | null {
  if (openQuote !== null && openQuote <= offset)
    return slip(openQuote, "This quote is never closed.", "Add the closing quote.");
  const { start, text: line } = lineAt(text, offset);
  if (/^ *\t/.test(line)) return explained(start + line.indexOf("\t"), "TAB_AS_INDENT");
  const sign = /(?::|^ *-) +([*&!|>%@`])/.exec(line);
  if (sign !== null && start + sign.index < offset + 1 && error.code !== "TAG_RESOLVE_FAILED") {
    const at = start + sign.index + sign[0].length - 1;
    return slip(at, `A text cannot start with ${sign[1]} unless it is in quotes.`, quoteIt);
  }
  if (/Sequence item without - indicator|must start at the same column/.test(error.message))
    return explained(start + Math.max(0, line.search(/\S/)), "BAD_INDENT");
  if (error.code === "BLOCK_AS_IMPLICIT_KEY" || error.code === "MULTILINE_IMPLICIT_KEY")
    return indentedTooFar(text, offset) ?? noColon(text, offset);
  return missingCharacter(error, offset);
}

/** `name A B`: the parser reads the line and the next one as one key. */
function noColon(text: string, offset: number): Slip | null {
  const [line = "", word] = /^([A-Za-z]\w*) +[^\n]*/.exec(text.slice(offset, endOfLine(text, offset))) ?? [];
  if (word === undefined || /:(?: |$)/.test(line)) return null;
  return slip(offset, `The colon after \`${word}\` is missing.`, `Write \`${word}: …\`, with a space after the colon.`);
}

/** `name: x` and below it, further in, `dateTime: y`: the parser reads both lines as one key. */
function indentedTooFar(text: string, offset: number): Slip | null {
  if (/: |:$/.test(text.slice(offset, endOfLine(text, offset)))) return null;
  const next = /\n[ ]*(?=[^\s#])/.exec(text.slice(offset));
  const before = text.slice(lineAt(text, offset).start, offset);
  if (next === null || !/: +$/.test(before)) return null;
  return slip(
    offset + next.index + next[0].length,
    "This line is indented further than the line above, as if it continued that text.",
    "Give all fields of one object the same number of spaces.",
  );
}

function missingCharacter({ code, message }: YAMLError, at: number): Slip | null {
  if (code === "BAD_INDENT" && /Flow/.test(message))
    return slip(at, "A bracket is still open here.", "Close it with } or ] before the next field.");
  if (code !== "MISSING_CHAR" && code !== "BAD_INDENT") return null;
  if (/must end with a|to end with/i.test(message))
    return slip(at, "A bracket is never closed.", "Add the closing } or ].");
  if (/Implicit map keys need to be followed by map values/.test(message))
    return slip(at, "The colon after this word is missing.", "Write `name: value`, with a space after the colon.");
  if (/Missing ,/.test(message))
    return slip(at, "A comma is missing before this.", "Separate the entries inside brackets with commas.");
  return null;
}
