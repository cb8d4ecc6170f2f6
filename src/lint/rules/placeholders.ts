import type { LintScene } from "../../kinds/define.ts";
import { callOf, findingAt } from "../../kinds/lint-rules.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Wish } from "../../model/wish.ts";
import { fieldTexts } from "./field-texts.ts";

export function placeholderText(wish: Wish, { event }: LintScene): readonly Diagnostic[] | null {
  if (event?.own.status !== "PUBLISHED") return null;
  const venue = wish.own.venue === undefined ? [] : [{ field: "venue", text: wish.own.venue.name }];
  return [...fieldTexts(wish, "words"), ...venue].flatMap(({ field, text }) => {
    const word = mayHold.test(text) ? placeholder.exec(text)?.[0] : undefined;
    if (word === undefined) return [];
    return findingAt(wish, [`${field}/name`, field], {
      code: "placeholder-text",
      severity: "warning",
      message: `The \`${field}\` of '${callOf(wish)}' still says '${word}', and the event is to be published.`,
      hint: "Write the final text, or leave the field out until it is known.",
    });
  });
}

// A quick look spares nearly every text the careful one, which wants whole words.
const mayHold = /tb[ad]|lorem|xxx/i;
const placeholder = /(?<![\p{L}\p{N}_])(?:tb[ad]|lorem|x{3,})(?![\p{L}\p{N}_])/iu;
