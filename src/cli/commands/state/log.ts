// ticketing state log: who applied which revision when, and what came of it.
import type { World } from "../../../app/world.ts";
import type { State } from "../../../model/live.ts";
import { formatCount } from "../../../model/value.ts";
import type { RunRecord, StateStore } from "../../../state/store.ts";
import { type StateOptions, withSavedState } from "./state.ts";

/**
 * | result     | means                                                              |
 * |------------|--------------------------------------------------------------------|
 * | clean      | everything that the files said was applied                         |
 * | incomplete | something was blocked, held or failed, or only a part was asked for |
 * | cut-off    | it never ended; the next run finds out what it did                 |
 * | running    | it holds the lock now                                              |
 */
interface LogEntry {
  readonly at: string;
  readonly ended: string | null;
  readonly revision: string | null;
  /** The files were not exactly that commit. */
  readonly dirty: boolean;
  readonly result: "clean" | "incomplete" | "cut-off" | "running";
  /** null: not known. */
  readonly summary: NonNullable<RunRecord["end"]>["summary"] | null;
  readonly command: string | null;
  readonly user: string | null;
  readonly host: string | null;
  readonly url: string | null;
}

export async function runStateLog(world: World, options: StateOptions): Promise<number> {
  return withSavedState(world, options, async ({ state }, store) => {
    const records = await recorded(store);
    // What was copied from another backend has its last run only in the state.
    const runs = records.length > 0 ? records : lastOnly(state);
    const note = store.log === undefined ? [onlyTheLast] : [];
    const lines = runs.length === 0 ? ["Nothing has been applied yet."] : [...runs.map(lineOf), ...note];
    return { ok: true, json: { formatVersion: 1, runs }, lines };
  });
}

const onlyTheLast = "State in a file keeps only the last run; `state: { backend: git }` keeps the last 200.";

async function recorded(store: StateStore): Promise<readonly LogEntry[]> {
  const records = (await store.log?.read()) ?? [];
  const holders = new Set((await store.holders()).map(({ token }) => token));
  return records.toReversed().map(({ at, revision, dirty, end, run, command, user, host, url }) => ({
    at,
    ended: end?.at ?? null,
    revision,
    dirty: dirty === true || end?.dirty === true,
    result: end !== null ? resultOf(end.clean) : holders.has(run) ? "running" : "cut-off",
    summary: end?.summary ?? null,
    command,
    user,
    host,
    url: url ?? null,
  }));
}

function lastOnly(state: State | null): readonly LogEntry[] {
  const last = state?.lastRun;
  if (last === undefined) return [];
  const { at, revision, dirty, clean, url } = last;
  const unknown = { ended: null, summary: null, command: null, user: null, host: null };
  return [{ at, revision, dirty: dirty === true, result: resultOf(clean), ...unknown, url: url ?? null }];
}

function resultOf(clean: boolean): "clean" | "incomplete" {
  return clean ? "clean" : "incomplete";
}

function lineOf(entry: LogEntry): string {
  const { at, revision, dirty, result, summary, user, host, command, url } = entry;
  const commit = revision === null ? "no commit" : `${revision.slice(0, 9)}${dirty ? "+edits" : ""}`;
  const who = user === null ? "" : `${command} by ${user} on ${host}`;
  return [
    `${at.slice(0, 19)}Z`,
    commit.padEnd(15),
    result.padEnd(10),
    summary === null ? "" : countsOf(summary),
    who,
    url ?? "",
  ]
    .filter((part) => part !== "")
    .join("  ");
}

function countsOf(summary: NonNullable<LogEntry["summary"]>): string {
  const parts = Object.entries(summary).filter(([, count]) => count > 0);
  return parts.length === 0
    ? "nothing to do"
    : parts.map(([name, count]) => `${formatCount(count)} ${name}`).join(", ");
}
