// What somebody should know of the files that were written.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { Composed } from "./compose-event.ts";

/** What is said of one file. */
export function remarksOnEvent(composed: Composed, file: string, name: string): readonly Diagnostic[] {
  const { looked, corrections, takenOut } = composed;
  if (looked === null) return [cannotUpdate(file, name)];
  const { cases, errors } = looked;
  const source = { file, line: looked.wish.source.line, column: looked.wish.source.column };
  const remarks: Diagnostic[] = takenOut.map((entry) => ({
    code: "not-live",
    severity: "warning",
    message: `The file listed ${entry}, which is not live: it was taken out.`,
    hint: "If it is still to be made, put it back: git has it.",
    source,
  }));
  for (const one of cases) {
    const codes = one.live === null ? [] : (corrections.get(one.live.id)?.ignore ?? []);
    if (codes.length === 0) continue;
    remarks.push({
      code: "live-like-this",
      severity: "warning",
      message: `'${one.name}' is live as the rules would not have it (${codes.join(", ")}); the file says so with \`ignore\`.`,
      hint: "Correct it on the service or in the file, then take the `ignore` out.",
      source,
    });
  }
  for (const one of cases) {
    if (one.change === null) continue;
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

export function cannotUpdate(file: string, name: string): Diagnostic {
  return {
    code: "cannot-update-in-place",
    severity: "error",
    message: `'${name}' is described in a way that cannot be changed in place (an anchor or an unusual layout), so the file was left as it is.`,
    hint: "Write its lists and fields in the usual way and import again, or change the file by hand: `ticketing plan` shows what differs.",
    source: { file, line: 1, column: 1 },
  };
}

/** The same remark on many files is one remark. */
export function leftOutRemarks(remarks: ReadonlyMap<string, readonly string[]>): readonly Diagnostic[] {
  return [...remarks].map(([remark, files]) => {
    const [first = ""] = files;
    const where =
      files.length === 1 ? first : `${first} and ${files.length - 1} more ${files.length === 2 ? "file" : "files"}`;
    return { code: "left-out", severity: "info", message: `${where}: ${remark[0]?.toLowerCase()}${remark.slice(1)}` };
  });
}
