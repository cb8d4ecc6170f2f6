import type { Usage } from "../usage.ts";
import { changeFlags } from "./change-flags.ts";

export const apply: Usage = {
  name: "apply",
  summary: "do what the plan shows, and nothing else",
  details:
    "Plans, asks, does. With a plan file it does exactly that plan, or refuses it as stale or altered. In CI the plan must be signed: set TICKETING_PLAN_KEY to the same secret for `plan` and `apply`. Losing the connection or the whole process loses nothing: run it again.",
  parameters: [
    { name: "planFile", description: "a plan saved by `ticketing plan --out`", need: "optional", takes: "file" },
  ],
  flags: [
    { flags: "-y, --yes", description: "do not ask; needed where nobody can answer" },
    { flags: "--skip-blocked", description: "do the rest where something is blocked" },
    { flags: "--verify", description: "read back everything that was written" },
    {
      flags: "--settle <seconds>",
      description: "how long a new object may take to be listed (2, or more as seen)",
      takes: "seconds",
    },
    {
      flags: "--lock-timeout <seconds>",
      description: "how long to wait for another apply to end (0)",
      takes: "seconds",
    },
    ...changeFlags,
  ],
  formats: ["text", "json"],
  examples: [
    { line: "ticketing apply", does: "show the plan, ask, do it" },
    { line: "ticketing apply --env production --yes", does: "in CI, after merge" },
    { line: "ticketing apply plan.json --yes", does: "exactly the plan that was reviewed" },
    { line: "ticketing apply --allow price-change-with-sales", does: "accept one risk" },
  ],
};
