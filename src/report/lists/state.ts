// What state contains, who applied it and where: as JSON for programs, and in lines for people.
import { idKey } from "../../model/address.ts";
import type { State, StateEntry } from "../../model/live.ts";
import type { ApplyReport } from "../../model/plan.ts";
import { compareText, formatCount, pluralize } from "../../model/value.ts";
import { undoneWords } from "../plan-view/plan-view.ts";

export interface StateView {
  readonly json: unknown;
  readonly lines: readonly string[];
}

export function viewObjects(state: State | null): StateView {
  const objects = Object.entries(state?.objects ?? {}).sort(([one], [other]) => compareText(one, other));
  const lines = objects.map(([address, { id }]) => `${id}  ${address}`);
  return {
    json: { formatVersion: 1, objects: objects.map(([address, { kind, id }]) => ({ address, kind, id })) },
    lines: lines.length === 0 ? ["State is empty."] : lines,
  };
}

export interface ObjectView {
  readonly address: string;
  readonly entry: StateEntry;
  readonly venues: NonNullable<State["venues"]>;
}

export function viewObject({ address, entry, venues }: ObjectView): StateView {
  const fields = Object.entries(entry.applied).map(([field, value]) => {
    const shown = entry.returned?.[field];
    const venue = typeof value === "string" ? venues[idKey(value)] : undefined;
    const name = venue === undefined ? "" : ` (${venue})`;
    return `  ${field}: ${JSON.stringify(value)}${name}${shown === undefined ? "" : ` (the service shows ${JSON.stringify(shown)})`}`;
  });
  const isProtected = entry.protected === true ? ["  protected: true"] : [];
  const lines = [address, `  id: ${entry.id}`, ...isProtected, ...fields];
  return { json: { formatVersion: 1, address, ...entry }, lines };
}

/**
 * | result     | means                                                              |
 * |------------|--------------------------------------------------------------------|
 * | clean      | everything that the files said was applied; only drift may be held |
 * | incomplete | something was blocked, held or failed, or it was not the whole     |
 * | cut-off    | it never ended; the next run finds out what it did                 |
 * | running    | it holds the lock now                                              |
 */
export interface LogEntry {
  readonly at: string;
  readonly ended: string | null;
  readonly revision: string | null;
  /** The files were not exactly that commit. */
  readonly dirty: boolean;
  readonly result: "clean" | "incomplete" | "cut-off" | "running";
  /** null: not known. */
  readonly summary: ApplyReport["summary"] | null;
  readonly command: string | null;
  readonly user: string | null;
  readonly host: string | null;
  readonly url: string | null;
}

/** `couldKeepMore`: the store keeps only the last run, and another one can be chosen. */
export function viewLog(runs: readonly LogEntry[], couldKeepMore: boolean): StateView {
  const note = couldKeepMore ? [onlyTheLast] : [];
  const lines = runs.length === 0 ? ["Nothing has been applied yet."] : [...runs.map(lineOfRun), ...note];
  return { json: { formatVersion: 1, runs }, lines };
}

const onlyTheLast = "State in a file keeps only the last run; `state: { backend: git }` keeps the last 200.";

function lineOfRun(entry: LogEntry): string {
  const { at, revision, dirty, result, summary, user, host, command, url } = entry;
  const commit = revision === null ? "no commit" : `${revision.slice(0, 9)}${dirty ? "+edits" : ""}`;
  const who = user === null ? "" : `${command} by ${user} on ${host}`;
  const counts = summary === null ? "" : countWords(summary, result);
  const parts = [`${at.slice(0, 19)}Z`, commit.padEnd(15), result.padEnd(10), counts, who, url ?? ""];
  return parts
    .filter((part) => part !== "")
    .join("  ")
    .trimEnd();
}

/** An incomplete run in which nothing failed did only a part: the rest was not asked for, or was blocked or held. */
function countWords(summary: ApplyReport["summary"], result: LogEntry["result"]): string {
  const undone = undoneWords(summary);
  const rest = result === "incomplete" && undone.length === 0 ? ["the rest was left out"] : undone;
  const done = summary.done > 0 || rest.length > 0 ? `${formatCount(summary.done)} done` : "nothing to do";
  return [done, ...rest].join(", ");
}

export interface SealReview {
  readonly files: readonly { readonly file: string; readonly status: keyof typeof sealMessages }[];
  readonly objects: State["objects"];
  readonly intents: readonly { readonly verb: string; readonly address: string; readonly id: string | null }[];
  /** Numbers of lines of the journal. */
  readonly damaged: readonly number[];
}

/** What somebody is asked to accept as their own. */
export function sealReviewLines({ files, objects, intents, damaged }: SealReview): readonly string[] {
  return [
    ...files.map(({ file, status }) => `${file}: ${sealMessages[status]}`),
    ...Object.entries(objects).map(([address, { id }]) => `  state: ${id}  ${address}`),
    ...intents.map(({ verb, address, id }) => `  journal: ${verb} ${address}${id === null ? "" : ` (${id})`}`),
    ...(damaged.length === 0 ? [] : [`  journal: line ${damaged.join(", line ")} cannot be read and will be dropped`]),
  ];
}

const sealMessages = {
  good: "sealed with this API key",
  foreign: "sealed with a different API key",
  "no-key": "cannot be checked: no API key is set",
  unsealed: "has no seal",
  altered: "altered since it was sealed",
  future: "dated in the future",
};

export interface MigrationView {
  readonly to: string;
  readonly objects: number;
  readonly serial: number;
  /** An interrupted run has left one. */
  readonly journal: boolean;
  /** This state is already in the new place. */
  readonly unchanged: boolean;
  /** Both stores, for people. */
  readonly places: { readonly from: string; readonly to: string };
  /** ticketing.yaml names the new backend already. */
  readonly isSet: boolean;
  /** The line of `state` in ticketing.yaml, from 1; null if the file does not set it. */
  readonly line: number | null;
}

export function viewMigration(migrated: MigrationView): StateView {
  const { to, objects, serial, journal, unchanged, places, isSet, line } = migrated;
  const setting = `state: { backend: ${to} }`;
  const next =
    line === null
      ? `Add \`${setting}\` to ticketing.yaml.`
      : `Replace \`state\` (line ${line} of ticketing.yaml) with \`${setting}\`.`;
  const what = `${pluralize(objects, "object", "objects")}${journal ? " and the journal of an interrupted run" : ""}`;
  const lines = [
    unchanged ? `This state is already in ${places.to}.` : `Copied ${what} from ${places.from} to ${places.to}.`,
    ...(isSet ? [] : [next]),
    ...(unchanged ? [] : [`The copy in ${places.from} is marked as moved: \`plan\` and \`apply\` no longer use it.`]),
  ];
  const json = { formatVersion: 1, to, objects, serial, journal, unchanged, setting: isSet ? null : { setting, line } };
  return { json, lines };
}
