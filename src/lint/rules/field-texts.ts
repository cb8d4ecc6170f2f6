import type { Form } from "../../kinds/define.ts";
import { kindOf } from "../../kinds/index.ts";
import type { Wish } from "../../model/wish.ts";

export interface FieldText {
  readonly field: string;
  readonly text: string;
  /** Where it is written: the item of a list, else the field. */
  readonly places: readonly string[];
}

/** The texts in the wish's fields of these forms, those of lists one by one. */
export function textsOf(wish: Wish, forms: readonly Form[]): readonly FieldText[] {
  const { fields } = kindOf(wish.kind);
  const found: FieldText[] = [];
  for (const [field, value] of Object.entries(wish.fields)) {
    const policy = fields[field];
    if (policy?.role !== "value" || !forms.includes(policy.form)) continue;
    if (typeof value === "string") found.push({ field, text: value, places: [field] });
    else if (Array.isArray(value)) {
      for (const [index, text] of value.entries()) found.push({ field, text, places: [`${field}/${index}`, field] });
    }
  }
  return found;
}
