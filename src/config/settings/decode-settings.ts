import type * as z from "zod";
import { standardZone, zoneOr } from "../../model/time.ts";
import { compareText, isObject } from "../../model/value.ts";
import type { AllowEntry, SecretSink, Settings } from "../../model/wish.ts";
import type { projectSchema } from "../project-schema.ts";
import {
  entryOf,
  type Located,
  type LocatedEntry,
  type LocatedMap,
  type LocatedScalar,
  plainValue,
} from "../yaml/located.ts";

// Risks that files accept: a code, or a map that says for what and for how long.

/** An entry with anything wrong in it accepts nothing. */
export function allowEntriesOf(node: Located | undefined, bad: ReadonlySet<Located>): readonly AllowEntry[] {
  if (node?.type !== "list") return [];
  return node.items.flatMap((item): readonly AllowEntry[] => {
    const parts = item.type === "map" ? [...item.entries.values()].map(({ value }) => value) : [];
    if ([item, ...parts].some((part) => bad.has(part))) return [];
    const written = plainValue(item);
    const { risk, event, until, why } = isObject(written) ? written : { risk: written };
    if (typeof risk !== "string") return [];
    return [{ risk, ...onlyTexts({ event, until, why }), source: item.source }];
  });
}

function onlyTexts(values: Readonly<Record<"event" | "until" | "why", unknown>>): Omit<AllowEntry, "risk" | "source"> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string"));
}

const defaultGlobs = {
  events: ["events/**/*.{yaml,yml}"],
  templates: ["templates/**/*.{yaml,yml}"],
  webhooks: ["webhooks.{yaml,yml}"],
} as const;

type ProjectFile = AsWritten<z.infer<typeof projectSchema>>;

/** As in YAML: a key that is left out is absent, not undefined. */
type AsWritten<Value> = { [Name in keyof Value]: AsWritten<Exclude<Value[Name], undefined>> };

/** The settings from the project file, with defaults for those it leaves out or gets wrong. */
export function decodeSettings(document: LocatedMap | null, bad: ReadonlySet<Located>): Settings {
  const file: ProjectFile = document === null ? {} : (plainValue(withoutBad(document, bad)) as ProjectFile);
  const globsOf = (name: keyof typeof defaultGlobs) => [file[name] ?? defaultGlobs[name]].flat();
  return {
    organization: file.organization ?? null,
    events: globsOf("events"),
    templates: globsOf("templates"),
    webhooks: globsOf("webhooks"),
    defaultEnvironment: file.defaultEnvironment ?? null,
    environments: environmentsOf(file),
    allow: allowEntriesOf(entryOf(document, "allow"), bad),
    timezone: zoneOr(file.defaults?.timezone, standardZone),
    maxDeletes: file.maxDeletes ?? 5,
    unreviewed: file.review?.unreviewed ?? "hold",
    secrets: sinkOf(file),
    state: stateOf(file),
  };
}

/** The same values without the invalid ones, so that each is reported once and not for every event. */
export function withoutBad(
  map: LocatedMap,
  bad: ReadonlySet<Located>,
  isKnown: (path: readonly string[]) => boolean = () => true,
  path: readonly string[] = [],
): LocatedMap {
  const entries = new Map<string, LocatedEntry>();
  for (const [field, { key, value }] of map.entries) {
    const at = [...path, field];
    if (bad.has(value) || !isKnown(at)) continue;
    if (value.type === "map") entries.set(field, { key, value: withoutBad(value, bad, isKnown, at) });
    else if (value.type === "scalar") entries.set(field, { key, value });
    else entries.set(field, { key, value: { ...value, items: value.items.filter((item) => !bad.has(item)) } });
  }
  return { ...map, entries };
}

function environmentsOf({ environments = {} }: ProjectFile): Settings["environments"] {
  return Object.fromEntries(
    Object.entries(environments).map(([name, { baseUrl, apiKeyEnv, organization, vars }]) => [
      name,
      {
        baseUrl: baseUrl ?? null,
        apiKeyEnv: apiKeyEnv ?? "TICKETING_API_KEY",
        organization: organization ?? null,
        ...(vars === undefined ? {} : { hasVars: true }),
      },
    ]),
  );
}

/** The vars of a map, with their places. */
export function varNodes(node: Located | undefined, bad: ReadonlySet<Located>): ReadonlyMap<string, LocatedScalar> {
  const nodes = new Map<string, LocatedScalar>();
  if (node?.type !== "map") return nodes;
  for (const [name, { value }] of node.entries) {
    // An unusable one has no value, which is reported; it is not unknown.
    const isUsable = value.type === "scalar" && !bad.has(value);
    nodes.set(name, isUsable ? value : { type: "scalar", value: null, source: value.source, plain: true });
  }
  return nodes;
}

function sinkOf({ secrets }: ProjectFile): SecretSink | null {
  if (secrets?.sink === "file") return { sink: "file", path: secrets.path ?? ".ticketing/secrets.json" };
  return secrets?.sink === "command" && secrets.command ? { sink: "command", command: secrets.command } : null;
}

/** Compared as JSON, so members are put in a fixed order. */
function stateOf({ state }: ProjectFile): Settings["state"] {
  const { backend, ...others } = state ?? {};
  const written = Object.fromEntries(Object.entries(others).sort(([one], [other]) => compareText(one, other)));
  switch (backend) {
    case "git":
      return { backend, remote: "origin", ...written };
    case "postgres":
      return { backend, schema: "ticketing", ...written };
    // Its problems are reported elsewhere; it must not count as state in a file.
    case "http":
      return { backend, address: "", ...written };
    case "s3":
      return { backend, bucket: "", ...written };
    default:
      return { backend: backend ?? "file" };
  }
}
