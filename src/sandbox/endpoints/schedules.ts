import { randomUUID } from "node:crypto";
import type { ScheduleRow } from "../data/records.ts";
import { type Call, type Reply, type SandboxContext, stamp } from "./call.ts";
import { type Fields, readPart, readWhole } from "./fields/fields.ts";
import { childTwin } from "./fields/unique.ts";
import { findChild, findEditableEvent, findEvent } from "./records/find.ts";
import { arrange, pageOf, plainOf } from "./records/list.ts";
import { noteBirth } from "./records/make-event.ts";
import { created, deleted, showSchedule, written } from "./records/show.ts";
import { type FieldProblem, invalid } from "./refusal.ts";

const fields = {
  title: { type: "text", role: "line", required: true },
  startTime: { type: "time", required: true },
  endTime: { type: "time", required: true },
  description: { type: "text", role: "prose" },
  performerId: { type: "uuid" },
  color: { type: "color" },
  icon: { type: "text", role: "line" },
} as const satisfies Fields;

export function createSchedule(call: Call): Reply {
  const { desk, body } = call;
  const event = findEditableEvent(call);
  const { values, problems } = readWhole(fields, body, desk.profile());
  const row = { id: randomUUID(), ...values, eventId: event.id, createdAt: stamp(desk) } as ScheduleRow;
  const wrong = [...problems, ...check(desk, row)];
  if (wrong.length > 0) throw invalid(wrong);
  desk.store.schedules.put(row);
  noteBirth(desk, row.id);
  return created(desk, showSchedule(row, desk.profile()));
}

function check(desk: SandboxContext, entry: ScheduleRow): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (desk.profile().timeOrder === "refused" && entry.endTime <= entry.startTime) {
    problems.push({ field: "endTime", message: "endTime must be after startTime" });
  }
  if (entry.performerId != null && desk.store.performers.get(entry.performerId)?.eventId !== entry.eventId) {
    problems.push({ field: "performerId", message: `performerId ${entry.performerId} is no performer of this event` });
  }
  const siblings = desk.store.schedules.of(entry.eventId).map(({ id, title }) => ({ id, name: title }));
  return [...problems, ...childTwin(desk, siblings, { id: entry.id, name: entry.title }, "title")];
}

export function listSchedules(call: Call): Reply {
  const { desk } = call;
  const profile = desk.profile();
  const rows = arrange(desk, desk.store.schedules.of(findEvent(call).id));
  const show = (entry: ScheduleRow) => showSchedule(entry, profile);
  return profile.childLists === "paged" ? pageOf(call, rows, show) : plainOf(rows, show);
}

export function patchSchedule(call: Call): Reply {
  const { desk, body } = call;
  const entry = findChild(call, "Schedule entry", desk.store.schedules, findEditableEvent(call));
  const { values, problems } = readPart(fields, body, desk.profile());
  const changed = { ...entry, ...values } as ScheduleRow;
  const wrong = [...problems, ...check(desk, changed)];
  if (wrong.length > 0) throw invalid(wrong);
  return written(desk, showSchedule(desk.store.schedules.put(changed), desk.profile()));
}

export function deleteSchedule(call: Call): Reply {
  const { schedules } = call.desk.store;
  const entry = findChild(call, "Schedule entry", schedules, findEditableEvent(call));
  schedules.remove(entry.id);
  return deleted(entry.id);
}
