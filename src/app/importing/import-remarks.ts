// What to report about the files that were written.
import { howToLeave } from "../../kinds/lint-rules.ts";
import type { Address } from "../../model/address.ts";
import { type Diagnostic, errorOf, noticeOf, type Source, warningOf } from "../../model/diagnostic.ts";
import type { Block } from "../../model/plan.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { formatCount, groupBy, listSome, pluralize } from "../../model/value.ts";
import type { Upcoming, Wish } from "../../model/wish.ts";
import type { Comparison } from "../../plan/compare.ts";
import type { ComposedEvent } from "./compose-event.ts";
import { type ExistingText, errorSince, fieldSetByPhase, isInherited } from "./existing-text.ts";

export function remarksOnEvent(composed: ComposedEvent, file: string, name: string): readonly Diagnostic[] {
  const { existing, before, removedEntries } = composed;
  if (existing === null) return [cannotUpdate(file, name)];
  const { comparisons, errors } = existing;
  const source = { file, line: existing.wish.source.line, column: existing.wish.source.column };
  const remarks: Diagnostic[] = removedEntries.map(({ kind, name, isInherited }) => {
    const done = isInherited
      ? ", which a template adds, is not live, so the file now removes it"
      : " is not live, so its entry was removed from the file";
    const hint = "If it should still be created, undo that change: `git diff` shows it.";
    return { ...warningOf("not-live", `The ${kind.words.one} "${name}"${done}.`, hint), source };
  });
  for (const one of comparisons) {
    if (one.change === null) continue;
    if (one.live === null) {
      remarks.push(stillListed(one, existing.wish, file));
      continue;
    }
    const fields = one.change.edits.map(({ path }) => path.slice(1));
    remarks.push({
      code: "plan-will-differ",
      severity: "warning",
      message: `The file cannot describe everything that is live for "${one.name}"${fields.length === 0 ? "" : ` (${fields.join(", ")})`}, so \`plan\` will show a change.`,
      hint: "Check `defaults` in ticketing.yaml: an event's file cannot always override them.",
      source,
    });
  }
  for (const variable of composed.replaced ?? []) {
    const message = `The live value replaced \`\${var.${variable}}\`, so this file no longer uses the variable.`;
    const hint = `If nothing else uses it, remove \`${variable}\` from \`vars\`. To keep the variable, change its value and restore the text that used it: \`git diff\` shows that text.`;
    remarks.push({ ...warningOf("variable-replaced", message, hint), source });
  }
  if (before !== undefined) remarks.push(...movedPhases(name, before, existing, source));
  return [...remarks, ...errors.map((error) => ({ ...error, source: error.source ?? source }))];
}

/** For phases that the file inherits: it cannot give them other times. */
function movedPhases(name: string, before: ExistingText, now: ExistingText, source: Source): readonly Diagnostic[] {
  const [from, to] = [before, now].map(({ wish }) => wish.own.timezone ?? standardZone);
  const timesOf = ({ wish }: ExistingText) => JSON.stringify([wish.fields.dateTime, wish.fields.endDateTime]);
  if (from === undefined || to === undefined || from === to || timesOf(before) !== timesOf(now)) return [];
  const idOf = ({ at, type, phase }: Upcoming) => JSON.stringify([at, type, phase]);
  const known = new Set(now.phases.map(idOf));
  const moved = before.phases.filter((one) => !known.has(idOf(one)));
  if (moved.length === 0) return [];
  const words = moved.map(({ at, type, phase }) => {
    const what = type === "phase-end" ? "the end of " : "";
    return `${what}${phase === null ? "a phase" : `"${phase}"`} (until now, ${formatMoment(at, from)})`;
  });
  const message = `The time zone of "${name}" is ${to} now, so phases that its templates describe happen at different instants: ${listSome(words, 5)}.`;
  const hint =
    "`ticketing upcoming` shows when they happen now. To keep their instants, write `without: [phases]` in the event, together with phases of its own.";
  return [{ ...warningOf("phases-moved", message, hint), source }];
}

