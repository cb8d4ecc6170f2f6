// Which live object an address of a saved plan means, and what is worth remembering. A signed plan may say so; for any other
// plan, today's files, state and the base that it names decide.
import { gitFiles } from "../../config/files.ts";
import { loadProject } from "../../config/project.ts";
import { parentAddress } from "../../kinds/index.ts";
import { type Address, idKey, rootOf, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { StateEntry } from "../../model/live.ts";
import { type Plan, planErrors } from "../../model/plan.ts";
import { familyOf } from "../../model/wish.ts";
import type { PlanUse } from "../planning/plan-inputs.ts";
import { planSession } from "../planning/plan-session.ts";
import type { Session } from "../session/open-session.ts";
import type { World } from "../world.ts";
import type { WhatToApply } from "./attempt.ts";

export interface SavedMatches {
  /** Whether this live object is what an event or a webhook of that address means. */
  readonly isMeant: (address: Address, id: string) => boolean;
  readonly matched: Readonly<Record<Address, StateEntry>>;
  readonly forgotten: readonly Address[];
  /** Why that is unknown. */
  readonly problems: readonly Diagnostic[];
}

export async function findSavedMatches(
  world: World,
  session: Session,
  plan: Plan,
  { flags, review }: WhatToApply,
): Promise<SavedMatches> {
  const { matched = {}, forgotten = [] } = plan;
  if (plan.signature !== undefined) return { isMeant: () => true, matched, forgotten, problems: [] };
  const objects = session.state?.objects ?? {};
  const isKept = (address: Address, id: string) => sameId(objects[address]?.id, id);
  const roots = plan.observed.flatMap(({ address, id }) =>
    parentAddress(address) === null && id !== null ? [{ address, id }] : [],
  );
  const documents = addressesIn(session.project);
  const unchanged = Object.entries(matched).map(([address, { id }]) => ({ address, id }));
  const open = [...roots, ...unchanged.filter(({ address }) => documents.has(address))];
  // State is sealed: if it knows everything, nothing else is asked.
  if (forgotten.length === 0 && open.every(({ address, id }) => isKept(address, id))) {
    return { isMeant: isKept, matched: {}, forgotten: [], problems: [] };
  }
  const { directory, environment } = session;
  const revision = plan.revision?.base ?? null;
  const files = revision === null ? null : await gitFiles(directory, revision);
  const base = files?.ok ? await loadProject(files.files, { environment, env: world.env, now: world.now() }) : null;
  const shard = plan.shard === undefined ? {} : { shard: plan.shard };
  const everything = { ...flags, target: [], ...shard };
  const use: PlanUse = { ...review, purpose: "show", sealed: false };
  // Without phases to come: what blocks them is not needed here, and finding it out takes calls.
  const project = { ...session.project, upcoming: [] };
  const replanned = await planSession(world, { ...session, base, project }, everything, use, () => undefined);
  const ids = new Map(Object.entries(replanned.matched).map(([address, { id }]) => [address, id]));
  for (const { address, id, blockedBy } of replanned.plan.changes) {
    // An ambiguous match is no match.
    if (id !== null && !blockedBy.some(({ code }) => code.startsWith("ambiguous-"))) ids.set(address, id);
  }
  const gone = new Set(replanned.forgotten);
  return {
    isMeant: (address, id) => isKept(address, id) || sameId(ids.get(address), id),
    matched: replanned.matched,
    forgotten: forgotten.filter((address) => gone.has(address)),
    problems: planErrors(replanned.plan),
  };
}

/**
 * What the plan matched, to be remembered: what it changes, as it was observed; and what it leaves alone, if a document
 * has that address and means it, as state or today's plan knows it.
 */
export function matchedOf(
  plan: Plan,
  { state, project }: Session,
  meant: SavedMatches,
): Readonly<Record<Address, StateEntry>> {
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const changed = new Map(plan.changes.map((change) => [change.address, change]));
  const documents = addressesIn(project);
  const entries: Record<Address, StateEntry> = {};
  for (const [address, entry] of Object.entries(plan.matched ?? {})) {
    if (changed.has(address) || !documents.has(address)) continue;
    const known = state?.objects[address];
    const found = sameId(known?.id, entry.id) ? known : meant.matched[address];
    if (found !== undefined && sameId(found.id, entry.id)) entries[address] = found;
  }
  for (const observed of plan.observed) {
    const change = changed.get(observed.address);
    // Observed without a change: an event whose lists change, or something that changes refer to, which need not be ours.
    const isOurs = change === undefined ? observed.lists !== undefined : change.action !== "delete";
    if (observed.id === null || !isOurs) continue;
    if (!meant.isMeant(rootOf(observed.address), observed.parentId ?? observed.id)) continue;
    // A plan file knows what it saw; state, or the plan's own memory, knows what the service does not show.
    const planned = meant.matched[observed.address];
    const known = byId.get(idKey(observed.id)) ?? (sameId(planned?.id, observed.id) ? planned : undefined);
    const differing = new Set(change?.edits.map((edit) => edit.path.slice(1)));
    const isAsObserved = (field: string) => !differing.has(field) && !Object.hasOwn(known?.returned ?? {}, field);
    const asObserved = Object.entries(observed.fields).filter(([field]) => isAsObserved(field));
    const applied = { ...known?.applied, ...Object.fromEntries(asObserved) };
    entries[observed.address] = { ...known, kind: observed.kind, id: observed.id, applied };
  }
  return entries;
}

function addressesIn({ events, webhooks }: Session["project"]): ReadonlySet<Address> {
  return new Set([...events, ...webhooks].flatMap(familyOf).map(({ address }) => address));
}
