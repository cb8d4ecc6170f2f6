import type * as z from "zod";
import type { Located } from "./located.ts";
import type { Schema } from "./schema-walk.ts";

export interface Words {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

export interface Complaint {
  readonly issue: z.core.$ZodIssue;
  readonly node: Located;
  readonly path: readonly PropertyKey[];
  /** What is expected at the path. */
  readonly schema: Schema;
  readonly mistake?: string | undefined;
  readonly absent?: string | undefined;
  readonly owner: string | null;
}

/** `price` of GA; an entry of a list is called by its number. */
export function fieldOf({ path, owner }: Pick<Complaint, "path" | "owner">): string {
  const last = path.at(-1);
  if (typeof last === "number") return `Entry ${last + 1} of \`${String(path.at(-2) ?? "the list")}\``;
  return `\`${String(last)}\`${owner === null ? "" : ` of ${owner}`}`;
}

/** What the file says there, in a few words. */
export function shown(node: Located): string {
  if (node.type !== "scalar") return node.type === "list" ? "a list" : "a map";
  if (node.value === null) return "empty";
  if (typeof node.value === "string") return `the text "${shorten(node.value)}"`;
  return node.raw === undefined || node.raw === "" ? String(node.value) : shorten(node.raw);
}

function shorten(text: string): string {
  return text.length > 60 ? `${text.slice(0, 59)}…` : text;
}