/** Nothing is removed from a file that git could not restore. */
function stillListed({ kind, name, wish, obstacles }: Comparison, event: Wish, file: string): Diagnostic {
  const next = obstacles.length === 0 ? "the next apply would create it" : "the next plan will show it as blocked";
  const source = wish?.source ?? event.source;
  const [which, left, hint] = isInherited(wish, event)
    ? [
        `, which ${file} inherits,`,
        `Because ${file} has uncommitted changes, import did not remove the ${kind.words.one} there.`,
        `If this event should not have it, add \`- { ${kind.identity.label}: ${JSON.stringify(name)}, remove: true }\` to \`${kind.plural}\` in ${file}, or commit that file and import again, which adds this line.`,
      ]
    : [
        "",
        "It was left in the file, because the file has uncommitted changes.",
        "Remove it if it should not be created; once the file is committed, an import removes what is not live.",
      ];
  const message = `The ${kind.words.one} "${name}"${which} is not live; ${next}. ${left}`;
  return { ...warningOf("not-live", message, hint), source };
}

export function silencedIn({ existing, corrections }: ComposedEvent, file: string): readonly Silenced[] {
  if (existing === null) return [];
  return existing.comparisons.flatMap(({ name, live, wish }) =>
    (corrections.get(live?.id ?? "")?.learned ?? []).map((code) => {
      // An entry of a template is silenced in the file that inherits it.
      const { line, column } = (isInherited(wish, existing.wish) ? null : wish?.source) ?? existing.wish.source;
      return { code, name, source: { file, line, column } };
    }),
  );
}

/** With a new file for the event, the next apply would create what the document describes, perhaps a second time. */
export function notImported({ address, source, own: { series } }: Wish, { message, hint }: Block): Diagnostic {
  const leave =
    series === undefined ? "remove this event from the files" : howToLeave(series, address.slice(series.of.length + 1));
  const without = `Not imported: ${message[0]?.toLowerCase()}${message.slice(1)}`;
  const ways = `${hint} To let import write a new file for the live event, ${leave}; nothing live is deleted. Then import again.`;
  return { ...errorOf("ambiguous-event", without, ways), address, source };
}

/** One date of a series differs from what the file says about all of them. */
export function cannotUpdateDate(file: string, address: Address, composed: ComposedEvent | null): Diagnostic {
  const [, date = ""] = address.split("@");
  const { text: entry, read } = composed?.dateEntry ?? {};
  const why = composed?.existing && read ? whyUntrue(composed.existing, read) : null;
  const message = `${address} differs from the service, and its file describes every date of the series, so the file was left unchanged.`;
  const left = { ...cannotUpdate(file, address), message };
  if (entry === undefined || !read || why !== null) {
    const without = why === null ? "" : ` No entry is offered, because ${why}`;
    const hint = `Write what is live under \`series.dates\`, for that date alone: \`ticketing plan\` shows what differs.${without}`;
    return { ...left, hint };
  }
  const only = entry.startsWith("{ phases:")
    ? "this phase (a phase that has begun sets the value, so only a phase can override it)"
    : "these fields";
  const hint = `To keep what is live, add under \`series.dates\`: \`${date}: ${entry}\`. If the date is there already, add only ${only}.`;
  // What to write is all that an import can do for one date: it has not failed.
  return { ...left, severity: "info", hint };
}

/** What keeps an entry for a date from describing exactly what is live on it. */
function whyUntrue(before: ExistingText, read: ExistingText): string | null {
  const error = errorSince(before, read);
  if (error !== undefined) return `the file would then have an error: ${error.message}`;
  const left = read.comparisons.flatMap(({ change, name }) => (change === null ? [] : `"${name}"`));
  if (left.length > 0) return `it could not set everything that differs: ${listSome(left, 3)}.`;
  const isMoved = movedPhases("", before, read, before.wish.source).length > 0;
  return isMoved ? "the phases of the date would then happen at different instants." : null;
}

