// What `ticketing explain` prints: a code or a field as text, Markdown or data; and the list of all codes.
import { type DocumentName, documentNames } from "../../kinds/json-schema.ts";
import { isRisk, silencingOf, suggest } from "../../model/diagnostic.ts";
import { type CodeEntry, codeEntry, type FileExample, families, type Level } from "./catalog.ts";
import { type DocumentedField, type FieldGroup, fieldGroups, type SchemaOf } from "./fields.ts";

type ExplainedCode = NonNullable<ReturnType<typeof explainCode>>;

export function documentOf(word: string): DocumentName | null {
  return documentNames.find((name) => name === word) ?? null;
}

interface ExplainedField {
  readonly document: DocumentName;
  readonly field: DocumentedField;
}

/** What a word means: a code, fields by their path (with or without their document), or neither. */
export function lookUpWord(
  word: string,
  schemaOf: SchemaOf,
): {
  readonly code: ExplainedCode | null;
  readonly fields: readonly ExplainedField[];
} {
  const code = explainCode(word);
  // No field has a name like that, and building the schemas takes longer than everything else.
  if (word.includes("-")) return { code, fields: [] };
  const all = allFields(schemaOf);
  const inDocument = all.filter(({ document, field }) => `${document}.${field.path}` === word);
  // A template has the fields of an event: a word without a document means the event's.
  const others = all.filter(({ document }) => document !== "template");
  const exact = others.filter(({ field }) => field.path === word);
  const within = others.filter(({ field }) => field.path.endsWith(`.${word}`) && !field.path.startsWith("defaults."));
  const found = [inDocument, exact, code === null ? within : []].find((fields) => fields.length > 0) ?? [];
  return { code, fields: found };
}

function explainCode(code: string) {
  const family = families.find(({ entries }) => Object.hasOwn(entries, code));
  const entry = codeEntry(code);
  return family === undefined || entry === null ? null : { code, family: family.title, entry };
}

/** Suggestions for a word that is neither a code nor a field: the nearest, and those that contain it. */
export function nearWords(word: string, schemaOf: SchemaOf): readonly string[] {
  const known = [
    ...documentNames,
    ...families.flatMap(({ entries }) => Object.keys(entries)),
    ...allFields(schemaOf).flatMap(({ document, field }) => (document === "template" ? [] : [field.path])),
  ];
  // Of a field, its last name is enough.
  const near = suggest(word, [...known, ...known.map((each) => each.slice(each.lastIndexOf(".") + 1))]);
  const containing = word.length < 3 ? [] : known.filter((each) => each.toLowerCase().includes(word.toLowerCase()));
  return [...new Set([...(near === null ? [] : [near]), ...containing])].slice(0, mostSuggested);
}

const mostSuggested = 8;

function allFields(schemaOf: SchemaOf): readonly ExplainedField[] {
  return documentNames.flatMap((document) =>
    fieldGroups(document, schemaOf).flatMap(({ fields }) => fields.map((field) => ({ document, field }))),
  );
}

const levelSentences: Readonly<Record<Level, string>> = {
  error: "An error stops the command, blocks the change that it is about, or marks a call that failed.",
  warning: "A warning stops nothing.",
  notice: "A notice stops nothing.",
  rule: "A rule blocks the change, and `allow` does not override it.",
  risk: "A risk blocks the change until somebody accepts the risk.",
};

/** In the project file, a code without an event would accept the risk for all of them. */
function howToAcceptCode(code: string): string {
  if (code === "delete-webhook") return `\`allow: [${code}]\` in ticketing.yaml`;
  const entry = `\`allow: [{ risk: ${code}, event: KEY, until: DAY }]\` in ticketing.yaml`;
  const gone = code === "delete-event" ? " (only there if the event's file is gone)" : "";
  return `\`allow: [${code}]\` in the event, or ${entry}${gone}`;
}

/** What it stops, and what to do if it is wrong. */
function consequences({ code, entry }: Pick<ExplainedCode, "code" | "entry">): readonly string[] {
  const isOfFiles = entry.ofFiles === true || (typeof entry.example !== "string" && !("live" in entry.example));
  return [
    ...(code === "unreviewed" ? [] : entry.levels.map((level) => levelSentences[level])),
    ...(isOfFiles && entry.levels.includes("warning") ? ["With a warning, `validate --strict` fails."] : []),
    ...(isRisk(code) ? [`To accept it, write ${howToAcceptCode(code)}, or pass \`--allow ${code}\`.`] : []),
    ...(silencingOf(code) === "silenced" && !entry.levels.includes("rule")
      ? [`If the check is wrong about one object, write \`ignore: [${code}]\` there.`]
      : []),
  ];
}

function exampleParts({ example, levels }: CodeEntry): readonly { readonly caption: string; readonly yaml: string }[] {
  if (typeof example === "string") return [];
  if (!("live" in example)) {
    const { file, right } = example;
    const lead = right === "" ? "For example" : "Instead of";
    const caption = file === undefined ? lead : `In ${file}, ${lead.toLowerCase()}`;
    return [{ caption, yaml: marked(example) }, ...(right === "" ? [] : [{ caption: "Write", yaml: right }])];
  }
  const { live, sold, stateless, wrong, right } = example;
  const sales = sold === undefined ? "" : `, and ${sold} tickets have been sold`;
  const isBlock = levels.some((level) => level === "rule" || level === "risk");
  const memory = stateless === true ? ", and no record links it to the files" : "";
  return [
    { caption: `The event is live${sales}${memory}`, yaml: live },
    { caption: isBlock ? "This edit is blocked" : `This edit gets a ${levels[0]}`, yaml: wrong ?? gone },
    { caption: "Instead", yaml: right ?? gone },
  ];
}

