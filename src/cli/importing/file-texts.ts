import { posix } from "node:path";
import { readText } from "../../config/read-text.ts";
import type { Desk } from "./desk.ts";
import type { FileText } from "./imported.ts";

/** What a file will hold so far; several events may share one. */
export async function textOf(desk: Desk, file: string, texts: ReadonlyMap<string, FileText>): Promise<FileText | null> {
  const known = texts.get(file);
  if (known !== undefined) return known;
  const text = await readText(desk.files, file, []);
  return text === null ? null : { file, before: text, text };
}

/** Where editors find the schema, as the file sees it; null where the project keeps none. */
export async function schemaFor(desk: Desk, file: string, name: "event" | "webhooks"): Promise<string | null> {
  const schema = `schemas/${name}.json`;
  if (typeof (await desk.files.read(schema)) === "string") return null;
  return posix.relative(posix.dirname(file), schema);
}
