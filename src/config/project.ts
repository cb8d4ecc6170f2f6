// From the files of a project to its wishes. A document walks one way: its text (files/), located values (yaml/), variables and
// defaults filled in (compose/), checked against its kind (check/), decoded into a wish (compose/decode.ts).
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Project, projectFile, type Wish } from "../model/wish.ts";
import { collectEarly } from "../system/processes.ts";
import type { LoadedFile } from "./compose/load-event-files.ts";
import { loadEventFiles } from "./compose/load-event-files.ts";
import { loadWebhookFile } from "./compose/load-webhook-file.ts";
import { loadTemplates, unusedTemplates } from "./compose/templates.ts";
import { resolveVariables, type Variables } from "./compose/variables.ts";
import { type Environment, sandboxName } from "./environment.ts";
import { type FileSource, readText } from "./files/read-text.ts";
import { varNodes } from "./settings/decode-settings.ts";
import { findFiles } from "./settings/find-files.ts";
import { type LoadedSettings, loadSettings } from "./settings/load-settings.ts";
import { entryOf } from "./yaml/located.ts";

export interface LoadOptions {
  /** Only its name matters here: which vars and ids hold. */
  readonly environment: Pick<Environment, "name">;
  /** All environments that this run checks, so that each gives the same message about a variable. */
  readonly checked?: readonly string[] | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Milliseconds since the epoch: dates of a series that are over are no longer managed. */
  readonly now: number;
  /** Lints an event as a phase to come will make it. */
  readonly lintLater?: ((wish: Wish) => readonly Diagnostic[]) | undefined;
  /** Where the project file has been read already. */
  readonly loaded?: LoadedSettings;
  /** Filled with what is read. Event files that it already holds are not read again, so nothing else may have changed. */
  readonly reading?: Reading | undefined;
  /** An earlier reading, of another revision or time: unchanged files are taken from it, and nothing is reported about future phases. */
  readonly like?: Reading | undefined;
  /** Phases that begin or end after it are skipped. By default none, but with `like` all. */
  readonly through?: number | undefined;
}

/** What was read of a project in one environment. */
export interface Reading {
  readonly files: FileSource;
  readonly now: number;
  readonly eventFiles: Map<string, LoadedFile>;
  /** The content of what all event files share: the project file and the templates. */
  shared: string;
}

export function startReading(files: FileSource, now: number, eventFiles: Reading["eventFiles"] = new Map()): Reading {
  return { files, now, eventFiles, shared: "" };
}

/** This many files take tens of megabytes. */
const manyToHold = 4000;

/** Reads all files of the project. Problems are collected, and everything else is still read. */
export async function loadProject(files: FileSource, options: LoadOptions): Promise<Project> {
  const loaded = options.loaded ?? (await loadSettings(files));
  const { settings } = loaded;
  const problems: Diagnostic[] = [...loaded.diagnostics];
  const variables = variablesOf(loaded, options, problems);
  const { eventFiles, webhookFiles, templateFiles, diagnostics } = await findFiles(files, settings);
  problems.push(...diagnostics);
  if (eventFiles.length >= manyToHold) collectEarly();
  await files.prepare?.([...webhookFiles, ...templateFiles]);
  const shared = {
    defaults: loaded.written.defaults,
    templates: await loadTemplates(files, templateFiles, settings.templates, problems),
    now: options.now,
    through: options.through ?? (options.like && options.now),
    quiet: options.like !== undefined,
    lintLater: options.lintLater,
    variables,
    environments: {
      chosen: options.environment.name,
      // The environment that a URL alone stands for has no entry in the file; a project without entries names its environments elsewhere.
      known: Object.keys(settings.environments).some((name) => name !== sandboxName)
        ? [...new Set([...Object.keys(settings.environments), sandboxName, "default"])]
        : null,
    },
  };

  const { reading, like } = options;
  const contents = JSON.stringify(
    [projectFile, ...templateFiles].map((file) => [file, files.contentId?.(file) ?? null]),
  );
  if (reading !== undefined) reading.shared = contents;
  const alike = like?.shared === contents ? sameFiles(like, files, options.now) : undefined;
  for (const [file, one] of (reading && alike) ?? [])
    if (!reading?.eventFiles.has(file)) reading?.eventFiles.set(file, one);
  const known = reading?.eventFiles ?? alike;
  const { events, templates, ...inTime } = await loadEventFiles(files, eventFiles, shared, problems, known);
  // A template whose name is misspelled somewhere only looks unused.
  if (!problems.some(({ code }) => code === "unknown-template"))
    problems.push(...unusedTemplates(shared.templates, templates));
  const webhooks: Wish[] = [];
  const urlCounts = new Map<string, number>();
  for (const file of webhookFiles) {
    const text = await readText(files, file, problems);
    if (text !== null) webhooks.push(...(await loadWebhookFile(file, text, variables, urlCounts, problems)));
  }
  const isReported = loaded.diagnostics.some(({ code }) => code === "outside-project");
  if (eventFiles.length === 0 && !isReported && (webhookFiles.length === 0 || namesEvents(loaded)))
    problems.push(noFiles(loaded));
  return {
    settings,
    events,
    webhooks,
    ...inTime,
    webhooksManaged: webhookFiles.length > 0,
    files: eventFiles.length + webhookFiles.length + templateFiles.length + (loaded.found ? 1 : 0),
    diagnostics: problems,
  };
}

