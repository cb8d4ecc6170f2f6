// The parser's complaints in the words of somebody who writes events.
import type { YAMLError } from "yaml";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Places } from "./places.ts";

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

export function explainYamlError(error: YAMLError, text: string, places: Places): Diagnostic {
  const offset = Math.min(error.pos[0], text.length);
  const { code, message, hint } = missing(error) ?? words[error.code] ?? otherwise;
  return { code: code ?? "yaml-syntax", severity: "error", message, hint, source: places(offset) };
}

/** Which character is missing, where the parser says so. */
function missing(error: YAMLError): Words | null {
  if (error.code === "BAD_INDENT" && error.message.includes("Flow")) {
    return { message: "A bracket is still open here.", hint: "Close it with } or ] before the next field." };
  }
  if (error.code !== "MISSING_CHAR" && error.code !== "BAD_INDENT") return null;
  if (/closing ['"]quote|Missing closing/.test(error.message)) {
    return { message: "A quote is opened and not closed.", hint: "Add the closing quote." };
  }
  if (/must end with a|expected (flow )?(map|sequence) to end/i.test(error.message)) {
    return { message: "A bracket is opened and not closed.", hint: "Add the closing } or ]." };
  }
  if (/Implicit map keys need to be followed by map values/.test(error.message)) {
    return {
      message: "There is no colon after this word.",
      hint: "Write `name: value`, with a space after the colon.",
    };
  }
  if (/Missing , /.test(error.message) || /Missing ,/.test(error.message)) {
    return { message: "A comma is missing before this.", hint: "Put a comma between the entries within brackets." };
  }
  return null;
}
