import type { Usage } from "../usage.ts";
import { changeFlags } from "./change-flags.ts";

export const plan: Usage = {
  name: "plan",
  summary: "show what would change, and what the rules forbid",
  details:
    "Reads the files and the live service, and changes nothing. Shows each field, the order and cost of the calls. Exits 1 when anything is blocked.",
  flags: [
    { flags: "--out <file>", description: "save the plan, for `ticketing apply FILE`", takes: "file" },
    { flags: "--detailed-exitcode", description: "exit 2 when the plan is fine and not empty" },
    ...changeFlags,
  ],
  anyDirectory: true,
  formats: ["text", "json", "markdown", "html"],
  examples: [
    { line: "ticketing plan", does: "everything that differs" },
    { line: "ticketing plan --base origin/main --format markdown", does: "a pull request's changes, as a comment" },
    { line: "ticketing plan --target events/manila-nights --out plan.json", does: "one event, kept for apply" },
    { line: "ticketing plan --detailed-exitcode", does: "nightly: exit 2 tells of drift" },
  ],
};
