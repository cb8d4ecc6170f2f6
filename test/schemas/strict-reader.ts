import { createRequire } from "node:module";

/** The strictest reader of schemas, which the language server brings along. */
export function compileStrictly(schema: object): (document: unknown) => boolean {
  const server = createRequire(createRequire(import.meta.url).resolve("yaml-language-server/package.json"));
  const { Ajv } = server("ajv") as { Ajv: new (options: object) => { compile(of: object): (it: unknown) => boolean } };
  return new Ajv({ strict: true, keywords: editorKeywords }).compile(schema);
}

/** What editors show, beyond JSON Schema itself. */
const editorKeywords = [
  "defaultSnippets",
  "enumDescriptions",
  "errorMessage",
  "markdownDescription",
  "patternErrorMessage",
];
