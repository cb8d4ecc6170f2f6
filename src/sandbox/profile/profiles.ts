// Named profiles, and reading one from text: a name, knob=value pairs, or a name followed by pairs.

import { errorOf, failed, Halt } from "../../model/diagnostic.ts";
import { type Knob, type KnobName, knobs, type Profile } from "./knobs.ts";

const likely = Object.fromEntries(
  Object.entries(knobs).map(([name, knob]) => [name, "values" in knob ? knob.values[0] : knob.number]),
) as unknown as Profile;

const strict: Partial<Profile> = {
  ticketsInPatch: "refused",
  clearing: "refused",
  formatChecks: "all",
  nakedTimes: "refused",
  takeMax: 25,
  archiveFrom: "published",
  uniqueNames: "with-start",
  refusalStatus: "409",
  unknownFields: "refused",
  webhookTest: "refused",
};

const lax: Partial<Profile> = {
  publishedDefault: "true",
  ticketsInPatch: "replaced",
  emptyText: "kept",
  malformedColor: "accepted",
  timeOrder: "accepted",
  httpLoopback: "accepted",
  takeDefault: 50,
  takeMax: 100,
  takeAbove: "clamped",
  slug: "follows",
  publishAgain: "ok",
  withdraw: "patch",
  archivedPatch: "accepted",
  performerDelete: "cascade",
  embedded: "full",
};

// Every awkward reading that is compatible with the others. Lags and tier are added per run (hostile,readLag=500): they
// cost time. nullFields stays as it is, and is met by itself in test/law. uniqueNames stays off, since a refused duplicate is easier to
// handle than an accepted one.
const hostile: Partial<Profile> = {
  eventRecord: "short-in-lists",
  ticketRecord: "neither",
  ticketPrice: "decimal",
  scheduleRecord: "no-performer",
  embedded: "partial",
  publishedDefault: "true",
  ticketsInPatch: "appended",
  inlineOnFault: "some",
  soldOut: "quantity",
  clearing: "refused",
  trim: "on",
  html: "wrapped",
  lineEnds: "crlf",
  imageUrls: "rehosted",
  dates: "offset",
  colorCase: "lower",
  nakedTimes: "refused",
  formatChecks: "all",
  listOrder: "shuffled",
  childLists: "paged",
  takeMax: 10,
  takeAbove: "clamped",
  readLagIn: "everywhere",
  statusDefault: "without-archived",
  search: "broken",
  slug: "follows",
  archiveFrom: "draft",
  performerDelete: "cascade",
  deletedGet: "marked",
  webhookSecret: "masked",
  webhookList: "paged",
  webhookTest: "refused",
  webhookOffAfter: 3,
  refundReturns: "no",
  payment: "list",
  window: "sliding",
  resetUnit: "epoch-ms",
  headerWindow: "hour",
  rateHeaders: "not-on-429",
  retryAfter: "none",
  limitBody: "html",
  refusedCount: "yes",
  refusalStatus: "422",
  writeResponse: "204",
  createResponse: "partial",
  oneRecord: "named",
  unknownFields: "refused",
  meScopes: "without-orders",
};

export const profiles = {
  likely,
  minimal: { ...likely, eventRecord: "minimal", ticketRecord: "minimal", writeResponse: "null" },
  strict: { ...likely, ...strict },
  lax: { ...likely, ...lax },
  hostile: { ...likely, ...hostile },
} as const satisfies Record<string, Profile>;

export type ProfileName = keyof typeof profiles;

export function readProfile(text = "likely"): Profile {
  let profile: Record<string, string | number> = { ...likely };
  const parts = text.split(",").map((part) => part.trim());
  for (const [at, part] of parts.entries()) {
    if (part === "") continue;
    const equals = part.indexOf("=");
    if (equals < 0) {
      const named = profiles[part as ProfileName];
      if (named === undefined || !Object.hasOwn(profiles, part)) {
        throw profileError(
          `There is no profile "${part}".`,
          `Profiles: ${Object.keys(profiles).join(", ")}; or knob=value.`,
        );
      }
      if (at > 0) throw profileError(`The profile "${part}" must come first.`, "Write NAME,knob=value,…");
      profile = { ...named };
    } else {
      const name = knobName(part.slice(0, equals).trim());
      profile[name] = readValue(name, knobs[name], part.slice(equals + 1).trim());
    }
  }
  return profile as unknown as Profile;
}

function knobName(text: string): KnobName {
  const name = text.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase());
  if (Object.hasOwn(knobs, name)) return name as KnobName;
  throw profileError(`There is no knob "${text}".`, `Knobs: ${Object.keys(knobs).join(", ")}.`);
}

function readValue(name: KnobName, knob: Knob, text: string): string | number {
  if ("values" in knob) {
    if (knob.values.includes(text)) return text;
    throw profileError(`${name} cannot be "${text}".`, `It is one of: ${knob.values.join(", ")}.`);
  }
  const value = Number(text);
  if (/^\d+$/.test(text) && value >= knob.least) return value;
  throw profileError(`${name} cannot be "${text}".`, `It is a whole number of at least ${knob.least}.`);
}

function profileError(message: string, hint: string): Halt {
  return new Halt(failed(errorOf("sandbox-profile", message, hint)));
}
