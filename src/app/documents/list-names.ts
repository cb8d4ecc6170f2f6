// The names that can be typed on a command line, for completion: those of a project, only from its files, and codes.
import { sandboxName } from "../../config/environment.ts";
import { diskFiles, readText } from "../../config/files.ts";
import { findFiles, keysByLines, loadSettings } from "../../config/project.ts";
import { decodeSegment } from "../../model/address.ts";
import { codes } from "../../model/diagnostic.ts";
import { maskUrls } from "../../model/value.ts";
import type { Wish } from "../../model/wish.ts";
import type { World } from "../world.ts";
import { keyOfSeries, keyOfWish, openDocuments } from "./open-documents.ts";

export type NameKind = "environment" | "event" | "address" | "webhook" | "venue" | "code";

/** Sorted, each once, without names that do not fit on a line. `typed`: how far into a series or an event the names go. */
export async function listNames(world: World, directory: string, kind: NameKind, typed: string) {
  if (kind === "environment") {
    const { settings } = await loadSettings(diskFiles(directory));
    return [...Object.keys(settings.environments), sandboxName].sort();
  }
  if (kind === "code") return [...codes].sort();
  const { byLines, others } = kind === "event" || kind === "address" ? await readKeys(directory, typed) : noKeys[kind];
  const chosen = await openDocuments(world, { directory }, others);
  // Keys can be completed even if TICKETING_ENV names no environment.
  const opened = chosen.ok ? chosen : await openDocuments(world, { directory, env: sandboxName }, others);
  if (!opened.ok) return [];
  const { events, webhooks } = opened;
  const keys = () => [...byLines, ...events.map((wish) => (typed.includes("@") ? keyOfWish(wish) : keyOfSeries(wish)))];
  const names = {
    event: keys,
    address: () => [
      ...keys().map((key) => `events/${key}`),
      ...childAddresses(events, typed),
      ...webhooks
        .map(({ address }) => address)
        .filter((address) => maskUrls(decodeSegment(address)) === decodeSegment(address)),
    ],
    // An address that holds a token is not shown on a screen.
    webhook: () => webhooks.map(({ name }) => name).filter((name) => maskUrls(name) === name),
    venue: () => events.flatMap(({ own: { venue } }) => (venue === undefined ? [] : [venue.name])),
  }[kind]();
  return [...new Set(names)].filter((name) => !/^$|\p{Cc}|\p{Zl}|\p{Zp}/u.test(name)).sort();
}

const noKeys = { venue: { byLines: [], others: undefined }, webhook: { byLines: [], others: [] } };

/** The keys found in the lines of files, and the other files: those that must be read, and those whose names go beyond a key. */
async function readKeys(directory: string, typed: string) {
  const files = diskFiles(directory);
  const { eventFiles } = await findFiles(files, (await loadSettings(files)).settings);
  const begun = decodeSegment(typed).replace(/^events\//, "");
  const byLines: string[] = [];
  const others: string[] = [];
  for (const file of eventFiles) {
    const text = await readText(files, file, []);
    const keys = text === null ? [] : keysByLines(file, text);
    if (keys === null || keys.some((key) => begun.startsWith(`${key}@`) || begun.startsWith(`${key}/`)))
      others.push(file);
    else byLines.push(...keys);
  }
  return { byLines, others: others.length === eventFiles.length ? undefined : others };
}

/** What an event holds, once its address is typed. */
function childAddresses(events: readonly Wish[], typed: string): readonly string[] {
  const owner = events.find(({ address }) => typed.startsWith(`${address}/`));
  return Object.values(owner?.children ?? {}).flatMap((list) => list.map(({ address }) => address));
}
