// Whether a text says the same as another, to everything that reads the project.
import { type Located, parseYaml } from "../../config/yaml.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import { findMarks, type Marks } from "./read-layout.ts";
import { isWholeVariable } from "./scalar-text.ts";

/** Whether values and comments of a new text are those that were there before. */
export function meansTheSame(text: string, before: { documents: readonly (Located | null)[]; marks: Marks }): boolean {
  const problems: Diagnostic[] = [];
  const after = parseYaml("", text, problems).documents.map(({ content }) => content);
  if (hasErrors(problems) || after.length !== before.documents.length) return false;
  return (
    sameComments(findMarks(text), before.marks) &&
    after.every((content, index) => isSame(content, before.documents[index] ?? null))
  );
}

function sameComments(one: Marks, other: Marks): boolean {
  const sorted = ({ comments }: Marks) => comments.map(({ text }) => text).sort();
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

/** As whatever reads the project sees them: quotes count where the environment decides what a value is. */
function isSame(one: Located | null, other: Located | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.type === "scalar" && other.type === "scalar") {
    if (isWholeVariable(one.value) && one.plain !== other.plain) return false;
    return one.value === other.value && one.cut?.comment === other.cut?.comment;
  }
  if (one.type === "list" && other.type === "list") {
    return (
      one.items.length === other.items.length &&
      one.items.every((item, index) => isSame(item, other.items[index] ?? null))
    );
  }
  if (one.type !== "map" || other.type !== "map" || one.entries.size !== other.entries.size) return false;
  return [...one.entries].every(([key, { value }]) => isSame(value, other.entries.get(key)?.value ?? null));
}
