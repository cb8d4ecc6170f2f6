import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import { isTimezone } from "../../model/time.ts";
import type { Wish } from "../../model/wish.ts";
import { assignAddresses } from "../check/address-problems.ts";
import { checkKind } from "../check/check.ts";
import { reportCutTexts } from "../check/cut-text.ts";
import { checkSaidTwice } from "../check/said-twice.ts";
import type { Calendar } from "../time/calendar.ts";
import { entryOf, type Located, type LocatedMap } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { composeDocument } from "./compose-document.ts";
import { type DecodeContext, decode, type Environments, objectName } from "./decode.ts";
import type { Templates } from "./templates.ts";
import { allowanceOfFile, type Variables } from "./variables.ts";

const kind = kindOf("event");
const standardZone = "Asia/Manila";

/** What all files of a project share. */
export interface Shared {
  readonly defaults: LocatedMap | null;
  readonly templates: Templates;
  /** Names of the templates that events extend. */
  readonly used: Set<string>;
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

/** The events of one file: text, located documents, composed documents, wishes. */
export async function loadEventFile(file: string, text: string, shared: Shared): Promise<Wish[]> {
  const { problems } = shared;
  const before = problems.length;
  const documents = readYaml(file, text, problems);
  const read = problems.length;
  if (documents.length === 0 && read === before) problems.push(emptyFile(file));
  const allowance = allowanceOfFile();
  const several = documents.length > 1;
  const wishes: Wish[] = [];
  for (const [index, document] of documents.entries()) {
    const own = several ? problems.length : before;
    const { content } = document;
    reportCutTexts(document, kind.schema, problems);
    if (content !== null && content.type !== "map") problems.push(notAnEvent(content));
    if (content?.type !== "map") continue;
    checkSaidTwice(kind, content, problems);
    const composed = composeDocument(content, shared, problems, allowance);
    for (const name of composed.templates) shared.used.add(name);
    const wish = await loadEvent(composed.map, { file, index, several }, shared);
    assignAddresses(problems, { before, read, own }, wish, composed.map);
    wishes.push(composed.templates.length === 0 ? wish : { ...wish, own: { ...wish.own, composed: true } });
  }
  return wishes;
}

async function loadEvent(map: LocatedMap, position: Position, shared: Shared): Promise<Wish> {
  const { problems, environments } = shared;
  const bad = checkKind(kind, map, problems);
  const key = keyOf(position, map, bad, problems);
  const name = objectName(kind, map, { bad }) || key;
  const place = { address: makeAddress(null, kind.plural, key, countKey(key, map, shared)), parent: null, name };
  const zone = zoneOf(map, bad);

  function attempt(calendar: Calendar | null): { wish: Wish; context: DecodeContext } {
    const context = { bad, zone, calendar, problems: [], environments, calendarMissing: false, anchors: {} };
    return { wish: decode(kind, map, place, context), context };
  }

  let { wish, context } = attempt(shared.calendar.loaded);
  if (context.calendarMissing) ({ wish, context } = attempt(await shared.calendar.load()));
  problems.push(...context.problems);
  return { ...wish, own: { ...wish.own, key, timezone: zone ?? standardZone } };
}

function zoneOf(map: LocatedMap, bad: ReadonlySet<Located>): string | null {
  const node = entryOf(map, "timezone");
  if (node === undefined) return standardZone;
  if (node.type === "scalar" && (node.value === null || node.value === "")) return standardZone;
  if (node.type !== "scalar" || bad.has(node) || node.reported) return null;
  const zone = String(node.value).trim();
  return isTimezone(zone) ? zone : null;
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
  const message = "This file holds several events, and this one has no `key`.";
  const hint = `Add a line such as \`key: ${example}\`, with a different key for each event.`;
  problems.push(errorAt("missing-key", map.source, message, hint));
  return example;
}

/** Two events with one key are reported at both places, the first one once. */
function countKey(key: string, map: LocatedMap, { keys, spellings, problems }: Shared): number {
  const source = entryOf(map, "key")?.source ?? map.source;
  const first = keys.get(key);
  if (first === undefined) {
    const twin = spellings.get(key.toLowerCase());
    if (twin === undefined) spellings.set(key.toLowerCase(), { key, source });
    // Files whose names differ only in case are reported already.
    else if (twin.source.file === source.file || twin.source.file.toLowerCase() !== source.file.toLowerCase())
      problems.push(duplicateKey(`The keys ${twin.key} and ${key} differ only in case.`, key, 1, source, twin.source));
    keys.set(key, { source, count: 1 });
    return 1;
  }
  first.count += 1;
  const message = `Two events have the key ${key}.`;
  if (first.count === 2) problems.push(duplicateKey(message, key, 1, first.source, source));
  problems.push(duplicateKey(message, key, first.count, source, first.source));
  return first.count;
}

function duplicateKey(message: string, key: string, nth: number, source: Source, other: Source): Diagnostic {
  const hint = "Give one of them another `key` (by default, the key is the file's name).";
  return {
    ...errorAt("duplicate-key", source, message, hint),
    address: makeAddress(null, kind.plural, key, nth),
    related: [{ message: "the other one", source: other }],
  };
}

function emptyFile(file: string): Diagnostic {
  const hint = "Write an event into it (name, dateTime, tickets), or remove the file.";
  return errorAt("empty-file", { file, line: 1, column: 1 }, `${file} is empty.`, hint);
}

function notAnEvent(content: Located): Diagnostic {
  const glued = content.type === "scalar" && /^([A-Za-z]+)(?::|\s*=\s*)(\S+)/.exec(String(content.value));
  return errorAt(
    "wrong-type",
    content.source,
    `An event is expected here, not a ${content.type === "list" ? "list" : "text"}.`,
    glued
      ? `Write a colon and a space after each field: \`${glued[1]}: ${glued[2]}\`.`
      : "Write the fields of one event, such as `name: …`; separate several events with `---`.",
  );
}
