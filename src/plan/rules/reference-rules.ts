// Blocks the deletion of what is protected or referred to, and an entry that refers to an object that does not exist.
import { kindOf } from "../../kinds/index.ts";
import { dateOf } from "../../model/address.ts";
import { codeOfKind } from "../../model/diagnostic.ts";
import type { Block } from "../../model/plan.ts";
import { isReference, shellWord } from "../../model/value.ts";
import type { Comparison, EventComparison } from "../compare/comparison.ts";
import { heirOf, isGoing, isPresent, type NamedBy, namedBy, ownEdit, wishedTarget } from "../compare/references.ts";

export interface ReferenceVerdict {
  readonly blocks: readonly Block[];
  /** What makes calls needed that no edit asks for. */
  readonly reason: string | null;
}

export function judgeReferences(event: EventComparison, one: Comparison): ReferenceVerdict {
  // A saved plan is compared with what is live by other means: nothing is remembered there.
  if (one.change === null || event.remember === undefined) return { blocks: [], reason: null };
  const going = isGoing(one) ? judgeGoing(event, one) : { blocks: [], reason: null };
  const missing = missingTarget(event, one);
  return missing === null ? going : { ...going, blocks: [...going.blocks, missing] };
}

function judgeGoing(event: EventComparison, one: Comparison): ReferenceVerdict {
  const hasHeir = heirOf(event, one) !== null;
  const open = namedBy(event, one).filter(
    (naming) => naming.managed?.change?.action !== "delete" && ownEdit(naming) === undefined,
  );
  const staying = open.filter((naming) => (naming.certain ? !hasHeir : wishedTarget(event, naming) === undefined));
  if (staying.length === 0) return { blocks: [], reason: guessedReason(open) };
  const certain = staying.filter((naming) => naming.certain);
  const isCertain = certain.length > 0;
  return { blocks: [namedBlock(one, isCertain ? certain : staying, isCertain)], reason: null };
}

function guessedReason(open: readonly NamedBy[]): string | null {
  const guessed = open.filter(({ certain }) => !certain);
  const [first] = guessed;
  if (first === undefined) return null;
  return `the service does not show the ${first.referrer.field} of the ${namingWords(guessed)}, so the ${first.referrer.field} in the file is sent before this deletion`;
}

function namedBlock(one: Comparison, staying: readonly NamedBy[], isCertain: boolean): Block {
  const { plural, field } = referringList(staying);
  const isReplaced = one.change?.action === "replace";
  // The file may give it a new name, which the live event does not know.
  const live = one.live?.fields[one.kind.identity.label] ?? one.name;
  const named = `${staying.length === 1 ? "names" : "name"} "${live}"`;
  const may = `may name "${live}". The service does not show whether ${staying.length === 1 ? "it does" : "they do"}, and no earlier run recorded it`;
  const isListed = isCertain && staying.every(({ managed }) => managed?.wish != null);
  const fix = isListed
    ? `Write \`${field}: null\` or a different ${field} in the ${namingWords(staying)} (a field that is left out is not changed)`
    : `List all \`${plural}\` of the event in its file and ${isCertain ? `name a different ${field} there` : `say which ${field} each entry names`} (or \`${field}: null\`)`;
  return {
    code: codeOfKind(`${one.kind.name}-in-use`),
    message: `"${live}" cannot ${isReplaced ? "be replaced" : "be removed"}: the ${namingWords(staying)} of the live event ${isCertain ? named : may}.`,
    hint: leftOut(staying) ?? `${fix}, or ${isReplaced ? `leave "${one.name}" unchanged` : `keep "${one.name}"`}.`,
  };
}

/** The fix if the document already drops the reference, in changes that `--target` leaves out; null: it does not. */
function leftOut(staying: readonly NamedBy[]): string | null {
  const targets = staying.flatMap(({ managed, referrer }) =>
    managed?.planned?.action === "delete" || managed?.planned?.edits.some(({ path }) => path === `/${referrer.field}`)
      ? [` --target ${shellWord(managed.address)}`]
      : [],
  );
  if (targets.length < staying.length) return null;
  return `Include the ${targets.length === 1 ? "change of that entry" : "changes of those entries"}: add${targets.join("")}`;
}

function namingWords(naming: readonly NamedBy[]): string {
  const { words, identity } = kindOf(naming[0]?.referrer.kind ?? "");
  const names = naming.map(({ live }) => `"${live.fields[identity.label] ?? live.id}"`).join(", ");
  return `${naming.length === 1 ? words.one : words.many} ${names}`;
}

function referringList([first]: readonly NamedBy[]): { plural: string; field: string } {
  return { plural: kindOf(first?.referrer.kind ?? "").plural, field: first?.referrer.field ?? "" };
}

function missingTarget(event: EventComparison, one: Comparison): Block | null {
  const wished = event.self.live === null ? [] : Object.entries(one.wish?.fields ?? {});
  for (const [field, value] of wished) {
    if (!isReference(value) || isPresent(event, value.$id)) continue;
    const policy = Object.values(one.kind.fields).find((each) => each.role === "reference" && each.sentAs === field);
    const target = policy?.role === "reference" ? policy.to : null;
    const name = value.$id.slice(value.$id.lastIndexOf("/") + 1);
    return {
      code: codeOfKind(`unknown-${target ?? field}`),
      message: `"${one.name}" names "${name}", but the event has no ${target === null ? "entry" : kindOf(target).words.one} with that name.`,
      // The file leaves the list out; with one entry in it, it would be the whole list.
      hint: `Correct the name, or list "${name}" in the event's file, together with the live ones: those that the list leaves out are removed.`,
    };
  }
  return null;
}

// Protection: what is live stays, whatever else the files say.

export function protectionOf(event: EventComparison, { change }: Comparison): readonly Block[] {
  if (!event.protected || change === null) return [];
  const { action, transition } = change;
  const leaves = transition?.from === "PUBLISHED" && transition.to !== "PUBLISHED";
  const archived = transition?.to === "ARCHIVED" && transition.from !== null;
  if (action !== "delete" && !leaves && !archived) return [];
  const message = `"${event.self.name}" is protected: nothing in it is deleted, unpublished or archived (an edited performer or brand is still replaced).`;
  return [{ code: "protected", message, hint: howToUnprotect(event.self) }];
}

function howToUnprotect({ address, change, wish }: Comparison): string {
  const isDate = dateOf(address) !== null;
  // With phases, a final status would have to say when it begins: the second step needs none.
  if (change?.source === null)
    return `To delete it, first bring ${isDate ? "the date back into its series, with `protected: false` under `dates`" : "its file back, with `protected: false`"}, and apply that; then remove it again.`;
  const { file, line } = wish?.places.protected ?? {};
  const from =
    file === undefined || file === wish?.source.file ? "" : ` (\`protected: true\` comes from ${file}:${line})`;
  if (isDate) return `Write \`protected: false\` for the date under \`dates\`${from}.`;
  return from === "" ? "Remove `protected: true` from the event." : `Write \`protected: false\` in the event${from}.`;
}