const gone = "# the file is deleted";

/** With an arrow after the line that the message points at, unless it would become part of the value. */
function marked({ wrong, line }: FileExample): string {
  const lines = wrong.split("\n");
  if (lines.length === 1) return wrong;
  const at = (line ?? lines.length) - 1;
  return lines.map((text, index) => (index === at ? `${text}  # ← here` : text)).join("\n");
}

export function codeText(explained: ExplainedCode): readonly string[] {
  const { code, family, entry } = explained;
  const { summary, details, fix, example } = entry;
  const parts = exampleParts(entry);
  return [
    `${code} (${entry.levels.join(", ")}; ${family})`,
    "",
    `  ${summary}`,
    ...(details === undefined ? [] : [`  ${details}`]),
    "",
    ...(typeof example === "string" ? [`  Example: ${example}`, ""] : []),
    ...parts.flatMap(({ caption, yaml }) => [
      `  ${caption}:`,
      "",
      ...yaml.split("\n").map((line) => `    ${line}`),
      "",
    ]),
    `  fix: ${fix}`,
    "",
    ...consequences(explained).map((sentence) => `  ${sentence}`),
  ];
}

export function codeMarkdown(explained: ExplainedCode, level: number): readonly string[] {
  const { code, entry } = explained;
  const { summary, details, fix, example } = entry;
  const parts = exampleParts(entry);
  return [
    `${"#".repeat(level)} \`${code}\``,
    "",
    `**${entry.levels.join(", ")}.** ${summary}${details === undefined ? "" : ` ${details}`}`,
    "",
    ...(typeof example === "string" ? [`Example: ${example}`, ""] : []),
    ...parts.flatMap(({ caption, yaml }) => [`${caption}:`, "", "```yaml", ...yaml.split("\n"), "```", ""]),
    `**fix:** ${fix}`,
    "",
  ];
}

/** For programs that explain a message next to it, such as code scanning. */
export function helpOf(
  code: string,
): { readonly summary: string; readonly text: string; readonly markdown: string } | null {
  const explained = explainCode(code);
  if (explained === null) return null;
  const [, , ...text] = codeText(explained);
  const [, , ...markdown] = codeMarkdown(explained, 1);
  return {
    summary: explained.entry.summary,
    text: text.map((line) => line.replace(/^ {2}/, "")).join("\n"),
    markdown: markdown.join("\n").trimEnd(),
  };
}

export function explainField({ document, field }: ExplainedField): readonly string[] {
  const { path, title, type, required, description, values, example } = field;
  return [
    `${document}.${path} (${title === "" ? type : `${title}: ${type}`}${required ? ", required" : ""})`,
    "",
    `  ${description}`,
    ...(values.length === 0 ? [] : ["", ...values.map(({ value, meaning }) => `  ${value}  ${meaning}`.trimEnd())]),
    ...(example === null ? [] : ["", `  Example: ${path.split(".").at(-1)}: ${example}`]),
  ];
}

/** All fields of a document, each with the first sentence about it. */
export function explainDocument(document: DocumentName, groups: readonly FieldGroup[]): readonly string[] {
  return groups.flatMap(({ path, fields, likeEventExcept }) => [
    path === "" ? document : path,
    ...fields.map((field) => `  ${field.path}: ${field.description.split(/(?<=\.) /)[0] ?? ""}`),
    ...(likeEventExcept === null ? [] : [`  … and the fields of an event${except(likeEventExcept, "")}`]),
    "",
  ]);
}

function except(names: readonly string[], quote: string): string {
  return names.length === 0 ? "" : `, except ${names.map((name) => `${quote}${name}${quote}`).join(", ")}`;
}

export function listText(): readonly string[] {
  return families.flatMap(({ title, entries }) => [
    title,
    ...Object.entries(entries).map(([code, { summary }]) => `  ${code}: ${summary}`),
    "",
  ]);
}

// What `npm run reference` adds to the pages of docs/reference, below what people wrote there.

export function fieldPage(groups: readonly FieldGroup[]): string {
  return groups.flatMap(groupLines).join("\n");
}

function groupLines({ path, title, description, fields, likeEventExcept }: FieldGroup): readonly string[] {
  const heading = path === "" ? [] : [`## \`${path}\``, "", [title, description].filter(Boolean).join(": "), ""];
  const has = fields.length === 0 ? "It has" : "In addition, it has";
  const like =
    likeEventExcept === null ? [] : [`${has} the fields of an [event](event.md)${except(likeEventExcept, "`")}.`, ""];
  if (fields.length === 0) return [...heading, ...like];
  const rows = fields.map(({ path: at, type, required, description: text, values, example }) => {
    const choices = values.map(({ value, meaning }) => `<br>\`${value}\`${meaning === "" ? "" : `: ${meaning}`}`);
    const name = at.slice(path === "" ? 0 : path.length + 1);
    const cells = [
      `\`${name}\``,
      type,
      required ? "yes" : "",
      text + choices.join(""),
      example === null ? "" : `\`${example}\``,
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return [...heading, "| Field | Type | Required | Meaning | Example |", "|---|---|---|---|---|", ...rows, "", ...like];
}

export function codePage(): string {
  const lines = families.flatMap(({ title, entries }) => [
    `## ${title}`,
    "",
    ...Object.entries(entries).flatMap(([code, entry]) => codeMarkdown({ code, family: title, entry }, 3)),
  ]);
  const index = families.map(({ title, entries }) => {
    const links = Object.keys(entries).map((code) => `[\`${code}\`](#${code.toLowerCase()})`);
    return `- ${title}: ${links.join(", ")}`;
  });
  return [...index, "", ...lines].join("\n").trimEnd().concat("\n");
}
