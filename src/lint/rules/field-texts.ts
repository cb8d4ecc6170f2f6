import type { Form, LintScene, ValuePolicy } from "../../kinds/define.ts";
import { fieldEntries, kindOf, perKind } from "../../kinds/index.ts";
import { callOf, findingAt } from "../../kinds/lint-rules.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";

export interface FieldText {
  readonly field: string;
  readonly text: string;
  /** Of an address. */
  readonly leadsTo?: ValuePolicy["leadsTo"];
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
  for (const { field, leadsTo } of fieldsOf(kindOf(wish.kind))[sort]) {
    const value = wish.fields[field];
    if (typeof value === "string") found.push({ field, leadsTo, text: value, places: [field] });
    else if (Array.isArray(value)) {
      const places = (index: number) => [`${field}/${index}`, field];
      for (const [index, text] of value.entries()) found.push({ field, leadsTo, text, places: places(index) });
    }
  }
  return found;
}

type FieldsBySort = Readonly<Record<keyof typeof forms, readonly Pick<FieldText, "field" | "leadsTo">[]>>;

const fieldsOf = perKind((kind): FieldsBySort => {
  const having = (wanted: readonly Form[]) =>
    fieldEntries(kind).flatMap(([field, policy]) =>
      policy.role === "value" && wanted.includes(policy.form) ? [{ field, leadsTo: policy.leadsTo }] : [],
    );
  return { words: having(forms.words), urls: having(forms.urls), times: having(forms.times) };
});

export function placeholderText(wish: Wish, { event }: LintScene): readonly Diagnostic[] | null {
  if (event?.own.status !== "PUBLISHED") return null;
  const venue = wish.own.venue === undefined ? [] : [{ field: "venue", text: wish.own.venue.name }];
  return [...fieldTexts(wish, "words"), ...venue].flatMap(({ field, text }) => {
    const word = mayHold.test(text) ? placeholder.exec(text)?.[0] : undefined;
    if (word === undefined) return [];
    return findingAt(wish, [`${field}/name`, field], {
      code: "placeholder-text",
      message: `The \`${field}\` of ${callOf(wish)} still says "${word}", but the event will be published.`,
      hint: word.startsWith("{{")
        ? `Write the final text; a variable is written \${var.${/[\w-]+/.exec(word)?.[0] ?? "NAME"}}.`
        : "Write the final text, or leave the field out until it is known.",
    });
  });
}

// A cheap check first: it rules out nearly every text. The careful one wants whole words.
const mayHold = /tb[ad]|lorem|xxx|\{\{/i;
const placeholder = /(?<![\p{L}\p{N}_])(?:tb[ad]|lorem|x{3,})(?![\p{L}\p{N}_])|\{\{[^{}]*\}\}/iu;
