// Which documents a plan is about: those of its targets and its shard that differ from its base.
import { type Address, rootOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { familyOf, type Wish } from "../../model/wish.ts";
import {
  type Comparison,
  differsFromBase,
  differsFromState,
  eventFilter,
  formerEvents,
  openAddresses,
  shardFilter,
  unknownTargets,
} from "../../plan/compare.ts";
import type { PlanInputs } from "./plan-inputs.ts";

export function choosePlanned(inputs: PlanInputs) {
  const { project, base, state } = inputs;
  const { target = [], shard = null } = inputs.flags;
  const isIncluded = eventFilter(target);
  const isOwn = shardFilter(shard);
  const targeted = project.events.filter((wish) => isIncluded(wish.address));
  const deleted = formerEvents(project, null, inputs.deleted ?? []);
  const isDeleted = new Set(deleted.map(({ address }) => address));
  const formerOfAll = formerEvents(project, state, base?.events ?? null, inputs.sinceLast).filter(
    ({ address }) => !isDeleted.has(address),
  );
  return {
    isOwn,
    ofShard: <Item extends { readonly address: Address }>(items: readonly Item[]) =>
      shard === null ? items : items.filter(({ address }) => isOwn(address)),
    targeted,
    /** Of all shards. */
    planned: targeted.filter(plannedWith(inputs)),
    formerOfAll,
    former: formerOfAll.filter((one) => isIncluded(one.address)),
    deleted,
  };
}

export function targetsWithoutMatch(
  { project, flags }: PlanInputs,
  { isOwn, former }: ReturnType<typeof choosePlanned>,
  comparisons: readonly Comparison[],
): readonly Diagnostic[] {
  // Targets of another shard are reported by that shard.
  const ownTargets = (flags.target ?? []).filter((target) => {
    const isMeant = eventFilter([target]);
    return [...project.events, ...former].every(({ address }) => isOwn(address) || !isMeant(address));
  });
  const known = [...project.events.flatMap(familyOf), ...project.webhooks, ...comparisons];
  const addresses = known.map(({ address }) => address);
  return unknownTargets(ownTargets, addresses, project.events, project.ended);
}

/** With a base, only what differs from it is planned. */
function plannedWith({ base, comparedWith, sinceLast, state }: PlanInputs): (wish: Wish) => boolean {
  if (base === null) return () => true;
  const former = new Map(base.events.map((wish) => [wish.address, wish]));
  // Reverting an unapplied merge restores what was applied, but is still a change.
  const merged = comparedWith && new Map(comparedWith.events.map((wish) => [wish.address, wish]));
  const differs = sinceLast === true && state !== null ? differsFromState(state) : () => false;
  const open = new Set(openAddresses(state).map(rootOf));
  return (wish) =>
    differsFromBase(wish, former.get(wish.address)) ||
    (merged !== null && differsFromBase(wish, merged.get(wish.address))) ||
    differs(wish) ||
    open.has(wish.address);
}
