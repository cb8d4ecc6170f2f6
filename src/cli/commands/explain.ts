// ticketing explain: what a code or a field means, an example, and what to do.
import { type Explained, explainWord } from "../../app/documents.ts";
import { reportProblems, writeLines } from "../../app/session.ts";
import type { CommonOptions, World } from "../../app/world.ts";
import {
  codeMarkdown,
  codePage,
  codeText,
  explainDocument,
  explainField,
  families,
  fieldPage,
  listText,
} from "../../report/reference.ts";
import { safeJson } from "../../report/text.ts";

interface ExplainOptions extends CommonOptions {
  readonly word?: string;
  readonly format: "text" | "json" | "markdown";
}

export async function runExplain(world: World, { word, format }: ExplainOptions): Promise<number> {
  const result = explainWord(word);
  if (!result.ok) return reportProblems(world, format, result.diagnostics);
  const { explained } = result;
  if (format === "json") world.stdout.write(`${safeJson({ formatVersion: 1, ...explainedData(explained) })}\n`);
  else if (format === "markdown") world.stdout.write(explainedMarkdown(explained));
  else {
    const lines = explainedText(explained);
    writeLines(world.stdout, lines.at(-1) === "" ? lines.slice(0, -1) : lines);
  }
  return 0;
}

function explainedData(explained: Explained): object {
  if (explained.kind === "codes") return { families };
  if (explained.kind === "document") return { document: explained.document, groups: explained.groups };
  const { code, fields } = explained;
  return {
    ...(code === null ? {} : { code: code.code, family: code.family, ...code.entry }),
    ...(fields.length === 0 ? {} : { fields: fields.map(({ document, field }) => ({ document, ...field })) }),
  };
}

function explainedText(explained: Explained): readonly string[] {
  if (explained.kind === "codes") return listText();
  if (explained.kind === "document") return explainDocument(explained.document, explained.groups);
  const { code, fields } = explained;
  return [
    ...(code === null ? [] : codeText(code)),
    ...fields.flatMap((field, at) => [...(code === null && at === 0 ? [] : [""]), ...explainField(field)]),
  ];
}

function explainedMarkdown(explained: Explained): string {
  if (explained.kind === "codes") return codePage();
  if (explained.kind === "document") return fieldPage(explained.groups);
  const { code } = explained;
  return (code === null ? ["```text", ...explainedText(explained), "```", ""] : codeMarkdown(code, 1)).join("\n");
}
