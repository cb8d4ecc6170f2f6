// A series as text: what its dates share as a template, and the document with the rule.
import { Document, isCollection, isScalar, type Node, Pair, Scalar, type YAMLMap, YAMLSeq } from "yaml";
import { kindOf } from "../../kinds/index.ts";
import type { Differences, SeriesDraft } from "../series/draft-series.ts";
import { laidOut } from "./format-text.ts";
import { commentText, escapeVariables, type FileOptions, mapNode, renderEvent, renderNode } from "./render.ts";

export interface SeriesOptions extends FileOptions {
  /** What the document extends; null: what the dates share is in the document itself. */
  readonly template: { readonly name: string; readonly schema: string | null } | null;
  /** Dates that are over are managed as well. */
  readonly keepEnded: boolean;
}

export interface SeriesTexts {
  readonly document: string;
  readonly template: string | null;
}

export function renderSeries(draft: SeriesDraft, { template, keepEnded, schema }: SeriesOptions): SeriesTexts {
  // Days and times of day need no quotes in files of this kind, whatever older readers of YAML take them for.
  const series = [`dateTime: ${draft.clock}`, "series:", ...seriesLines(draft, keepEnded)].join("\n");
  if (template === null)
    return { document: laidOut(`${renderEvent(draft.shared, { schema })}${series}\n`, "event"), template: null };
  const head = schema === null ? "" : `# yaml-language-server: $schema=${schema}\n`;
  return {
    document: laidOut(`${head}extends: ${renderNode(new Scalar(template.name))}\n${series}\n`, "event"),
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
    ...members.map((each) => `  ${each.member.day}: ${renderNode(differencesNode(each))}`),
  ].map((line) => `  ${line}`);
}

const daysPerLine = 7;

function daysLines(field: string, days: readonly string[]): readonly string[] {
  if (days.length === 0) return [];
  if (days.length <= daysPerLine) return [`${field}: [${days.join(", ")}]`];
  return [`${field}:`, ...days.map((day) => `  - ${day}`)];
}

function differencesNode({ entries, lists }: Differences): YAMLMap {
  const map = mapNode({ id: "", entries }, "flow");
  for (const { kind, items } of lists) {
    const list = new YAMLSeq();
    list.flow = true;
    for (const item of items ?? []) list.add(mapNode(item, "flow"));
    map.add(new Pair(new Scalar(kindOf(kind).plural), list) as never);
  }
  return map;
}

// A document with the origin of each value beside it.

interface Origin {
  readonly file: string;
  readonly line: number;
  readonly written?: string;
}

/** `origins` are by JSON pointer. Comments hold paths and times that people wrote: they stay on their line. */
export function renderOrigins(
  document: Readonly<Record<string, unknown>>,
  origins: Readonly<Record<string, Origin>>,
): string {
  const node = new Document().createNode(document, (_, value) =>
    typeof value === "string" ? escapeVariables(value) : value,
  );

  function annotate(value: unknown, path: string): void {
    if (isScalar(value)) {
      const origin = origins[path];
      if (origin === undefined) return;
      const written = origin.written === undefined ? "" : ` (${origin.written})`;
      value.comment = ` ${commentText(`${origin.file}:${origin.line}${written}`)}`;
    } else if (isCollection(value)) {
      for (const [index, item] of value.items.entries()) {
        const pair = item as Pair<{ value: unknown }, unknown>;
        const isEntry = typeof item === "object" && item !== null && "key" in item;
        annotate(isEntry ? pair.value : item, `${path}/${isEntry ? String(pair.key.value) : index}`);
      }
    }
  }

  annotate(node, "");
  return `${renderNode(node as Node)}\n`;
}
