// ticketing explain: what a code or a field means, an example, and what to do.
import { reportProblems, writeLines } from "../../app/session.ts";
import type { CommonOptions, World } from "../../app/world.ts";
import { documentSchema } from "../../config/document-schemas.ts";
import { errorOf } from "../../model/diagnostic.ts";
import {
  codeMarkdown,
  codePage,
  codeText,
  documentOf,
  explainDocument,
  explainField,
  families,
  fieldGroups,
  fieldPage,
  listText,
  lookUpWord,
  nearWords,
} from "../../report/reference.ts";
import { safeJson, safeText } from "../../report/text.ts";

interface ExplainOptions extends CommonOptions {
  readonly word?: string;
  readonly format: "text" | "json" | "markdown";
}

export async function runExplain(world: World, options: ExplainOptions): Promise<number> {
  const { word, format } = options;
  const document = word === undefined ? null : documentOf(word);
  if (document !== null) {
    const data = { document, groups: fieldGroups(document, documentSchema) };
    return write(
      world,
      format,
      data,
      () => explainDocument(document, documentSchema),
      fieldPage(document, documentSchema),
    );
  }
  if (word === undefined) return write(world, format, { families }, listText, codePage());
  const { code, fields } = lookUpWord(word, documentSchema);
  if (code === null && fields.length === 0) return unknownWord(world, format, word);
  const text = () => [
    ...(code === null ? [] : codeText(code)),
    ...fields.flatMap((field, at) => [...(code === null && at === 0 ? [] : [""]), ...explainField(field)]),
  ];
  const markdown = code === null ? ["```text", ...text(), "```", ""] : codeMarkdown(code, 1);
  const data = {
    ...(code === null ? {} : { code: code.code, family: code.family, ...code.entry }),
    ...(fields.length === 0 ? {} : { fields: fields.map(({ document: of, field }) => ({ document: of, ...field })) }),
  };
  return write(world, format, data, text, markdown.join("\n"));
}

function write(
  world: World,
  format: ExplainOptions["format"],
  data: object,
  text: () => readonly string[],
  markdown: string,
): number {
  if (format === "json") world.stdout.write(`${safeJson({ formatVersion: 1, ...data })}\n`);
  else if (format === "markdown") world.stdout.write(markdown);
  else writeLines(world.stdout, text().at(-1) === "" ? text().slice(0, -1) : text());
  return 0;
}

function unknownWord(world: World, format: string, word: string): number {
  const near = nearWords(word, documentSchema);
  const hint =
    near.length === 0
      ? "`ticketing explain` lists all codes, `ticketing explain event` all fields of an event."
      : `Did you mean ${near.join(", ")}?`;
  return reportProblems(world, format, [errorOf("usage", `There is no code or field "${safeText(word)}".`, hint)]);
}
