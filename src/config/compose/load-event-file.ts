import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { isTimezone } from "../../model/time.ts";
import type { Wish } from "../../model/wish.ts";
import { assignAddresses } from "../check/address-problems.ts";
import { checkKind } from "../check/check.ts";
import { reportCutTexts } from "../check/cut-text.ts";
import { checkSaidTwice } from "../check/said-twice.ts";
import { type Calendar, loadCalendar, loadedCalendar } from "../time/calendar.ts";
import { entryOf, type Located, type LocatedMap } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { composeDocument } from "./compose-document.ts";
import { type DecodeContext, decode, type Environments, objectName } from "./decode.ts";
import type { Templates } from "./templates.ts";
import { allowanceOfFile, filledWithin, type Variables } from "./variables.ts";

const kind = kindOf("event");
const standardZone = "Asia/Manila";

/** What all files of a project share, as plain data. */
export interface SharedInputs {
  readonly defaults: LocatedMap | null;
  readonly templates: Templates;
  readonly variables: Variables;
  readonly environments: Environments;
}

/** What one file holds. It depends on the file's text and the shared inputs alone, but for the number of events of one key. */
export interface LoadedFile {
  readonly wishes: readonly Wish[];
  readonly problems: readonly Diagnostic[];
  /** Names of the templates that its events extend. */
  readonly templates: ReadonlySet<string>;
  /** How many characters variables added to it. */
  readonly filled: number;
}

interface Position {
  readonly file: string;
  /** Of the document in the file. */
  readonly index: number;
  readonly several: boolean;
}

/** The events of one file: text, located documents, composed documents, wishes. `taken` counts the events of other files by key. */
export async function loadEventFile(
  file: string,
  text: string,
  shared: SharedInputs,
  taken: ReadonlyMap<string, number>,
): Promise<LoadedFile> {
  const problems: Diagnostic[] = [];
  const templates = new Set<string>();
  const counts = new Map<string, number>();
  const countOf = (key: string): number => {
    const count = (counts.get(key) ?? taken.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  const documents = readYaml(file, text, problems);
  const read = problems.length;
  if (documents.length === 0 && read === 0) problems.push(emptyFile(file));
  const allowance = allowanceOfFile();
  const several = documents.length > 1;
  const wishes: Wish[] = [];
  for (const [index, document] of documents.entries()) {
    const own = several ? problems.length : 0;
    const { content } = document;
    reportCutTexts(document, kind.schema, problems);
    if (content !== null && content.type !== "map") problems.push(notAnEvent(content));
    if (content?.type !== "map") continue;
    checkSaidTwice(kind, content, problems);
    const composed = composeDocument(content, shared, problems, allowance);
    for (const name of composed.templates) templates.add(name);
    const wish = await loadEvent(composed.map, { file, index, several }, shared, countOf, problems);
    assignAddresses(problems, { before: 0, read, own }, wish, composed.map);
    wishes.push(composed.templates.length === 0 ? wish : { ...wish, own: { ...wish.own, composed: true } });
  }
  return { wishes, problems, templates, filled: filledWithin(allowance) };
}

async function loadEvent(
  map: LocatedMap,
  position: Position,
  { environments }: SharedInputs,
  countOf: (key: string) => number,
  problems: Diagnostic[],
): Promise<Wish> {
  const bad = checkKind(kind, map, problems);
  const key = keyOf(position, map, bad, problems);
  const name = objectName(kind, map, { bad }) || key;
  const place = { address: makeAddress(null, kind.plural, key, countOf(key)), parent: null, name };
  const zone = zoneOf(map, bad);

  function attempt(calendar: Calendar | null): { wish: Wish; context: DecodeContext } {
    const context = { bad, zone, calendar, problems: [], environments, calendarMissing: false, anchors: {} };
    return { wish: decode(kind, map, place, context), context };
  }

  let { wish, context } = attempt(loadedCalendar());
  if (context.calendarMissing) ({ wish, context } = attempt(await loadCalendar()));
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
