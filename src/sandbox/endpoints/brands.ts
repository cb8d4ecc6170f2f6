import { randomUUID } from "node:crypto";
import { created, deleted } from "../answer.ts";
import { type Call, type Reply, stamp } from "../call.ts";
import { type Fields, readWhole } from "../fields.ts";
import { findChild, findEditableEvent, findEvent } from "../find.ts";
import { arrange, pageOf, plainOf } from "../list.ts";
import { noteBirth } from "../make-event.ts";
import type { BrandRow } from "../records.ts";
import { invalid } from "../refusal.ts";
import { showBrand } from "../show.ts";
import { childTwin } from "../unique.ts";

const fields = {
  name: { type: "text", role: "line", required: true },
  url: { type: "text", role: "line", format: "url" },
  imageUrl: { type: "text", role: "image", format: "url" },
  description: { type: "text", role: "prose" },
} as const satisfies Fields;

export function createBrand(call: Call): Reply {
  const { desk, body } = call;
  const event = findEditableEvent(call);
  const { values, problems } = readWhole(fields, body, desk.profile());
  const row = { id: randomUUID(), ...values, eventId: event.id, createdAt: stamp(desk) } as BrandRow;
  const wrong = [...problems, ...childTwin(desk, desk.store.brands.of(event.id), row)];
  if (wrong.length > 0) throw invalid(wrong);
  desk.store.brands.put(row);
  noteBirth(desk, row.id);
  return created(desk, showBrand(row, desk.profile()));
}

export function listBrands(call: Call): Reply {
  const { desk } = call;
  const profile = desk.profile();
  const rows = arrange(desk, desk.store.brands.of(findEvent(call).id));
  const show = (brand: BrandRow) => showBrand(brand, profile);
  return profile.childLists === "paged" ? pageOf(call, rows, show) : plainOf(rows, show);
}

export function deleteBrand(call: Call): Reply {
  const { brands } = call.desk.store;
  const brand = findChild(call, "Brand", brands, findEditableEvent(call));
  brands.remove(brand.id);
  return deleted(brand.id);
}
