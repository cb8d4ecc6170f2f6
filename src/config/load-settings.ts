import type { Diagnostic } from "../model/diagnostic.ts";
import type { EnvironmentSettings, SecretSink, Settings } from "../model/settings.ts";
import { check } from "./check.ts";
import { checkSettings } from "./check-settings.ts";
import type { FileSource } from "./file-source.ts";
import { findSecrets } from "./find-secrets.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar, plain } from "./located.ts";

import { withoutBad } from "./merge-defaults.ts";
import { textOf } from "./read-text.ts";
import { readYaml } from "./read-yaml.ts";
import { schemaAt } from "./schema-walk.ts";

export const projectFile = "ticketing.yaml";

// Read as anything else it would be as if the project had no settings, and nobody would know.
const otherName = "ticketing.yml";
const wrongName: Diagnostic = {
  code: "wrong-file-name",
  severity: "error",
  message: `The project file is called ${projectFile}, and ${otherName} is not read.`,
  hint: `Rename it to ${projectFile}.`,
  source: { file: otherName, line: 1, column: 1 },
};

/** Values of the project file that become part of other values, with their places. */
export interface WrittenSettings {
  /** The file's document; null where there is none. */
  readonly document: LocatedMap | null;
  readonly bad: ReadonlySet<Located>;
  /** `defaults` without what does not fit: that is told here, and not again at every event. */
  readonly defaults: LocatedMap | null;
}

export interface LoadedSettings {
  readonly settings: Settings;
  readonly diagnostics: readonly Diagnostic[];
  /** Whether there is a project file: without one the defaults hold. */
  readonly found: boolean;
  readonly written: WrittenSettings;
}

export const defaultGlobs = { events: ["events/**/*.{yaml,yml}"], webhooks: ["webhooks.{yaml,yml}"] } as const;

/** Reads ticketing.yaml. What is wrong in it is told, and its default holds in its place. */
export async function loadSettings(files: FileSource): Promise<LoadedSettings> {
  const problems: Diagnostic[] = [];
  const { document, found } = await readDocument(files, problems);
  let bad: ReadonlySet<Located> = new Set();
  let defaults: LocatedMap | null = null;
  if (document !== null) {
    const told = findSecrets(document, problems);
    const found: Diagnostic[] = [];
    const { projectSchema } = await import("./project-schema.ts");
    bad = check(document, { schema: projectSchema, describe: () => ({ owner: null }) }, found);
    defaults = defaultsOf(document, bad, (path) => schemaAt(projectSchema, ["defaults", ...path]) !== undefined);
    problems.push(
      ...found.filter(({ code, source }) => code !== "unknown-key" || source === undefined || !told.has(source)),
    );
    checkSettings(document, bad, problems);
  }
  return { settings: settingsOf(document, bad), diagnostics: problems, found, written: { document, bad, defaults } };
}

function defaultsOf(
  document: LocatedMap,
  bad: ReadonlySet<Located>,
  known: (path: readonly string[]) => boolean,
): LocatedMap | null {
  const node = entryOf(document, "defaults");
  return node?.type === "map" ? withoutBad(node, bad, known) : null;
}

async function readDocument(
  files: FileSource,
  problems: Diagnostic[],
): Promise<{ readonly document: LocatedMap | null; readonly found: boolean }> {
  const bytes = await files.read(projectFile);
  if (bytes === "missing") {
    if ((await files.read(otherName)) !== "missing") problems.push(wrongName);
    return { document: null, found: false };
  }
  const text = textOf(projectFile, bytes, problems);
  if (text === null) return { document: null, found: true };
  const documents = await readYaml(projectFile, text, problems);
  const [first, second] = documents;
  if (second !== undefined) {
    problems.push(
      problem("The project file holds more than one document.", "Keep one: remove the `---` line.", second),
    );
  }
  // A file of nothing but comments is a file with all defaults.
  if (first === undefined || first.content === null) return { document: null, found: true };
  if (first.content.type !== "map") {
    problems.push(problem("The project file is not a map of settings.", "Begin it with `version: 1`.", first));
    return { document: null, found: true };
  }
  return { document: first.content, found: true };
}

function problem(message: string, hint: string, { source }: Pick<Located, "source">): Diagnostic {
  return { code: "wrong-type", severity: "error", message, hint, source };
}

function settingsOf(document: LocatedMap | null, bad: ReadonlySet<Located>): Settings {
  function read(key: string): unknown {
    const node = entryOf(document ?? undefined, key);
    return node === undefined || bad.has(node) ? undefined : plain(node);
  }
  const environments = document === null ? undefined : entryOf(document, "environments");
  return {
    version: 1,
    organization: textOr(read("organization"), null),
    events: globsOf(read("events"), defaultGlobs.events),
    webhooks: globsOf(read("webhooks"), defaultGlobs.webhooks),
    defaultEnvironment: textOr(read("defaultEnvironment"), null),
    environments: environmentsOf(environments, bad),
    vars: varsOf(entryOf(document ?? undefined, "vars"), bad),
    allow: listOf(read("allow")),
    maxDeletes: typeof read("maxDeletes") === "number" ? (read("maxDeletes") as number) : 5,
    secrets: sinkOf(read("secrets")),
    state: stateOf(read("state")),
  };
}

function environmentsOf(node: Located | undefined, bad: ReadonlySet<Located>): Record<string, EnvironmentSettings> {
  const environments: Record<string, EnvironmentSettings> = {};
  if (node?.type !== "map") return environments;
  for (const [name, { value }] of node.entries) {
    if (value.type !== "map") continue;
    environments[name] = {
      baseUrl: textOr(goodText(value, "baseUrl", bad), null),
      apiKeyEnv: textOr(goodText(value, "apiKeyEnv", bad), "TICKETING_API_KEY"),
      organization: textOr(goodText(value, "organization", bad), null),
      vars: varsOf(entryOf(value, "vars"), bad),
    };
  }
  return environments;
}

function goodText(map: LocatedMap, key: string, bad: ReadonlySet<Located>): unknown {
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

function varsOf(node: Located | undefined, bad: ReadonlySet<Located>): Record<string, string | number | boolean> {
  return Object.fromEntries(
    [...varNodes(node, bad)].map(([name, { value }]) => [name, value as string | number | boolean]),
  );
}

function textOr<Other>(value: unknown, other: Other): string | Other {
  return typeof value === "string" && value !== "" ? value : other;
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}

function globsOf(value: unknown, standard: readonly string[]): readonly string[] {
  if (typeof value === "string") return [value];
  return Array.isArray(value) ? listOf(value) : standard;
}

function sinkOf(value: unknown): SecretSink | null {
  if (typeof value !== "object" || value === null || !("sink" in value)) return null;
  const { sink, path, command } = value as { sink: unknown; path?: unknown; command?: unknown };
  if (sink === "command") return Array.isArray(command) ? { sink, command: listOf(command) } : null;
  return sink === "file" ? { sink, path: textOr(path, ".ticketing/secrets.json") } : null;
}

function stateOf(value: unknown): Settings["state"] {
  if (typeof value !== "object" || value === null || !("backend" in value)) return { backend: "file" };
  return value as Settings["state"];
}
