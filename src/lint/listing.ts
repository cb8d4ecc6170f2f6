import type { Diagnostic } from "../model/diagnostic.ts";
import type { Wish } from "../model/wish.ts";
import { callOf, lacks, textFields, textOf } from "./fields.ts";
import { remarkAt } from "./remark.ts";
import { none, type Scene } from "./rule.ts";

export function bareListing(event: Wish): readonly Diagnostic[] {
  if (event.own.status !== "PUBLISHED") return none;
  const missing = shownToBuyers.filter(({ field }) => lacks(event, field));
  if (missing.length === 0) return none;
  return [
    remarkAt(event, ["status"], {
      code: "bare-listing",
      severity: "warning",
      message: `${callOf(event)} would be published without ${enumerate(missing.map(({ word }) => word))}.`,
      hint: `Add ${enumerate(missing.map(({ field }) => `\`${field}\``))}.`,
    }),
  ];
}

const shownToBuyers = [
  { field: "imageUrl", word: "an image" },
  { field: "description", word: "a description" },
  { field: "endDateTime", word: "an end" },
];

export function placeholderText(wish: Wish, { event }: Scene): readonly Diagnostic[] {
  if (event?.own.status !== "PUBLISHED") return none;
  let found: Diagnostic[] | null = null;
  for (const field of textFields[wish.kind]) {
    const remark = findPlaceholder(wish, field, textOf(wish, field));
    if (remark === null) continue;
    found ??= [];
    found.push(remark);
  }
  const venue = findPlaceholder(wish, "venue", wish.own.venue?.name);
  if (venue === null) return found ?? none;
  return [...(found ?? none), venue];
}

function findPlaceholder(wish: Wish, field: string, text: string | undefined): Diagnostic | null {
  if (text === undefined || !hasPlaceholder.test(text)) return null;
  const word = placeholder.exec(text)?.[0];
  if (word === undefined) return null;
  return remarkAt(wish, [`${field}/name`, field], {
    code: "placeholder-text",
    severity: "warning",
    message: `The \`${field}\` of '${callOf(wish)}' still says '${word}', and the event is to be published.`,
    hint: "Write the final text, or leave the field out until it is known.",
  });
}

// The quick look spares nearly every text the careful one, which wants whole words.
const hasPlaceholder = /tb[ad]|lorem|xxx/i;
const placeholder = /(?<![\p{L}\p{N}_])(?:tb[ad]|lorem|x{3,})(?![\p{L}\p{N}_])/iu;

function enumerate(words: readonly string[]): string {
  if (words.length < 2) return words.join("");
  return `${words.slice(0, -1).join(", ")} and ${words[words.length - 1]}`;
}
