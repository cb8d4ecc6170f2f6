// What a code, a field, or a kind of file means.
import { documentSchema } from "../../config/document-schemas.ts";
import { errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { documentOf, fieldGroups, lookUpWord, nearWords } from "../../report/reference.ts";
import { safeText } from "../../report/text.ts";

/** All codes, all fields of a kind of file, or one word: it can be a code and fields. */
export type Explained =
  | { readonly kind: "codes" }
  | {
      readonly kind: "document";
      readonly document: NonNullable<ReturnType<typeof documentOf>>;
      readonly groups: ReturnType<typeof fieldGroups>;
    }
  | ({ readonly kind: "word" } & ReturnType<typeof lookUpWord>);

export function explainWord(word: string | undefined): Fallible<{ readonly explained: Explained }> {
  if (word === undefined) return { ok: true, explained: { kind: "codes" } };
  const document = documentOf(word);
  if (document !== null) {
    const groups = fieldGroups(document, documentSchema);
    return { ok: true, explained: { kind: "document", document, groups } };
  }
  // The word that comments use for it.
  const found = lookUpWord(word === "held" ? "unreviewed" : word, documentSchema);
  if (found.code !== null || found.fields.length > 0) return { ok: true, explained: { kind: "word", ...found } };
  const near = nearWords(word, documentSchema);
  const hint =
    near.length === 0
      ? "`ticketing explain` lists all codes, `ticketing explain event` all fields of an event."
      : `Did you mean ${near.join(", ")}?`;
  return failed(errorOf("usage", `There is no code or field "${safeText(word)}".`, hint));
}
