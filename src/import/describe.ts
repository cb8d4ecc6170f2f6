// What a file says of live objects.
import { kindOf, kinds } from "../kinds/index.ts";
import { idKey, type KindName } from "../model/address.ts";
import type { Live, LiveLists } from "../model/live.ts";
import { isTimezone, standardZone } from "../model/time.ts";
import type { Value } from "../model/value.ts";
import { describeList, unreadableRemark, unwritableRemark } from "./describe/describe-list.ts";
import { describeObject } from "./describe/describe-object.ts";
import {
  type Corrections,
  type DescribedEvent,
  type DescribedList,
  type Description,
  noCorrection,
} from "./describe/description.ts";

export { sortLives } from "./describe/describe-list.ts";

export { describeObject, hasRequiredFields, writeField } from "./describe/describe-object.ts";

export {
  type Correction,
  type Corrections,
  type DescribedEvent,
  type DescribedList,
  type Description,
  type FieldEntry,
  noCorrection,
} from "./describe/description.ts";

/** What the project's defaults give, by kind, in canonical form. */
export type Defaults = Readonly<Partial<Record<KindName, Readonly<Record<string, Value>>>>>;

/** What the files are written for. */
export interface ImportTarget {
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
  // In the order of the kinds, so that what is referred to has its name before it is referred to.
  for (const kind of kinds) {
    const lives = lists[kind.name];
    if (lives === undefined || lives.length === 0) continue;
    const nameOf = namesIn(described);
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
      ...unreadableRemark([...(live.status === null ? ["status"] : []), ...self.unreadable]),
      ...unwritableRemark(self, null),
    ],
    lists: described,
  };
}

/** A zone that is shown empty is the service's own, whatever the project's defaults say. */
export function zoneOf(live: Live, otherwise: string): string {
  const { timezone } = live.fields;
  if (timezone === null) return standardZone;
  return typeof timezone === "string" && isTimezone(timezone) ? timezone : otherwise;
}

/** Among entries of one name the first is the one that is meant by it. */
function namesIn(lists: readonly DescribedList[]): (id: string) => string | undefined {
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
