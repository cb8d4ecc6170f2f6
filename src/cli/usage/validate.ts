import type { Usage } from "../usage.ts";

export const validate: Usage = {
  name: "validate",
  summary: "check the files offline and show every problem at once",
  details:
    "Reads the project without talking to anybody. Exits 1 when there is an error (with --strict also a warning).",
  parameters: [
    { name: "paths", description: "only the problems of these files or folders", need: "many", takes: "file" },
  ],
  flags: [{ flags: "--strict", description: "warnings fail too" }],
  harmless: true,
  anyDirectory: true,
  formats: ["text", "json", "github", "sarif"],
  examples: [
    { line: "ticketing validate", does: "check the whole project" },
    { line: "ticketing validate --strict events/manila-nights.yaml", does: "one file, and warnings count" },
    { line: "ticketing validate --format github", does: "annotations in a GitHub workflow" },
  ],
};
