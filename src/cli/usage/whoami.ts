import type { Usage } from "../usage.ts";
import { maxWait } from "./change-flags.ts";

export const whoami: Usage = {
  name: "whoami",
  summary: "whose key it is and what it may do",
  details: "The key, its scopes and expiry, the organization, and the rate limit as it stands now.",
  flags: [maxWait],
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing whoami --env production", does: "is this the right key?" },
    { line: "ticketing whoami --format json", does: "for scripts" },
  ],
};
