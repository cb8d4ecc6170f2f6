// The calls for the lists of one event.
import type { Body } from "../model/operation.ts";
import { isReference, type Reference } from "../model/value.ts";
import { afterCreateBody, createBody, patchBody } from "./body.ts";
import type { Case, EventCase } from "./case.ts";
import type { Draft } from "./draft.ts";
import { liveByAddress, type Pointer, pointersOf } from "./references.ts";

type NewDraft = Omit<Draft, "needs">;

/** Collects the drafts of one event's lists; remembers what is made, because others may need it. */
export class ChildDrafts {
  readonly drafts: Draft[] = [];
  readonly #event: EventCase;
  readonly #path: string;
  readonly #before: readonly Draft[];
  readonly #made = new Map<string, Draft>();
  /** Entries that name something that is replaced, by their id: they must name what takes its place. */
  readonly #pointers: Map<string, Pointer>;

  constructor(event: EventCase, path: string, before: readonly Draft[]) {
    this.#event = event;
    this.#path = path;
    this.#before = before;
    this.#pointers = pointersOf(event);
  }

  /** What makes the object as wished, short of removing a former one. */
  addMaking(child: Case): void {
    const action = child.change?.action ?? "none";
    if (child.wish === null) return;
    if (action === "create" || action === "replace") this.#create(child);
    else if (child.live !== null && action !== "delete") this.#update(child, child.live.id);
  }

  addPointersOfUnmanaged(): void {
    for (const pointer of this.#pointers.values()) this.#point(pointer);
    this.#pointers.clear();
  }

  /** Deletes come after the creates of their kind, and after every call that concerns what still names the object. */
  addRemoval(child: Case): void {
    const list = `${this.#event.self.address}/${child.kind.plural}/`;
    const naming = pointersTo(this.#event, child);
    const needs = this.drafts.filter(
      (draft) =>
        (draft.verb === "create" && draft.address.startsWith(list)) ||
        naming.some((id) => draft.path.endsWith(`/${id}`)),
    );
    const path = `${this.#path}/${child.kind.plural}/${child.live?.id}`;
    this.#add({ ...about(child), verb: "delete", method: "DELETE", path }, needs);
  }

  #create(child: Case): void {
    const wish = child.wish;
    if (wish === null) return;
    const list = `${this.#path}/${child.kind.plural}`;
    const item = `${list}/{${child.address}}`;
    const needs: Draft[] = [];
    if (!child.kind.inline || this.#event.self.change?.action !== "create") {
      const body = createBody(child.kind, wish, (reference) => this.#resolve(reference));
      const draft = this.#add(
        { ...about(child), verb: "create", method: "POST", path: list, body },
        this.#needsOf(child),
      );
      this.#made.set(child.address, draft);
      needs.push(draft);
    }
    const later = afterCreateBody(child.kind, wish);
    if (later !== null) this.#add({ ...about(child), verb: "update", method: "PATCH", path: item, body: later }, needs);
    if (wish.fields.soldOut === true)
      this.#add({ ...about(child), verb: "sold-out", method: "POST", path: `${item}/sold-out` }, needs);
  }

  #update(child: Case, id: string): void {
    const { change, wish } = child;
    const pointer = this.#pointers.get(id);
    if (change === null || wish === null) return;
    const item = `${this.#path}/${child.kind.plural}/${id}`;
    const patch = patchBody(child.kind, change, wish, (reference) => this.#resolve(reference));
    const needs = this.#needsOf(child);
    if (patch !== null) {
      // Its own edits and a new pointer go out in one call.
      const body: Body = { ...(pointer === undefined ? {} : pointer.body), ...patch };
      const creation = pointer === undefined ? undefined : this.#made.get(pointer.because);
      if (creation !== undefined) needs.push(creation);
      this.#pointers.delete(id);
      needs.push(this.#add({ ...about(child), verb: "update", method: "PATCH", path: item, body }, [...needs]));
    }
    const becomesTrue = (path: string) => change.edits.some((edit) => edit.path === path && edit.after === true);
    if (becomesTrue("/published")) {
      needs.push(this.#add({ ...about(child), verb: "publish", method: "POST", path: `${item}/publish` }, [...needs]));
    }
    // A higher quantity brings tickets back on sale, so a type that is to stay sold out is told again.
    const refilled = wish.fields.soldOut === true && change.edits.some((edit) => edit.path === "/quantity");
    if (becomesTrue("/soldOut") || refilled) {
      this.#add({ ...about(child), verb: "sold-out", method: "POST", path: `${item}/sold-out` }, needs);
    }
  }

  #point(pointer: Pointer): void {
    const creation = this.#made.get(pointer.because);
    const path = `${this.#path}/${pointer.plural}/${pointer.id}`;
    const draft: NewDraft = {
      address: pointer.address,
      verb: "update",
      method: "PATCH",
      path,
      body: pointer.body,
      because: pointer.because,
    };
    this.#add(draft, creation === undefined ? [] : [creation]);
  }

  #add(draft: NewDraft, needs: readonly Draft[]): Draft {
    const added: Draft = { ...draft, needs: [...new Set([...this.#before, ...needs])] };
    this.drafts.push(added);
    return added;
  }

  #needsOf(child: Case): Draft[] {
    const references = Object.values(child.wish?.fields ?? {}).filter(isReference);
    return references.map((reference) => this.#made.get(reference.$id)).filter((draft) => draft !== undefined);
  }

  #resolve(reference: Reference): string | Reference {
    const named = this.#event.children.find((child) => child.address === reference.$id);
    if (named === undefined) return liveByAddress(this.#event, reference.$id)?.id ?? reference;
    return named.live === null || named.change?.action === "replace" ? reference : named.live.id;
  }
}

function about(child: Case): Pick<Draft, "address" | "because"> {
  return { address: child.address, because: child.address };
}

function pointersTo(event: EventCase, child: Case): readonly string[] {
  const id = child.live?.id;
  return Object.values(event.lists)
    .flat()
    .filter((live) => id !== undefined && Object.values(live.fields).includes(id))
    .map((live) => live.id);
}
