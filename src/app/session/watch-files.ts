// Waits for a project's files to change, by polling: that also finds new folders, editors that write a new file and
// rename it, and folders of other machines.
import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { diskFiles } from "../../config/files.ts";
import { listWatched } from "../../config/project.ts";
import type { World } from "../world.ts";

/** Every file that a project may consist of, with what distinguishes one version of it from the next. */
export type FileScan = ReadonlyMap<string, string>;

const scanMs = 250;
/** Files that are known are checked more often than folders are listed. */
const glanceMs = 40;
/** A scan of very many files must not keep the machine busy. */
const restPerScan = 10;
/** An editor, or git, may write several files, and one of them in several steps. */
const quietMs = 150;
const mostUnquietMs = 3000;

export async function scanFiles(directory: string): Promise<FileScan> {
  const paths = await listWatched(diskFiles(directory));
  return new Map(paths.map((path) => [path, versionOf(join(directory, path))]));
}

function versionOf(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? "gone" : `${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`;
  } catch {
    // A folder that may not be entered, or a mount that is away for a moment: reading the files says which.
    return "unreadable";
  }
}

/**
 * The files once they differ from `before` and are quiet again; as they are by now, if `stop` comes first.
 * `quietFor`: how long nothing may change before it counts as quiet.
 */
export async function nextScan(
  directory: string,
  before: FileScan,
  stop: AbortSignal,
  quietFor = quietMs,
): Promise<FileScan> {
  let restMs = scanMs;
  while (!stop.aborted) {
    await glance(directory, before, restMs, stop);
    const started = performance.now();
    const now = await scanFiles(directory);
    if (changedFiles(before, now).length > 0) return quietFrom(directory, now, stop, quietFor);
    restMs = Math.max(scanMs, (performance.now() - started) * restPerScan);
  }
  return scanFiles(directory);
}

/** Waits for a known file to change, and no longer than this. */
async function glance(directory: string, known: FileScan, forMs: number, stop: AbortSignal): Promise<void> {
  const until = performance.now() + forMs;
  let restMs = glanceMs;
  while (!stop.aborted && performance.now() < until) {
    await pause(Math.min(restMs, until - performance.now()), stop);
    const started = performance.now();
    for (const [path, version] of known) if (versionOf(join(directory, path)) !== version) return;
    restMs = Math.max(glanceMs, (performance.now() - started) * restPerScan);
  }
}

async function quietFrom(directory: string, first: FileScan, stop: AbortSignal, quietFor: number): Promise<FileScan> {
  const until = performance.now() + mostUnquietMs;
  let last = first;
  while (!stop.aborted && performance.now() < until) {
    await pause(quietFor, stop);
    const now = await scanFiles(directory);
    if (changedFiles(last, now).length === 0) break;
    last = now;
  }
  return last;
}

/** New, removed, or another version. */
export function changedFiles(before: FileScan, after: FileScan): readonly string[] {
  const changed = [...after].filter(([path, version]) => before.get(path) !== version).map(([path]) => path);
  return [...changed, ...[...before.keys()].filter((path) => !after.has(path))].sort();
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // A signal ends the pause early: that is no failure.
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}

/** The longest that a timer can wait; then it is set again. */
const longestTimerMs = 2 ** 31 - 1;
/** A stopped clock, as TICKETING_NOW makes it, never gets there. */
const shortestTimerMs = 1_000;

/** Resolves at the instant, or after the longest time that a timer can wait. */
export function signalAt(world: World, instant: number): AbortSignal {
  return AbortSignal.timeout(Math.min(longestTimerMs, Math.max(shortestTimerMs, instant - world.now())));
}
