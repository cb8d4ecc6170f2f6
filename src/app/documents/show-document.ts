// One event as everything together makes it: templates, variables, series, times.

import { parseRelative } from "../../config/time.ts";
import { childKinds, fieldOrder, kindOf } from "../../kinds/index.ts";
import { keyInAddress, rootOf } from "../../model/address.ts";
import { type Diagnostic, type Fallible, failed, type Source, sortDiagnostics } from "../../model/diagnostic.ts";
import { formatLocalTime, formatOffset, offsetAt, standardZone } from "../../model/time.ts";
import type { Wish } from "../../model/wish.ts";
import { eventOver } from "../../plan/compare.ts";
import type { OfflineTarget } from "../../report/diagnostics.ts";
import type { World } from "../world.ts";
import { type DocumentOptions, findDocument, openDocuments } from "./open-documents.ts";

export type ShowDocumentOptions = DocumentOptions;

interface ShownDocument {
  readonly target: OfflineTarget;
  readonly address: string;
  readonly document: Readonly<Record<string, unknown>>;
  /** By the JSON pointer of the value. */
  readonly origins: Readonly<Record<string, ValueOrigin>>;
  /** What keeps it from being planned as it is shown. */
  readonly problems: readonly Diagnostic[];
}

interface ValueOrigin extends Source {
  /** A time as it is written, where that is relative. */
  readonly written?: string;
}

export async function showDocument(world: World, options: ShowDocumentOptions): Promise<Fallible<ShownDocument>> {
  const opened = await openDocuments(world, options);
  if (!opened.ok) return opened;
  const { events, ended, diagnostics, target } = opened;
  const found = findDocument(opened, options.event);
  if (!found.ok) {
    const names = [options.event, `events/${options.event}`];
    const isMeant = ({ own, address }: Wish) => names.includes(address) || names.includes(own.series?.of ?? "");
    const over = events.some(isMeant) ? undefined : ended.findLast(isMeant);
    return over === undefined ? found : failed(endedDate(over, options.event));
  }
  const { wish } = found;
  const origins: Record<string, ValueOrigin> = {};
  const document = shownDocument(wish, "", wish.own.timezone ?? "UTC", origins);
  // Before they are sorted: what several events or a template share then has no address.
  const problems = diagnostics.filter(({ severity, address, source }) => {
    const isOwn = address !== undefined && rootOf(address) === wish.address;
    return severity === "error" && (isOwn || source?.file === wish.source.file);
  });
  return { ok: true, target, address: wish.address, document, origins, problems: sortDiagnostics(problems) };
}

function endedDate({ address, own, fields }: Wish, word: string): Diagnostic {
  if (address.endsWith(word)) return eventOver(word, "`--at` with a time before its end shows it; ");
  const start = formatLocalTime(String(fields.dateTime), own.timezone ?? standardZone);
  const last = `\`ticketing show ${keyInAddress(address)} --at ${start}\` shows the last one; `;
  return eventOver(`Every date of ${word}`, last);
}

function shownDocument(wish: Wish, path: string, zone: string, origins: Record<string, ValueOrigin>) {
  const document: Record<string, unknown> = {};
  const lists = new Map(childKinds(wish.kind).map(({ plural, name }) => [plural, name]));
  const order = fieldOrder(kindOf(wish.kind));
  const rankOf = (place: string) => {
    const rank = order.indexOf(place.split("/")[0] ?? "");
    return rank === -1 ? order.length : rank;
  };
  const places = Object.entries(wish.places).sort(([one], [other]) => rankOf(one) - rankOf(other));
  for (const [place, source] of places) {
    // Times of phases have a place, and are no part of the event that results.
    if (!((place.split("/")[0] ?? "") in wish.places)) continue;
    origins[`${path}/${place}`] = source;
    if (place.includes("/")) continue;
    const items = wish.children[lists.get(place) ?? ""];
    if (items === undefined)
      document[place] = writtenValue(wish, place, zone, (written) => {
        origins[`${path}/${place}`] = { ...source, written };
      });
    else document[place] = items.map((item, index) => shownDocument(item, `${path}/${place}/${index}`, zone, origins));
  }
  return document;
}

/** The value as a file would write it without a relative time. */
function writtenValue(wish: Wish, field: string, zone: string, onRelative: (written: string) => void): unknown {
  const policy = kindOf(wish.kind).fields[field];
  const written = wish.written[field];
  const instant = Date.parse(String(wish.fields[field] ?? ""));
  if (policy?.role !== "value" || policy.form !== "instant" || typeof written !== "string") return written ?? null;
  if (parseRelative(written) === null || Number.isNaN(instant)) return written;
  onRelative(written);
  return formatLocalTime(instant, zone) + offsetWhereMoved(instant, zone);
}

const nearby = 3 * 3_600_000;

/** Near a change of the clocks, a time without an offset might mean another. */
function offsetWhereMoved(instant: number, zone: string): string {
  const offsets = [instant - nearby, instant, instant + nearby].map((time) => offsetAt(time, zone) ?? 0);
  return new Set(offsets).size === 1 ? "" : formatOffset(offsets[1] ?? 0);
}
