import * as z from "zod";
import { defineKind } from "../define.ts";
import { clearable, ignoreField, requiredText, text } from "../fields/field-schemas.ts";
import { archivedIsFinal } from "../fields/verdicts.ts";

const schema = z
  .strictObject({
    name: requiredText("The performer's name, as buyers see it.", "DJ Ana").optional(),
    type: clearable(text("What the performer does: ARTIST, DJ, SPEAKER, HOST or any other word.", "DJ")),
    imageUrl: clearable(text("The https URL of a picture that anyone can open.", "https://example.com/ana.jpg")),
    description: clearable(text("What buyers read about the performer.", "House and disco since 2009.")),
    ignore: ignoreField,
  })
  .meta({ title: "Performer", description: "Somebody who performs, speaks or hosts at the event." });

export const performer = defineKind({
  name: "performer",
  plural: "performers",
  words: { one: "performer", many: "performers" },
  parent: "event",
  schema,
  synonyms: {
    list: "artist artists speaker speakers lineup acts djs bands talent",
    fields: { type: "role" },
  },
  fields: {
    name: { role: "value", form: "text", change: "replace", required: true },
    type: { role: "value", form: "text", change: "replace" },
    imageUrl: { role: "value", form: "url", change: "replace", leadsTo: "image" },
    description: { role: "value", form: "markup", change: "replace" },
    ignore: { role: "own", merge: "append" },
  },
  writeFirst: ["name", "type", "description", "imageUrl"],
  sortBy: ["name"],
  defaultsExample: { type: "DJ" },
  identity: { label: "name", keys: [["name"]], likeness: "name", twins: "any" },
  endpoints: { get: false, patch: false, readScope: "events:read", writeScope: "events:write" },
  steps: [],
  rules: [archivedIsFinal],
  lint: [],
});
