import type { FieldPolicy } from "../../kinds/define.ts";
import { fieldEntries, kindOf, perKind, serviceDefaultOf } from "../../kinds/index.ts";
import { callDate, callOf, findingAt, howToLeave, placeOf, textField } from "../../kinds/lint-rules.ts";
import { dateOf, idKey, sameId } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { either, formatCount } from "../../model/value.ts";
import type { SeriesPlace, Wish } from "../../model/wish.ts";

/** Names that look alike to people and differ to computers: invisible characters in them are seldom intentional. */
export function invisibleCharacters(wish: Wish): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const [field, { role }] of nameFields(kindOf(wish.kind))) {
    const name = role === "lookup" ? venueName(wish) : writtenText(wish, field);
    const what = name === undefined ? null : findInvisible(name);
    if (name === undefined || what === null) continue;
    const message = `The \`${field}\` of ${callOf(wish)} ${what}.`;
    const hint =
      what === inCurlyQuotes
        ? `Write ${name.slice(1, -1).trim()}; if the quotes are intentional, add \`ignore: [invisible-characters]\` next to it.`
        : /^(?:begins|ends) with a/.test(what)
          ? `Write ${JSON.stringify(name.trim())}.`
          : "Type the name again, with single spaces between its words.";
    found.push(findingAt(wish, [`${field}/name`, field], { code: "invisible-characters", message, hint }));
  }
  return found;
}

/** The texts that identify an object, and what is looked up by its name. */
const nameFields = perKind((kind) => {
  const keys = kind.identity.keys.flat();
  const isText = (policy: FieldPolicy) => policy.role === "value" && policy.form === "text";
  return fieldEntries(kind).filter(([field, each]) => each.role === "lookup" || (keys.includes(field) && isText(each)));
});

/** The text as the file writes it, before outer spaces were removed. */
function writtenText(wish: Wish, field: string): string | undefined {
  const written = wish.written[field];
  return typeof written === "string" ? written : textField(wish, field);
}

function venueName(wish: Wish): string | undefined {
  const written = wish.written.venue;
  if (typeof written === "string") return written;
  const name = (written as { readonly name?: unknown } | undefined)?.name;
  return typeof name === "string" ? name : wish.own.venue?.name;
}

function findInvisible(name: string): string | null {
  // An empty name has its own error.
  if (plain.test(name) || name.trim() === "") return null;
  const first = hidden.exec(name) ?? joiner.exec(name);
  if (first !== null) return `contains ${describeCharacter(first[0])}${describePosition(name, first.index)}`;
  if (/^\s/.test(name)) return "begins with a space";
  if (/\s$/.test(name)) return /\n$/.test(name) ? "ends with a line break" : "ends with a space";
  const double = /\s{2,}/.exec(name);
  if (double !== null) return `contains a double space${describePosition(name, double.index)}`;
  return curlyQuoted.test(name) ? inCurlyQuotes : null;
}

// Word processors insert them where YAML needs straight ones. More of them inside mean that they belong to the name.
const curlyQuoted = /^(?:[“”„«][^“”„«»]+[“”»]|[‘’‚][^‘’‚]+[‘’])$/;
const inCurlyQuotes = "is in curly quotes, which YAML reads as part of the text";

// Most names are words of visible ASCII with single spaces; they need no further checks.
const plain = /^[!-~]+(?: [!-~]+)*$/;

// Controls, soft hyphen, odd spaces, zero-width characters, marks and overrides of direction, fillers.
const hidden =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
  /[\u0000-\u0009\u000b-\u001f\u007f-\u00a0\u00ad\u061c\u115f\u1160\u180e\u2000-\u200b\u200e\u200f\u2028-\u202f\u205f-\u206f\u3164\ufeff\uffa0]/;

// Emoji and several scripts are written with joiners; after Latin letters, digits, signs and spaces they do nothing.
const joiner = /(?<=^|[\p{Script=Latin}\p{N}\p{P}\p{Z}])[\u200c\u200d]|[\u200c\u200d]$/u;

