// Moves state, journal and the log of runs from one store to another. Only a later state of the same lineage overwrites, and what
// is left in the source is marked: no run uses it any more.
import { parseJournal } from "../../apply/journal.ts";
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import type { State } from "../../model/live.ts";
import type { Settings } from "../../model/wish.ts";
import type { MigrationView } from "../../report/lists.ts";
import { beginState, type StateStore } from "../../state/store.ts";
import { newHolder } from "../../system/file-lock.ts";
import { openEnvironmentStore, withLock } from "../session/environment-store.ts";
import { findAgreed, withoutBase } from "../session/guarded-settings.ts";
import { movedAway } from "../session/saved-state.ts";
import type { CommonOptions, World } from "../world.ts";
import { withStore } from "./inspect-state.ts";

type Backend = Exclude<Settings["state"]["backend"], "none">;

export interface MigrateRequest extends CommonOptions {
  readonly to?: Backend;
  /** By default what ticketing.yaml says. */
  readonly from?: Backend;
}

export async function migrateState(world: World, request: MigrateRequest): Promise<Fallible<MigrationView>> {
  const { to, directory } = request;
  return withStore(world, request, async (present, { settings, written }, environment) => {
    if (environment.baseUrl === null) return failed(sandboxStays);
    if (to === undefined) return failed(noBackend);
    const { backend } = settings.state;
    const agreed = await stateBefore(world, directory, to);
    const isSet = backend === to;
    // If the setting was changed first, state is where the default branch says; without one, in files.
    const source = request.from ?? (backend === "none" || isSet ? (agreed?.backend ?? "file") : backend);
    if (source === to) return failed(sameBackend(to));
    const [from, into] = [source, to].map((each) => {
      const state = each === agreed?.backend ? agreed.state : backends[each];
      if (each === backend) return present;
      return state === undefined ? null : openEnvironmentStore(world, directory, state, environment);
    });
    const isKept = source === backend && JSON.stringify(settings.state) !== JSON.stringify(backends[source]);
    if (from == null || into == null) return failed(unsaid(source, to, isKept, from == null));
    try {
      const copied = await copyStore(world, from, into, isSet && request.from === undefined);
      if (!copied.ok) return copied;
      const line = written.document?.entries.get("state")?.key.line ?? null;
      return { ...copied, to, places: { from: from.place, to: into.place }, isSet, line };
    } finally {
      await from.close?.();
      await into.close?.();
    }
  });
}

/** What the default branch says, if that is a different backend. */
async function stateBefore(world: World, directory: string, to: Backend) {
  const { known } = await findAgreed(world, withoutBase(directory));
  for (const { settings } of known) {
    const { backend } = settings.state;
    if (backend !== "none" && backend !== to) return { backend, state: settings.state };
  }
  return null;
}

/** Those that can be used without further settings. */
const backends: Readonly<Partial<Record<Backend, Settings["state"]>>> = {
  git: { backend: "git", remote: "origin" },
  file: { backend: "file" },
  postgres: { backend: "postgres", schema: "ticketing" },
};

const noBackend = errorOf(
  "no-backend",
  "`--to` is missing.",
  "Pass --to git, --to postgres, --to http, --to s3 or --to file.",
);

const settingOf = (backend: Backend) => (backend === "s3" ? "bucket" : "address");

/** `isKept`: the file has settings of the source that nothing else would remember. */
function unsaid(source: Backend, to: Backend, isKept: boolean, isSource: boolean) {
  const backend = isSource ? source : to;
  const copy = (words: string) => `\`ticketing state migrate ${words}\``;
  const before = isSource ? `While \`state:\` has the settings of \`backend: ${source}\`, run` : "Run";
  const after = (from: Backend) =>
    `Set \`state: { backend: ${to}, ${settingOf(to)}: ${to === "s3" ? "NAME" : "URL"} }\` in ticketing.yaml, then run ${copy(`--from ${from} --to ${to}`)}.`;
  const isDirect = isSource ? backends[to] !== undefined : !isKept;
  const direct = isSource ? `${before} ${copy(`--to ${to}`)}.` : after(source);
  const byFile = `\`state:\` has the settings of one backend at a time, so copy by way of a file. ${before} ${copy("--to file")}. ${after("file")}`;
  return errorOf(
    "no-backend",
    `ticketing.yaml has no \`${settingOf(backend)}\` for \`backend: ${backend}\`.`,
    isDirect ? direct : byFile,
  );
}

function sameBackend(to: Backend) {
  const other = to === "git" ? "file" : "git";
  return errorOf(
    "no-backend",
    `\`--to ${to}\` needs a different backend to copy from.`,
    `Name it, such as --from ${other} --to ${to}.`,
  );
}

const sandboxStays = errorOf(
  "sandbox-stays",
  "The state of the embedded sandbox always stays in files, next to its data.",
  "Name another environment with --env.",
);

type Copied = Pick<MigrationView, "objects" | "serial" | "journal" | "unchanged">;

