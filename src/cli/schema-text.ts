import { projectSchema } from "../config/project-schema.ts";
import {
  eventJsonSchema,
  type JsonSchema,
  projectJsonSchema,
  templateJsonSchema,
  webhooksJsonSchema,
} from "../kinds/json-schema.ts";
import type { schemaNames } from "./usage/files.ts";

export type SchemaName = (typeof schemaNames)[number];

/** The JSON Schema of a file of the project, as it is written to disk. */
export function schemaText(name: SchemaName): string {
  return `${JSON.stringify(schemaOf(name), null, 2)}\n`;
}

function schemaOf(name: SchemaName): JsonSchema {
  switch (name) {
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
