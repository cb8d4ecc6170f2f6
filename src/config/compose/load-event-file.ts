import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { isTimezone } from "../../model/time.ts";
import type { Wish } from "../../model/wish.ts";
import { addressProblems } from "../check/address-problems.ts";
import { checkKind } from "../check/check.ts";
import { reportCutTexts } from "../check/cut-text.ts";
import { checkSaidTwice } from "../check/said-twice.ts";
import { mergeDefaults } from "../settings/merge-defaults.ts";
import type { Calendar } from "../time/calendar.ts";
import { entryOf, type Located, type LocatedMap, type YamlDocument } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { type DecodeContext, decode, type Environments, labelOf } from "./decode.ts";
import { type Allowance, allowanceOfFile, interpolate, type Variables } from "./variables.ts";

const kind = kindOf("event");
const standardZone = "Asia/Manila";

/** What all files of a project share. */
export interface Shared {
  readonly defaults: LocatedMap | null;
  readonly variables: Variables;
  readonly problems: Diagnostic[];
  readonly environments: Environments;
  /** Loads the calendar once, when a local time asks for it. */
  readonly calendar: { loaded: Calendar | null; load(): Promise<Calendar> };
  /** Keys of events, and where each was first given. */
  readonly keys: Map<string, { readonly source: Source; count: number }>;
  /** The same keys without case, as each was first written. */
  readonly spellings: Map<string, { readonly key: string; readonly source: Source }>;
}

interface Position {
  readonly file: string;
  /** Of the document in the file. */
  readonly index: number;
  readonly several: boolean;
}

/** The events of one file. */
export async function loadEventFile(file: string, text: string, shared: Shared): Promise<Wish[]> {
  const before = shared.problems.length;
  const documents = readYaml(file, text, shared.problems);
  const read = shared.problems.length;
  const allowance = allowanceOfFile();
  if (documents.length === 0 && shared.problems.length === before) {
    shared.problems.push(emptyFile(file));
  }
  const wishes: Wish[] = [];
  for (const [index, document] of documents.entries()) {
    const several = documents.length > 1;
    const own = several ? shared.problems.length : before;
    reportCutTexts(document, kind.schema, shared.problems);
    const filled = text.includes("${") ? fillDocument(document, shared, allowance) : document;
    const wish = await loadEvent(filled, { file, index, several }, shared);
    if (wish === null || filled.content?.type !== "map") continue;
    addressProblems(shared.problems, { before, read, own }, wish, filled.content);
    wishes.push(wish);
  }
  return wishes;
}

function fillDocument(
  { content, source }: YamlDocument,
  { variables, problems }: Shared,
  allowance: Allowance,
): YamlDocument {
  return { content: content === null ? null : interpolate(content, variables, problems, allowance), source };
}

async function loadEvent({ content }: YamlDocument, position: Position, shared: Shared): Promise<Wish | null> {
  if (content === null) return null;
  const { problems } = shared;
  if (content.type !== "map") {
    problems.push(notAnEvent(content));
    return null;
  }
  checkSaidTwice(kind, content, problems);
  const map = mergeDefaults(kind, content, shared.defaults);
  const bad = checkKind(kind, map, problems);
  const key = keyOf(position, map, bad, problems);
  const nth = countKey(key, map, shared);
  const label = labelOf(kind, map, { bad });
  const name = label === "" ? key : label;
  const address = makeAddress(null, kind.plural, key, nth);
  const zone = zoneOf(map, bad);

  function attempt(calendar: Calendar | null): { wish: Wish; context: DecodeContext } {
    const context: DecodeContext = {
      bad,
      zone,
      calendar,
      problems: [],
      environments: shared.environments,
      calendarMissing: false,
    };
    return { wish: decode(kind, map, { address, parent: null, name }, context), context };
  }

  let { wish, context } = attempt(shared.calendar.loaded);
  if (context.calendarMissing) ({ wish, context } = attempt(await shared.calendar.load()));
  problems.push(...context.problems);
  return { ...wish, own: { ...wish.own, key, timezone: zone ?? standardZone } };
}

