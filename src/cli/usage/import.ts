import type { Usage } from "../usage.ts";
import { paceFlags } from "./change-flags.ts";

export const importUsage: Usage = {
  name: "import",
  summary: "write files for events that are live already",
  details:
    "`plan` right after shows no changes. An event that a document describes already is updated in its own file, with its comments and layout; what it lists and is not live is taken out only where git has the file. Other files are never touched. Changes nothing on the service.",
  parameters: [{ name: "events", description: "ids or slugs of live events", need: "many" }],
  flags: [
    { flags: "--all", description: "every event that is not archived" },
    {
      flags: "--status <status>",
      description: "narrows --all to events of this status; archived ones are taken only so",
      choices: ["DRAFT", "PUBLISHED", "ARCHIVED"],
    },
    { flags: "--webhooks", description: "the webhooks too" },
    { flags: "--out <dir>", description: "where the files go (events)", takes: "directory" },
    ...paceFlags,
  ],
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing import --all --webhooks", does: "adopt a whole organization" },
    { line: "ticketing import manila-nights --out events/2027", does: "one event, by its slug" },
  ],
};