/** The event files that hold the same as they did in another reading. */
function sameFiles(like: Reading, files: FileSource, now: number): Map<string, LoadedFile> {
  const isSame = (file: string): boolean => {
    const id = files.contentId?.(file);
    return id !== undefined && id === like.files.contentId?.(file);
  };
  const isTimely = ({ events }: LoadedFile) =>
    now === like.now || !events.some(({ changesWithTime }) => changesWithTime);
  return new Map([...like.eventFiles].filter(([file, one]) => [file, ...one.sheets].every(isSame) && isTimely(one)));
}

function variablesOf(
  { written }: LoadedSettings,
  { environment, checked = [environment.name], env }: LoadOptions,
  problems: Diagnostic[],
): Variables {
  const { document } = written;
  const environments = entryOf(document, "environments");
  const ownOf = (name: string) => varNodes(entryOf(entryOf(environments, name), "vars"), written.bad);
  const vars = new Map([...varNodes(entryOf(document, "vars"), written.bad), ...ownOf(environment.name)]);
  const setBy = new Map<string, readonly string[]>();
  for (const name of environments?.type === "map" ? environments.entries.keys() : [])
    for (const variable of ownOf(name).keys()) setBy.set(variable, [...(setBy.get(variable) ?? []), name]);
  return resolveVariables(vars, env, { setBy, checked }, problems);
}

/** A project with only webhooks is fine, unless its file says where events are to be found. */
function namesEvents({ written }: LoadedSettings): boolean {
  return entryOf(written.document, "events") !== undefined;
}

export function noFiles({ settings, found, written }: LoadedSettings): Diagnostic {
  const globs = settings.events;
  const place = entryOf(written.document, "events");
  return {
    code: "no-files-matched",
    severity: "warning",
    message: `No event files: ${globs.join(", ")} ${globs.length > 1 ? "match" : "matches"} nothing.`,
    hint: !found
      ? "Go to the project's folder (or name it with -C), or start one with `ticketing init`."
      : place === undefined
        ? "Put an event in events/my-event.yaml, or name your files under `events` in ticketing.yaml."
        : "Put an event in a file that the pattern matches, or change `events` in ticketing.yaml.",
    ...(place === undefined ? {} : { source: place.source }),
  };
}

export { projectFile } from "../model/wish.ts";
export type { LoadedFile } from "./compose/load-event-files.ts";
export { everything, findFiles, listWatched, selectFiles } from "./settings/find-files.ts";
export { allowedBy, type LoadedSettings, loadSettings } from "./settings/load-settings.ts";

export { keyOfFile, keysByLines } from "./yaml/keys-by-lines.ts";
