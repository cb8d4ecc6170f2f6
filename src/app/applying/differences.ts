// Whether what a saved plan observed is still true: fields, statuses, lists and names. Anybody may have written the plan,
// so what it shows must be what is live.
import { describeAddress } from "../../apply/run.ts";
import { kindOf, parentAddress, sameValue, sentName, showsSame, soldKind } from "../../kinds/index.ts";
import { type Address, idKey, sameId } from "../../model/address.ts";
import type { Live, Mention, VenueNames } from "../../model/live.ts";
import type { Change, Context, Observed, Operation, Plan } from "../../model/plan.ts";
import { standardZone } from "../../model/time.ts";
import { formatMoney, groupBy, type Value } from "../../model/value.ts";
import { sameName } from "../../plan/alterations.ts";
import { explainChanges } from "../../plan/assemble.ts";
import { type Referrer, referrersOf } from "../../plan/compare.ts";
import { editVenueNames, identityWords } from "../../plan/judge.ts";
import { alikeUrls } from "../../plan/match.ts";
import type { Session } from "../session/open-session.ts";
import { nameIn, type Reread } from "./judge-again.ts";

export function differencesOf(plan: Plan, again: Reread, { state, project }: Session): readonly string[] {
  const changes = new Map(plan.changes.map((change) => [change.address, change]));
  const byId = new Map(Object.values(state?.objects ?? {}).map((entry) => [idKey(entry.id), entry]));
  const wishes = new Map(project.events.map((wish) => [wish.address, wish]));
  const names = new Map(project.events.map(({ address, name }) => [address, name]));
  const called: Called = (address) => describeAddress(address, names);

  /** Approval rests on the names and former values that the plan shows. */
  function shownDifferences(change: Change, live: Live): readonly string[] {
    const { address, context, edits } = change;
    const parent = parentAddress(address) ?? "";
    const above = again.lives.get(parent) ?? null;
    const hidden = edits.filter(
      ({ unreadable, path }) =>
        unreadable === true && live.fields[sentName(kindOf(change.kind), path.slice(1))] !== undefined,
    );
    return [
      ...(isCalled(live, context?.name ?? nameIn(address), change) ? [] : [`${called(address)} has a different name`]),
      ...(above === null || isCalled(above, context?.eventName ?? nameIn(parent), changes.get(parent))
        ? []
        : [`the event of ${called(address)} has a different name`]),
      ...(areFeesTrue(change, above ?? live)
        ? []
        : [`the event of ${called(address)} handles fees differently than the plan says`]),
      ...hidden.map(
        ({ path }) =>
          `the service now shows \`${path.slice(1)}\` of ${called(address)}, which it did not when the plan was made`,
      ),
    ];
  }

  /** Whether the plan uses its live name, the name that the plan gives it, or one that the service stores differently. */
  function isCalled(live: Live, name: string, change: Change | undefined): boolean {
    const { label } = kindOf(live.kind).identity;
    const shown = live.fields[label] ?? live.id;
    return (
      sameName(shown, name) ||
      change?.edits.find(({ path }) => path === `/${label}`)?.after === name ||
      byId.get(idKey(live.id))?.applied[label] === name ||
      alikeUrls([shown], [name]).some((alike) => alike.length > 0)
    );
  }

  /** Who pays the fees decides what a price means to buyers; if a plan leaves the event alone, its document may differ. */
  function areFeesTrue({ address, context }: Change, event: Live): boolean {
    if (context?.absorbFees === undefined) return true;
    const root = parentAddress(address) ?? address;
    const said = [feesOf(changes.get(root), event), wishes.get(root)?.fields.absorbFees].filter(
      (fees) => typeof fees === "boolean",
    );
    return said.length === 0 || said.includes(context.absorbFees);
  }

  function reasonsOf(observed: Observed): readonly string[] {
    const { address } = observed;
    const live = again.lives.get(address) ?? null;
    if (observed.id === null)
      return [...foundAlready(called(address), live), ...newcomers(called(address), again.newcomers.get(address))];
    if (live === null) return [`${called(address)} no longer exists`];
    const change = changes.get(address);
    const open = change?.blockedBy.length === 0 ? change : null;
    return [
      ...fieldDifferences(observed, live, called(address)),
      ...listDifferences(observed, again, called(address)),
      ...(open === null
        ? []
        : [...shownDifferences(open, live), ...mentionDifferences(open, observed, changes, again, called)]),
    ];
  }

  return plan.observed.flatMap(reasonsOf);
}

