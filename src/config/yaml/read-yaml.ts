// From text to located values. The parser is driven step by step, so that hostile nesting ends before it costs anything.
import { Composer, type Document, Lexer, type ParsedNode, Parser, type YAMLError } from "yaml";
import { type Code, type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import { endOfLine, findSlip, inQuotes, isWithinText, lineAt, type Slip, slip } from "./find-slip.ts";
import { locate } from "./locate.ts";
import { makePlaces, type Places, type YamlDocument } from "./located.ts";

const maximumDepth = 64;
const maximumDocuments = 2_000;
// The stack of the parser also holds the document and the scalar being read.
const stackLimit = maximumDepth + 2;

// `locate` compares keys: the parser would compare each with all before it.
const composerOptions = { uniqueKeys: false, keepSourceTokens: false } as const;

interface YamlFile {
  readonly text: string;
  readonly places: Places;
  /** Where a quote begins that is never closed. */
  openQuote: number | null;
  /** The same of a bracket. */
  openBracket: { readonly at: number; readonly closing: "]" | "}" } | null;
}

export type ParsedDocument = Document.Parsed<ParsedNode>;

/** The documents of a file. Empty ones (a `---` too many) are left out. */
export function readYaml(file: string, text: string, problems: Diagnostic[]): readonly YamlDocument[] {
  return parseYaml(file, text, problems).documents;
}

/** `trees`: the parser's own, empty ones too. */
export function parseYaml(file: string, text: string, problems: Diagnostic[]) {
  const page: YamlFile = { text, places: makePlaces(file, text), openQuote: null, openBracket: null };
  const trees = compose(page, problems);
  const documents: YamlDocument[] = [];
  for (const document of trees) {
    const read = readDocument(document, page, problems);
    if (read !== null) documents.push(read);
  }
  return { documents, trees };
}

/** Nothing if the file is refused as a whole. */
function compose(page: YamlFile, problems: Diagnostic[]): readonly ParsedDocument[] {
  const { text, places } = page;
  const bare = text.search(/\r(?!\n)/);
  if (bare >= 0) {
    problems.push(errorAt("yaml-syntax", places(bare), ...bareReturn));
    return [];
  }
  const composer = new Composer(composerOptions);
  const parser = new Parser();
  const documents: ParsedDocument[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    if (page.openQuote === null && isOpenQuote(lexeme)) page.openQuote = parser.offset;
    if (endsBrackets(lexeme, parser)) page.openBracket ??= openBracketOf(parser);
    for (const token of parser.next(lexeme)) documents.push(...(composer.next(token) as Iterable<ParsedDocument>));
    if (parser.stack.length > stackLimit) {
      problems.push(tooDeep(places(parser.offset)));
      return [];
    }
    const beyond = documents.length > maximumDocuments ? documents[maximumDocuments] : undefined;
    if (beyond !== undefined) {
      problems.push(tooManyDocuments(places(documentStart(beyond))));
      return [];
    }
  }
  page.openBracket ??= openBracketOf(parser);
  for (const token of parser.end()) documents.push(...(composer.next(token) as Iterable<ParsedDocument>));
  documents.push(...(composer.end() as Iterable<ParsedDocument>));
  const [left] = composer.streamInfo().errors;
  if (left !== undefined) problems.push(explainYamlError(left, page));
  return documents;
}

/** What the lexer returns if a line ends all open brackets. */
const flowEnd = "\u0018";

/** Without closing the innermost one. */
function endsBrackets(lexeme: string, parser: Parser): boolean {
  if (lexeme !== "]" && lexeme !== "}") return lexeme === flowEnd;
  const open = openBracketOf(parser);
  return open !== null && open.closing !== lexeme;
}

function openBracketOf({ stack }: Parser): YamlFile["openBracket"] {
  const open = stack.findLast((token) => token.type === "flow-collection");
  return open === undefined ? null : { at: open.start.offset, closing: open.start.source === "[" ? "]" : "}" };
}

function isOpenQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  return (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote));
}

