import { setImmediate as turn } from "node:timers/promises";
import { kindOf } from "../../kinds/index.ts";
import { makeAddress } from "../../model/address.ts";
import { type Diagnostic, errorAt, noticeOf, type Source } from "../../model/diagnostic.ts";
import { hasEnded } from "../../model/live.ts";
import { formatLocalMoment, standardZone } from "../../model/time.ts";
import { formatCount } from "../../model/value.ts";
import type { Project, Wish } from "../../model/wish.ts";
import { assignAddresses } from "../check/address-problems.ts";
import { checkSaidTwice } from "../check/check.ts";
import { findSecretsInVars } from "../check/find-secrets.ts";
import { reportSlips } from "../check/value-slip.ts";
import { type FileSource, fileError, readText } from "../files/read-text.ts";
import { entryOf, type Located } from "../yaml/located.ts";
import { readYaml } from "../yaml/read-yaml.ts";
import { composeDocument } from "./compose-document.ts";
import { type EventInputs, makeEventReader, type ReadEvent } from "./read-event.ts";
import { allowanceOfFile, filledWithin } from "./variables.ts";

const kind = kindOf("event");

/** What one file contains. It depends only on the file's text and the shared inputs, apart from how often its keys are used elsewhere. */
export interface LoadedFile {
  /** In the order of its documents. */
  readonly events: readonly LoadedEvent[];
  readonly problems: readonly Diagnostic[];
  /** Names of the templates that its events extend. */
  readonly templates: ReadonlySet<string>;
  /** How many characters variables added to it. */
  readonly filled: number;
  /** Sheets of its series. */
  readonly sheets: readonly string[];
}

/** `changesWithTime`: what it holds depends on when it is read. */
type LoadedEvent = Pick<ReadEvent, "wish" | "isOver" | "upcoming" | "later" | "changesWithTime">;

/** The events of one file: text, located documents, composed documents, wishes. `countsElsewhere` counts events of other files by key; `files` gives the sheets of series. */
export async function loadEventFile(
  file: string,
  text: string,
  shared: EventInputs,
  countsElsewhere: ReadonlyMap<string, number>,
  files: Pick<FileSource, "read">,
): Promise<LoadedFile> {
  const problems: Diagnostic[] = [];
  const sheets: string[] = [];
  const recorded: Pick<FileSource, "read"> = {
    read(path) {
      sheets.push(path);
      return files.read(path);
    },
  };
  const templates = new Set<string>();
  const counts = new Map<string, number>();
  const countOf = (key: string): number => {
    const count = (counts.get(key) ?? countsElsewhere.get(key) ?? 0) + 1;
    counts.set(key, count);
    return count;
  };
  const documents = readYaml(file, text, problems);
  const read = problems.length;
  if (documents.length === 0 && read === 0) {
    const hint = "Put an event in it (name, dateTime, tickets), or remove the file.";
    problems.push(fileError("empty-file", file, "is empty", hint));
  }
  const allowance = allowanceOfFile();
  const several = documents.length > 1;
  const events: LoadedEvent[] = [];
  for (const [index, document] of documents.entries()) {
    const own = several ? problems.length : 0;
    const { content } = document;
    reportSlips(document, kind.schema, problems);
    if (content !== null && content.type !== "map") problems.push(notAnEvent(content));
    if (content?.type !== "map") continue;
    checkSaidTwice(kind, content, problems);
    findSecretsInVars(content, problems);
    const composed = await composeDocument(file, content, shared, recorded, problems);
    for (const name of composed.templates) templates.add(name);
    const isComposed = composed.isSeries || composed.templates.length > 0;
    const readEvent = makeEventReader({ file, index, several }, composed, shared, problems, allowance);
    const before = events.length;
    for (const occurrence of composed.occurrences) {
      const since = { before: 0, read, own: composed.isSeries ? problems.length : own };
      const { wish, map, isOver, upcoming, later, changesWithTime } = await readEvent(occurrence, countOf);
      assignAddresses(problems, since, wish, map);
      const isWhole = isOver || (!isComposed && !changesWithTime);
      events.push({
        wish: isWhole ? wish : { ...wish, own: { ...wish.own, composed: true } },
        isOver,
        upcoming,
        later,
        changesWithTime: changesWithTime || composed.isSeries,
      });
    }
    const series = entryOf(composed.map, "series");
    if (series !== undefined) problems.push(...remarksOnPast(series, events.slice(before), shared.now));
  }
  return { events, problems, templates, filled: filledWithin(allowance), sheets };
}

/** A whole series that is over is most likely one with a wrong year, or last year's file. */
function remarksOnPast(series: Located, events: readonly LoadedEvent[], now: number): readonly Diagnostic[] {
  if (events.length === 0 || !events.every(({ isOver }) => isOver)) return [];
  const dates = events.map(({ wish }) => wish);
  const { fields, own, address } = dates.at(-1) as Wish;
  const last = formatLocalMoment(String(fields.dateTime), own.timezone ?? standardZone);
  const which =
    dates.length === 1
      ? "The only date of this series is over"
      : `All ${formatCount(dates.length)} dates of this series are over`;
  // Without an end, a date counts as over at midnight, but its live event may still be running, and deleting the file would delete it.
  const mayGo = dates.every((date) => hasEnded(date, now));
  const hint = `Check the year.${mayGo ? " If the series has ended, you can delete its file: its events stay as they are on the service." : ""}`;
  const notice = noticeOf("event-over", `${which}, so nothing is planned for it (the last one began ${last}).`, hint);
  return [{ ...notice, source: series.source, address: own.series?.of ?? address }];
}