const called: Readonly<Record<string, string>> = {
  "\t": "a tab",
  "\u00a0": "a no-break space",
  "\u00ad": "a soft hyphen",
  "\u200b": "a zero-width space",
  "\u200c": "a zero-width non-joiner",
  "\u200d": "a zero-width joiner",
  "\ufeff": "a zero-width no-break space",
};

function describeCharacter(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");
  return `${called[character] ?? "an invisible character"} (U+${code})`;
}

function describePosition(name: string, index: number): string {
  const before = name.slice(0, index).match(/(?<![\p{L}\p{N}])[\p{L}\p{N}]+(?=[^\p{L}\p{N}]*$)/u)?.[0];
  return before === undefined ? " at its beginning" : ` after "${before}"`;
}

/** Two objects of one kind and parent that cannot be distinguished: reported at each one but the first. */
export function duplicateName(wishes: readonly Wish[]): readonly Diagnostic[] {
  const byIdentity = new Map<string, Wish[]>();
  return wishes.flatMap((wish) => {
    const identity = identityText(wish);
    if (identity === null) return [];
    const earlier = byIdentity.get(identity) ?? [];
    const twin = earlier.find((other) => !differInId(wish, other));
    byIdentity.set(identity, earlier);
    earlier.push(wish);
    return twin === undefined ? [] : explainDuplicate(wish, twin);
  });
}

/** The same among the lists of an event. */
export function duplicateNameWithin(event: Wish): readonly Diagnostic[] {
  return Object.values(event.children).flatMap((list) =>
    list.length < 2 ? [] : [...duplicateName(list), ...checkPinnedTwice(list)],
  );
}

// null: a part of it is not written, so it is unknown.
function identityText(wish: Wish): string | null {
  const kind = kindOf(wish.kind);
  let identity = "";
  for (const field of kind.identity.keys[0] ?? []) {
    const value = wish.fields[field] ?? serviceDefaultOf(kind, field);
    if (typeof value !== "string") return null;
    // Outer spaces are gone and letters composed already: fields are in canonical form.
    identity += `${value.toLowerCase()}\n`;
  }
  return identity;
}

/** Whether the two are pinned to different ids in every environment where both are pinned. */
function differInId(one: Wish, other: Wish): boolean {
  const both = sharedPins(one, other);
  return both.length > 0 && both.every(([mine, theirs]) => !sameId(mine, theirs));
}

function sharedPins(one: Wish, other: Wish): readonly (readonly [string, string])[] {
  const [mine, theirs] = [one.own, other.own];
  const environments = mine.ids ?? theirs.ids;
  // A plain id holds in every environment.
  const names = environments === undefined ? [""] : Object.keys(environments);
  return names.flatMap((name) => {
    const [first, second] = [mine, theirs].map(({ ids, id }) => (ids === undefined ? id : ids[name]));
    return first === undefined || second === undefined ? [] : [[first, second] as const];
  });
}

/** Two documents, or two entries of one list, that pin one id in one environment. */
export function checkPinnedTwice(wishes: readonly Wish[]): readonly Diagnostic[] {
  const first = new Map<string, Wish>();
  const found: Diagnostic[] = [];
  for (const wish of wishes) {
    const pins = Object.entries(wish.own.ids ?? (wish.own.id === undefined ? {} : { "": wish.own.id }));
    const other = pins.map(([, id]) => first.get(idKey(id))).find((each) => each !== undefined);
    const shared = other === undefined ? undefined : sharedPins(wish, other).find(([one, two]) => sameId(one, two));
    for (const [, id] of pins) if (!first.has(idKey(id))) first.set(idKey(id), wish);
    if (other === undefined || shared === undefined) continue;
    const isOneLine = wish.own.series !== undefined && placeOf(wish, ["id"]) === placeOf(other, ["id"]);
    if (isOneLine) {
      // Reported with the second date, for all of them.
      const dates = wishes.filter(({ own }) => own.series?.of === wish.own.series?.of);
      if (!found.some(({ source }) => source === placeOf(wish, ["id"]))) found.push(pinsAll(wish, other, dates.length));
      continue;
    }
    found.push(
      findingAt(wish, ["id"], {
        code: "pinned-twice",
        severity: "error",
        message: `${callDate(wish.name, wish.address)} pins the id ${shared[0]}, and so does ${callDate(other.name, other.address)}.`,
        hint: "A live object can be described only once: remove one of the two, or correct its `id`.",
        related: [{ message: callOf(other), source: placeOf(other, ["id"]) }],
      }),
    );
  }
  return found;
}

