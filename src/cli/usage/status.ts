import type { Usage } from "../usage.ts";
import { paceFlags } from "./change-flags.ts";

export const status: Usage = {
  name: "status",
  summary: "each event: live status, dates, sold, remaining, gross and net",
  flags: [{ flags: "--watch", description: "refresh until Ctrl-C, within the rate limit" }, ...paceFlags],
  formats: ["text", "json", "markdown", "csv"],
  examples: [
    { line: "ticketing status", does: "how sales are going" },
    { line: "ticketing status --format csv > sales.csv", does: "for a spreadsheet" },
  ],
};
