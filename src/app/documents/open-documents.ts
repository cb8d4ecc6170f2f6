// The documents of a project, read without its service.
import { chooseEnvironment, sandboxName } from "../../config/environment.ts";
import { diskFiles, type FileSource } from "../../config/files.ts";
import { type LoadedSettings, loadProject, loadSettings } from "../../config/project.ts";
import { errorOf, type Fallible, failed, suggest } from "../../model/diagnostic.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { readMoment } from "../session/read-moment.ts";
import type { World } from "../world.ts";

export interface DocumentOptions {
  readonly directory: string;
  readonly env?: string;
  /** The time as of which they are read, as it is typed; now, if left out. */
  readonly at?: string;
  /** Its key, its address or its file. */
  readonly event: string;
}

interface Documents extends Omit<Project, "files"> {
  readonly files: FileSource;
  readonly loaded: LoadedSettings;
}

export async function openDocuments(
  world: World,
  options: Omit<DocumentOptions, "event">,
): Promise<Fallible<Documents>> {
  const files = diskFiles(options.directory);
  const loaded = await loadSettings(files);
  const chosen = chooseEnvironment(loaded.settings, { flagEnv: options.env, env: world.env });
  const environment = chosen.ok ? chosen.environment : { name: options.env ?? sandboxName };
  const moment = options.at === undefined ? null : await readMoment(options.at, loaded.settings);
  if (moment?.ok === false) return moment;
  const now = moment?.instant ?? world.now();
  const project = await loadProject(files, { environment, env: world.env, now, loaded });
  return { ok: true, ...project, files, loaded };
}

export function findDocument(events: readonly Wish[], word: string): Fallible<{ readonly wish: Wish }> {
  const wanted = word
    .normalize("NFC")
    .trim()
    .replace(/^events\//, "");
  const byKey = events.filter((wish) => keyOf(wish) === wanted || keyOf(wish).startsWith(`${wanted}@`));
  const [wish] = byKey.length > 0 ? byKey : events.filter(({ source }) => source.file === word.replace(/^\.\//, ""));
  if (wish !== undefined) return { ok: true, wish };
  const keys = [...new Set(events.map(keyOf))];
  const near = suggest(wanted, keys);
  const some = `${keys.slice(0, 10).join(", ")}${keys.length > 10 ? ` and ${keys.length - 10} more` : ""}`;
  const hint =
    near === null
      ? keys.length === 0
        ? "The project has no events; check -C."
        : `It is one of ${some}.`
      : `Did you mean '${near}'?`;
  return failed(errorOf("unknown-event", `There is no event '${word}' in the files.`, hint));
}

export function keyOf(wish: Wish): string {
  return wish.own.key ?? wish.name;
}
