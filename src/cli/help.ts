import type { Usage } from "./usage.ts";

/** What a command's help ends with. */
export function usageEpilogue(usage: Usage): string {
  const lines = usage.examples.flatMap((example) => [`  ${example.line}`, `      ${example.does}`]);
  return `\nExamples:\n${lines.join("\n")}`;
}

export const programEpilogue = `
Every command has examples: ticketing <command> --help

Exit codes:
  0    done
  1    anything that failed, was blocked, refused or stale
  2    only from \`plan --detailed-exitcode\`: the plan is fine and not empty
  130  stopped by Ctrl-C

Environment:
  TICKETING_ENV       the environment to talk to, as --env
  TICKETING_BASE_URL  the service's address, as --base-url
  TICKETING_API_KEY   the key, where the environment names no other variable
  TICKETING_NOW       the time to go by (ISO 8601), for tests and demos
  NO_COLOR, FORCE_COLOR`;
