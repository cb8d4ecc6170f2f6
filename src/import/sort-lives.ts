// A service may list in any order, and two imports must write the same.
import { sameValue } from "../kinds/canonical.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Live } from "../model/live.ts";
import type { Value } from "../model/value.ts";

interface Rank {
  readonly field: string;
  readonly descending?: true;
}

const ranks: Readonly<Record<KindName, readonly Rank[]>> = {
  event: [{ field: "dateTime" }, { field: "name" }],
  // The dearest first, as on a poster.
  ticket: [{ field: "price", descending: true }, { field: "name" }, { field: "section" }, { field: "row" }],
  performer: [{ field: "name" }],
  schedule: [{ field: "startTime" }, { field: "title" }],
  brand: [{ field: "name" }],
  webhook: [{ field: "url" }],
};

export function sortLives(kind: KindName, lives: readonly Live[]): readonly Live[] {
  return [...lives].sort((one, other) => {
    for (const { field, descending } of ranks[kind]) {
      const order = compare(one.fields[field], other.fields[field]);
      if (order !== 0) return descending === true ? -order : order;
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
