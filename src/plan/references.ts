// Objects that others name by id: what must be re-pointed when one is replaced, and what forbids that one goes.
import { canonical, withoutMarkup } from "../kinds/canonical.ts";
import type { ReferencePolicy } from "../kinds/define.ts";
import { kindOf, kinds } from "../kinds/index.ts";
import { type Address, encodeSegment, makeAddress } from "../model/address.ts";
import type { Block } from "../model/change.ts";
import { sameId } from "../model/id.ts";
import type { KindName } from "../model/kind-name.ts";
import type { Live } from "../model/live.ts";
import { isReference } from "../model/value.ts";
import type { Case, EventCase } from "./case.ts";
import { withBlocks } from "./compare.ts";

export interface Referrer {
  readonly kind: KindName;
  readonly field: string;
  readonly policy: ReferencePolicy;
}

/** The kinds whose objects may name objects of this kind. */
export function referrersOf(kindName: KindName): readonly Referrer[] {
  const found: Referrer[] = [];
  for (const kind of kinds) {
    for (const [field, policy] of Object.entries(kind.fields)) {
      if (policy.role === "reference" && policy.to === kindName) found.push({ kind: kind.name, field, policy });
    }
  }
  return found;
}

/** Lists that must be read although the document does not manage them, because a change of this event may break them. */
export function furtherLists(event: EventCase): readonly KindName[] {
  const needed = new Set<KindName>();
  for (const one of event.children) {
    if (one.change?.action !== "replace" && one.change?.action !== "delete") continue;
    for (const referrer of referrersOf(one.kind.name)) {
      if (event.lists[referrer.kind] === undefined) needed.add(referrer.kind);
    }
  }
  return [...needed];
}

/** Live objects that name this one, with their case where the document manages them. */
export function namedBy(
  event: EventCase,
  one: Case,
): readonly { live: Live; managed: Case | undefined; referrer: Referrer }[] {
  const id = one.live?.id;
  if (id === undefined) return [];
  return referrersOf(one.kind.name).flatMap((referrer) =>
    (event.lists[referrer.kind] ?? [])
      .filter((live) => sameId(live.fields[referrer.policy.sentAs], id))
      .map((live) => ({ live, referrer, managed: event.children.find((child) => child.live?.id === live.id) })),
  );
}

/** An entry that must name the object that takes the place of the one it names now. */
export interface Pointer {
  readonly id: string;
  readonly address: Address;
  readonly plural: string;
  /** The field of the body that names. */
  readonly field: string;
  /** The address of the object that goes. */
  readonly because: Address;
  /** The address of the object that takes its place. */
  readonly heir: Address;
}

/**
 * What takes the place of an object that goes: where it is replaced, the new one at the same address; where a
 * replacement was cut off and both are live, or somebody made it twice, the one of its name that stays.
 */
function heirOf(event: EventCase, one: Case): Address | null {
  if (one.change?.action === "replace") return one.address;
  if (one.change?.action !== "delete") return null;
  const stays = (other: Case) => other.wish !== null && other.kind === one.kind && sameText(other.name, one.name);
  return event.children.find(stays)?.address ?? null;
}

function sameText(one: string, other: string): boolean {
  return canonical("text", withoutMarkup(one)) === canonical("text", withoutMarkup(other));
}

export function pointersOf(event: EventCase): Map<string, Pointer> {
  const pointers = new Map<string, Pointer>();
  for (const going of event.children) {
    const heir = heirOf(event, going);
    if (heir === null) continue;
    for (const { live, managed, referrer } of namedBy(event, going)) {
      if (managed?.change?.action === "delete") continue;
      if (managed?.change?.edits.some((edit) => edit.path === `/${referrer.field}`)) continue;
      const { plural, identity } = kindOf(referrer.kind);
      const name = live.fields[identity.label];
      pointers.set(live.id, {
        id: live.id,
        address: managed?.address ?? makeAddress(event.self.address, plural, typeof name === "string" ? name : live.id),
        plural,
        field: referrer.policy.sentAs,
        because: going.address,
        heir,
      });
    }
  }
  return pointers;
}

/** Marks what may not go because something that stays names it, and what names something that is nowhere. */
export function judgeReferences(event: EventCase): EventCase {
  return { ...event, children: event.children.map((one) => missingTarget(event, inUse(event, one))) };
}

function inUse(event: EventCase, one: Case): Case {
  if (one.change?.action !== "delete" || heirOf(event, one) !== null) return one;
  const staying = namedBy(event, one).filter(({ managed, referrer }) => {
    if (managed === undefined) return true;
    return (
      managed.change?.action !== "delete" && !managed.change?.edits.some((edit) => edit.path === `/${referrer.field}`)
    );
  });
  const [first] = staying;
  if (first === undefined) return one;
  const titles = staying.map(({ live }) => `'${live.fields.title ?? live.id}'`).join(", ");
  const block: Block = {
    code: `${one.kind.name}-in-use`,
    message: `'${one.name}' cannot go: the ${staying.length === 1 ? "schedule entry" : "schedule entries"} ${titles} of the live event ${staying.length === 1 ? "names" : "name"} it.`,
    hint: `List \`${kindOf(first.referrer.kind).plural}\` in the document and name another ${first.referrer.field} there (or \`${first.referrer.field}: null\`), or keep '${one.name}'.`,
  };
  return { ...one, change: withBlocks(one.change, [block]) };
}

function missingTarget(event: EventCase, one: Case): Case {
  if (one.change === null || one.wish === null || event.self.live === null) return one;
  for (const value of Object.values(one.wish.fields)) {
    if (!isReference(value) || isThere(event, value.$id)) continue;
    const name = value.$id.slice(value.$id.lastIndexOf("/") + 1);
    const block: Block = {
      code: "unknown-performer",
      message: `'${one.name}' names '${name}', and the event has none of that name.`,
      hint: "List it in the document, or correct the name.",
    };
    return { ...one, change: withBlocks(one.change, [block]) };
  }
  return one;
}

function isThere(event: EventCase, address: string): boolean {
  return event.children.some((child) => child.address === address) || liveByAddress(event, address) !== undefined;
}

/** A live object of a list that the document does not manage, by the address it would have. */
export function liveByAddress(event: EventCase, address: string): Live | undefined {
  for (const kind of kinds) {
    const prefix = `${event.self.address}/${kind.plural}/`;
    if (!address.startsWith(prefix)) continue;
    return event.lists[kind.name]?.find((live) => makeSegment(live) === address.slice(prefix.length));
  }
  return undefined;
}

function makeSegment(live: Live): string | null {
  return typeof live.fields.name === "string" ? encodeSegment(live.fields.name) : null;
}
