// Every code that a message can have, by subject: what it means, an example, and what to do.
import type { Code } from "../../model/diagnostic.ts";
import { connection, outcomes, savedPlans, serviceCodes } from "./entries/applying.ts";
import { risks, stateRules } from "./entries/blocks.ts";
import { ciCodes, commands } from "./entries/commands.ts";
import type { CodeEntry, WrittenEntry } from "./entries/entry.ts";
import { files, git, stateCodes } from "./entries/files.ts";
import { matching, remarks } from "./entries/matching.ts";
import { settings, usage } from "./entries/settings.ts";
import { listing, places, prices, ticketCodes } from "./entries/tickets.ts";
import { recurring, times } from "./entries/times.ts";
import { webhookCodes, writing } from "./entries/webhooks.ts";

export type { CodeEntry, FileExample, Level, LiveExample } from "./entries/entry.ts";

const subjects = [
  { title: "Prices", entries: prices },
  { title: "Tickets", entries: ticketCodes },
  { title: "Names, text and images", entries: listing },
  { title: "Venues", entries: places },
  { title: "Times and schedule", entries: times },
  { title: "Series, phases and templates", entries: recurring },
  { title: "Webhooks and secrets", entries: webhookCodes },
  { title: "Writing", entries: writing },
  { title: "Risks", entries: risks },
  { title: "What cannot be done", entries: stateRules },
  { title: "Which live object is meant", entries: matching },
  { title: "Notes on a plan", entries: remarks },
  { title: "Environments and API keys", entries: settings },
  { title: "Files", entries: files },
  { title: "Git", entries: git },
  { title: "Saved plans and approval", entries: savedPlans },
  { title: "Call outcomes", entries: outcomes },
  { title: "Connection", entries: connection },
  { title: "Codes of the service", entries: serviceCodes },
  { title: "State and local data", entries: stateCodes },
  { title: "CI jobs", entries: ciCodes },
  { title: "Reading, importing, copying; the sandbox", entries: commands },
  { title: "Command line and init", entries: usage },
] as const;

type CodesOf<Entries> = Entries extends unknown ? keyof Entries : never;
/** A code without an entry is a type error. */
type Unexplained = Exclude<Code, CodesOf<(typeof subjects)[number]["entries"]>>;
const unexplained = {} satisfies Record<Unexplained, CodeEntry>;

export interface CodeFamily {
  readonly title: string;
  readonly entries: Readonly<Record<string, CodeEntry>>;
}

export const families: readonly CodeFamily[] = subjects.map(({ title, entries }) => ({
  title,
  entries: Object.fromEntries(
    Object.entries<WrittenEntry>(entries).map(([code, entry]) => [code, { levels: ["error"], ...entry }]),
  ),
}));

const catalog: Readonly<Record<string, CodeEntry>> = Object.assign(
  unexplained,
  ...families.map(({ entries }) => entries),
);

export function codeEntry(code: string): CodeEntry | null {
  return Object.hasOwn(catalog, code) ? (catalog[code] ?? null) : null;
}
