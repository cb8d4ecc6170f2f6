// `--target`: an address includes what is below it; `*` matches any run of characters.
import { createHash } from "node:crypto";
import { isInFamily } from "../../kinds/index.ts";
import {
  type Address,
  dateOf,
  decodeSegment,
  hasGaps,
  keyInAddress,
  nearestDate,
  rootOf,
} from "../../model/address.ts";
import { type Diagnostic, errorOf, suggest } from "../../model/diagnostic.ts";
import { parseShard, type Shard } from "../../model/live.ts";
import type { Change } from "../../model/plan.ts";
import type { Wish } from "../../model/wish.ts";
import { type Comparison, type EventComparison, referencesIn } from "./comparison.ts";

export type IsTargeted = (address: Address) => boolean;

export function targetFilter(targets: readonly string[]): IsTargeted {
  if (targets.length === 0) return () => true;
  const patterns = targets.map(patternOf);
  return (address) => patterns.some((isMeant) => isMeant(address));
}

/** Accents and escapes as addresses have them: a terminal, a file system or a person may write them differently. */
function patternOf(target: string): IsTargeted {
  const parts = target
    .normalize("NFC")
    .replace(/%[\da-f]{2}/gi, (escaped) => escaped.toUpperCase())
    .replace(/(?<!\/)\/+$/, "")
    .split("*");
  const below = [...parts.slice(0, -1), `${parts.at(-1)}/`, ""];
  const isMeant: IsTargeted = (address) => hasGaps(address, parts, 0) || hasGaps(address, below, 0);
  return (address) => isMeant(address) || isMeant(withoutDay(address));
}

/** A series includes all of its dates. */
function withoutDay(address: Address): Address {
  return address.replace(/@\d{4}-\d\d-\d\d(?=\/|$)/, "");
}

/** Whether an event is meant: it or something below it is a target. */
export function eventFilter(targets: readonly string[], known: readonly Address[] = []): IsTargeted {
  const whole = targetFilter(targets);
  const heads = targets.flatMap((target) => {
    const [list, key] = target.split("/");
    return list === undefined || key === undefined ? [] : `${list}/${key}`;
  });
  const events = heads.map(patternOf);
  // A `*` also matches across `/`: what follows it may be the name of an entry, which only the known addresses show.
  const crossing = targets.filter((target) => target.split("/", 2).join("/").includes("*"));
  const around = new Set(crossing.length === 0 ? [] : known.filter(targetFilter(crossing)).map(rootOf));
  return (address) => whole(address) || around.has(address) || events.some((isMeant) => isMeant(address));
}

/** Whether an event must be read to find what is meant. A `*` also matches across `/`: what follows it may name an entry that only the service has. */
export function readFilter(targets: readonly string[]): IsTargeted {
  const heads = targets.flatMap((target) => {
    const [head = "", more] = target.split("/", 2).join("/").split("*", 2);
    return more === undefined ? [] : `${head}*`;
  });
  const [isMeant, isAround] = [eventFilter(targets), targetFilter(heads)];
  return (address) => isMeant(address) || (heads.length > 0 && isAround(address));
}

// `--target`: what is not named keeps its case and loses its change.

export function limitEvent(event: EventComparison, isTargeted: IsTargeted): EventComparison {
  // An entry cannot be created before the performer that it refers to.
  const targeted = event.children.filter((child) => child.change !== null && isTargeted(child.address));
  const named = new Set(targeted.flatMap(({ wish }) => referencesIn(wish?.fields)));
  const children = event.children.map((child) =>
    child.change?.action === "create" && named.has(child.address) ? child : limitComparison(child, isTargeted),
  );
  const isNeeded = event.self.change?.action === "create" && children.some((child) => child.change !== null);
  const self = limitComparison(event.self, isTargeted);
  return { ...event, self: isNeeded && self.change === null ? asDraft(event.self) : self, children };
}

/** An object below an event that does not exist yet needs the event created; but an event with only some of its parts is not published. */
export function asDraft(self: Comparison): Comparison {
  return self.change === null ? self : { ...self, change: { ...self.change, transition: { from: null, to: "DRAFT" } } };
}

