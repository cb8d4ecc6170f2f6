// What a schema cannot say about the project file.
import { posix } from "node:path";
import { notAZone } from "../../kinds/lint-rules.ts";
import { type Diagnostic, didYouMean, errorAt, errorOf, type Source } from "../../model/diagnostic.ts";
import { bucketStoreAddress, checkAddress, checkApiPath, stateServerAddress } from "../../model/outside.ts";
import { isTimezone } from "../../model/time.ts";
import { projectFile, type Settings } from "../../model/wish.ts";
import { globExcess, leadsOut, matcherOf } from "../files/globs.ts";
import { entryOf, hasVariable, type Located, type LocatedMap, type LocatedScalar } from "../yaml/located.ts";

export async function checkSettings(
  document: LocatedMap,
  settings: Settings,
  bad: ReadonlySet<Located>,
  problems: Diagnostic[],
): Promise<void> {
  const environments = entryOf(document, "environments");
  if (environments?.type === "map") {
    for (const [name, { key, value }] of environments.entries) {
      if (/^\.{1,2}$/.test(name)) problems.push(errorAt("wrong-value", key, pathName.message, pathName.hint));
      if (value.type === "map") checkEnvironment(name, key, value, bad, problems);
    }
  }
  checkDefaultEnvironment(document, environments, problems);
  checkZone(entryOf(entryOf(document, "defaults"), "timezone"), bad, problems);
  for (const key of ["events", "templates", "webhooks"]) checkGlobs(entryOf(document, key), problems);
  checkSink(entryOf(document, "secrets"), bad, problems);
  await checkState(entryOf(document, "state"), bad, problems);
  checkWatched(entryOf(entryOf(document, "secrets"), "path"), settings, bad, problems);
}

/** Of the defaults: lint checks it only where an event inherits it. */
function checkZone(node: Located | undefined, bad: ReadonlySet<Located>, problems: Diagnostic[]): void {
  if (node?.type !== "scalar" || bad.has(node) || hasVariable(node)) return;
  const { value, source } = node;
  if (typeof value === "string" && !isTimezone(value))
    problems.push({ code: "unknown-timezone", severity: "error", source, ...notAZone(value) });
}

const pathName = {
  message: "An environment cannot be called `.` or `..`: in a URL or a path they have a different meaning.",
  hint: "Give it a name, such as production.",
};

function checkEnvironment(
  name: string,
  key: Source,
  map: LocatedMap,
  bad: ReadonlySet<Located>,
  problems: Diagnostic[],
): void {
  const baseUrl = entryOf(map, "baseUrl");
  if (name === "sandbox") {
    if (baseUrl === undefined) return;
    const message = "The environment `sandbox` is the embedded service, which has no URL.";
    const hint = "Give this environment a different name, such as `staging`.";
    problems.push(errorAt("sandbox-is-embedded", baseUrl.source, message, hint));
    return;
  }
  if (baseUrl === undefined) {
    const hint = "Add the URL of the service: `baseUrl: https://…/open-api/v1`.";
    problems.push(errorAt("missing-field", key, `\`baseUrl\` is missing in the environment "${name}".`, hint));
    return;
  }
  const url = checkUrl(baseUrl, "bad-base-url", undefined, bad, problems);
  const other = url === null ? null : checkApiPath(url.href);
  if (other !== null) problems.push({ code: "bad-base-url", severity: "warning", source: baseUrl.source, ...other });
}

/** Returns the URL, if credentials may be sent there. */
function checkUrl(
  address: Located | undefined,
  code: "bad-base-url" | "bad-state-address",
  use: typeof stateServerAddress | undefined,
  bad: ReadonlySet<Located>,
  problems: Diagnostic[],
): URL | null {
  if (!isText(address) || bad.has(address)) return null;
  const problem = checkAddress(String(address.value), use);
  if (problem === null) return new URL(String(address.value));
  // A password in it is reported as a secret.
  const isReported = problems.some((other) => other.code === "secret-in-file" && other.source === address.source);
  if (!isReported) problems.push(errorAt(code, address.source, problem.message, problem.hint));
  return null;
}

function checkDefaultEnvironment(
  document: LocatedMap,
  environments: Located | undefined,
  problems: Diagnostic[],
): void {
  const node = entryOf(document, "defaultEnvironment");
  if (!isText(node)) return;
  const known = ["sandbox", ...(environments?.type === "map" ? environments.entries.keys() : [])];
  if (known.includes(String(node.value))) return;
  const hint = "Add it under `environments`, with its `baseUrl`, or write `sandbox`, which is always known.";
  problems.push({ ...unknownEnvironment(String(node.value), known, hint), source: node.source });
}

const noneKnown =
  "ticketing.yaml is not in this folder, or names no environment: go to the project's folder, or add the environment under `environments` in ticketing.yaml. Only `sandbox` is always known.";

export function unknownEnvironment(name: string, known: Iterable<string>, ifNone = noneKnown): Diagnostic {
  const names = [...new Set(known)];
  const hint =
    names.length > 1
      ? `Known environments: ${names.join(", ")}. Add others to \`environments\` in ticketing.yaml.`
      : ifNone;
  return errorOf(
    "unknown-environment",
    name.trim() === "" ? "The name of the environment is empty." : `There is no environment "${name}".`,
    didYouMean(name, names, hint),
  );
}

function checkGlobs(node: Located | undefined, problems: Diagnostic[]): void {
  for (const item of node?.type === "list" ? node.items : [node]) {
    if (!isText(item)) continue;
    const glob = String(item.value);
    const excess = leadsOut(glob) ? null : globExcess(glob);
    if (leadsOut(glob)) problems.push(pathOutside(item));
    if (excess !== null) problems.push(errorAt("too-complex", item.source, excess.message, excess.hint));
  }
}