/** What a person calls the object. */
type Called = (address: Address) => string;

/** Calls whose effect is already live, such as a sale that was closed meanwhile, unless an earlier call for the same object may undo it. */
export function reachedCalls({ operations }: Plan, { lives }: Reread): ReadonlySet<string> {
  const byAddress = groupBy(operations, ({ address }) => address);
  const isReached = ({ address, verb }: Operation) => {
    const live = lives.get(address) ?? null;
    if (live === null || byAddress.get(address)?.length !== 1) return false;
    return Object.entries(kindOf(live.kind).fields).some(
      ([field, policy]) => policy.role === "value" && policy.change === verb && live.fields[field] === true,
    );
  };
  return new Set(operations.filter(isReached).map(({ id }) => id));
}

function foundAlready(called: string, live: Live | null): readonly string[] {
  if (live === null) return [];
  return [`${called} already exists on the service (${live.id}${live.status === "ARCHIVED" ? ", ARCHIVED" : ""})`];
}

/** A new plan would ask which of the two is meant. */
function newcomers(called: string, live: Live | undefined): readonly string[] {
  if (live === undefined) return [];
  return [`another event with the name of ${called}, or with its start and venue, has appeared since (${live.id})`];
}

function fieldDifferences(observed: Observed, live: Live, called: string): readonly string[] {
  const kind = kindOf(observed.kind);
  const shownStatus = live.status ?? live.otherStatus ?? null;
  const status = shownStatus !== null && observed.status !== live.status && kind.steps.length > 0;
  const fields = Object.entries(observed.fields).filter(([field, value]) => {
    const policy = kind.fields[field];
    // Sales alone bring a ticket type to nothing remaining.
    if (policy?.role === "value" && policy.change === "sold-out") return false;
    const shown = live.fields[field];
    return shown !== undefined && !showsSame(policy, shown, value);
  });
  return [
    ...(status
      ? [
          `${called} is now ${shownStatus}; ${observed.status === null ? "its status was unknown" : `it was ${observed.status}`} when the plan was made`,
        ]
      : []),
    ...fields.map(([field, before]) => {
      const now = live.fields[field];
      const isShort = [before, now].every((value) => typeof value === "number" || typeof value === "boolean");
      const policy = kind.fields[field];
      const say = (value: unknown) => (policy?.role === "value" && policy.money ? formatMoney(Number(value)) : value);
      const how = isShort
        ? `is now ${say(now)}; it was ${say(before)} when the plan was made`
        : "has changed since the plan was made";
      return `\`${field}\` of ${called} ${how}`;
    }),
  ];
}

function listDifferences(observed: Observed, again: Reread, called: string): readonly string[] {
  const lists = again.lists.get(observed.address) ?? {};
  return Object.entries(observed.lists ?? {}).flatMap(([name, ids]) => {
    const kind = kindOf(name as Observed["kind"]);
    const now = (lists[kind.name] ?? []).map((live) => live.id).sort();
    return sameValue(now, [...ids].sort()) ? [] : [`the ${kind.plural} of ${called} have changed`];
  });
}

/** Entries that refer to an object that is deleted: each must be known, and must be changed to refer to its replacement. */
function mentionDifferences(
  change: Change,
  observed: Observed,
  changes: ReadonlyMap<Address, Change>,
  again: Reread,
  called: Called,
) {
  if (change.action !== "delete" && change.action !== "replace") return [];
  const parent = parentAddress(observed.address) ?? "";
  const lists = again.lists.get(parent) ?? {};
  return referrersOf(observed.kind).flatMap((referrer) =>
    (lists[referrer.kind] ?? []).flatMap((entry) => {
      const mention = observed.mentions?.find(({ id }) => sameId(id, entry.id));
      const shown = entry.fields[referrer.policy.sentAs];
      const what = `the entry ${entry.id} of ${called(parent)}`;
      if (sameId(shown, observed.id)) {
        const isHandled = mention !== undefined && isMentionHandled(mention, referrer, change, changes);
        return isHandled ? [] : [`${what} names ${called(observed.address)}`];
      }
      return shown !== undefined && mention?.target !== undefined
        ? [`${what} does not name ${called(observed.address)}`]
        : [];
    }),
  );
}

