// What is said of an object that cannot go, or not at once, because entries name it or may do so.
import { kindOf } from "../kinds/index.ts";
import type { Block, Change } from "../model/change.ts";
import type { Case } from "./case.ts";
import type { NamedBy } from "./references.ts";

/** Calls that nobody asked for by an edit are told with what makes them needed. */
export function explained(change: Change, open: readonly NamedBy[]): Change {
  const guessed = open.filter(({ certain }) => !certain);
  if (guessed.length === 0) return change;
  const { field } = wordsFor(guessed);
  const why = `the service does not show which ${field} the ${entriesOf(guessed)} ${guessed.length === 1 ? "names" : "name"}, so what the file says of that is sent first`;
  return { ...change, reason: `${change.reason}; ${why}` };
}

export function namedBlock(one: Case, staying: readonly NamedBy[]): Block {
  const { plural, field } = wordsFor(staying);
  return {
    code: `${one.kind.name}-in-use`,
    message: `'${one.name}' cannot go: the ${entriesOf(staying)} of the live event ${staying.length === 1 ? "names" : "name"} it.`,
    hint: `List \`${plural}\` in the document and name another ${field} there (or \`${field}: null\`), or keep '${one.name}'.`,
  };
}

export function mayBeNamedBlock(one: Case, staying: readonly NamedBy[]): Block {
  const { plural, field } = wordsFor(staying);
  const what = one.change?.action === "replace" ? "be replaced" : "go";
  return {
    code: `${one.kind.name}-in-use`,
    message: `'${one.name}' cannot ${what}: the ${entriesOf(staying)} of the live event may name it. The service does not show that, and nothing remembers it.`,
    hint: `List \`${plural}\` in the document and say which ${field} each entry names (or \`${field}: null\`), or keep '${one.name}' as it is.`,
  };
}

function entriesOf(staying: readonly NamedBy[]): string {
  const titles = staying.map(({ live }) => `'${live.fields.title ?? live.id}'`).join(", ");
  return `${staying.length === 1 ? "schedule entry" : "schedule entries"} ${titles}`;
}

function wordsFor([first]: readonly NamedBy[]): { plural: string; field: string } {
  return { plural: first === undefined ? "" : kindOf(first.referrer.kind).plural, field: first?.referrer.field ?? "" };
}
