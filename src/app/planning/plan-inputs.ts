import { sandboxName } from "../../config/environment.ts";
import { type Address, distinctIds, idKey, rootOf, sameId } from "../../model/address.ts";
import type { Advice, Diagnostic } from "../../model/diagnostic.ts";
import type { Live, Shard, State, VenueNames } from "../../model/live.ts";
import type { Revision } from "../../model/plan.ts";
import type { SecretPlace } from "../../model/value.ts";
import { familyOf, type Project, type Settings, type Wish } from "../../model/wish.ts";
import {
  type Comparison,
  differsFromBase,
  differsFromState,
  type Former,
  formerEvents,
  openAddresses,
  readFilter,
  shardFilter,
  unknownTargets,
} from "../../plan/compare.ts";
import type { HoldPolicy, MergedReview } from "../../plan/judge.ts";
import { type Recall, venueLine } from "../../plan/match.ts";
import type { TicketingClient } from "../../service/client.ts";
import type { WantedEvent } from "../../snapshot/find-events.ts";
import { venuesShown } from "../../snapshot/read-organization.ts";
import type { Reader } from "../../snapshot/reader.ts";
import type { Patience } from "../../snapshot/recent-writes.ts";
import { type Session, serviceNow } from "../session/open-session.ts";
import type { SessionFlags } from "../session/prepare-session.ts";
import type { World } from "../world.ts";

export interface PlanFlags extends SessionFlags {
  readonly target?: readonly string[];
  readonly shard?: Shard;
  readonly maxDeletes?: number;
  readonly resendUnreadable?: boolean;
  /** In seconds. */
  readonly settle?: number;
  /** In place of what the project file says. */
  readonly unreviewed?: Settings["unreviewed"];
}

/** What was reviewed of the changes that a plan may contain. */
export interface ReviewedChanges {
  /** null: there is nothing to compare with. Left out: the plan is for review, and holds nothing. */
  readonly reviewed?: readonly MergedReview[] | null;
  /** Those that were sent since they were reviewed. */
  readonly spent?: ReadonlySet<string>;
  /** The commit after which they were merged. */
  readonly since?: string | null;
  /** A scheduled run: with nothing to compare with, it leaves alone what was changed on the service. */
  readonly unattended?: boolean;
}

export interface PlanUse extends ReviewedChanges {
  /**
   * `save`: it carries what the run that applies it is to remember. `apply`: it is applied at once, so with nothing to look at, nothing
   * is asked of the service. `compare`: no apply may follow, so a scope that only an apply needs is not asked for.
   */
  readonly purpose: "show" | "save" | "apply" | "compare";
  /** Whether it gets a fingerprint, without which it cannot be applied later. */
  readonly sealed: boolean;
  /** A reader that has read before. `resume`: continues what an interrupted run has read; not for an apply, whose writes must be based on what is live now. */
  readonly reader?: Reader | "resume";
  /** Plans webhooks even if no target names them; then it is no failure if there are none, or if the key may not read them. */
  readonly alsoWebhooks?: boolean;
}

/** Whether a run with these flags leaves nothing in the files out, except what was applied last. */
export function isOfEverything({ target = [], base = "last", mergeInto }: Partial<PlanFlags>): boolean {
  return target.length === 0 && base === "last" && mergeInto === undefined;
}

type OfSession = Pick<Session, "project" | "remarks" | "base" | "comparedWith" | "state" | "now"> &
  Partial<Pick<Session, "earlier" | "sinceLast" | "leftovers" | "guards">>;

export interface PlanInputs extends OfSession {
  /** Documents that git shows as deleted, where nothing records what was applied. */
  readonly deleted?: readonly Wish[];
  /** null: outside git. */
  readonly revision?: Revision | null;
  /** What the base was called: a revision, or `last`. */
  readonly baseName?: string;
  /** What to hold, and what earlier runs held. */
  readonly review: HoldPolicy;
  readonly client: Pick<TicketingClient, "request" | "counts">;
  readonly reader: Reader;
  readonly target: { readonly environment: string; readonly baseUrl: string };
  readonly organizationPin: string | null;
  readonly flags: Partial<PlanFlags>;
  readonly use: PlanUse;
  readonly secretSink: "file" | "command" | null;
  readonly secretPlace: SecretPlace;
  readonly holdsSecret: (webhookId: string) => boolean | null;
  readonly onRunner: boolean;
  readonly version: string;
  readonly planKey: string | null;
  /** Completes the commands that problems and remarks advise. */
  readonly advise?: <Said extends Advice | Diagnostic>(said: readonly Said[]) => readonly Said[];
  /** What decides whether a key has expired. */
  readonly keyNow: () => number;
  /** A warning if the rate limit has less left than this many writes. */
  readonly budget: (writes: number) => readonly Diagnostic[];
  readonly estimateSeconds: (writes: number) => number;
  readonly onProgress: (done: number, total: number) => void;
}

