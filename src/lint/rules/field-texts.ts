import type { Form, Kind } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Wish } from "../../model/wish.ts";

export interface FieldText {
  readonly field: string;
  readonly text: string;
  /** Where it is written: the item of a list, else the field. */
  readonly places: readonly string[];
}

const forms = {
  words: ["text", "markup"],
  urls: ["url", "list"],
  times: ["instant"],
} as const satisfies Record<string, readonly Form[]>;

/** The texts in the wish's fields of these forms, those of lists one by one. */
export function fieldTexts(wish: Wish, sort: keyof typeof forms): readonly FieldText[] {
  const found: FieldText[] = [];
  for (const field of fieldsOf(kindOf(wish.kind))[sort]) {
    const value = wish.fields[field];
    if (typeof value === "string") found.push({ field, text: value, places: [field] });
    else if (Array.isArray(value)) {
      for (const [index, text] of value.entries()) found.push({ field, text, places: [`${field}/${index}`, field] });
    }
  }
  return found;
}

type FieldsBySort = Readonly<Record<keyof typeof forms, readonly string[]>>;

// Asked for several times for each object, and always the same for a kind.
const known = new WeakMap<Kind, FieldsBySort>();

function fieldsOf(kind: Kind): FieldsBySort {
  let fields = known.get(kind);
  if (fields === undefined) {
    const having = (wanted: readonly Form[]) =>
      Object.entries(kind.fields).flatMap(([field, policy]) =>
        policy.role === "value" && wanted.includes(policy.form) ? [field] : [],
      );
    fields = { words: having(forms.words), urls: having(forms.urls), times: having(forms.times) };
    known.set(kind, fields);
  }
  return fields;
}