function readDocument(document: ParsedDocument, page: YamlFile, problems: Diagnostic[]): YamlDocument | null {
  const { text, places } = page;
  // One mistake makes the parser stumble over much of what follows: the first report is the one that helps.
  const error = document.errors[0] ?? document.warnings[0];
  const source = places(documentStart(document));
  if (error !== undefined) {
    problems.push(explainYamlError(error, page));
    return { content: null, source };
  }
  return isEmptyDocument(document) ? null : { source, ...locate(document.contents, text, places, problems) };
}

function documentStart({ contents, range }: ParsedDocument): number {
  return contents?.range[0] ?? range[0];
}

function isEmptyDocument({ contents }: ParsedDocument): boolean {
  return contents === null || ("value" in contents && contents.value === null && (contents.source ?? "") === "");
}

function tooDeep(source: Source): Diagnostic {
  const hint = "No event needs that many: close the brackets, or check the indentation.";
  return errorAt("too-deep", source, `Values are nested more than ${maximumDepth} levels deep.`, hint);
}

function tooManyDocuments(source: Source): Diagnostic {
  const message = `This file contains more than ${formatCount(maximumDocuments)} YAML documents.`;
  return errorAt("too-many-documents", source, message, "Split it into several files, ideally one event per file.");
}

// The parser's complaints, rephrased for people who write events.

/** For the parser the line would continue: a comment, for example, would swallow the next field. */
const bareReturn = [
  "A line ends with only a carriage return (CR), as on old Macs.",
  "Save the file with LF or CRLF line endings.",
] as const;

const quoteIt = "Put the text in quotes.";

