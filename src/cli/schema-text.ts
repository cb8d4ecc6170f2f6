import { type DocumentName, documentSchema } from "../reference/document-schemas.ts";

/** The JSON Schema of a file of the project, as it is written to disk. */
export function schemaText(name: DocumentName): string {
  return `${JSON.stringify(documentSchema(name), null, 2)}\n`;
}
