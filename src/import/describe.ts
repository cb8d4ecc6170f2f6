// What a file says about live objects.
import type { Kind } from "../kinds/define.ts";
import { kindOf, kinds, sameValue } from "../kinds/index.ts";
import { idKey, type KindName } from "../model/address.ts";
import type { Live, LiveLists } from "../model/live.ts";
import { officialZone, standardZone, zoneOr } from "../model/time.ts";
import { compareText, groupBy, type Value } from "../model/value.ts";
import {
  type Corrections,
  type Described,
  type DescribedEvent,
  type DescribedList,
  type Describing,
  type Description,
  describeObject,
  hasRequiredFields,
  noCorrection,
} from "./describe/describe-object.ts";

export {
  type Correction,
  type Corrections,
  type DescribedEvent,
  type DescribedList,
  type Description,
  describeObject,
  type FieldEntry,
  hasRequiredFields,
  noCorrection,
  writeField,
} from "./describe/describe-object.ts";

/** The project's defaults, by kind, in canonical form. */
export type Defaults = Readonly<Partial<Record<KindName, Readonly<Record<string, Value>>>>>;

/** What the files are written for. */
interface ImportTarget {
  readonly environment: string;
  /** The zone of the file's times where the event's own is unknown. */
  readonly zone: string;
}

export interface EventObservation {
  readonly live: Live;
  readonly lists: LiveLists;
  /** "Palace, Baguio" by the venue's id, where a record shows it. */
  readonly venueNames: ReadonlyMap<string, string>;
}

const eventKind = kindOf("event");
export function describeEvent(
  observation: EventObservation,
  defaults: Defaults,
  corrections: Corrections,
  { environment, zone: fileZone }: ImportTarget,
): DescribedEvent {
  const { live, lists, venueNames } = observation;
  const zone = zoneOf(live, fileZone);
  const self = describeObject(eventKind, live, {
    zone,
    defaults: defaults.event ?? {},
    complete: false,
    pinnedIn: environment,
    correction: corrections.get(live.id) ?? noCorrection,
    nameOf: () => undefined,
  });
  const described: DescribedList[] = [];
  // In the order of the kinds, so that objects have their names before others refer to them.
  for (const kind of kinds) {
    const lives = lists[kind.name];
    if (lives === undefined || lives.length === 0) continue;
    const nameOf = nameFinder(described);
    described.push(
      describeList(kindOf(kind.name), lives, {
        zone,
        environment,
        nameOf,
        defaults: defaults[kind.name] ?? {},
        corrections,
      }),
    );
  }
  return {
    id: live.id,
    entries: self.entries.map((entry) => {
      const venue = entry.field === "venueId" ? venueNames.get(idKey(String(entry.value))) : undefined;
      return venue === undefined ? entry : { ...entry, remark: venue };
    }),
    remarks: [
      ...unreadableRemark([...(live.status === null ? ["status"] : []), ...self.unreadable], null),
      ...unwritableRemark(self, null),
    ],
    lists: described,
  };
}

/** A zone that is shown empty is the service's own, whatever the project's defaults say. */
export function zoneOf(live: Live, otherwise: string): string {
  const { timezone } = live.fields;
  const zone = zoneOr(timezone, otherwise);
  // A file cannot hold it in another case, and without it has the other one.
  return timezone === null ? standardZone : officialZone(zone) === zone ? zone : otherwise;
}

/** Among entries of one name, the name means the first. */
function nameFinder(lists: readonly DescribedList[]): (id: string) => string | undefined {
  const names = new Map<string, string>();
  for (const list of lists) {
    const first = new Set<string>();
    for (const item of list.items ?? []) {
      const name = labelOf(item);
      if (name === undefined || first.has(name)) continue;
      first.add(name);
      names.set(idKey(item.id), name);
    }
  }
  return (id) => names.get(idKey(id));
}

function labelOf({ entries }: Description): string | undefined {
  const value = entries.find(({ field }) => field === "name")?.value;
  return typeof value === "string" ? value : undefined;
}

/** A service may list in any order, and two imports must write the same. */
export function sortLives({ sortBy }: Kind, lives: readonly Live[]): readonly Live[] {
  return [...lives].sort((one, other) => {
    for (const key of sortBy) {
      const field = key.replace(/^-/, "");
      const order = compare(one.fields[field], other.fields[field]);
      if (order !== 0) return field === key ? order : -order;
    }
    return compareText(one.id, other.id);
  });
}

// By code point, not by locale: the same on every machine.
function compare(one: Value | undefined, other: Value | undefined): number {
  if (sameValue(one, other)) return 0;
  if (typeof one === "number" && typeof other === "number") return one - other;
  return compareText(String(one ?? "\uffff"), String(other ?? "\uffff"));
}

interface DescribingList extends Pick<Describing, "zone" | "nameOf"> {
  readonly environment: string;
  readonly defaults: Readonly<Record<string, Value>>;
  readonly corrections: Corrections;
}

function describeList(kind: Kind, lives: readonly Live[], describing: DescribingList): DescribedList {
  const { identity } = kind;
  const pinnable = "id" in kind.fields;
  const sorted = sortLives(kind, lives);
  // Names that differ only in case are one name to people, and so to the rules; objects are matched by the exact name.
  const sameName = shared(sorted, (live) => String(live.fields[identity.label]).toLowerCase());
  const twins = shared(sorted, (live) => JSON.stringify(identity.keys[0]?.map((field) => live.fields[field] ?? null)));
  function describe(live: Live, pinned: boolean): Described {
    return describeObject(kind, live, {
      ...describing,
      pinnedIn: pinned ? describing.environment : null,
      complete: !pinnable && twins.has(live),
      correction: describing.corrections.get(live.id) ?? noCorrection,
    });
  }
  const items = sorted.map((live) => {
    const described = describe(live, pinnable && sameName.has(live));
    return pinnable && !hasRequiredFields(kind, described) ? describe(live, true) : described;
  });
  const remarks = itemRemarks(kind, items);
  const broken = items.find((item) => !hasRequiredFields(kind, item));
  if (broken === undefined) return { kind: kind.name, items, remarks };
  const left = `\`${kind.plural}\` is left out, so it is not managed: an entry lacks a required field.`;
  return { kind: kind.name, items: null, remarks: [left, ...remarks] };
}

function shared(lives: readonly Live[], keyOf: (live: Live) => string): ReadonlySet<Live> {
  return new Set([...groupBy(lives, keyOf).values()].filter((group) => group.length > 1).flat());
}

function itemRemarks(kind: Kind, items: readonly Described[]): readonly string[] {
  return [
    ...unreadableRemark(
      items.flatMap((item) => item.unreadable),
      kind,
    ),
    ...items.flatMap((item) => unwritableRemark(item, describedName(kind, item))),
  ];
}

/** One sentence for all: the same fields of every entry are hidden. */
function unreadableRemark(fields: readonly string[], list: Kind | null): readonly string[] {
  const names = [...new Set(fields)];
  const whose = list === null ? "" : ` of the ${list.words.many}`;
  return names.length === 0 ? [] : [`Not shown by the service, so left out${whose}: ${names.join(", ")}.`];
}

function unwritableRemark({ unwritable }: Described, name: string | null): readonly string[] {
  if (unwritable.length === 0) return [];
  const whose = name === null ? "" : ` of ${name}`;
  return [`Left out, because a file cannot contain the live value${whose}: ${unwritable.join(", ")}.`];
}

function describedName(kind: Kind, item: Described): string {
  const label = item.entries.find(({ field }) => field === kind.identity.label)?.value;
  return typeof label === "string" ? label : item.id;
}