/** `stuck`: what differs and could not be changed, if it is known. */
export function cannotUpdate(file: string, name: string, stuck?: Comparison): Diagnostic {
  const [first] = stuck?.change?.edits.map(({ path }) => path.slice(1)) ?? [];
  const phased = stuck === undefined ? undefined : fieldSetByPhase(stuck);
  const source = stuck?.wish?.places[phased ?? first ?? ""] ?? stuck?.wish?.source ?? { file, line: 1, column: 1 };
  const [message, hint] =
    stuck === undefined || phased === undefined
      ? [
          `"${name}" is written in a way that cannot be edited in place (a YAML anchor, a name with a variable, or an unusual layout), so the file was left unchanged.`,
          "Edit the file by hand (`ticketing plan` shows what differs), or write the event without YAML anchors and import again.",
        ]
      : [
          `A phase sets \`${phased}\` of "${stuck.name}", and \`import\` does not change phases, so the file was left unchanged.`,
          `Write what is live in that phase by hand (${liveValue(stuck, phased)}), then import again.`,
        ];
  return { ...errorOf("cannot-update-in-place", message, hint), source };
}

function liveValue({ live, change }: Comparison, field: string): string {
  const edit = change?.edits.find(({ path }) => path === `/${field}`);
  const value = field === "status" ? live?.status : edit?.before;
  const isPlain = typeof value === "number" || typeof value === "boolean" || field === "status";
  return isPlain ? `\`${field}: ${value}\`` : "`ticketing plan` shows it";
}

/** A file that says what is live would be wrong for another reason, such as a phase that can no longer come. */
export function cannotDescribe(file: string, name: string, { message, hint, source }: Diagnostic): Diagnostic {
  const said = `"${name}" was left unchanged, because its file would have an error if it said what is live: ${message}`;
  const place = source ?? { file, line: 1, column: 1 };
  return { ...errorOf("cannot-update-in-place", said, `${hint ?? ""} Then import again.`.trimStart()), source: place };
}

/** The service shows a secret only once: when the webhook is created. */
export function secretsUnknown(file: string, urls: readonly string[]): readonly Diagnostic[] {
  const [first] = urls;
  if (first === undefined) return [];
  const more = urls.length === 1 ? " has" : ` and ${formatCount(urls.length - 1)} more have`;
  const message = `${file}: The webhook ${first}${more} a \`secretName\` now, derived from the URL; the secret itself is unknown here, because the service shows it only once.`;
  const hint = `Change it to the name you store the secret under. If the secret is lost, \`ticketing webhooks rotate ${first}\` creates a new one.`;
  return [noticeOf("secret-not-held", message, hint)];
}

export function leftOutRemarks(remarks: ReadonlyMap<string, readonly string[]>): readonly Diagnostic[] {
  return [...remarks].map(([remark, files]) => {
    const [first = ""] = files;
    const where = files.length === 1 ? first : `${first} and ${pluralize(files.length - 1, "more file")}`;
    return { code: "left-out", severity: "info", message: `${where}: ${remark[0]?.toLowerCase()}${remark.slice(1)}` };
  });
}

/** A rule that a file now ignores, because a live object breaks it. */
export interface Silenced {
  readonly code: string;
  readonly name: string;
  readonly source: Source;
}

/** The same rule for many objects is one remark. */
export function silencedRemarks(silenced: readonly Silenced[]): readonly Diagnostic[] {
  return [...groupBy(silenced, ({ code }) => code)].map(([code, group]) => {
    const [first] = group;
    const isOne = group.length === 1;
    const more = isOne ? " is live but fails" : ` and ${formatCount(group.length - 1)} more are live but fail`;
    const message = `"${first?.name}"${more} the check ${code}, so ${isOne ? "it has" : "they have"} \`ignore: [${code}]\` in the file${isOne ? "" : "s"}.`;
    const hint = "Correct it on the service or in the file, then remove the `ignore`.";
    return { ...warningOf("live-like-this", message, hint), ...(first === undefined ? {} : { source: first.source }) };
  });
}
