// A series as text: what its dates share as a template, and the document with the rule.
import { Scalar } from "yaml";
import type { SeriesDraft } from "../series/draft-series.ts";
import { laidOut } from "./format-text.ts";
import type { Layout } from "./read-layout.ts";
import {
  collectionLayout,
  entryLayout,
  escapeVariables,
  type FileOptions,
  flowMap,
  renderEvent,
  renderLayout,
  scalarLayout,
} from "./render.ts";
import { quotedCommand, textInLine } from "./scalar-text.ts";

export interface SeriesOptions extends FileOptions {
  /** What the document extends; null: the document itself contains what the dates share. */
  readonly template: { readonly name: string; readonly schema: string | null } | null;
  /** Dates that are over are managed as well. */
  readonly keepEnded: boolean;
}

export function renderSeries(draft: SeriesDraft, { template, keepEnded, schema }: SeriesOptions) {
  // Days and times of day need no quotes in files of this kind, whatever older readers of YAML take them for.
  const series = [`dateTime: ${draft.clock}`, "series:", ...seriesLines(draft, keepEnded)].join("\n");
  if (template === null)
    return { document: laidOut(`${renderEvent(draft.shared, { schema })}${series}\n`, "event"), template: null };
  const head = schema === null ? "" : `# yaml-language-server: $schema=${schema}\n`;
  return {
    document: laidOut(`${head}extends: ${textInLine(template.name, "block")}\n${series}\n`, "event"),
    template: renderEvent(draft.shared, { schema: template.schema }),
  };
}

function seriesLines({ dates, members }: SeriesDraft, keepEnded: boolean): readonly string[] {
  const { rule, skip, also } = dates;
  const [only, ...more] = rule?.every ?? [];
  return [
    ...(rule === null
      ? []
      : [
          `every: ${more.length === 0 ? only : `[${rule.every.join(", ")}]`}`,
          `from: ${rule.from}`,
          `until: ${rule.until}`,
        ]),
    ...daysLines("skip", skip),
    ...daysLines("also", also),
    ...(keepEnded ? ["keepEnded: true"] : []),
    "dates:",
    ...members.map(({ member, entries, lists }) => `  ${member.day}: ${flowMap(entries, lists)}`),
  ].map((line) => `  ${line}`);
}

const daysPerLine = 7;

function daysLines(field: string, days: readonly string[]): readonly string[] {
  if (days.length === 0) return [];
  if (days.length <= daysPerLine) return [`${field}: [${days.join(", ")}]`];
  return [`${field}:`, ...days.map((day) => `  - ${day}`)];
}

// A document with the origin of each value next to it.

interface SeriesOrigin {
  readonly file: string;
  readonly line: number;
  readonly written?: string;
}

/** `origins` are by JSON pointer. Comments hold paths and times that people wrote: they stay on their line. */
export function renderOrigins(
  document: Readonly<Record<string, unknown>>,
  origins: Readonly<Record<string, SeriesOrigin>>,
): string {
  function layoutOf(value: unknown, path: string): Layout {
    if (isValue(value)) return printedLayout(value);
    const isList = Array.isArray(value);
    const entries = Object.entries(value as object).map(([name, each]) => {
      const origin = isValue(each) ? origins[`${path}/${name}`] : undefined;
      const written = origin?.written === undefined ? "" : ` (${origin.written})`;
      const from = origin === undefined ? undefined : `${origin.file}:${origin.line}${written}`;
      return entryLayout(isList ? null : name, layoutOf(each, `${path}/${name}`), from);
    });
    return collectionLayout(isList ? "list" : "map", entries);
  }

  return renderLayout(layoutOf(document, ""));
}

/** It is printed, and never a file: in a job's log, no line of it may be a command. */
function printedLayout(value: string | number | boolean | null): Layout {
  const quoted = typeof value === "string" ? quotedCommand(escapeVariables(value)) : null;
  if (quoted === null) return scalarLayout(value);
  const node = new Scalar(null);
  node.source = quoted;
  return { type: "scalar", anchor: "", node, source: "" };
}

function isValue(value: unknown): value is string | number | boolean | null {
  return typeof value !== "object" || value === null;
}
