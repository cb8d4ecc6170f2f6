import * as z from "zod";
import { defineKind } from "../define.ts";
import { clearable, ignoreField, requiredText, text } from "../fields/field-schemas.ts";
import { archivedIsFinal } from "../fields/verdicts.ts";

const schema = z
  .strictObject({
    name: requiredText("The brand's name, as buyers see it.", "San Miguel").optional(),
    url: clearable(text("The URL of the brand's website.", "https://example.com")),
    imageUrl: clearable(text("The https URL of the logo, which anyone can open.", "https://example.com/logo.png")),
    description: clearable(text("What buyers read about the brand.", "Our partner since 2019.")),
    ignore: ignoreField,
  })
  .meta({ title: "Brand", description: "A sponsor or partner of the event." });

export const brand = defineKind({
  name: "brand",
  plural: "brands",
  words: { one: "brand", many: "brands" },
  parent: "event",
  schema,
  synonyms: {
    list: "sponsors sponsor partners",
    fields: { url: "link website", imageUrl: "logo" },
  },
  fields: {
    name: { role: "value", form: "text", change: "replace", required: true },
    url: { role: "value", form: "url", change: "replace" },
    imageUrl: { role: "value", form: "url", change: "replace", leadsTo: "image" },
    description: { role: "value", form: "markup", change: "replace" },
    ignore: { role: "own", merge: "append" },
  },
  sortBy: ["name"],
  defaultsExample: { url: "https://example.com" },
  identity: { label: "name", keys: [["name"]], likeness: "name", twins: "any" },
  endpoints: { get: false, patch: false, readScope: "events:read", writeScope: "events:write" },
  steps: [],
  rules: [archivedIsFinal],
  lint: [],
});
