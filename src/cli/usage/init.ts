import type { Usage } from "../usage.ts";

export const init: Usage = {
  name: "init",
  summary: "write a first project: files, editor settings and a CI workflow",
  details:
    "Asks a few questions; --yes takes the flags and the standards instead. No file is overwritten without asking.",
  parameters: [{ name: "dir", description: "where to; the current directory", need: "optional", takes: "directory" }],
  flags: [
    { flags: "-y, --yes", description: "do not ask" },
    { flags: "--organization <slug>", description: "the organization that the key belongs to" },
    { flags: "--import", description: "write files for what is live already" },
  ],
  anyDirectory: true,
  formats: ["text", "json"],
  examples: [
    { line: "ticketing init", does: "here, with questions" },
    { line: "ticketing init tickets --yes --organization acme-live", does: "in a new folder, without" },
  ],
};
