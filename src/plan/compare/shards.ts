// `--shard 2/4`: one of several runs that plan a project together. Which of them plans an event follows from its key alone, so that
// they agree without asking one another.
import { createHash } from "node:crypto";
import { type Address, rootOf } from "../../model/address.ts";
import { readParts, type Shard } from "../../model/live.ts";

/** Whether the shard plans what is at an address; without one, all of it. What is no event is planned by the first. */
export function shardFilter(shard: Shard | null): (address: Address) => boolean {
  if (shard === null) return () => true;
  const { index, count } = readParts(shard);
  return (address) => (address.startsWith("events/") ? 1 + (hashOf(rootOf(address)) % count) : 1) === index;
}

function hashOf(text: string): number {
  return createHash("sha256").update(text).digest().readUIntBE(0, 6);
}
