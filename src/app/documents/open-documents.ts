// The documents of a project, read without its service.
import { diskFiles, type FileSource } from "../../config/files.ts";
import { keyOfFile, type LoadedSettings, loadProject, loadSettings } from "../../config/project.ts";
import { readMoment } from "../../config/time.ts";
import { dateOf, keyInAddress, nearestDate } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed, sortDiagnostics, suggest } from "../../model/diagnostic.ts";
import { formatCount, listSome } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import type { OfflineTarget } from "../../report/diagnostics.ts";
import { chooseTarget } from "../session/target.ts";
import { choiceProblems, firstEnvironment, targetOf } from "../session/validate-project.ts";
import type { World } from "../world.ts";

export interface DocumentOptions {
  readonly directory: string;
  readonly env?: string;
  readonly baseUrl?: string;
  /** The time as of which they are read, as it is typed; now, if left out. */
  readonly at?: string;
  /** Its key, its address or its file. */
  readonly event: string;
}

interface Documents extends Omit<Project, "files"> {
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
  readonly target: OfflineTarget;
}

/** `only`: these event files alone, whether or not the project's globs match them. */
export async function openDocuments(
  world: World,
  options: Omit<DocumentOptions, "event">,
  only?: readonly string[],
): Promise<Fallible<Documents>> {
  const files = diskFiles(options.directory);
  const all = await loadSettings(files);
  const loaded = only === undefined ? all : { ...all, settings: { ...all.settings, events: only.map(literally) } };
  const chosen = chooseTarget(world, options, loaded.settings);
  const refused = choiceProblems(chosen, loaded.diagnostics);
  if (refused.length > 0) return failed(...refused);
  const environment = chosen.ok ? chosen.environment : { name: options.env ?? firstEnvironment(loaded.settings) };
  const moment = options.at === undefined ? null : await readMoment(options.at, loaded.settings);
  if (moment?.ok === false) return moment;
  const now = moment?.instant ?? world.now();
  const project = await loadProject(files, { environment, env: world.env, now, loaded });
  return { ok: true, ...project, files, loaded, target: targetOf(chosen, environment.name) };
}

/** A glob that matches this file and no other. */
function literally(file: string): string {
  return file.replace(/[\\*?[\]{}()!]/g, "\\$&");
}

/** `takesAny`: of the dates of a series, any will do. */
export function findDocument(
  { events, ended, unread, diagnostics, loaded }: Documents,
  word: string,
  takesAny = false,
): Fallible<{ readonly wish: Wish }> {
  const wanted = word
    .normalize("NFC")
    .trim()
    .replace(/^events\//, "");
  const byKey = events.filter((wish) => keyOfWish(wish) === wanted || keyOfWish(wish).startsWith(`${wanted}@`));
  const path = word.replace(/^\.\//, "");
  const found = byKey.length > 0 ? byKey : events.filter(({ source }) => source.file === path);
  const [wish] = found;
  const isSeries = new Set(found.map(({ address }) => dateOf(address)?.series ?? address)).size === 1;
  if (wish !== undefined && (found.length === 1 || (takesAny && isSeries))) return { ok: true, wish };
  if (wish !== undefined) return failed(whichOne(word, found, isSeries));
  const series = wanted.replace(/@.*$/, "");
  const own = unread.find(({ file }) => file === path || keyOfFile(file) === series);
  const reasons = diagnostics.filter(
    ({ severity, source }) =>
      severity === "error" && (source?.file === own?.file || own?.uses.includes(source?.file ?? "")),
  );
  if (own !== undefined && reasons.length > 0) return failed(...sortDiagnostics(reasons));
  // A series by its name: its dates are alike, and one of them says little.
  const keys = [...new Set(events.map(keyOfSeries))];
  const date = nearestDate(
    `events/${wanted}`,
    events.map(({ address }) => address),
  );
  const named = events.filter(({ name }) => name.toLowerCase() === word.trim().toLowerCase());
  const near = date === null ? suggest(series, keys) : keyInAddress(date);
  const some = listSome(keys, 10);
  const hint =
    near === null
      ? keys.length === 0
        ? unread.length === 0
          ? ended.length === 0
            ? "There are no event files in this folder: go to the project's folder, or name it with `-C`."
            : "Every date in the files is over and no longer managed."
          : "None of the event files can be read: `ticketing validate` says why."
        : `Known events: ${some}.`
      : `Did you mean "${near}"?`;
  // A problem in ticketing.yaml may be why no file was found.
  const errors = loaded.diagnostics.filter(({ severity }) => severity === "error");
  const unknown = errorOf("unknown-event", `There is no event "${word}" in the files.`, hint);
  return failed(...errors, named.length === 0 ? unknown : keyNeeded(word, named));
}

function keyNeeded(word: string, named: readonly Wish[]): Diagnostic {
  const whose =
    named.length === 1 ? "an event, and its key" : `${formatCount(named.length)} events, and the key of one`;
  const hint = `Use ${named.length === 1 ? "its key" : "one of these keys"}: ${listSome(named.map(keyOfWish), 3)}.`;
  return errorOf("unknown-event", `"${word}" is the name of ${whose} is needed here.`, hint);
}

export function whichOne(word: string, found: readonly Wish[], isSeries: boolean): Diagnostic {
  const what = isSeries
    ? `is a series of ${formatCount(found.length)} dates`
    : `contains ${formatCount(found.length)} events`;
  const hint = `Name one of them: ${listSome(found.map(keyOfWish), 3)}.`;
  return errorOf("ambiguous-event", `${word} ${what}.`, hint);
}

export function keyOfWish(wish: Wish): string {
  return wish.own.key ?? wish.name;
}

/** The key of the series that an event is a date of, else its own. */
export function keyOfSeries(wish: Wish): string {
  return keyOfWish(wish).replace(/@\d{4}-\d\d-\d\d$/, "");
}
