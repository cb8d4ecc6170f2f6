import { canonical } from "../kinds/canonical.ts";
import type { ReferencePolicy } from "../kinds/define.ts";
import { kindOf } from "../kinds/index.ts";
import { type Address, makeAddress } from "../model/address.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import { suggest } from "../model/suggest.ts";
import type { Reference } from "../model/value.ts";
import type { Wish } from "../model/wish.ts";
import { secretAt } from "./find-secrets.ts";
import type { Located } from "./located.ts";

const mostCompared = 200;
const mostListed = 50;

/** A name to the address of the object of that name; null clears; undefined where there is none. */
export function decodeReference(
  field: string,
  policy: ReferencePolicy,
  node: Located,
  place: { readonly parent: Address | null; readonly candidates: readonly Wish[] | null },
  problems: Diagnostic[],
): Reference | null | undefined {
  if (node.type !== "scalar" || node.reported) return undefined;
  const name = canonical("text", node.value);
  if (name === null) return null;
  const list = kindOf(policy.to).plural;
  const { candidates } = place;
  // A list that the document of a live event leaves out is the service's: whether the name is there, the plan will see.
  if (candidates === null) return { $id: makeAddress(place.parent, list, String(name)) };
  const found = candidates.find((candidate) => candidate.name === name);
  if (found !== undefined) return { $id: found.address };
  const names = candidates.map((candidate) => candidate.name).filter((candidate) => candidate !== "");
  // Of very many names, to look for a near one for each mistake would take minutes.
  const near = suggest(String(name), names.slice(0, mostCompared));
  const secret = secretAt(field, node);
  problems.push(
    secret ?? {
      code: `unknown-${field}`,
      severity: "error",
      message: `${String(name)} is not among the ${list} of this event.`,
      hint:
        near !== null
          ? `Did you mean ${near}?`
          : names.length === 0
            ? `Add it: ${list}: [{ name: ${JSON.stringify(name)} }].`
            : `Write one of: ${names.slice(0, mostListed).join(", ")}${names.length > mostListed ? ", …" : ""}; or add it to \`${list}\`.`,
      source: node.source,
    },
  );
  return undefined;
}