/** How long the service may take to show what was written, unless a flag says otherwise. */
export function settleMsOf({ settle = 2 }: { readonly settle?: number | undefined }): number {
  return settle * 1000;
}

export function patienceOf(world: World, session: Session, flags: { readonly settle?: number | undefined }): Patience {
  const { client } = session.target;
  return { settleMs: settleMsOf(flags), now: () => serviceNow(world, session), sleep: (ms) => client.pause(ms) };
}

/** How many deletes are allowed, of all that the project has or had; `stated`: by a flag. */
export function limitOfDeletes({ settings, events }: Project, { maxDeletes }: Partial<PlanFlags>, former: number) {
  const stated = maxDeletes !== undefined;
  return { maxDeletes: maxDeletes ?? settings.maxDeletes, stated, events: events.length + former, elsewhere: 0 };
}

export function allOf({ events, webhooks }: Project): readonly Wish[] {
  return [...events, ...webhooks];
}

// The names of venues. The service finds a venue by its name and not by its id, so the venue that an event leaves is known only if
// a response shows it, or an earlier run has remembered it.

/** As the responses of this run show them, by the keys of their ids. */
export function venuesRead(reader: Pick<Reader, "kept">): NonNullable<State["venues"]> {
  return Object.fromEntries(Array.from(venuesShown(reader), ([id, venue]) => [id, venueLine(venue)]));
}

/** What was read so far is searched once, and only if a name is needed. */
export function venueNames(reader: Pick<Reader, "kept">, state: State | null): VenueNames {
  let venueNames: State["venues"];
  return (id) => {
    venueNames ??= venuesRead(reader);
    const key = idKey(id);
    return venueNames[key] ?? state?.venues?.[key] ?? null;
  };
}

// Which live events the documents may mean, as questions to the service.

/** How the event of a document may be known. `base`: the former document. */
export function wantedEvent(wish: Wish, remember: Recall, base?: Wish): WantedEvent {
  const ids = distinctTexts(wish.own.id, remember(wish.address).id, base?.own.id);
  return {
    ids: distinctIds(ids),
    pins: distinctTexts(wish.own.id, base?.own.id),
    names: wish.own.id === undefined ? namesToFind(wish, base) : [],
    starts: distinctTexts(wish.fields.dateTime, base?.fields.dateTime),
    fields: Object.keys(wish.fields),
    expected: ids.length > 0 || base !== undefined ? "live" : "unknown",
    archivedToo: wish.own.new !== true,
  };
}

function namesToFind(wish: Wish, base: Wish | undefined): readonly string[] {
  return distinctTexts(wish.fields.name, wish.own.renamedFrom, base?.fields.name);
}

function distinctTexts(...values: readonly unknown[]): readonly string[] {
  return [...new Set(values.filter((value) => typeof value === "string"))];
}

/** The same for a plan, which must also find a renamed event before it makes a second one. */
export function wantedByPlan(
  wish: Wish,
  remember: Recall,
  base: Wish | undefined,
  { isEmbedded, hasBase }: { readonly isEmbedded: boolean; readonly hasBase: boolean },
): WantedEvent {
  const wanted = wantedEvent(wish, remember, base);
  const { status } = wish.own;
  return {
    ...wanted,
    names: isEmbedded ? namesToFind(wish, base) : wanted.names,
    expected: wanted.expected === "unknown" && hasBase ? "new" : wanted.expected,
    archivedToo: true,
    // The id that state holds would have found it under any name.
    renamesToo:
      wish.own.new !== true && status !== "DELETED" && status !== "ARCHIVED" && remember(wish.address).id === null,
  };
}

export function wantedFormer({ id, name, start }: Former): WantedEvent {
  return {
    isGone: true,
    ids: distinctTexts(id),
    names: id === null ? distinctTexts(name) : [],
    starts: distinctTexts(start),
    fields: [],
    expected: "live",
    archivedToo: false,
  };
}

