// The calls for the lists of one event: what is made or changed first, what goes last.
import type { Body, ClearingCall } from "../model/operation.ts";
import { isReference, type Reference } from "../model/value.ts";
import { afterCreateBody, createBody, patchBody } from "./body.ts";
import type { Case, EventCase } from "./case.ts";
import type { Draft } from "./draft.ts";
import { type Pointer, pointersOf } from "./pointers.ts";
import { liveByAddress, namedBy } from "./references.ts";

type NewDraft = Omit<Draft, "needs">;

/** `path` is the event's; `before` is what every call below the event waits for. */
export function childOperations(event: EventCase, path: string, before: readonly Draft[]): readonly Draft[] {
  const drafts: Draft[] = [];
  /** Creations by address: others may name what they make. */
  const made = new Map<string, Draft>();
  /** Entries that name something that is replaced, by their id: they must name what takes its place. */
  const pointers = pointersOf(event);

  function add(draft: NewDraft, needs: readonly Draft[]): Draft {
    const added: Draft = { ...draft, needs: [...new Set([...before, ...needs])] };
    drafts.push(added);
    return added;
  }

  function create(child: Case): void {
    const { kind, wish, address } = child;
    if (wish === null) return;
    const list = `${path}/${kind.plural}`;
    const item = `${list}/{${address}}`;
    const needs: Draft[] = [];
    if (!kind.inline || event.self.change?.action !== "create") {
      const body = createBody(kind, wish, resolve);
      const draft: NewDraft = {
        ...about(child),
        verb: "create",
        method: "POST",
        path: list,
        body,
        ...wayAround(child),
      };
      const creation = add(draft, neededBy(child));
      made.set(address, creation);
      needs.push(creation);
    }
    const later = afterCreateBody(kind, wish);
    if (later !== null) add({ ...about(child), verb: "update", method: "PATCH", path: item, body: later }, needs);
    if (wish.fields.soldOut === true) {
      add({ ...about(child), verb: "sold-out", method: "POST", path: `${item}/sold-out` }, needs);
    }
  }

  /** Where names are unique, the former one has to go first, and before it every mention of it. */
  function wayAround(child: Case): Pick<Draft, "fallback" | "clearing"> {
    if (child.change?.action !== "replace" || child.live === null) return {};
    const mentions = [...pointers.values()].filter((pointer) => pointer.because === child.address);
    const clearing: ClearingCall[] = mentions.map(({ address, plural, id, field }) => ({
      address,
      verb: "update",
      method: "PATCH",
      path: `${path}/${plural}/${id}`,
      body: { [field]: null },
    }));
    const former = `${path}/${child.kind.plural}/${child.live.id}`;
    clearing.push({ address: child.address, verb: "delete", method: "DELETE", path: former });
    return { fallback: ["delete", "create"], clearing };
  }

  function update(child: Case, id: string): void {
    const { kind, change, wish } = child;
    if (change === null || wish === null) return;
    const item = `${path}/${kind.plural}/${id}`;
    const needs = neededBy(child);
    const patch = patchBody(kind, change, wish, resolve);
    if (patch !== null) {
      const pointer = pointers.get(id);
      pointers.delete(id);
      // Its own edits and a new pointer go out in one call.
      const body: Body = { ...pointing(pointer), ...patch };
      needs.push(...createdFor(pointer));
      needs.push(add({ ...about(child), verb: "update", method: "PATCH", path: item, body }, [...needs]));
    }
    const becomesTrue = (field: string) => change.edits.some((edit) => edit.path === field && edit.after === true);
    if (becomesTrue("/published")) {
      needs.push(add({ ...about(child), verb: "publish", method: "POST", path: `${item}/publish` }, [...needs]));
    }
    // A higher quantity brings tickets back on sale, so a type that is to stay sold out is told again.
    const refilled = wish.fields.soldOut === true && change.edits.some((edit) => edit.path === "/quantity");
    if (becomesTrue("/soldOut") || refilled) {
      add({ ...about(child), verb: "sold-out", method: "POST", path: `${item}/sold-out` }, needs);
    }
  }

  function point(pointer: Pointer): void {
    const { address, because } = pointer;
    const item = `${path}/${pointer.plural}/${pointer.id}`;
    add(
      { address, verb: "update", method: "PATCH", path: item, body: pointing(pointer), because },
      createdFor(pointer),
    );
  }

  function pointing(pointer: Pointer | undefined): Body {
    if (pointer === undefined) return {};
    return { [pointer.field]: pointer.target === null ? null : resolve({ $id: pointer.target }) };
  }

  /** After the creates of its kind, and after every call that concerns what still names the object. */
  function remove(child: Case): void {
    const siblings = `${event.self.address}/${child.kind.plural}/`;
    const naming = namedBy(event, child).map(({ live }) => `/${live.id}`);
    const needs = drafts.filter(
      (draft) =>
        (draft.verb === "create" && draft.address.startsWith(siblings)) || naming.some((id) => draft.path.endsWith(id)),
    );
    const item = `${path}/${child.kind.plural}/${child.live?.id}`;
    add({ ...about(child), verb: "delete", method: "DELETE", path: item }, needs);
  }

  function createdFor(pointer: Pointer | undefined): readonly Draft[] {
    // Where the object is replaced, its mentions may be taken back on the way: what is to stay comes after that.
    const addresses =
      pointer === undefined ? [] : [pointer.because, ...(pointer.target === null ? [] : [pointer.target])];
    return addresses.map((address) => made.get(address)).filter((draft) => draft !== undefined);
  }

  function neededBy(child: Case): Draft[] {
    const references = Object.values(child.wish?.fields ?? {}).filter(isReference);
    return references.map((reference) => made.get(reference.$id)).filter((draft) => draft !== undefined);
  }

  function resolve(reference: Reference): string | Reference {
    const named = event.children.find((child) => child.address === reference.$id);
    if (named === undefined) return liveByAddress(event, reference.$id)?.id ?? reference;
    return named.live === null || named.change?.action === "replace" ? reference : named.live.id;
  }

  const going: Case[] = [];
  for (const child of event.children) {
    const action = child.change?.action;
    if (action === "create" || action === "replace") create(child);
    else if (action === "update" && child.live !== null) update(child, child.live.id);
    if (action === "delete" || action === "replace") going.push(child);
  }
  for (const pointer of pointers.values()) point(pointer);
  // Children stand in the order of their kinds: what names others goes before what is named.
  for (const child of going.reverse()) remove(child);
  return drafts;
}

function about(child: Case): Pick<Draft, "address" | "because"> {
  return { address: child.address, because: child.address };
}
