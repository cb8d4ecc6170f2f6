import type { Address } from "../../model/address.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import type { Project, Upcoming, Wish } from "../../model/wish.ts";
import { type FileSource, readText } from "../files/read-text.ts";
import { makeEventKeys } from "./event-keys.ts";
import { type LoadedFile, loadEventFile } from "./load-event-file.ts";
import type { EventInputs } from "./read-event.ts";

/** Variables must not make a project larger than this, in characters, however many files it has. */
const maximumFilled = 64 * 1024 * 1024;

export interface LoadedFiles extends Pick<Project, "ended" | "upcoming" | "changesWithTime"> {
  /** In the order of the files, and of the documents within them. */
  readonly events: readonly Wish[];
  /** Names of the templates that they extend. */
  readonly templates: ReadonlySet<string>;
}

/** `unchanged`: what files held when they were last read with the same shared inputs; what is read now is added to it. */
export async function loadEventFiles(
  files: FileSource,
  names: readonly string[],
  shared: EventInputs,
  problems: Diagnostic[],
  unchanged: Map<string, LoadedFile> = new Map(),
): Promise<LoadedFiles> {
  const keys = makeEventKeys();
  const templates = new Set<string>();
  const events: Wish[] = [];
  const ended: Address[] = [];
  const upcoming: Upcoming[] = [];
  let changesWithTime = false;
  let filled = 0;

  async function readEventFile(file: string): Promise<LoadedFile | null> {
    const text = await readText(files, file, problems);
    return text === null ? null : loadEventFile(file, text, shared, keys.counts, files);
  }

  // The addresses of events whose key another file has too depend on that file.
  const isAlone = ({ wishes }: LoadedFile) => !wishes.some(({ own }) => keys.counts.has(own.key ?? ""));
  await files.prepare?.(names.filter((file) => !unchanged.has(file)));
  for (const file of names) {
    const known = unchanged.get(file);
    const loaded = known !== undefined && isAlone(known) ? known : await readEventFile(file);
    if (loaded === null) continue;
    if (isAlone(loaded)) unchanged.set(file, loaded);
    for (const problem of loaded.problems) problems.push(problem);
    for (const wish of loaded.wishes) {
      keys.add(wish, problems);
      events.push(wish);
    }
    // One by one: as arguments of one call, 100,000 would overflow the stack.
    for (const address of loaded.ended) ended.push(address);
    for (const one of loaded.upcoming) upcoming.push(one);
    if (loaded.changesWithTime) changesWithTime = true;
    for (const name of loaded.templates) templates.add(name);
    filled += loaded.filled;
    if (filled > maximumFilled) {
      problems.push(tooMuchFilled(file));
      break;
    }
  }
  upcoming.sort((one, other) => Date.parse(one.at) - Date.parse(other.at));
  return { events, templates, ended, upcoming, changesWithTime };
}

function tooMuchFilled(file: string): Diagnostic {
  const message = "The variables up to this file fill in too much: they can add at most 64 MiB to all files.";
  return errorAt("too-long", { file, line: 1, column: 1 }, message, "Use shorter texts, or fewer variables.");
}