function notAnEvent(content: Located): Diagnostic {
  const glued = content.type === "scalar" && /^([A-Za-z]+)(?::|\s*=\s*)(\S+)/.exec(String(content.value));
  return errorAt(
    "wrong-type",
    content.source,
    `An event is expected here, not ${content.type === "list" ? "a list" : "text"}.`,
    glued
      ? `Write a colon and a space after each field: \`${glued[1]}: ${glued[2]}\`.`
      : "Write the fields of one event, such as `name: …`; separate several events with `---`.",
  );
}

// Keys are counted across files: a file by itself does not know the keys of others.

function makeEventKeys() {
  const counts = new Map<string, number>();
  const firsts = new Map<string, Source>();
  /** The same keys without case, as each was first written. */
  const spellings = new Map<string, { readonly key: string; readonly source: Source }>();

  function addFirst(key: string, source: Source, problems: Diagnostic[]): void {
    firsts.set(key, source);
    const twin = spellings.get(key.toLowerCase());
    if (twin === undefined) spellings.set(key.toLowerCase(), { key, source });
    // Files whose names differ only in case are reported already.
    else if (twin.source.file === source.file || twin.source.file.toLowerCase() !== source.file.toLowerCase())
      problems.push(
        duplicateKey(`The event keys "${twin.key}" and "${key}" differ only in case.`, key, 1, source, twin.source),
      );
  }

  return {
    /** How many events have each key so far. */
    counts: counts as ReadonlyMap<string, number>,
    /** Two events with one key are reported at both places, the first one once. */
    add(wish: Wish, problems: Diagnostic[]): void {
      const key = wish.own.key ?? "";
      const source = wish.places.key ?? wish.source;
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      const first = firsts.get(key);
      if (first === undefined) {
        addFirst(key, source, problems);
        return;
      }
      const message = `Two events have the event key "${key}".`;
      if (count === 2) problems.push(duplicateKey(message, key, 1, first, source));
      problems.push(duplicateKey(message, key, count, source, first));
    },
  };
}

function duplicateKey(message: string, key: string, nth: number, source: Source, other: Source): Diagnostic {
  const hint = "Give one of them a different `key` (by default, it is the file's name).";
  return {
    ...errorAt("duplicate-key", source, message, hint),
    address: makeAddress(null, kindOf("event").plural, key, nth),
    related: [{ message: "the other one", source: other }],
  };
}

/** Variables may add at most this many characters to a project, however many files it has. */
const maximumFilled = 64 * 1024 * 1024;

/** Yields after this many files, to calls in flight and to a request to stop. */
const filesInTurn = 20;

/** `known`: the files' content when they were last read with the same shared inputs; what is read now is added. */
export async function loadEventFiles(
  files: FileSource,
  names: readonly string[],
  shared: EventInputs,
  problems: Diagnostic[],
  known: Map<string, LoadedFile> = new Map(),
) {
  const keys = makeEventKeys();
  const all: LoadedFile[] = [];
  const unread: Project["unread"][number][] = [];
  let filled = 0;
  let read = 0;

  async function readEventFile(file: string): Promise<LoadedFile | null> {
    if (++read % filesInTurn === 0) await turn();
    const text = await readText(files, file, problems);
    return text === null ? null : loadEventFile(file, text, shared, keys.counts, files);
  }

  // The addresses of events whose key another file has too depend on that file.
  const isAlone = ({ events }: LoadedFile) =>
    !events.some(({ wish, isOver }) => !isOver && keys.counts.has(wish.own.key ?? ""));
  await files.prepare?.(names.filter((file) => !known.has(file)));
  for (const file of names) {
    const before = known.get(file);
    const loaded = before !== undefined && isAlone(before) ? before : await readEventFile(file);
    if (loaded === null || loaded.events.length === 0) {
      const from = [...(loaded?.templates ?? [])].flatMap((name) => shared.templates.get(name)?.file ?? []);
      unread.push({ file, uses: [...from, ...(loaded?.sheets ?? [])] });
    }
    if (loaded === null) continue;
    if (isAlone(loaded)) known.set(file, loaded);
    for (const problem of loaded.problems) problems.push(problem);
    for (const { wish, isOver } of loaded.events) if (!isOver) keys.add(wish, problems);
    all.push(loaded);
    filled += loaded.filled;
    if (filled > maximumFilled) {
      problems.push(tooMuchFilled(file));
      break;
    }
  }
  const events = all.flatMap((loaded) => loaded.events);
  const managed = events.filter(({ isOver }) => !isOver);
  return {
    events: managed.map(({ wish }) => wish),
    ended: events.flatMap(({ wish, isOver }) => (isOver ? [wish] : [])),
    unread,
    upcoming: managed
      .flatMap(({ upcoming }) => upcoming)
      .sort((one, other) => Date.parse(one.at) - Date.parse(other.at)),
    later: managed.flatMap(({ later }) => later),
    changesWithTime: events.some((event) => event.changesWithTime),
    sheets: all.flatMap(({ sheets }) => sheets),
    /** Names of the templates that they extend. */
    templates: new Set(all.flatMap(({ templates }) => [...templates])),
  };
}

function tooMuchFilled(file: string): Diagnostic {
  const message = "Up to this file, variables add too much text: they can add at most 64 MiB to all files together.";
  return errorAt("too-long", { file, line: 1, column: 1 }, message, "Use shorter text, or fewer variables.");
}
