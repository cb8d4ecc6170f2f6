// A kind that does not exist: the worked example of CONTRIBUTING.md, as its file in src/kinds/objects would be.
import * as z from "zod";
import { defineKind } from "../../src/kinds/define.ts";
import { clearable, ignoreField, requiredText, text, whole } from "../../src/kinds/fields/field-schemas.ts";
import { archivedIsFinal } from "../../src/kinds/fields/verdicts.ts";
import { findingAt } from "../../src/kinds/lint-rules/finding.ts";
import type { Code } from "../../src/model/diagnostic.ts";

const schema = z
  .strictObject({
    lot: requiredText("The lot's name, as drivers see it.", "North lot").optional(),
    fee: whole(0, "What parking costs, in whole pesos.", 200).optional(),
    mapUrl: clearable(text("URL of a map.", "https://example.com/map.png")),
    ignore: ignoreField,
  })
  .meta({ title: "Parking lot", description: "A parking lot of the event." });

export const parking = defineKind({
  name: "parking",
  plural: "parkings",
  words: { one: "parking lot", many: "parking lots" },
  parent: "event",
  schema,
  fields: {
    lot: { role: "value", form: "text", change: "patch", required: true },
    fee: { role: "value", form: "number", change: "patch", required: true, money: true, mistake: "price-not-whole" },
    mapUrl: { role: "value", form: "url", change: "patch" },
    ignore: { role: "own" },
  },
  sortBy: ["-fee", "lot"],
  identity: { label: "lot", keys: [["lot"]], likeness: "name", twins: "any" },
  endpoints: { get: false, patch: true, readScope: "events:read", writeScope: "events:write" },
  steps: [],
  rules: [archivedIsFinal],
  lint: [
    (lot) =>
      lot.fields.fee === 666
        ? findingAt(lot, ["fee"], {
            code: "odd-price" as Code,
            severity: "error",
            message: "An odd price.",
            hint: "Round it.",
          })
        : null,
  ],
});
