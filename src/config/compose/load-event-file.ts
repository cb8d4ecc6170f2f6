import { kindOf } from "../../kinds/index.ts";
import { type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import type { Upcoming, Wish } from "../../model/wish.ts";
import { assignAddresses } from "../check/address-problems.ts";
import { checkSaidTwice } from "../check/check.ts";
import { reportCutTexts } from "../check/cut-text.ts";
import type { FileSource } from "../files/read-text.ts";
import type { Located } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { composeDocument } from "./compose-document.ts";
import { type EventInputs, makeEventReader } from "./read-event.ts";
import { allowanceOfFile, filledWithin } from "./variables.ts";

const kind = kindOf("event");

/** What one file holds. It depends on the file's text and the shared inputs alone, but for the number of events of one key. */
export interface LoadedFile {
  readonly wishes: readonly Wish[];
  readonly problems: readonly Diagnostic[];
  /** Names of the templates that its events extend. */
  readonly templates: ReadonlySet<string>;
  /** Dates of series that are over and no longer managed. */
  readonly ended: readonly Wish[];
  readonly upcoming: readonly Upcoming[];
  /** Whether it may be another at another time. */
  readonly changesWithTime: boolean;
  /** How many characters variables added to it. */
  readonly filled: number;
  /** Sheets of its series. */
  readonly tables: readonly string[];
}

/** The events of one file: text, located documents, composed documents, wishes. `taken` counts the events of other files by key; `files` hold the tables of series. */
export async function loadEventFile(
  file: string,
  text: string,
  shared: EventInputs,
  taken: ReadonlyMap<string, number>,
  files: Pick<FileSource, "read">,
): Promise<LoadedFile> {
  const problems: Diagnostic[] = [];
  const tables: string[] = [];
  const sheets: Pick<FileSource, "read"> = {
    read(path) {
      tables.push(path);
      return files.read(path);
    },
  };
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
  const ended: Wish[] = [];
  const upcoming: Upcoming[] = [];
  let changesWithTime = false;
  for (const [index, document] of documents.entries()) {
    const own = several ? problems.length : 0;
    const { content } = document;
    reportCutTexts(document, kind.schema, problems);
    if (content !== null && content.type !== "map") problems.push(notAnEvent(content));
    if (content?.type !== "map") continue;
    checkSaidTwice(kind, content, problems);
    const composed = await composeDocument(file, content, shared, sheets, problems);
    for (const name of composed.templates) templates.add(name);
    const isComposed = composed.isSeries || composed.templates.length > 0;
    const readEvent = makeEventReader({ file, index, several }, composed, shared, problems, allowance);
    for (const occurrence of composed.occurrences) {
      const since = { before: 0, read, own: composed.isSeries ? problems.length : own };
      const event = await readEvent(occurrence, countOf);
      const { wish } = event;
      assignAddresses(problems, since, wish, event.map);
      if (event.changesWithTime || composed.isSeries) changesWithTime = true;
      if (event.isOver) {
        ended.push(wish);
        continue;
      }
      upcoming.push(...event.upcoming);
      const isWhole = !isComposed && !event.changesWithTime;
      wishes.push(isWhole ? wish : { ...wish, own: { ...wish.own, composed: true } });
    }
  }
  return { wishes, problems, templates, ended, upcoming, changesWithTime, filled: filledWithin(allowance), tables };
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