function zoneOf(map: LocatedMap, bad: ReadonlySet<Located>): string | null {
  const node = entryOf(map, "timezone");
  if (node === undefined || isEmpty(node)) return standardZone;
  if (node.type !== "scalar" || bad.has(node) || node.reported) return null;
  const zone = String(node.value).trim();
  return isTimezone(zone) ? zone : null;
}

function isEmpty(node: Located): boolean {
  return node.type === "scalar" && (node.value === null || node.value === "");
}

/** In one form, however a file system or a keyboard puts accents together: a key is compared, remembered and typed. */
function keyOf(
  { file, index, several }: Position,
  map: LocatedMap,
  bad: ReadonlySet<Located>,
  problems: Diagnostic[],
): string {
  const node = entryOf(map, "key");
  const base = file
    .slice(file.lastIndexOf("/") + 1)
    .replace(/\.ya?ml$/i, "")
    .normalize("NFC");
  if (node?.type === "scalar" && !bad.has(node) && !node.reported) return String(node.value).normalize("NFC").trim();
  if (node !== undefined || !several) return base;
  const example = `${base}-${index + 1}`;
  problems.push({
    code: "missing-key",
    severity: "error",
    message: "This file holds several events, and this one has no `key`.",
    hint: `Add a line such as \`key: ${example}\`, another one for each event.`,
    source: map.source,
  });
  return example;
}

/** Two events of one key: told at both places, the first one once. */
function countKey(key: string, map: LocatedMap, { keys, spellings, problems }: Shared): number {
  const source = entryOf(map, "key")?.source ?? map.source;
  const first = keys.get(key);
  if (first === undefined) {
    const twin = spellings.get(key.toLowerCase());
    if (twin === undefined) spellings.set(key.toLowerCase(), { key, source });
    // Of files that differ by case alone it is said already.
    else if (twin.source.file === source.file || twin.source.file.toLowerCase() !== source.file.toLowerCase())
      problems.push(likeKey(key, source, twin));
    keys.set(key, { source, count: 1 });
    return 1;
  }
  first.count += 1;
  if (first.count === 2) problems.push(sameKey(key, 1, first.source, source));
  problems.push(sameKey(key, first.count, source, first.source));
  return first.count;
}

function sameKey(key: string, nth: number, source: Source, other: Source): Diagnostic {
  return {
    code: "duplicate-key",
    severity: "error",
    message: `Two events have the key ${key}.`,
    hint: "Give one of them another `key` (left out, it is the file's name).",
    address: makeAddress(null, kind.plural, key, nth),
    source,
    related: [{ message: "the other one", source: other }],
  };
}

function likeKey(key: string, source: Source, twin: { readonly key: string; readonly source: Source }): Diagnostic {
  return {
    code: "duplicate-key",
    severity: "error",
    message: `The keys ${twin.key} and ${key} differ by upper and lower case only.`,
    hint: "Give one of them another `key` (left out, it is the file's name).",
    address: makeAddress(null, kind.plural, key),
    source,
    related: [{ message: "the other one", source: twin.source }],
  };
}

function emptyFile(file: string): Diagnostic {
  return {
    code: "empty-file",
    severity: "error",
    message: `${file} is empty.`,
    hint: "Write an event into it (name, dateTime, tickets), or remove the file.",
    source: { file, line: 1, column: 1 },
  };
}

function notAnEvent(content: Located): Diagnostic {
  const glued = content.type === "scalar" && /^([A-Za-z]+)(?::|\s*=\s*)(\S+)/.exec(String(content.value));
  return {
    code: "wrong-type",
    severity: "error",
    message:
      content.type === "list"
        ? "This is a list, and an event is expected."
        : "This is a text, and an event is expected.",
    hint: glued
      ? `Write a colon and a space after each field: \`${glued[1]}: ${glued[2]}\`.`
      : "Write the fields of one event, such as `name: …`; put `---` between several events.",
    source: content.source,
  };
}
