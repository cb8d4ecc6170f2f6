import type { Usage } from "../usage.ts";
import { maxWait } from "./change-flags.ts";

const search: Usage = {
  name: "search",
  summary: "find venues by name, with the YAML line to paste",
  parameters: [{ name: "text", description: "part of the venue's name", need: "required" }],
  flags: [{ flags: "--city <city>", description: "only in this city" }, maxWait],
  formats: ["text", "json"],
  without: ["no-color"],
  examples: [
    { line: "ticketing venues search palace", does: "a table with ids" },
    { line: "ticketing venues search palace --city Baguio", does: "only those in one city" },
  ],
};

export const venues: Usage = {
  name: "venues",
  summary: "find venues by name, with their ids",
  formats: ["text", "json"],
  examples: [{ line: "ticketing venues search palace", does: "a table with ids" }],
  group: true,
  below: [search],
};
