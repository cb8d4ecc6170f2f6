import type { Kind } from "../../kinds/define.ts";
import { sameValue } from "../../kinds/index.ts";
import type { Live } from "../../model/live.ts";
import type { Value } from "../../model/value.ts";
import { type Described, type Describing, describeObject, hasRequiredFields } from "./describe-object.ts";
import { type Corrections, type DescribedList, noCorrection } from "./description.ts";

/** A service may list in any order, and two imports must write the same. */
export function sortLives({ sortBy }: Kind, lives: readonly Live[]): readonly Live[] {
  return [...lives].sort((one, other) => {
    for (const key of sortBy) {
      const field = key.replace(/^-/, "");
      const order = compare(one.fields[field], other.fields[field]);
      if (order !== 0) return field === key ? order : -order;
    }
    return one.id < other.id ? -1 : 1;
  });
}

// By code point, not by locale: the same on every machine.
function compare(one: Value | undefined, other: Value | undefined): number {
  if (sameValue(one, other)) return 0;
  if (typeof one === "number" && typeof other === "number") return one - other;
  return String(one ?? "\uffff") < String(other ?? "\uffff") ? -1 : 1;
}

export interface DescribingList extends Pick<Describing, "zone" | "nameOf"> {
  readonly environment: string;
  readonly defaults: Readonly<Record<string, Value>>;
  readonly corrections: Corrections;
}

/** All entries of a list of one event. */
export function describeList(kind: Kind, lives: readonly Live[], describing: DescribingList): DescribedList {
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
  const remarks = remarksOn(kind, items);
  const broken = items.find((item) => !hasRequiredFields(kind, item));
  if (broken === undefined) return { kind: kind.name, items, remarks };
  const left = `\`${kind.plural}\` is left out, and so not managed: an entry lacks a required field.`;
  return { kind: kind.name, items: null, remarks: [left, ...remarks] };
}

function shared(lives: readonly Live[], keyOf: (live: Live) => string): ReadonlySet<Live> {
  const groups = new Map<string, Live[]>();
  for (const live of lives) {
    const group = groups.get(keyOf(live));
    if (group === undefined) groups.set(keyOf(live), [live]);
    else group.push(live);
  }
  return new Set([...groups.values()].filter((group) => group.length > 1).flat());
}

function remarksOn(kind: Kind, items: readonly Described[]): readonly string[] {
  return [
    ...unreadableRemark(items.flatMap((item) => item.unreadable)),
    ...items.flatMap((item) => unwritableRemark(item, nameOf(kind, item))),
  ];
}

/** One sentence for all: the same fields of every entry are hidden. */
export function unreadableRemark(fields: readonly string[]): readonly string[] {
  const names = [...new Set(fields)];
  return names.length === 0 ? [] : [`Not shown by the service, and so left out: ${names.join(", ")}.`];
}

export function unwritableRemark({ unwritable }: Described, name: string | null): readonly string[] {
  if (unwritable.length === 0) return [];
  const whose = name === null ? "" : ` of ${name}`;
  return [`Left out, because a file cannot hold the live value${whose}: ${unwritable.join(", ")}.`];
}

function nameOf(kind: Kind, item: Described): string {
  const label = item.entries.find(({ field }) => field === kind.identity.label)?.value;
  return typeof label === "string" ? label : item.id;
}
