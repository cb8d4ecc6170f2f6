// From text to located values. The parser is driven step by step, so that hostile nesting ends before it costs anything.
import { Composer, type Document, Lexer, type ParsedNode, Parser } from "yaml";
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { explainYamlError } from "./explain-yaml-error.ts";
import { locate, maximumDocuments, type Places, placesOf, tooManyDocuments } from "./locate.ts";
import type { YamlDocument } from "./located.ts";

const maximumDepth = 64;
// The stack of the parser also holds the document and the scalar being read.
const stackLimit = maximumDepth + 2;

// Keys are compared by ourselves: the parser would compare each with all before it.
const composerOptions = { uniqueKeys: false, strict: true, keepSourceTokens: false } as const;

type ParsedDocument = Document.Parsed<ParsedNode>;

/** The documents of a file. Empty ones (a `---` too many) are left out. */
export function parseYaml(file: string, text: string, problems: Diagnostic[]): readonly YamlDocument[] {
  const places = placesOf(file, text);
  const composed = compose(text, places, problems);
  if (composed === null) return [];
  const documents: YamlDocument[] = [];
  for (const document of composed.documents) {
    const read = readDocument(document, { text, places, openQuote: composed.openQuote }, problems);
    if (read !== null) documents.push(read);
  }
  return documents;
}

interface Composed {
  readonly documents: readonly ParsedDocument[];
  /** Where a quote begins that is never closed. */
  readonly openQuote: number | null;
}

function compose(text: string, places: Places, problems: Diagnostic[]): Composed | null {
  const composer = new Composer(composerOptions);
  const parser = new Parser();
  const documents: ParsedDocument[] = [];
  let openQuote: number | null = null;
  for (const lexeme of new Lexer().lex(text)) {
    if (openQuote === null && isOpenQuote(lexeme)) openQuote = parser.offset;
    for (const token of parser.next(lexeme)) documents.push(...(composer.next(token) as Iterable<ParsedDocument>));
    if (parser.stack.length > stackLimit) {
      problems.push(tooDeep(places(parser.offset)));
      return null;
    }
    const beyond = documents[maximumDocuments];
    if (beyond !== undefined) {
      problems.push(tooManyDocuments(places(beyond.contents?.range[0] ?? beyond.range[0])));
      return null;
    }
  }
  for (const token of parser.end()) documents.push(...(composer.next(token) as Iterable<ParsedDocument>));
  documents.push(...(composer.end() as Iterable<ParsedDocument>));
  const left = composer.streamInfo().errors[0];
  if (left !== undefined) problems.push(explainYamlError(left, text, places, openQuote));
  return { documents, openQuote };
}

function isOpenQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  return (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote));
}

interface Page {
  readonly text: string;
  readonly places: Places;
  readonly openQuote: number | null;
}

function readDocument(document: ParsedDocument, page: Page, problems: Diagnostic[]): YamlDocument | null {
  const { text, places, openQuote } = page;
  // One mistake makes the parser stumble over much of what follows: the first report is the one that helps.
  const error = document.errors[0] ?? document.warnings[0];
  const start = places(document.contents?.range[0] ?? document.range[0]);
  if (error !== undefined) {
    problems.push(explainYamlError(error, text, places, openQuote));
    return { content: null, source: start };
  }
  if (isEmpty(document)) return null;
  const located = locate(document.contents, text, places, problems);
  return { ...located, source: located.content?.source ?? start };
}

function isEmpty(document: ParsedDocument): boolean {
  const contents = document.contents as (ParsedNode & { value?: unknown; source?: string }) | null;
  return contents === null || ("value" in contents && contents.value === null && (contents.source ?? "") === "");
}

function tooDeep(source: Source): Diagnostic {
  return {
    code: "too-deep",
    severity: "error",
    message: `The values are nested more than ${maximumDepth} deep.`,
    hint: "An event needs three levels: close the brackets, or check the indentation.",
    source,
  };
}
