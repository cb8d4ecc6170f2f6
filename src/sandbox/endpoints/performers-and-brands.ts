import { randomUUID } from "node:crypto";
import type { BrandRow, PerformerRow } from "../data/records.ts";
import { type Call, type Reply, stamp } from "./call.ts";
import { type Fields, readWhole } from "./fields/fields.ts";
import { childTwin } from "./fields/unique.ts";
import { findChild, findEditableEvent, findEvent } from "./records/find.ts";
import { arrange, pageOf, plainOf } from "./records/list.ts";
import { noteBirth } from "./records/make-event.ts";
import { created, deleted, showBrand, showPerformer } from "./records/show.ts";
import { invalid, refused } from "./refusal.ts";

const performerFields = {
  name: { type: "text", role: "line", required: true },
  type: { type: "text", role: "line" },
  imageUrl: { type: "text", role: "image", format: "url" },
  description: { type: "text", role: "prose" },
} as const satisfies Fields;

export function createPerformer(call: Call): Reply {
  const { desk, body } = call;
  const event = findEditableEvent(call);
  const { values, problems } = readWhole(performerFields, body, desk.profile());
  const row = { id: randomUUID(), ...values, eventId: event.id, createdAt: stamp(desk) } as PerformerRow;
  const wrong = [...problems, ...childTwin(desk, desk.store.performers.of(event.id), row)];
  if (wrong.length > 0) throw invalid(wrong);
  desk.store.performers.put(row);
  noteBirth(desk, row.id);
  return created(desk, showPerformer(row, desk.profile()));
}

export function listPerformers(call: Call): Reply {
  const { desk } = call;
  const profile = desk.profile();
  const rows = arrange(desk, desk.store.performers.of(findEvent(call).id));
  const show = (performer: PerformerRow) => showPerformer(performer, profile);
  return profile.childLists === "paged" ? pageOf(call, rows, show) : plainOf(rows, show);
}

export function deletePerformer(call: Call): Reply {
  const { desk } = call;
  const { performers, schedules } = desk.store;
  const event = findEditableEvent(call);
  const performer = findChild(call, "Performer", performers, event);
  const { performerDelete, refusalStatus } = desk.profile();
  for (const entry of schedules.of(event.id).filter(({ performerId }) => performerId === performer.id)) {
    switch (performerDelete) {
      case "refused":
        throw refused(
          refusalStatus,
          `Performer ${performer.id} is named by schedule entry ${entry.id} and cannot be deleted.`,
          "Change or delete the schedule entry first.",
        );
      case "cascade":
        schedules.remove(entry.id);
        break;
      case "null":
        schedules.put({ ...entry, performerId: null });
    }
  }
  performers.remove(performer.id);
  return deleted(performer.id);
}

const brandFields = {
  name: { type: "text", role: "line", required: true },
  url: { type: "text", role: "line", format: "url" },
  imageUrl: { type: "text", role: "image", format: "url" },
  description: { type: "text", role: "prose" },
} as const satisfies Fields;

export function createBrand(call: Call): Reply {
  const { desk, body } = call;
  const event = findEditableEvent(call);
  const { values, problems } = readWhole(brandFields, body, desk.profile());
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
