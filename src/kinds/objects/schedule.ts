import * as z from "zod";
import { defineKind } from "../define.ts";
import { clearable, ignoreField, requiredText, text } from "../fields/field-schemas.ts";
import { archivedIsFinal } from "../fields/verdicts.ts";
import { entryEndsBeforeStart, longEntry } from "../lint-rules/event-times.ts";
import { scheduleOutsideEvent } from "../lint-rules/performances.ts";

const schema = z
  .strictObject({
    title: requiredText("What happens, as buyers see it.", "Doors").optional(),
    startTime: text(
      "When it begins. Without an offset it is local time in the event's `timezone`. It may count from the event's start: `+90m` is 90 minutes later, `22:00` is the first 22:00 at or after the start, `day 2 13:30` is on the second day; `end -1h` counts from the end.",
      "2027-03-14T19:00",
      "+90m",
      "day 2 13:30",
    ).optional(),
    endTime: text(
      "When it ends. Without an offset it is local time in the event's `timezone`. It may count from the entry's `startTime`: `+90m` is 90 minutes later, `22:00` is the next 22:00 after it; `start +2h` counts from the event's start.",
      "2027-03-14T20:00",
      "+90m",
      "22:00",
    ).optional(),
    description: clearable(text("What buyers read about the entry.", "Gates A and B open.")),
    icon: clearable(text("The name of an icon that the service knows.", "door")),
    color: clearable(
      z
        .string()
        .regex(/^#[0-9a-f]{6}$/i)
        .meta({
          patternErrorMessage: 'Write a color as # and six hexadecimal digits, in quotes, such as "#FF8800".',
          description: "The color of the entry in the timetable: # and six hexadecimal digits, in quotes.",
          examples: ["#FF8800"],
        }),
    ),
    performer: clearable(text("Who performs: the name of one of this event's `performers`.", "DJ Ana")),
    ignore: ignoreField,
  })
  .meta({ title: "Schedule entry", description: "One line of the event's program." });

export const schedule = defineKind({
  name: "schedule",
  plural: "schedules",
  words: { one: "schedule entry", many: "schedule entries" },
  parent: "event",
  schema,
  synonyms: {
    list: "programme program timetable agenda",
    fields: {
      title: "name label",
      startTime: "time when start starts startsat startat begin begins from startdate startdatetime datetime",
      endTime: "end ends endsat endat until to finish enddate enddatetime",
      performer: "performerid artist speaker",
      color: "colour",
    },
  },
  fields: {
    title: { role: "value", form: "text", change: "patch", required: true },
    startTime: { role: "value", form: "instant", change: "patch", required: true, mistake: "unreadable-time" },
    endTime: {
      role: "value",
      form: "instant",
      change: "patch",
      required: true,
      countsFrom: "startTime",
      mistake: "unreadable-time",
    },
    description: { role: "value", form: "markup", change: "patch" },
    icon: { role: "value", form: "text", change: "patch" },
    color: { role: "value", form: "color", change: "patch", mistake: "bad-color" },
    performer: { role: "reference", to: "performer", sentAs: "performerId", change: "patch" },
    ignore: { role: "own", merge: "append" },
  },
  writeFirst: ["title", "startTime", "endTime", "performer", "description", "icon", "color"],
  sortBy: ["startTime", "title"],
  defaultsExample: { color: "#FF8800" },
  identity: { label: "title", keys: [["title", "startTime"], ["title"]], likeness: "title and start", twins: "any" },
  endpoints: { get: false, patch: true, readScope: "events:read", writeScope: "events:write" },
  steps: [],
  rules: [archivedIsFinal],
  lint: [entryEndsBeforeStart, longEntry, scheduleOutsideEvent],
});
