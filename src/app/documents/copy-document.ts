// One event's file copied to another date.
import { posix } from "node:path";
import { matcherOf, readText } from "../../config/files.ts";
import { daysBetween, howToWriteDay, loadCalendar, moveTime, readDay } from "../../config/time.ts";
import { fileStem } from "../../import/file-names.ts";
import { type CopiedField, copyEvent, laidOut } from "../../import/text.ts";
import { kindOf } from "../../kinds/index.ts";
import { type Diagnostic, errorOf, type Fallible, failed, sortDiagnostics, warningOf } from "../../model/diagnostic.ts";
import { formatLocalTime, readWallClock, standardZone, weekdayNames } from "../../model/time.ts";
import { pluralize, sentenceCase } from "../../model/value.ts";
import { familyOf, type Wish } from "../../model/wish.ts";
import { safeJson } from "../../report/text.ts";
import { writeFiles } from "../importing/imported.ts";
import type { World } from "../world.ts";
import { type DocumentOptions, findDocument, keyOfWish, openDocuments } from "./open-documents.ts";

export interface CopyDocumentOptions extends DocumentOptions {
  readonly to: string;
  readonly key?: string;
}

interface CopiedDocument {
  /** Times are local, as files write them. */
  readonly original: { readonly key: string; readonly file: string; readonly dateTime: string };
  readonly copy: { readonly key: string; readonly file: string; readonly dateTime: string };
  readonly days: number;
  readonly weekday: { readonly before: string; readonly after: string };
  readonly leftOut: readonly CopiedField[];
  readonly unmoved: readonly CopiedField[];
  readonly namesWithOldYear: readonly NameInUse[];
  /** Problems of the copy, such as a time that clocks skip on its day. */
  readonly diagnostics: readonly Diagnostic[];
  /** Whether `events` in ticketing.yaml matches the new file. */
  readonly isMatched: boolean;
}

interface NameInUse extends CopiedField {
  /** Where it is written: the copy, or a template. */
  readonly file: string;
}

export async function copyDocument(world: World, options: CopyDocumentOptions): Promise<Fallible<CopiedDocument>> {
  const to = readDay(options.to);
  if (to === null) {
    return failed(errorOf("usage", `--to "${options.to}" is not a date.`, howToWriteDay(options.to)));
  }
  const opened = await openDocuments(world, options);
  if (!opened.ok) return opened;
  const { files, loaded, events } = opened;
  const found = findDocument(opened, options.event, true);
  if (!found.ok) return found;
  const { wish } = found;
  const { file } = wish.source;
  const problems: Diagnostic[] = [];
  const text = await readText(files, file, problems);
  if (text === null) return failed(...problems);

  const zone = wish.own.timezone ?? standardZone;
  const before = String(wish.fields.dateTime ?? "");
  const start = formatLocalTime(before, zone);
  const calendar = await loadCalendar();
  const days = readDay(start.slice(0, 10)) === null ? 0 : daysBetween(start.slice(0, 10), to);
  const later = days === 0 ? null : moveTime(start, days, zone, calendar);

  const key = options.key?.trim() || copiedKey(keyOfWish(wish), start.slice(0, 10), to);
  const target = fileOf(key, file);
  const weekday = new Date(`${to}T00:00Z`).getUTCDay();
  const isNamedByKey = posix.basename(target).replace(/\.ya?ml$/i, "") === key;
  const request = { text, place: wish.source, days, zone, calendar, start: later ?? "", weekday, key, isNamedByKey };
  const copied = copyEvent(request);
  if (copied === "series") return failed(isSeries(wish));
  if (later === null)
    return failed(
      before === ""
        ? noStart(wish)
        : {
            ...errorOf("usage", `"${wish.name}" already starts on ${to}.`, "Name another day with --to."),
            source: wish.source,
          },
    );
  if (copied === null) return failed(oddLayout(wish));
  if (events.some((one) => keyOfWish(one).toLowerCase() === key.toLowerCase())) {
    const message = `There is already an event with the key ${key}.`;
    return failed(errorOf("duplicate-key", message, "Choose another one with --key."));
  }
  // If the original is formatted, so is the copy.
  const isFormatted = laidOut(text, "event") === text;
  const copy = isFormatted ? laidOut(copied.text, "event") : copied.text;
  const refused = await writeFiles(options.directory, [{ file: target, before: null, text: copy }]);
  if (refused.length > 0) {
    const message = `${target} already exists, and was left as it is.`;
    return failed(errorOf("file-exists", message, "Choose another name with --key."));
  }

  const reread = await openDocuments(world, options, [target]);
  if (!reread.ok) return reread;
  const oldYear = start.slice(0, 4);
  const hasOldYear = ({ text: name }: NameInUse) => name.match(/\d+/g)?.includes(oldYear) === true;
  return {
    ok: true,
    original: { key: keyOfWish(wish), file, dateTime: start },
    copy: { key, file: target, dateTime: later },
    days,
    weekday: {
      before: weekdayNames[readWallClock(before, zone)?.weekday ?? 0] ?? "",
      after: weekdayNames[weekday] ?? "",
    },
    leftOut: copied.leftOut,
    unmoved: copied.unmoved,
    namesWithOldYear: to.startsWith(oldYear) ? [] : reread.events.flatMap(namesInUse).filter(hasOldYear),
    diagnostics: sortDiagnostics([
      ...reread.diagnostics.filter(({ severity, source }) => severity === "error" && source?.file === target),
      ...reread.events.flatMap((event) => startedBefore(event, world.now())),
    ]),
    isMatched: matcherOf(loaded.settings.events)(target),
  };
}

