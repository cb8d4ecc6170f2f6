// From text to located values. The parser is driven step by step, so that hostile nesting ends before it costs anything.
import { Composer, type Document, Lexer, type ParsedNode, Parser } from "yaml";
import { type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import { explainYamlError } from "./explain-yaml-error.ts";
import { locate, makePlaces, type YamlFile } from "./locate.ts";
import type { YamlDocument } from "./located.ts";

const maximumDepth = 64;
const maximumDocuments = 2_000;
// The stack of the parser also holds the document and the scalar being read.
const stackLimit = maximumDepth + 2;

// `locate` compares keys: the parser would compare each with all before it.
const composerOptions = { uniqueKeys: false, keepSourceTokens: false } as const;

export type ParsedDocument = Document.Parsed<ParsedNode>;

/** The documents of a file. Empty ones (a `---` too many) are left out. */
export function readYaml(file: string, text: string, problems: Diagnostic[]): readonly YamlDocument[] {
  return parseYaml(file, text, problems).documents;
}

export interface ParsedYaml {
  readonly documents: readonly YamlDocument[];
  /** The parser's own, empty ones too. */
  readonly trees: readonly ParsedDocument[];
}

export function parseYaml(file: string, text: string, problems: Diagnostic[]): ParsedYaml {
  const page: YamlFile = { text, places: makePlaces(file, text), openQuote: null };
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
  const composer = new Composer(composerOptions);
  const parser = new Parser();
  const documents: ParsedDocument[] = [];
  for (const lexeme of new Lexer().lex(text)) {
    if (page.openQuote === null && isOpenQuote(lexeme)) page.openQuote = parser.offset;
    for (const token of parser.next(lexeme)) documents.push(...(composer.next(token) as Iterable<ParsedDocument>));
    if (parser.stack.length > stackLimit) {
      problems.push(tooDeep(places(parser.offset)));
      return [];
    }
    const beyond = documents[maximumDocuments];
    if (beyond !== undefined) {
      problems.push(tooManyDocuments(places(startOf(beyond))));
      return [];
    }
  }
  for (const token of parser.end()) documents.push(...(composer.next(token) as Iterable<ParsedDocument>));
  documents.push(...(composer.end() as Iterable<ParsedDocument>));
  const [left] = composer.streamInfo().errors;
  if (left !== undefined) problems.push(explainYamlError(left, page));
  return documents;
}

function isOpenQuote(lexeme: string): boolean {
  const quote = lexeme.charAt(0);
  return (quote === '"' || quote === "'") && (lexeme.length === 1 || !lexeme.endsWith(quote));
}

function readDocument(document: ParsedDocument, page: YamlFile, problems: Diagnostic[]): YamlDocument | null {
  const { text, places } = page;
  // One mistake makes the parser stumble over much of what follows: the first report is the one that helps.
  const error = document.errors[0] ?? document.warnings[0];
  const source = places(startOf(document));
  if (error !== undefined) {
    problems.push(explainYamlError(error, page));
    return { content: null, source };
  }
  return isEmpty(document) ? null : { source, ...locate(document.contents, text, places, problems) };
}

function startOf({ contents, range }: ParsedDocument): number {
  return contents?.range[0] ?? range[0];
}

function isEmpty({ contents }: ParsedDocument): boolean {
  return contents === null || ("value" in contents && contents.value === null && (contents.source ?? "") === "");
}

function tooDeep(source: Source): Diagnostic {
  const hint = "An event needs three levels: close the brackets, or check the indentation.";
  return errorAt("too-deep", source, `Values are nested more than ${maximumDepth} levels deep.`, hint);
}

function tooManyDocuments(source: Source): Diagnostic {
  const message = `This file holds more than ${formatCount(maximumDocuments)} documents.`;
  return errorAt("too-many-documents", source, message, "Split it into several files, ideally one event per file.");
}
