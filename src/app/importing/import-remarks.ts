// What somebody should know of the files that were written.
import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { formatCount, groupBy } from "../../model/value.ts";
import type { Comparison } from "../../plan/compare.ts";
import type { Composed } from "./compose-event.ts";

/** What is said of one file. */
export function remarksOnEvent(composed: Composed, file: string, name: string): readonly Diagnostic[] {
  const { existing, takenOut } = composed;
  if (existing === null) return [cannotUpdate(file, name)];
  const { comparisons, errors } = existing;
  const source = { file, line: existing.wish.source.line, column: existing.wish.source.column };
  const remarks: Diagnostic[] = takenOut.map((entry) => ({
    code: "not-live",
    severity: "warning",
    message: `The file listed ${entry}, which is not live: it was taken out.`,
    hint: "If it is still to be made, put it back: git has it.",
    source,
  }));
  for (const one of comparisons) {
    if (one.change === null) continue;
    if (one.live === null) {
      remarks.push(stillListed(one, source));
      continue;
    }
    const fields = one.change.edits.map(({ path }) => path.slice(1));
    remarks.push({
      code: "plan-will-differ",
      severity: "warning",
      message: `The file cannot say what is live of '${one.name}'${fields.length === 0 ? "" : ` (${fields.join(", ")})`}, so that \`plan\` will show a change.`,
      hint: "Look at `defaults` in ticketing.yaml: what they give to every event cannot always be taken back by one.",
      source,
    });
  }
  return [...remarks, ...errors.map((error) => ({ ...error, source: error.source ?? source }))];
}

/** Nothing goes from a file that git could not bring back. */
function stillListed({ kind, name, change }: Comparison, source: Source): Diagnostic {
  const next = change?.blockedBy.length === 0 ? "the next plan will create it" : "the next plan cannot go on with it";
  return {
    code: "not-live",
    severity: "warning",
    message: `${kind.plural}/${name} is not live; ${next}. It was left in the file, which git does not have as it is.`,
    hint: "Take it out if it is not to be made; an import takes out what is not live once the file is committed.",
    source,
  };
}

/** The rules that the file of one event ignores from now on. */
export function silencedIn({ existing, corrections }: Composed, file: string): readonly Silenced[] {
  if (existing === null) return [];
  const source = { file, line: existing.wish.source.line, column: existing.wish.source.column };
  return existing.comparisons.flatMap(({ name, live }) =>
    (corrections.get(live?.id ?? "")?.learned ?? []).map((code) => ({ code, name, source })),
  );
}

export function cannotUpdate(file: string, name: string): Diagnostic {
  return {
    code: "cannot-update-in-place",
    severity: "error",
    message: `'${name}' is described in a way that cannot be changed in place (an anchor or an unusual layout), so the file was left as it is.`,
    hint: "Write its lists and fields in the usual way and import again, or change the file by hand: `ticketing plan` shows what differs.",
    source: { file, line: 1, column: 1 },
  };
}

/** The service tells a secret only once: when the webhook is made. */
export function secretsUnknown(file: string, urls: readonly string[]): readonly Diagnostic[] {
  const [first] = urls;
  if (first === undefined) return [];
  const whose =
    urls.length === 1
      ? `The webhook ${first} has`
      : `The webhook ${first} and ${formatCount(urls.length - 1)} more have`;
  return [
    {
      code: "secret-not-held",
      severity: "info",
      message: `${file}: ${whose} a \`secretName\` now, made from the address; the secret itself is not known here, because the service shows it only once.`,
      hint: `Rename it to where you keep the secret. If nobody has it, \`ticketing webhooks rotate ${first}\` makes a new one.`,
    },
  ];
}

/** The same remark on many files is one remark. */
export function leftOutRemarks(remarks: ReadonlyMap<string, readonly string[]>): readonly Diagnostic[] {
  return [...remarks].map(([remark, files]) => {
    const [first = ""] = files;
    const where =
      files.length === 1
        ? first
        : `${first} and ${formatCount(files.length - 1)} more ${files.length === 2 ? "file" : "files"}`;
    return { code: "left-out", severity: "info", message: `${where}: ${remark[0]?.toLowerCase()}${remark.slice(1)}` };
  });
}

/** A rule that a file ignores from now on, because the service shows an object like this. */
export interface Silenced {
  readonly code: string;
  /** The object's name. */
  readonly name: string;
  readonly source: Source;
}

/** The same rule for many objects is one remark. */
export function silencedRemarks(silenced: readonly Silenced[]): readonly Diagnostic[] {
  return [...groupBy(silenced, ({ code }) => code)].map(([code, group]) => {
    const [first] = group;
    const words =
      group.length === 1
        ? `'${first?.name}' is, as the service shows it, not as the rule ${code} would have it; the file says`
        : `'${first?.name}' and ${formatCount(group.length - 1)} more are, as the service shows them, not as the rule ${code} would have them; the files say`;
    return {
      code: "live-like-this",
      severity: "warning",
      message: `${words} so with \`ignore\`.`,
      hint: "Correct it on the service or in the file, then take the `ignore` out.",
      ...(first === undefined ? {} : { source: first.source }),
    };
  });
}