function pinsAll(wish: Wish, { address, own }: Wish, count: number): Diagnostic {
  const date = dateOf(address)?.day;
  const id = own.ids === undefined ? own.id : "…";
  return findingAt(wish, ["id"], {
    code: "pinned-twice",
    severity: "error",
    message: `This \`id\` would pin all ${formatCount(count)} dates of the series to one live event.`,
    hint: `Write it under the date it belongs to: \`dates: { ${date}: { id: ${id} } }\`.`,
  });
}

function explainDuplicate(wish: Wish, first: Wish): Diagnostic {
  if (wish.own.series !== undefined && wish.own.series.of === first.own.series?.of) return sameStart(wish, first);
  const { identity, words, fields } = kindOf(wish.kind);
  const { label, likeness, advice } = identity;
  const keys = (identity.keys[0] ?? []).map((field) => `\`${field}\``);
  const [date, file] =
    [
      [wish, first],
      [first, wish],
    ].find(([one]) => one?.own.series !== undefined) ?? [];
  if (date !== undefined && file !== undefined) return dateAndFile(date, file);
  const pin = "id" in fields ? "; if both are live, pin each by its `id`" : "";
  return findingAt(wish, [label], {
    code: "duplicate-name",
    severity: "error",
    message:
      wish.name.toLowerCase() === first.name.toLowerCase() && wish.name !== first.name
        ? `${callOf(first)} and ${callOf(wish)} differ only in case, so they count as the same ${words.one}.`
        : `${callOf(wish)} is written twice: another ${words.one} has the same ${likeness}.`,
    hint: advice?.inFiles ?? `Remove one of the two, or change its ${either(keys)}${pin}.`,
    related: [{ message: `the first ${callOf(first)}`, source: placeOf(first, [label]) }],
  });
}

/** A date of a series, and an event that another document describes: the line of its name may be that of every date. */
function dateAndFile(date: Wish, other: Wish): Diagnostic {
  const series = date.own.series as SeriesPlace;
  const day = dateOf(date.address)?.day;
  const start = formatMoment(textField(date, "dateTime") ?? "", date.own.timezone ?? standardZone);
  const isFile = other.own.series === undefined;
  return {
    code: "duplicate-name",
    severity: "error",
    message: `The date ${day} of this series and ${isFile ? other.source.file : other.address} both describe ${callOf(date)} on ${start}.`,
    hint: `${isFile ? `Delete ${other.source.file}: its event then belongs to the series. Or ${howToLeave(series, day)}` : `Keep one of the two. To leave this one out, ${howToLeave(series, day)}`}; if both are live, pin each by its \`id\`.`,
    address: date.address,
    source: date.source,
    related: [{ message: `the other ${callOf(other)}`, source: placeOf(other, ["name"]) }],
  };
}

/** Two dates of one series: one of them was moved to the start of the other. */
function sameStart(wish: Wish, first: Wish): Diagnostic {
  const moved = [wish, first].find(({ own }) => own.series?.ruleStart !== undefined) ?? wish;
  const [one, other] = [first, wish].map(({ address }) => dateOf(address)?.day);
  const start = formatMoment(textField(wish, "dateTime") ?? "", wish.own.timezone ?? standardZone);
  return findingAt(moved, ["dateTime"], {
    code: "duplicate-name",
    severity: "error",
    message: `The dates ${one} and ${other} of this series both start ${start}, with the same name.`,
    hint: `Give one of them a different \`dateTime\`. Or take one out of the series: ${howToLeave(moved.own.series as SeriesPlace, dateOf(moved.address)?.day)}.`,
  });
}