/** What such a draft then lacks: the status that the event was to get. Without a digest: it waits, and was reviewed with the event. */
export function statusToCome({ change }: Comparison): Change | null {
  const { to = "DRAFT" } = change?.transition ?? {};
  if (change === null || to === "DRAFT") return null;
  const { digest: _, ...about } = change;
  return { ...about, action: "none", edits: [], transition: { from: "DRAFT", to } };
}

export function limitComparison(one: Comparison, isTargeted: IsTargeted): Comparison {
  return one.change === null || isTargeted(one.address) ? one : { ...one, change: null, planned: one.change };
}

/** Targets that name nothing: a typo must not look like "nothing to do". `ended`: dates that are over, which no plan includes. */
export function unknownTargets(
  targets: readonly string[],
  addresses: readonly Address[],
  wishes: readonly Pick<Wish, "address" | "source" | "name">[],
  ended: readonly Pick<Wish, "address">[],
): readonly Diagnostic[] {
  const series = new Set(addresses.flatMap((address) => dateOf(address)?.series ?? []));
  return targets.flatMap((target) => {
    const isTargeted = targetFilter([target]);
    if (addresses.some(isTargeted)) return [];
    if (ended.some(({ address }) => isTargeted(address))) return [eventOver(target)];
    const inFile = wishes.find(
      ({ address, source }) => isFileOf(target, source.file) && !hasNameOf(address, source.file),
    );
    const near =
      inFile?.address ??
      addresses.find((address) => nearlyNames(target, address)) ??
      [...series].find((address) => nearlyNames(target, address)) ??
      nearestDate(target, addresses) ??
      onlyOneMeant(target, wishes) ??
      suggest(target, [...addresses, ...series]) ??
      undefined;
    return [
      {
        code: "unknown-target",
        severity: "error",
        message: `--target ${target} names nothing in the files or on the service.`,
        hint:
          near === undefined
            ? "An address looks like events/<key> or events/<key>/tickets/<name>; `ticketing state list` and every plan show them."
            : `Did you mean ${near}?${inFile === undefined ? "" : ` The event in ${inFile.source.file} has a \`key\` that differs from its file's name.`}`,
      },
    ];
  });
}

/** A date of a series that is over. `fix`: what else helps, apart from keeping it managed. */
export function eventOver(word: string, fix = ""): Diagnostic {
  const hint = `${fix}\`keepEnded: true\` in its series keeps it managed.`;
  return errorOf("event-over", `${word} is over and no longer managed.`, hint);
}

function comparablePath(path: string): string {
  return path.normalize("NFC").replace(/\.ya?ml$/i, "");
}

function hasNameOf(address: Address, file: string): boolean {
  const key = keyInAddress(withoutDay(address));
  return comparablePath(file).split("/").at(-1) === key;
}

/** The path of a file, with or without its ending, as people take it for an address. */
function isFileOf(target: string, file: string): boolean {
  const named = comparablePath(target).replace(/^events\//, "");
  return comparablePath(file) === comparablePath(target) || comparablePath(file).endsWith(`/${named}`);
}

/** The last part of an address alone, with other capitals, or with a plain URL. */
function nearlyNames(target: string, address: Address): boolean {
  const whole = `/${address.toLowerCase()}`;
  return [whole, decodeSegment(whole)].some((each) => each.endsWith(`/${target.toLowerCase()}`));
}

/** The event or series with this name, or whose address begins like this, if there is only one. */
function onlyOneMeant(target: string, wishes: readonly Pick<Wish, "address" | "name">[]): Address | undefined {
  const word = target.toLowerCase();
  const meant = wishes.filter(
    ({ address, name }) =>
      name.toLowerCase() === word ||
      [address, keyInAddress(address)].some((each) => each.toLowerCase().startsWith(word)),
  );
  const all = [...new Set(meant.map(({ address }) => (meant.length === 1 ? address : withoutDay(address))))];
  return all.length === 1 ? all[0] : undefined;
}

// `--shard 2/4`: one of several runs that plan a project together. An event's key alone decides which of them plans it, so that
// they agree without asking one another.

/** Whether the shard plans what is at an address; without one, everything. The first plans whatever is not an event. */
export function shardFilter(shard: Shard | null): (address: Address) => boolean {
  if (shard === null) return () => true;
  const { index, count } = parseShard(shard);
  return (address) => (isInFamily(address) ? 1 + (hashOf(rootOf(address)) % count) : 1) === index;
}

function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}