/** The source is marked once the copy is in its place: until the mark is there, it is the one in use, and afterwards the copy is. */
export async function copyStore(
  world: World,
  from: StateStore,
  to: StateStore,
  isGuessed = false,
): Promise<Fallible<Copied>> {
  const command = "state migrate";
  return withLock(world, from, command, async () => {
    const copied = await withLock(world, to, command, () => copy(from, to, isGuessed));
    if (!copied.ok) return copied;
    const { state, before, ...shown } = copied;
    const { user, host } = newHolder(command);
    const moved = { to: to.place, at: new Date(world.now()).toISOString(), by: `${user} on ${host}` };
    const problem = before?.moved === undefined ? await from.save({ ...state, moved }, before) : null;
    return problem === null ? shown : failed(problem);
  });
}

/** What was copied, and how the source has it. */
type CopiedState = Copied & { readonly state: State; readonly before: State | null };

async function copy(from: StateStore, to: StateStore, isGuessed: boolean): Promise<Fallible<CopiedState>> {
  const [source, target] = [await from.load(), await to.load()];
  if (!source.ok) return source;
  if (!target.ok) return target;
  const [lines, present] = [await from.journal.read(), await to.journal.read()];
  if (!lines.ok) return lines;
  if (!present.ok) return present;
  const unverified = source.unverified ?? target.unverified ?? lines.unverified ?? present.unverified;
  if (unverified !== null) return failed(unverified);
  if (source.state === null && lines.text === "") return failed(nothingThere(from, isGuessed));
  const { moved: _, ...state } = source.state ?? beginState(organizationIn(lines.text));
  const why = whyNotMoved([from, to], { ...source, journal: lines.text }, { ...target, journal: present.text });
  if (why !== null) return failed(why);
  const isSame = JSON.stringify(state) === JSON.stringify(target.state);
  if (!isSame) {
    const problem = await to.save(state, target.state);
    if (problem !== null) return failed(problem);
  }
  const problem = lines.text === present.text ? null : await to.journal.replace(lines.text);
  if (problem !== null) return failed(problem);
  const [before, logged] = [await from.log?.read(), await to.log?.read()];
  if (before?.ok === false) return before;
  if (logged?.ok === false) return logged;
  const isLogged = new Set(logged?.records.map(({ run }) => run));
  const unlogged = (before?.records ?? []).filter(({ run }) => !isLogged.has(run));
  if (unlogged.length > 0) to.log?.add(unlogged);
  return {
    ok: true,
    state,
    before: source.state,
    objects: Object.keys(state.objects).length,
    serial: state.serial,
    journal: lines.text !== "",
    unchanged: isSame && lines.text === present.text,
  };
}

function organizationIn(journal: string) {
  return parseJournal(journal).entries.find((entry) => entry.type === "run")?.organization ?? null;
}

interface KeptState {
  readonly state: State | null;
  readonly journal: string;
}

function whyNotMoved(
  [from, to]: readonly [StateStore, StateStore],
  source: KeptState,
  target: KeptState,
): Diagnostic | null {
  if (target.state !== null && target.state.lineage !== source.state?.lineage) {
    return errorOf(
      "state-of-another-lineage",
      `There is already a state in ${to.place} that is not a copy of this one: nothing was overwritten.`,
      "Find out which of the two is right. To replace the other one, make a copy of it with `ticketing state pull`, then delete it: `ticketing explain state-of-another-lineage` says how for each backend.",
    );
  }
  if ((target.state?.serial ?? 0) > (source.state?.serial ?? 0)) {
    return errorOf(
      "state-is-newer",
      `The state in ${to.place} is newer (serial ${target.state?.serial}, here ${source.state?.serial ?? 0}): nothing was overwritten.`,
      "It was used more recently: set `state:` in ticketing.yaml to that backend and continue with it.",
    );
  }
  // A repeated command finds its own copy; any other one is made from where the state is now.
  const isRepeated = target.state?.moved === undefined && target.state?.serial === source.state?.serial;
  const moved = isRepeated ? null : movedAway(from, source);
  if (moved !== null) return moved;
  if (target.journal !== "" && target.journal !== source.journal && target.state?.moved === undefined) {
    return errorOf(
      "journal-open",
      `An interrupted run has left a journal in ${to.place}: nothing was overwritten.`,
      "Run `ticketing apply` with that backend first: it finishes what was begun.",
    );
  }
  return null;
}

/** `isGuessed`: ticketing.yaml was changed first, and does not say where the state was. */
function nothingThere(from: StateStore, isGuessed: boolean): Diagnostic {
  const where = `There is no state in ${from.place}`;
  return isGuessed
    ? errorOf(
        "nothing-to-migrate",
        `${where}, and ticketing.yaml already has the new setting: there is nothing to copy.`,
        "If the state was in a different backend before, name it with --from. Otherwise there is nothing to do.",
      )
    : errorOf(
        "nothing-to-migrate",
        `${where}.`,
        "Change `state:` in ticketing.yaml: the next apply begins a new state.",
      );
}
