// ticketing preview, without a server: the events of a project as buyers will see them, now or at a time to come, as its files change.
import { diskFiles, type FileSource } from "../../config/files.ts";
import { type LoadedFile, loadProject, startReading } from "../../config/project.ts";
import { readMoment } from "../../config/time.ts";
import { type Diagnostic, type Fallible, failed, hasErrors, sortDiagnostics } from "../../model/diagnostic.ts";
import type { EventCard } from "../../model/live.ts";
import { groupBy } from "../../model/value.ts";
import type { Project, Upcoming, Wish } from "../../model/wish.ts";
import { cardOfWish } from "../../plan/compare.ts";
import type { OfflineTarget } from "../../report/diagnostics.ts";
import type { PreviewMoment, PreviewView } from "../../report/plan.ts";
import { noSuchFolder } from "../session/report-problems.ts";
import { type CheckedProject, checkProject, targetOf } from "../session/validate-project.ts";
import type { CommonOptions, World } from "../world.ts";

export interface PreviewOptions extends Pick<CommonOptions, "directory" | "env" | "baseUrl"> {
  /** The time that is shown unless a page asks for another. */
  readonly at?: string;
}

export interface ProjectPreview {
  readonly target: OfflineTarget;
  /** Problems of the current files, in order of place; remarks are left out. */
  problems(): readonly Diagnostic[];
  /** What buyers see at a time, as typed; null: at the time that the command was given, or now. */
  viewAt(at: string | null): Promise<Fallible<{ readonly view: PreviewView }>>;
  /** Reads the files that have changed; without any, only time has passed. Returns the phases that have begun. */
  reload(changed: readonly string[]): Promise<readonly string[]>;
  /** When the view changes next, even if no file does. */
  nextChange(): number;
}

/** The files in one version, and what that version says as of some instants. */
interface ProjectVersion {
  readonly files: RememberedFiles;
  /** The present for which the files were read. */
  readonly asOf: number;
  readonly checked: CheckedProject;
  readonly readings: Map<number, PreviewReading>;
}

interface PreviewReading {
  /** null: not read since a file has changed. Several pages may wait for one reading. */
  readonly project: Promise<Project> | null;
  /** The content of each event file: unchanged ones need not be read again. */
  readonly eventFiles: Map<string, LoadedFile>;
}

/** A slider may stop at very many instants: only this many are stored. */
const readingsKept = 6;

/** The present is read again this often, even if nothing is to come. */
const longestMs = 3_600_000;

export async function openPreview(
  world: World,
  options: PreviewOptions,
): Promise<Fallible<{ readonly preview: ProjectPreview }>> {
  const missing = noSuchFolder(world, options.directory);
  if (missing !== null) return failed(missing);
  let current = await readVersion(world, options, null, []);
  const { loaded, project, found, choice, chosen, environment } = current.checked;
  if (choice.length > 0) return failed(...choice);
  // Nothing of a project is here: most likely it is the wrong folder.
  if (!loaded.found && project.files === 0) return failed(...found);
  const typed = options.at === undefined ? null : await readMoment(options.at, loaded.settings);
  if (typed?.ok === false) return typed;
  // Shown while people correct a mistake.
  let lastGood = hasErrors(found) ? null : current;

  return {
    ok: true,
    preview: {
      target: targetOf(chosen, environment.name),
      problems: () => problemsOf(current),
      async viewAt(at) {
        const version = lastGood ?? current;
        const asked = at === null || at === "now" ? null : await readMoment(at, version.checked.project.settings);
        if (asked?.ok === false) return asked;
        const instant = asked?.instant ?? (at === null ? typed?.instant : null) ?? version.asOf;
        const shown = await projectAt(world, version, instant);
        const { codeEntry: explain } = await import("../../report/reference.ts");
        const state = { problems: problemsOf(current), isBehind: version !== current, explain };
        return { ok: true, view: { ...viewOf(version, shown, instant), ...state } };
      },
      async reload(changed) {
        const { project: before } = current.checked;
        current = await readVersion(world, options, current, changed);
        if (!hasErrors(current.checked.found)) lastGood = current;
        const come = previewMoments(before.upcoming, before).filter(({ at }) => at <= current.asOf);
        return come.flatMap(({ phases }) => phases);
      },
      nextChange() {
        const [next] = current.checked.project.upcoming;
        return Math.min(current.asOf + longestMs, next === undefined ? Number.POSITIVE_INFINITY : Date.parse(next.at));
      },
    },
  };
}

function problemsOf({ checked }: ProjectVersion): readonly Diagnostic[] {
  return sortDiagnostics([...checked.choice, ...checked.found]).filter(({ severity }) => severity !== "info");
}

