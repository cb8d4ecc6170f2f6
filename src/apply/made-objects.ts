// What this run made, as far as no list has shown it yet.
import type { Kind } from "../kinds/define.ts";
import type { Address } from "../model/address.ts";
import { idKey } from "../model/id.ts";
import type { Fields } from "./journal-entry.ts";

export interface MadeObject {
  readonly address: Address;
  readonly kind: Kind;
  readonly id: string;
  readonly parentId: string | null;
  readonly fields: Fields;
  /** When it was there at the latest, by our clock. */
  readonly at: number;
}

export interface MadeObjects {
  add(made: MadeObject): void;
  /** A list shows it. */
  show(id: string): void;
  isShown(id: string): boolean;
  /**
   * The last one of each kind, the latest first. A list that shows what was made last shows what was made before it, so
   * nothing else need be looked for.
   */
  lastOfEachKind(): readonly MadeObject[];
  /** What was made in the same list. */
  beside(made: MadeObject): readonly MadeObject[];
}

export function makeMadeObjects(): MadeObjects {
  const all: MadeObject[] = [];
  const shown = new Set<string>();
  return {
    add(made) {
      all.push(made);
    },
    show(id) {
      shown.add(idKey(id));
    },
    isShown: (id) => shown.has(idKey(id)),
    lastOfEachKind() {
      const byKind = new Map(all.map((made) => [made.kind.name, made]));
      return [...byKind.values()].sort((one, other) => other.at - one.at);
    },
    beside: ({ kind, parentId }) => all.filter((made) => made.kind === kind && made.parentId === parentId),
  };
}