/** The same for what another shard plans. */
export function wantedElsewhere(wanted: WantedEvent, wish: Wish, base?: Wish): WantedEvent {
  return { ...wanted, fields: [], elsewhere: [...namesToFind(wish, base), ...wanted.starts] };
}

/** The embedded sandbox never contains what is live elsewhere: there, a plain `id` that is not found pins nothing. */
export function withoutLostPin(wish: Wish, lives: readonly Live[]): Wish {
  const { id, ids, ...own } = wish.own;
  return id === undefined || ids !== undefined || lives.some((live) => sameId(live.id, id)) ? wish : { ...wish, own };
}

export function pinNotHere(wish: Wish, { defaultEnvironment, environments }: Settings): Diagnostic {
  // Without environments in the project file there is no name that an id could be pinned under.
  const others = Object.keys(environments).filter((name) => name !== sandboxName);
  const name = others.find((each) => each === defaultEnvironment) ?? others[0];
  const hint = `Write \`id: { ${name}: ${wish.own.id} }\` to pin it in that environment only.`;
  return {
    code: "pin-not-here",
    severity: "info",
    message: `"${wish.name}" is pinned to the id ${wish.own.id}, which does not exist in the sandbox: here it is found by name and start, or created.`,
    ...(name === undefined ? {} : { hint }),
    address: wish.address,
    source: wish.places.id ?? wish.source,
  };
}

/** Pinned for other environments alone, in a project that declares none: the name may be misspelled. */
export function pinnedElsewhere(wish: Wish, { environments }: Settings, chosen: string): Diagnostic | readonly [] {
  const { id, ids = {} } = wish.own;
  const [other] = Object.keys(ids);
  if (id !== undefined || other === undefined || Object.keys(environments).length > 0) return [];
  return {
    code: "pin-not-here",
    severity: "warning",
    message: `"${wish.name}" is pinned only for the environment "${other}", and this one is called "${chosen}": that id is not used here.`,
    hint: `If it is live here, write \`id: { ${chosen}: ${ids[other]} }\` with the id that it has here.`,
    address: wish.address,
    source: wish.places.id ?? wish.source,
  };
}

// Which documents a plan is about: those of its targets and its shard that differ from its base.

export function choosePlanned(inputs: PlanInputs) {
  const { project, base, state } = inputs;
  const { target = [], shard = null } = inputs.flags;
  const isIncluded = readFilter(target);
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
  { project, flags, state }: PlanInputs,
  { isOwn, former }: ReturnType<typeof choosePlanned>,
  comparisons: readonly Comparison[],
): readonly Diagnostic[] {
  // Targets of another shard are reported by that shard.
  const ownTargets = (flags.target ?? []).filter((target) => {
    const isMeant = readFilter([target]);
    return [...project.events, ...former].every(({ address }) => isOwn(address) || !isMeant(address));
  });
  const known = [...project.events.flatMap(familyOf), ...project.webhooks, ...comparisons];
  // What state alone still has was deleted, perhaps by a run that was cut off: there is nothing to do, and no mistake.
  const over = new Set(project.ended.map(({ address }) => address));
  const recorded = Object.keys(state?.objects ?? {}).filter((address) => !over.has(rootOf(address)));
  const addresses = [...known.map(({ address }) => address), ...recorded];
  return unknownTargets(ownTargets, addresses, project.events, project.ended);
}

/** With a base, only what differs from it is planned. */
function plannedWith({ base, comparedWith, sinceLast, state }: PlanInputs): (wish: Wish) => boolean {
  if (base === null) return () => true;
  const former = new Map(base.events.map((wish) => [wish.address, wish]));
  // Reverting an unapplied merge restores what was applied, but is still a change.
  const merged = comparedWith && new Map(comparedWith.events.map((wish) => [wish.address, wish]));
  const differs =
    sinceLast === true && state !== null ? differsFromState({ ...state, venues: state.venues ?? {} }) : () => false;
  const open = new Set(openAddresses(state).map(rootOf));
  return (wish) =>
    differsFromBase(wish, former.get(wish.address)) ||
    (merged !== null && differsFromBase(wish, merged.get(wish.address))) ||
    differs(wish) ||
    open.has(wish.address);
}