async function readVersion(
  world: World,
  options: PreviewOptions,
  before: ProjectVersion | null,
  changed: readonly string[],
): Promise<ProjectVersion> {
  const files = rememberFiles(options.directory, before?.files, changed);
  const asOf = before === null || changed.length === 0 ? world.now() : before.asOf;
  const known = before?.readings.get(asOf)?.eventFiles;
  // Neither what all events share nor the time has changed.
  const onlyEvents = known !== undefined && changed.every((file) => known.has(file));
  const gone = new Set(changed);
  const readings = new Map(
    [...(onlyEvents ? (before?.readings ?? []) : [])].map(([instant, { eventFiles }]): [number, PreviewReading] => {
      return [instant, { project: null, eventFiles: new Map([...eventFiles].filter(([file]) => !gone.has(file))) }];
    }),
  );
  const eventFiles = readings.get(asOf)?.eventFiles ?? new Map();
  const checked = await checkProject(world, files, options, {
    now: asOf,
    reading: startReading(files, asOf, eventFiles),
  });
  readings.set(asOf, { project: Promise.resolve(checked.project), eventFiles });
  return { files, asOf, checked, readings };
}

function projectAt(world: World, version: ProjectVersion, instant: number): Promise<Project> {
  const { files, asOf, checked, readings } = version;
  const { project: known = null, eventFiles = new Map() } = readings.get(instant) ?? {};
  if (known !== null) return known;
  const { environment, loaded } = checked;
  const reading = startReading(files, instant, eventFiles);
  const project = loadProject(files, { environment, env: world.env, now: instant, loaded, reading });
  readings.delete(instant);
  readings.set(instant, { project, eventFiles });
  const oldest = [...readings.keys()].filter((one) => one !== asOf);
  for (const one of oldest.slice(0, -readingsKept)) readings.delete(one);
  return project;
}

type FileContents = Awaited<ReturnType<FileSource["read"]>>;

interface RememberedFiles extends FileSource {
  readonly contents: ReadonlyMap<string, FileContents>;
}

/** Files as they were when they were first read: a version can be read for another instant after they have changed on the disk. */
function rememberFiles(
  directory: string,
  before: RememberedFiles | undefined,
  changed: readonly string[],
): RememberedFiles {
  const disk = diskFiles(directory);
  const contents = new Map(before?.contents);
  for (const file of changed) contents.delete(file);
  const listings = new Map<string, ReturnType<FileSource["list"]>>();
  return {
    contents,
    list(globs) {
      const key = globs.join("\n");
      const listing = listings.get(key) ?? disk.list(globs);
      listings.set(key, listing);
      return listing;
    },
    async read(path) {
      const content = contents.get(path) ?? (await disk.read(path));
      contents.set(path, content);
      return content;
    },
  };
}

/** A wish of a file that has not changed is the same object. */
const cards = new WeakMap<Wish, EventCard>();

function cardOf(wish: Wish): EventCard {
  const card = cards.get(wish) ?? cardOfWish(wish);
  cards.set(wish, card);
  return card;
}

function viewOf({ asOf, checked }: ProjectVersion, shown: Project, instant: number) {
  const { settings, upcoming } = checked.project;
  const visible = shown.events.filter(({ own }) => own.status !== "DELETED");
  return {
    organization: settings.organization,
    timezone: settings.timezone,
    asOf,
    instant,
    moments: previewMoments(upcoming, checked.project),
    events: visible.map((wish) => ({ address: wish.address, series: wish.own.series?.of ?? null, card: cardOf(wish) })),
    deleted: shown.events.flatMap(({ address, own }) => (own.status === "DELETED" ? [address] : [])),
  };
}

/** What comes at one instant, together. */
function previewMoments(upcoming: readonly Upcoming[], { events, settings }: Project): readonly PreviewMoment[] {
  const byAddress = new Map(events.map((wish) => [wish.address, wish]));
  const byInstant = groupBy(upcoming, ({ at }) => String(Date.parse(at)));
  return [...byInstant.values()].map((all): PreviewMoment => {
    const zones = all.map(({ address }) => byAddress.get(address)?.own.timezone ?? settings.timezone);
    return {
      at: Date.parse(all[0]?.at ?? ""),
      timezone: zones[0] ?? settings.timezone,
      phases: [...new Set(all.map(({ phase, type }) => `${phase ?? "Phase"}${type === "phase" ? "" : " ends"}`))],
      events: [...new Set(all.map(({ address }) => address))],
    };
  });
}
