import type { Usage } from "../usage.ts";

export const schemaNames = ["event", "webhooks", "project"] as const;

export const schema: Usage = {
  name: "schema",
  summary: "print the JSON Schema that editors use for the files",
  parameters: [{ name: "schema", description: "which file it describes", need: "optional", choices: schemaNames }],
  harmless: true,
  formats: ["text", "json"],
  without: ["directory", "env", "base-url", "no-color", "verbose"],
  examples: [{ line: "ticketing schema event > event.schema.json", does: "keep a copy beside the files" }],
};
