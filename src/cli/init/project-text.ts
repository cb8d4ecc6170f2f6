import { Document } from "yaml";
import { shownAddress } from "../../model/service-address.ts";
import type { Answers } from "./answers.ts";

/** ticketing.yaml, with the reasons beside the lines. */
export function projectText({ organization, environment }: Answers): string {
  const lines = ["# yaml-language-server: $schema=./schemas/project.json", "version: 1"];
  if (organization === null) {
    lines.push("# organization: acme-live # your slug: the key must belong to it, or nothing is read or written");
  } else lines.push(`organization: ${scalar(organization)} # the key must belong to it, or nothing is read or written`);
  const real = environment === null ? "" : `; the real one with --env ${scalar(environment.name)}`;
  lines.push(`defaultEnvironment: sandbox # the embedded service, to try things out${real}`);
  if (environment === null) {
    lines.push(
      "",
      "# When you have a key, write the address of the service, and name it with --env production:",
      "# environments:",
      "#   production:",
      "#     baseUrl: https://api.example.com/open-api/v1",
      "#     apiKeyEnv: TICKETING_API_KEY # the name of a variable: the key itself is never in a file",
    );
    return `${lines.join("\n")}\n`;
  }
  lines.push(
    "environments:",
    `  ${scalar(environment.name)}:`,
    `    baseUrl: ${scalar(shownAddress(environment.baseUrl))}`,
    "    apiKeyEnv: TICKETING_API_KEY # the name of a variable: the key itself is never in a file",
  );
  return `${lines.join("\n")}\n`;
}

/** A text as YAML writes it, in quotes where it must be. */
function scalar(text: string): string {
  return new Document(text, { compat: "yaml-1.1" }).toString({ lineWidth: 0 }).trimEnd();
}
