import { kindOf } from "../kinds/index.ts";
import type { Address } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Source } from "../model/source.ts";
import type { Wish } from "../model/wish.ts";
import type { Located, LocatedMap } from "./located.ts";

/**
 * Names the object that problems are about: the entry of a list that they stand in, else the object itself. Those up to
 * `own` came up before the object was looked at, and are its own only where they stand within it.
 */
export function addressProblems(problems: Diagnostic[], from: number, own: number, wish: Wish, map: LocatedMap): void {
  if (problems.length === from) return;
  const places = new Map<string, Address>();
  note(map, wish.address, places);
  for (const [kind, children] of Object.entries(wish.children)) {
    const list = map.entries.get(kindOf(kind as Wish["kind"]).plural)?.value;
    const items = list?.type === "list" ? list.items.filter((item) => item.type === "map") : [];
    for (const [index, item] of items.entries()) {
      const child = children[index];
      // An entry without a name has no address to speak of.
      if (child !== undefined && child.name !== "") note(item, child.address, places);
    }
  }
  for (let index = from; index < problems.length; index++) {
    const problem = problems[index];
    if (problem === undefined || problem.address !== undefined || problem.source === undefined) continue;
    const address = places.get(textOf(problem.source)) ?? (index >= own ? wish.address : undefined);
    if (address !== undefined) problems[index] = { ...problem, address };
  }
}

/** Every place of a value or a key within it. */
function note(node: Located, address: Address, places: Map<string, Address>): void {
  places.set(textOf(node.source), address);
  if (node.type === "list") for (const item of node.items) note(item, address, places);
  if (node.type === "map") {
    for (const { key, value } of node.entries.values()) {
      places.set(textOf(key), address);
      note(value, address, places);
    }
  }
}

function textOf({ file, line, column }: Source): string {
  return `${file}:${line}:${column}`;
}
