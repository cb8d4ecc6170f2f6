// What an import did, for people and for programs.
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { formatCount } from "../../model/value.ts";
import { renderTable, safeJson } from "../../report/text.ts";
import type { FileAction, Imported } from "./imported.ts";

export function importJson(imported: Imported, diagnostics: readonly Diagnostic[]): string {
  const { events, webhooks } = imported;
  return `${safeJson({ formatVersion: 1, ok: !hasErrors(diagnostics), events, webhooks, diagnostics })}\n`;
}

const signs: Readonly<Record<FileAction, string>> = { created: "+", updated: "~", unchanged: "=" };

/** `next`: the command that shows what is left to do. */
export function importText(imported: Imported, next: string, columns: number): string {
  const { events, webhooks, templates } = imported;
  const places = events.map(({ file, name }) => `${file} ${name}`);
  const rows = events.map(({ action, file, name, slug, status }) => {
    // The nights of a series have one name, and may be in one file.
    const place = `${file} ${name}`;
    const isAlone = places.indexOf(place) === places.lastIndexOf(place);
    return [signs[action], file, isAlone || slug === null ? name : `${name} (${slug})`, status ?? ""];
  });
  for (const { file } of templates) rows.push([signs.created, file, "what the dates of a series share", ""]);
  if (webhooks !== null) {
    rows.push([signs[webhooks.action], webhooks.file, `${count(webhooks.count, "webhook")}`, ""]);
  }
  if (rows.length === 0) return "";
  const table = renderTable(
    [{ title: "" }, { title: "FILE", whole: true }, { title: "WHAT" }, { title: "STATUS", whole: true }],
    rows,
    { columns },
  );
  return `\n${table}\n${sentence(imported, next)}\n`;
}

function sentence({ events, webhooks, isSettled }: Imported, next: string): string {
  const actions = [...events, ...(webhooks === null ? [] : [webhooks])].map(({ action }) => action);
  const parts = (["created", "updated", "unchanged"] as const)
    .map((action) => ({ action, number: actions.filter((each) => each === action).length }))
    .filter(({ number }) => number > 0)
    .map(({ action, number }) => `${formatCount(number)} ${action}`);
  const shows = isSettled ? "shows no changes" : "shows the remaining changes";
  return `${parts.join(", ")}. Next: review the files; then \`${next}\` ${shows}.`;
}

function count(number: number, noun: string): string {
  return `${formatCount(number)} ${noun}${number === 1 ? "" : "s"}`;
}
