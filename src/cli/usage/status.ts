import type { Usage } from "../usage.ts";
import { paceFlags } from "./change-flags.ts";

export const status: Usage = {
  name: "status",
  summary: "each event: status, dates, tickets sold, money earned",
  details:
    "All live events, with or without a project. Marks what the files do not name and what differs from them in the event itself and its ticket types; `plan` looks at everything.",
  flags: [
    { flags: "--archived", description: "archived events too" },
    { flags: "--watch", description: "refresh until Ctrl-C, within the rate limit" },
    ...paceFlags,
  ],
  formats: ["text", "json", "markdown", "csv"],
  examples: [
    { line: "ticketing status", does: "how sales are going" },
    { line: "ticketing status --watch", does: "on the evening that sales begin" },
    { line: "ticketing status --format csv > sales.csv", does: "for a spreadsheet" },
  ],
};
