import { riskCodes } from "../../kinds/risk-codes.ts";
import type { Flag } from "../usage.ts";

/** Wherever the service may ask to wait: what is said then names this flag. */
export const maxWait: Flag = {
  flags: "--max-wait <seconds>",
  description: "the longest single wait for the rate limit (300)",
  takes: "seconds",
};

/** How fast and how long calls to the service may go on. */
export const paceFlags: readonly Flag[] = [
  { flags: "--parallelism <n>", description: "calls under way at once (8)", takes: "positive" },
  maxWait,
  {
    flags: "--tier <tier>",
    description: "the rate limit that was bought, where the service does not tell",
    choices: ["free", "pro", "enterprise"],
  },
];

/** What plan and apply share. */
export const changeFlags: readonly Flag[] = [
  {
    flags: "--target <address>",
    description: "only this object and what is below it; `*` matches anything; repeatable",
    repeatable: true,
  },
  { flags: "--base <ref>", description: "only what differs from this git revision; `last`: the one last applied" },
  { flags: "--allow <code>", description: "accept this risk, repeatable", choices: riskCodes, repeatable: true },
  { flags: "--max-deletes <n>", description: "how many events may be deleted in one go (5)", takes: "whole" },
  ...paceFlags,
  { flags: "--resend-unreadable", description: "send fields whose live value the service does not show" },
];