function isMentionHandled(
  { address, target }: Mention,
  { field }: Referrer,
  leaving: Change,
  changes: ReadonlyMap<Address, Change>,
): boolean {
  if (target === undefined) {
    const own = changes.get(address);
    return own?.action === "delete" || own?.edits.some(({ path }) => path === `/${field}`) === true;
  }
  if (leaving.action === "replace") return target === leaving.address;
  return target !== null && target !== leaving.address && sameName(nameIn(target), nameIn(leaving.address));
}

/** Whether an event will absorb fees, by its change and by what is live; undefined: neither shows it. */
function feesOf(change: Change | undefined, event: Live | null): Value | undefined {
  return change?.edits.find(({ path }) => path === "/absorbFees")?.after ?? event?.fields.absorbFees;
}

/** A new member of the context is a type error until somebody has said how it is verified. */
type VerifiedContext = { readonly [Member in keyof Required<Context>]: Context[Member] | undefined };

/**
 * The plan as it is shown when anybody may have written it: how much is sold was not read again, so no number is shown;
 * names of venues, fees and prices are shown as far as they are known.
 */
export function withVerifiedContext(plan: Plan, again: Reread, venues: VenueNames): Plan {
  const byAddress = new Map(plan.changes.map((change) => [change.address, change]));
  const byParent = groupBy(plan.changes, ({ address }) => parentAddress(address) ?? "");
  const changes = plan.changes.map((change) => {
    if (change.context === undefined) return change;
    const { name, which, eventName, timezone, status, absorbFees, prices } = change.context;
    const root = parentAddress(change.address) ?? change.address;
    const event = byAddress.get(root);
    const fees = feesOf(event, again.lives.get(root) ?? null) ?? absorbFees;
    const known = new Set(
      [
        ...(byParent.get(change.address) ?? []).map((child) => [
          nameOfNew(child) ?? child.context?.name,
          child.edits.find(({ path }) => path === "/price")?.after,
        ]),
        ...(again.lists.get(change.address)?.[soldKind.name] ?? []).map(({ fields }) => [fields.name, fields.price]),
      ].map((pair) => JSON.stringify(pair)),
    );
    const verified: VerifiedContext = {
      // The names of live objects were compared above.
      name: nameOfNew(change) ?? name,
      which: which && (identityOfChange(change, again.lives.get(change.address)) || undefined),
      eventName: eventName && (nameOfNew(event) ?? eventName),
      // UTC is shown next to it.
      timezone,
      // Any other status than the observed one has refused the plan already.
      status,
      absorbFees: absorbFees === undefined || typeof fees !== "boolean" ? undefined : fees,
      prices: prices?.filter((one) => known.has(JSON.stringify([one.name, one.price]))),
      names: editVenueNames(change.edits, venues).names,
      sold: undefined,
    };
    const context = Object.fromEntries(Object.entries(verified).filter(([, value]) => value !== undefined)) as Context;
    return { ...change, context };
  });
  return { ...plan, changes: explainChanges(changes, plan.operations) };
}

function identityOfChange({ kind, edits, context }: Change, live: Live | null | undefined): string {
  const shown = (field: string) => live?.fields[field] ?? edits.find(({ path }) => path === `/${field}`)?.after;
  return identityWords(kindOf(kind), shown, context?.timezone ?? standardZone);
}

/** A new object goes by the name that it is created with. */
function nameOfNew(change: Change | undefined): string | undefined {
  if (change?.action !== "create") return undefined;
  const label = `/${kindOf(change.kind).identity.label}`;
  return String(change.edits.find(({ path }) => path === label)?.after ?? nameIn(change.address));
}