function checkSink(node: Located | undefined, bad: ReadonlySet<Located>, problems: Diagnostic[]): void {
  const sink = entryOf(node, "sink");
  if (node === undefined || !isText(sink) || bad.has(sink)) return;
  const path = entryOf(node, "path");
  if (isText(path) && leadsOut(String(path.value))) problems.push(pathOutside(path));
  const [needed, other] = sink.value === "command" ? (["command", "path"] as const) : (["path", "command"] as const);
  const stray = entryOf(node, other);
  if (stray !== undefined) {
    const message = `\`sink: ${String(sink.value)}\` does not use \`${other}\`.`;
    problems.push(errorAt("wrong-value", stray.source, message, "Remove this field."));
  }
  if (needed !== "command") return;
  const command = entryOf(node, "command");
  if (command === undefined) {
    const hint = 'Add one, for example `command: [gh, secret, set, "{secretName}"]`.';
    problems.push(errorAt("missing-field", sink.source, "`sink: command` needs a `command`.", hint));
  }
  for (const part of command?.type === "list" ? command.items : []) {
    // One name for all secrets: each would be stored over the one before. A shell's `${NAME}` and `{ …; }` are its own.
    const unknown =
      isText(part) && /(?<!\$)\{(?!(?:secretName|environment)\})[A-Za-z_][\w.-]*\}/.exec(String(part.value))?.[0];
    if (!unknown) continue;
    const hint = "Use `{secretName}` (the webhook's `secretName`) or `{environment}` (the environment's name).";
    problems.push(errorAt("wrong-value", part.source, `Unknown placeholder \`${unknown}\` in \`command\`.`, hint));
  }
}

async function checkState(node: Located | undefined, bad: ReadonlySet<Located>, problems: Diagnostic[]): Promise<void> {
  const backend = entryOf(node, "backend");
  if (node?.type !== "map" || !isText(backend) || bad.has(backend)) return;
  // It was loaded to check the file; commands without one do without it.
  const { backendSettings } = await import("../project-schema.ts");
  for (const [name, { key }] of node.entries) {
    const [owner] = Object.entries(backendSettings).find(([, settings]) => Object.hasOwn(settings, name)) ?? [];
    if (owner === undefined || owner === backend.value) continue;
    const message = `\`${name}\` belongs to \`backend: ${owner}\`, but this is \`backend: ${backend.value}\`.`;
    problems.push(errorAt("wrong-value", key, message, `Remove it, or write \`backend: ${owner}\`.`));
  }
  if (backend.value === "s3") checkBucket(node, backend, bad, problems);
  if (backend.value === "http") checkStateServer(node, backend, bad, problems);
}

function checkBucket(node: Located, backend: Located, bad: ReadonlySet<Located>, problems: Diagnostic[]): void {
  const hint = "Add one, for example `bucket: acme-tickets`.";
  if (entryOf(node, "bucket") === undefined)
    problems.push(errorAt("missing-field", backend.source, "`backend: s3` needs a `bucket`.", hint));
  checkUrl(entryOf(node, "endpoint"), "bad-state-address", bucketStoreAddress, bad, problems);
}

function checkStateServer(node: Located, backend: Located, bad: ReadonlySet<Located>, problems: Diagnostic[]): void {
  const hint = `Add one, for example ${stateServerAddress.example}.`;
  if (entryOf(node, "address") === undefined)
    problems.push(errorAt("missing-field", backend.source, "`backend: http` needs an `address`.", hint));
  let origin: string | null = null;
  for (const name of ["address", "lockAddress", "unlockAddress"]) {
    const address = entryOf(node, name);
    const host = checkUrl(address, "bad-state-address", stateServerAddress, bad, problems)?.origin ?? null;
    origin ??= host;
    if (!isText(address)) continue;
    const stray = /\{(?!environment\})[^{}]*\}/.exec(String(address.value))?.[0];
    if (stray !== undefined) {
      const message = `Unknown placeholder \`${stray}\` in \`${name}\`.`;
      const hint = "Did you mean `{environment}`, the name of the environment?";
      problems.push(errorAt("bad-state-address", address.source, message, hint));
    }
    if (host !== null && host !== origin) {
      const message = `\`${name}\` is on a different host than \`address\`.`;
      const hint = "Use the host of `address` in both: credentials are sent to one host only.";
      problems.push(errorAt("bad-state-address", address.source, message, hint));
    }
  }
}

/** A file of secrets that is read as an event or webhook would be shown in plans and errors. */
function checkWatched(
  path: Located | undefined,
  { events, templates, webhooks, secrets }: Settings,
  bad: ReadonlySet<Located>,
  problems: Diagnostic[],
): void {
  if (!isText(path) || bad.has(path)) return;
  const file = posix.normalize(String(path.value).replaceAll("\\", "/"));
  if (secrets?.sink !== "file" || !matcherOf([projectFile, ...events, ...templates, ...webhooks])(file)) return;
  const message = `\`${String(path.value)}\` would contain secrets, but is read as a file of events, templates or webhooks.`;
  const hint = "Use `.ticketing/secrets.json`, or a path that none of `events`, `templates` and `webhooks` matches.";
  problems.push(errorAt("secrets-exposed", path.source, message, hint));
}

function pathOutside({ source, value }: LocatedScalar): Diagnostic {
  const hint = "Write a path relative to ticketing.yaml, without `..`.";
  return errorAt("outside-project", source, `"${String(value)}" is outside the project.`, hint);
}

function isText(node: Located | undefined): node is LocatedScalar {
  return node?.type === "scalar" && typeof node.value === "string";
}
