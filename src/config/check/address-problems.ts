import { kindOf } from "../../kinds/index.ts";
import type { Address } from "../../model/address.ts";
import { type Diagnostic, placeKey } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";
import type { Located, LocatedMap } from "../yaml/located.ts";

/** Where, in the list of problems, those of a file and of its objects begin. */
export interface Since {
  /** Before the file was read. */
  readonly before: number;
  /** Called after all of it was read; problems found until then may be about any of its objects. */
  readonly read: number;
  /** Before this object was checked; equal to `before` where the file holds only this one. */
  readonly own: number;
}

/** Names the object that problems are about: the entry of a list that they are in, else the object itself. */
export function assignAddresses(problems: Diagnostic[], since: Since, wish: Wish, map: LocatedMap): void {
  const { before, read, own } = since;
  if (problems.length === own && read === before) return;
  const places = new Map<string, Address>();
  notePlaces(map, wish.address, places);
  for (const [kind, children] of Object.entries(wish.children)) {
    const list = map.entries.get(kindOf(kind as Wish["kind"]).plural)?.value;
    const items = list?.type === "list" ? list.items.filter((item) => item.type === "map") : [];
    for (const [index, item] of items.entries()) {
      const child = children[index];
      // An entry without a name has no address to speak of.
      if (child !== undefined && child.name !== "") notePlaces(item, child.address, places);
    }
  }
  // Problems reported in between belong to other objects.
  for (const [from, to] of [
    [before, Math.min(read, own)],
    [own, problems.length],
  ] as const) {
    for (let index = from; index < to; index++) {
      const problem = problems[index];
      if (problem === undefined || problem.address !== undefined || problem.source === undefined) continue;
      const address = places.get(placeKey(problem.source)) ?? (index >= own ? wish.address : undefined);
      if (address !== undefined) problems[index] = { ...problem, address };
    }
  }
}

/** Every place of a value or a key within it. */
function notePlaces(node: Located, address: Address, places: Map<string, Address>): void {
  places.set(placeKey(node.source), address);
  if (node.type === "list") for (const item of node.items) notePlaces(item, address, places);
  if (node.type === "map") {
    for (const { key, value } of node.entries.values()) {
      places.set(placeKey(key), address);
      notePlaces(value, address, places);
    }
  }
}