const explanations: Readonly<Record<string, readonly [message: string, hint: string, code?: Code]>> = {
  TAB_AS_INDENT: [
    "This line is indented with a tab; YAML allows only spaces.",
    "Replace the tab with as many spaces as the lines above and below it have (none at the top level of the file).",
    "yaml-trap",
  ],
  BAD_INDENT: ["Indentation does not match the lines above.", "Start all fields of one entry in the same column."],
  MULTILINE_IMPLICIT_KEY: [
    "This text continues on the next line, where a field was expected.",
    "Check for a missing colon, a missing quote, or a line that is indented too far.",
  ],
  BLOCK_AS_IMPLICIT_KEY: [
    "This line contains two fields, or text that contains a colon.",
    'Quote text that contains ": ", such as "Act 1: Doors".',
  ],
  BLOCK_IN_FLOW: [
    "A list with dashes or an indented map cannot be inside brackets.",
    "Close the bracket first, or separate the entries with commas.",
  ],
  BAD_SCALAR_START: ["Text cannot start with this character.", quoteIt],
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

export function explainYamlError(error: YAMLError, page: YamlFile): Diagnostic {
  const { text, places, openQuote } = page;
  const offset = Math.min(error.pos[0], text.length);
  const { at, message, hint, code } =
    findSlip(text, openQuote !== null && openQuote < offset ? openQuote : offset) ??
    inspectLine(error, page, offset) ??
    explained(offset, error.code);
  return errorAt(code ?? "yaml-syntax", places(at), message, hint);
}

function explained(at: number, code: string): Slip {
  return slip(at, ...(explanations[code] ?? unexplained));
}

/** The line itself often shows more than the parser's complaint. */
function inspectLine(error: YAMLError, { text, openQuote, openBracket }: YamlFile, offset: number): Slip | null {
  if (openQuote !== null && openQuote <= offset)
    return slip(openQuote, "This quote is never closed.", "Add the closing quote.");
  const { start, text: line } = lineAt(text, offset);
  if (/^ *\t/.test(line)) return explained(start + line.indexOf("\t"), "TAB_AS_INDENT");
  const [variable] = /^\$\{[^{}\n]*\}/.exec(text.slice(Math.max(0, offset - 1))) ?? [];
  if (variable !== undefined) {
    const message = `Within { } or [ ], text that contains \`${variable}\` needs quotes.`;
    return slip(offset - 1, message, `Put the whole text in quotes, such as "${variable}".`);
  }
  const sign = /(?::|^ *-) +([*&!|>%@`])/.exec(line);
  if (sign !== null && start + sign.index < offset + 1 && error.code !== "TAG_RESOLVE_FAILED") {
    const at = start + sign.index + sign[0].length - 1;
    return slip(at, `Text cannot start with ${sign[1]} unless it is in quotes.`, quoteIt);
  }
  const [, list = "", more = ""] = /: +(\{\{[^{}]*\}\}|[[{][^\]}]*[\]}])( *[^\s,#\]}].*)?$/.exec(line) ?? [];
  if ((more !== "" && error.code === "UNEXPECTED_TOKEN") || list.startsWith("{{")) {
    const hint = `Write ${inQuotes(list + more.trimEnd())}.`;
    return slip(start + line.indexOf(list), `Text that starts with ${list.charAt(0)} must be in quotes.`, hint);
  }
  if (/Sequence item without - indicator|must start at the same column/.test(error.message))
    return explained(start + Math.max(0, line.search(/\S/)), "BAD_INDENT");
  if (error.code === "BLOCK_AS_IMPLICIT_KEY" || error.code === "MULTILINE_IMPLICIT_KEY")
    return notIndented(text, offset) ?? indentedTooFar(text, offset) ?? noColon(text, offset);
  const isComma = /^,\s*(?:#|$)/.test(line.slice(offset - start)) || /Unexpected , in flow/.test(error.message);
  if (error.code === "UNEXPECTED_TOKEN" && isComma)
    return slip(offset, "There is an extra comma here.", "Remove the comma.");
  return notIndented(text, offset) ?? missingCharacter(error, offset, openBracket);
}

/** A line of words without a field, below the text that it continues. */
function notIndented(text: string, offset: number): Slip | null {
  const { start, text: line } = lineAt(text, offset);
  if (start === 0 || !/^\p{L}/u.test(line) || /:(?: |$)/.test(line)) return null;
  const above = lineAt(text, start - 1);
  if (/: +[|>][-+\d]*\s*$/.test(above.text) || isWithinText(text, above))
    return slip(start, "The text below `|` or `>` must be indented.", "Put two spaces in front of each of its lines.");
  const [, field] = /^([A-Za-z]\w*): +[^\s[{"'|>&*!#]+ /.exec(above.text) ?? [];
  const [word] = /^[A-Za-z]\w*/.exec(line) ?? [];
  if (field === undefined || word === undefined) return null;
  const hint = `If it continues \`${field}\`, put two spaces in front of it; if it is a field, write \`${word}: …\`.`;
  return slip(start, `This line is neither a field nor indented as a part of \`${field}\`.`, hint);
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
  const message = "This line is indented further than the line above, as if it continued that text.";
  return slip(offset + next.index + next[0].length, message, "Start all fields of one entry in the same column.");
}

function missingCharacter({ code, message }: YAMLError, at: number, open: YamlFile["openBracket"]): Slip | null {
  if (code !== "MISSING_CHAR" && code !== "BAD_INDENT") return null;
  if (/must end with a|to end with/i.test(message) || (code === "BAD_INDENT" && /Flow/.test(message)))
    return open === null || open.at > at
      ? slip(at, "A bracket is never closed.", "Add the closing } or ].")
      : slip(open.at, "This bracket is never closed.", `Add the closing ${open.closing}.`);
  if (/Implicit map keys need to be followed by map values/.test(message))
    return slip(at, "The colon after this word is missing.", "Write `name: value`, with a space after the colon.");
  if (/Missing ,/.test(message))
    return slip(at, "A comma is missing before this.", "Separate the entries inside brackets with commas.");
  return null;
}
