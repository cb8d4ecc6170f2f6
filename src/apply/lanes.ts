// Objects that could be taken for each other are made one after another: a lost answer to one is never settled with the other.
import { kindOfAddress, parentAddress } from "../kinds/of-address.ts";
import type { Operation } from "../model/operation.ts";

export type InLane = <Result>(operation: Operation, work: () => Promise<Result>) => Promise<Result>;

export function makeLanes(): InLane {
  const last = new Map<string, Promise<unknown>>();
  return (operation, work) => {
    if (operation.verb !== "create") return work();
    const lane = laneOf(operation);
    const before = last.get(lane);
    const mine = before === undefined ? work() : before.then(work, work);
    last.set(lane, mine);
    return mine.finally(() => {
      if (last.get(lane) === mine) last.delete(lane);
    });
  };
}

function laneOf({ address, body }: Operation): string {
  const kind = kindOfAddress(address);
  // One secret in hand at a time: it is safe before the next is asked for, so that a crash can cost no more than one.
  if (kind.secret) return kind.plural;
  return `${parentAddress(address) ?? ""}/${kind.plural}/${String(body?.[kind.identity.label])}`;
}
