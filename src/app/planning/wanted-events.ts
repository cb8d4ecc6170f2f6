// Which live events the documents may mean, as questions to the service.
import { sandboxName } from "../../config/environment.ts";
import { distinctIds, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import type { Settings, Wish } from "../../model/wish.ts";
import type { Former } from "../../plan/compare.ts";
import type { Recall } from "../../plan/match.ts";
import type { WantedEvent } from "../../snapshot/find-events.ts";

/** How the event of a document may be known. `base`: the document as it was. */
export function wantedEvent(wish: Wish, remember: Recall, base?: Wish): WantedEvent {
  const ids = texts(wish.own.id, remember(wish.address).id, base?.own.id);
  return {
    ids: distinctIds(ids),
    pins: texts(wish.own.id, base?.own.id),
    names: wish.own.id === undefined ? namesOf(wish, base) : [],
    starts: texts(wish.fields.dateTime, base?.fields.dateTime),
    fields: Object.keys(wish.fields),
    expected: ids.length > 0 || base !== undefined ? "live" : "unknown",
    archivedToo: wish.own.new !== true,
  };
}

function namesOf(wish: Wish, base: Wish | undefined): readonly string[] {
  return texts(wish.fields.name, wish.own.renamedFrom, base?.fields.name);
}

function texts(...values: readonly unknown[]): readonly string[] {
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
    names: isEmbedded ? namesOf(wish, base) : wanted.names,
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
    ids: texts(id),
    names: id === null ? texts(name) : [],
    starts: texts(start),
    fields: [],
    expected: "live",
    archivedToo: false,
  };
}

/** The same for what another shard plans. */
export function wantedElsewhere(wanted: WantedEvent, wish: Wish, base?: Wish): WantedEvent {
  return { ...wanted, fields: [], elsewhere: [...namesOf(wish, base), ...wanted.starts] };
}

/** The embedded sandbox never holds what is live elsewhere: there a plain `id` that is not found pins nothing. */
export function withoutLostPin(wish: Wish, lives: readonly Live[]): Wish {
  const { id, ...own } = wish.own;
  return id === undefined || lives.some((live) => sameId(live.id, id)) ? wish : { ...wish, own };
}

export function pinNotHere(wish: Wish, { defaultEnvironment, environments }: Settings): Diagnostic {
  // Without environments in the project file there is no name that an id could be pinned under.
  const others = Object.keys(environments).filter((name) => name !== sandboxName);
  const name = others.find((each) => each === defaultEnvironment) ?? others[0];
  const hint = `Write \`id: { ${name}: ${wish.own.id} }\` to pin it in that environment only.`;
  return {
    code: "pin-not-here",
    severity: "info",
    message: `'${wish.name}' is pinned to the id ${wish.own.id}, which does not exist in the sandbox: here it is found by name and start, or created.`,
    ...(name === undefined ? {} : { hint }),
    address: wish.address,
    source: wish.places.id ?? wish.source,
  };
}