function startedBefore({ fields, own, places, source }: Wish, now: number): readonly Diagnostic[] {
  const code = "starts-in-the-past";
  if (own.ignore?.includes(code) || !(Date.parse(String(fields.dateTime)) < now)) return [];
  const message = "The copy starts in the past, so a plan would not create it.";
  const hint = "Correct `dateTime` (is it the right year?), or delete the copy and name another day with --to.";
  return [{ ...warningOf(code, message, hint), source: places.dateTime ?? source }];
}

/** With what variables say: its own, and those of the entries of its lists. */
function namesInUse(wish: Wish): readonly NameInUse[] {
  return familyOf(wish).flatMap(({ kind, name, places }) => {
    const { plural, identity } = kindOf(kind);
    const place = places[identity.label];
    const path = `${kind === wish.kind ? "" : `/${plural}`}/${identity.label}`;
    return place === undefined ? [] : [{ path, line: place.line, text: name, file: place.file }];
  });
}

/** With its date or year replaced, or with the date behind it. */
function copiedKey(key: string, from: string, to: string): string {
  if (key.includes(from)) return key.replace(from, to);
  const year = key.replace(/\d+/g, (digits) => (digits === from.slice(0, 4) ? to.slice(0, 4) : digits));
  return year === key ? `${key}-${to}` : year;
}

/** Next to the original. */
function fileOf(key: string, original: string): string {
  const stem = /^[A-Za-z0-9][\w.@-]*$/.test(key) ? key : fileStem([key], "event");
  return posix.join(posix.dirname(original), `${stem}${posix.extname(original)}`);
}

function noStart({ name, source }: Wish): Diagnostic {
  const message = `"${name}" has no \`dateTime\` that can be read, so nothing can be moved.`;
  return {
    ...errorOf(
      "missing-field",
      message,
      "Write one in the file, or run `ticketing validate` to see what is wrong with it.",
    ),
    source,
  };
}

function isSeries({ source }: Wish): Diagnostic {
  const hint = "Set a later `until` or a higher `count` in its `series`, or add dates to `also`.";
  return { ...errorOf("series-not-copied", "A series is not copied: give it more dates instead.", hint), source };
}

function oddLayout({ source }: Wish): Diagnostic {
  const message = "This event is written in a way that cannot be copied with its layout.";
  return { ...errorOf("not-copied", message, "Copy the file by hand, and check every date and time in it."), source };
}

export function copyJson(copied: CopiedDocument): string {
  return `${safeJson({ formatVersion: 1, ...copied, ok: true })}\n`;
}

/** What was done, and what is left to check. */
export function copyLines(copied: CopiedDocument): readonly string[] {
  const { original, copy, days, weekday, leftOut, unmoved, namesWithOldYear } = copied;
  const by = `${pluralize(Math.abs(days), "day")} ${days < 0 ? "earlier" : "later"}`;
  const skipped = leftOut.map(({ path, line }) => `${path.slice(1)} (line ${line})`);
  const isAt = ({ path, line, text }: CopiedField, file: string) =>
    `${path.slice(1)} is "${text}" (line ${line} of ${file})`;
  return [
    `${copy.file}: a copy of ${original.file}, ${by}.`,
    `Starts: ${sentenceCase(weekday.before)} ${original.dateTime} → ${sentenceCase(weekday.after)} ${copy.dateTime}.`,
    ...(weekday.before === weekday.after
      ? []
      : [
          `The weekday changed: the original is on a ${sentenceCase(weekday.before)}, the copy on a ${sentenceCase(weekday.after)}.`,
        ]),
    ...(leftOut.length === 0 ? [] : [`Not copied from ${original.file}: ${skipped.join(", ")}.`]),
    ...unmoved.map((field) => `Not moved: ${isAt(field, original.file)}.`),
    ...namesWithOldYear.map((field) => `Still has the old year: ${isAt(field, field.file)}.`),
    ...(copied.isMatched ? [] : ["Not read yet: no file pattern in `events` of ticketing.yaml matches the copy."]),
    "Next: review the file, then `ticketing plan`.",
  ];
}
