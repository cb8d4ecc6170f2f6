// A document with the origin of each value beside it.
import { Document, isCollection, isScalar, type Node, type Pair } from "yaml";
import { commentText, escapeVariables, renderNode } from "./render.ts";

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
