import {
  type DocumentName,
  eventJsonSchema,
  type JsonSchema,
  projectJsonSchema,
  templateJsonSchema,
  webhooksJsonSchema,
} from "../kinds/json-schema.ts";
import { projectSchema } from "./project-schema.ts";

export function documentSchema(document: DocumentName): JsonSchema {
  switch (document) {
    case "event":
      return eventJsonSchema();
    case "template":
      return templateJsonSchema();
    case "webhooks":
      return webhooksJsonSchema();
    case "project":
      return projectJsonSchema(projectSchema);
  }
}

/** The same as it is written to disk. */
export function schemaText(name: DocumentName): string {
  return `${JSON.stringify(documentSchema(name), null, 2)}\n`;
}
