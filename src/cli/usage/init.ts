import type { Usage } from "../usage.ts";
import { maxWait } from "./change-flags.ts";

export const init: Usage = {
  name: "init",
  summary: "write a first project, with editor settings and CI",
  details:
    "Asks a few questions; --yes takes the flags instead. --base-url gives the address of your service and --env its name in the file (production). No file is overwritten without asking.",
  parameters: [{ name: "dir", description: "where to; the current directory", need: "optional", takes: "directory" }],
  flags: [
    { flags: "-y, --yes", description: "do not ask" },
    { flags: "--organization <slug>", description: "the organization that the key belongs to" },
    { flags: "--import", description: "write files for what is live already" },
    maxWait,
  ],
  anyDirectory: true,
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing init", does: "here, with questions" },
    { line: "ticketing init tickets --yes --organization acme-live", does: "in a new folder, without" },
    {
      line: "ticketing init --yes --base-url https://api.example.com/open-api/v1 --import",
      does: "for a live organization, with its key in TICKETING_API_KEY",
    },
  ],
};
