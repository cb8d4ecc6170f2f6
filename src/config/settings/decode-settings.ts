import { isTimezone, standardZone } from "../../model/time.ts";
import { asObject, isObject } from "../../model/value.ts";
import type { AllowEntry, EnvironmentSettings, HttpState, S3State, SecretSink, Settings } from "../../model/wish.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar, plain } from "../yaml/located.ts";

// Risks that files accept: a code, or a map that says for what and for how long.

/** An entry with anything wrong in it accepts nothing. */
export function allowEntriesOf(node: Located | undefined, bad: ReadonlySet<Located>): readonly AllowEntry[] {
  if (node?.type !== "list") return [];
  return node.items.flatMap((item): readonly AllowEntry[] => {
    const parts = item.type === "map" ? [...item.entries.values()].map(({ value }) => value) : [];
    if ([item, ...parts].some((part) => bad.has(part))) return [];
    const written = plain(item);
    const { risk, event, until, why } = isObject(written) ? written : { risk: written };
    if (typeof risk !== "string") return [];
    return [{ risk, ...texts({ event, until, why }), source: item.source }];
  });
}

function texts(values: Readonly<Record<"event" | "until" | "why", unknown>>): Omit<AllowEntry, "risk" | "source"> {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => typeof value === "string"));
}

const defaultGlobs = {
  events: ["events/**/*.{yaml,yml}"],
  templates: ["templates/**/*.{yaml,yml}"],
  webhooks: ["webhooks.{yaml,yml}"],
} as const;

/** The settings that the project file gives, with the defaults of those it leaves out or gets wrong. */
export function decodeSettings(document: LocatedMap | null, bad: ReadonlySet<Located>): Settings {
  const read = (key: string) => goodValue(document, key, bad);
  return {
    organization: textOr(read("organization"), null),
    events: globsOf(read("events"), defaultGlobs.events),
    templates: globsOf(read("templates"), defaultGlobs.templates),
    webhooks: globsOf(read("webhooks"), defaultGlobs.webhooks),
    defaultEnvironment: textOr(read("defaultEnvironment"), null),
    environments: environmentsOf(entryOf(document, "environments"), bad),
    allow: allowEntriesOf(entryOf(document, "allow"), bad),
    timezone: zoneOf(entryOf(entryOf(document, "defaults"), "timezone")),
    maxDeletes: typeof read("maxDeletes") === "number" ? (read("maxDeletes") as number) : 5,
    unreviewed: unreviewedOf(read("review")),
    secrets: sinkOf(read("secrets")),
    state: stateOf(read("state")),
  };
}

/** That of the project's defaults, else the service's own. */
function zoneOf(node: Located | undefined): string {
  const zone = node?.type === "scalar" ? node.value : null;
  return typeof zone === "string" && isTimezone(zone) ? zone : standardZone;
}

function unreviewedOf(review: unknown): Settings["unreviewed"] {
  const { unreviewed: chosen } = asObject(review);
  return chosen === "apply" || chosen === "stop" ? chosen : "hold";
}

function environmentsOf(node: Located | undefined, bad: ReadonlySet<Located>): Record<string, EnvironmentSettings> {
  const environments: Record<string, EnvironmentSettings> = {};
  if (node?.type !== "map") return environments;
  for (const [name, { value }] of node.entries) {
    if (value.type !== "map") continue;
    environments[name] = {
      baseUrl: textOr(goodValue(value, "baseUrl", bad), null),
      apiKeyEnv: textOr(goodValue(value, "apiKeyEnv", bad), "TICKETING_API_KEY"),
      organization: textOr(goodValue(value, "organization", bad), null),
      ...(entryOf(value, "vars") === undefined ? {} : { hasVars: true }),
    };
  }
  return environments;
}

function goodValue(map: LocatedMap | null, key: string, bad: ReadonlySet<Located>): unknown {
  const node = entryOf(map, key);
  return node === undefined || bad.has(node) ? undefined : plain(node);
}

/** The vars of a map, with their places. */
export function varNodes(node: Located | undefined, bad: ReadonlySet<Located>): ReadonlyMap<string, LocatedScalar> {
  const nodes = new Map<string, LocatedScalar>();
  if (node?.type !== "map") return nodes;
  for (const [name, { value }] of node.entries) {
    if (value.type === "scalar" && value.value !== null && !bad.has(value)) nodes.set(name, value);
  }
  return nodes;
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === "string" && value !== "" ? value : other;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function globsOf(value: unknown, byDefault: readonly string[]): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? listOf(value) : byDefault;
}

function sinkOf(value: unknown): SecretSink | null {
  if (typeof value !== "object" || value === null || !("sink" in value)) return null;
  const { sink, path, command } = value as { sink: unknown; path?: unknown; command?: unknown };
  if (sink === "command") return Array.isArray(command) ? { sink, command: listOf(command) } : null;
  return sink === "file" ? { sink, path: textOr(path, ".ticketing/secrets.json") } : null;
}

function stateOf(value: unknown): Settings["state"] {
  const { backend, remote, ref, schema, project } = (value ?? {}) as Readonly<Record<string, unknown>>;
  if (backend === "git")
    return { backend, remote: textOr(remote, "origin"), ...(typeof ref === "string" ? { ref } : {}) };
  if (backend === "postgres")
    return { backend, schema: textOr(schema, "ticketing"), ...(typeof project === "string" ? { project } : {}) };
  // What is wrong with it is said elsewhere; it must not be taken for state in a file.
  if (backend === "http") return httpStateOf(value as Readonly<Record<string, unknown>>);
  if (backend === "s3") return s3StateOf(value as Readonly<Record<string, unknown>>);
  return { backend: backend === "none" ? "none" : "file" };
}

function httpStateOf({ address, ...given }: Readonly<Record<string, unknown>>): HttpState {
  const texts = textsOf(given, ["lockAddress", "lockMethod", "unlockAddress", "unlockMethod"]);
  return { backend: "http", address: textOr(address, ""), ...(texts as Partial<HttpState>) };
}

function s3StateOf({ bucket, pathStyle, ...given }: Readonly<Record<string, unknown>>): S3State {
  return {
    backend: "s3",
    bucket: textOr(bucket, ""),
    ...(textsOf(given, ["prefix", "region", "endpoint"]) as Partial<S3State>),
    ...(typeof pathStyle === "boolean" ? { pathStyle } : {}),
  };
}

function textsOf(
  given: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(names.flatMap((name) => (typeof given[name] === "string" ? [[name, given[name]]] : [])));
}
