// What is refused in YAML that a parser would take, and why.
import type { Diagnostic } from "../model/diagnostic.ts";
import { formatCount } from "../model/money.ts";
import type { Source } from "../model/source.ts";

export const maximumAliases = 100;
/** How many values aliases may stand for in all: aliases of aliases multiply. */
export const maximumAliasedValues = 10_000;
export const maximumKeys = 2_000;
export const maximumDocuments = 2_000;
/** Of one text. A description of fifty printed pages is shorter. */
export const maximumLength = 100_000;

export function tooManyKeys(source: Source, count: number): Diagnostic {
  return {
    code: "too-many-keys",
    severity: "error",
    message: `This map has ${formatCount(count)} keys; no more than ${formatCount(maximumKeys)} are read.`,
    hint: "Write one event per document, with the fields that `ticketing schema event` lists.",
    source,
  };
}

export function tooManyDocuments(source: Source): Diagnostic {
  return {
    code: "too-many-documents",
    severity: "error",
    message: `This file holds more than ${formatCount(maximumDocuments)} documents.`,
    hint: "Split it into several files: one event per file is best.",
    source,
  };
}

export function tooLong(source: Source, length: number): Diagnostic {
  return {
    code: "too-long",
    severity: "error",
    message: `This text has ${formatCount(length)} characters; no more than ${formatCount(maximumLength)} are read.`,
    hint: "Shorten it.",
    source,
  };
}

export function forbiddenKey(key: string, source: Source): Diagnostic {
  return {
    code: "forbidden-key",
    severity: "error",
    message: `\`${key}\` cannot be a key: programs give it a meaning of their own.`,
    hint: "Remove the line.",
    source,
  };
}

/** Told at both places: either line may be the one that was meant. */
export function duplicateKey(key: string, first: Source, second: Source): Diagnostic[] {
  const hint = "Keep one of the two lines.";
  return [
    {
      code: "yaml-trap",
      severity: "error",
      message: `\`${key}\` is written twice.`,
      hint,
      source: first,
      related: [{ message: "the other one", source: second }],
    },
    {
      code: "yaml-trap",
      severity: "error",
      message: `\`${key}\` is written twice.`,
      hint,
      source: second,
      related: [{ message: "the other one", source: first }],
    },
  ];
}

export function unknownAnchor(name: string, source: Source): Diagnostic {
  return {
    code: "yaml-syntax",
    severity: "error",
    message: `\`*${name}\` refers to \`&${name}\`, which does not stand before it in this document.`,
    hint: `Put the text in quotes ("*${name}") if a star is meant.`,
    source,
  };
}

export function aliasBomb(source: Source): Diagnostic {
  return {
    code: "yaml-trap",
    severity: "error",
    message: `The aliases (\`*name\`) of this document are more than ${maximumAliases}, or stand for too much.`,
    hint: "Write the values out, or move what all events share to `defaults` in ticketing.yaml.",
    source,
  };
}
