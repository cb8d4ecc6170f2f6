import type { Usage } from "../usage.ts";

export const whoami: Usage = {
  name: "whoami",
  summary: "the key, its scopes and expiry, the organization, the rate limit now",
  formats: ["text", "json"],
  examples: [
    { line: "ticketing whoami --env production", does: "is this the right key?" },
    { line: "ticketing whoami --format json", does: "for scripts" },
  ],
};
