// What documents may say about how they are composed. The registry adds it to the kinds, so that each describes only its objects.
import * as z from "zod";
import type { FieldPolicy, Kind } from "../define.ts";
import { choice, described, titleOf, yesNo } from "./field-schemas.ts";

// The order in which files name the fields of an object.

/** All fields of the kind; what holds entries comes last. */
export function fieldOrder({ fields, writeFirst = [] }: Pick<Kind, "fields" | "writeFirst">): readonly string[] {
  const first = writeFirst.filter((field) => field in fields);
  const rest = Object.keys(fields).filter((field) => !writeFirst.includes(field));
  return [
    ...first,
    ...rest.filter((field) => !holdsEntries(fields, field)),
    ...rest.filter((field) => holdsEntries(fields, field)),
  ];
}

function holdsEntries(fields: Kind["fields"], field: string): boolean {
  const policy = fields[field];
  return policy?.role === "children" || (policy?.role === "compose" && policy.merge === "append");
}

/** The same schema with its fields in this order, which everything made from it shows. */
export function orderedSchema(schema: z.ZodObject, order: readonly string[]): z.ZodObject {
  const rankOf = (field: string) => (order.includes(field) ? order.indexOf(field) : order.length);
  const shape = Object.entries(schema.shape).sort(([one], [other]) => rankOf(one) - rankOf(other));
  return described(z.strictObject(Object.fromEntries(shape)), schema.meta() ?? {});
}

export function withOrder(kind: Kind): Kind {
  return { ...kind, schema: orderedSchema(kind.schema, fieldOrder(kind)) };
}

const name = z.string().min(1);

/** An entry of a list can remove an inherited one. */
export function withRemove(kind: Kind): Kind {
  const remove = yesNo(`\`true\` removes the inherited entry with this ${kind.identity.label}.`, true).optional();
  return extended(kind, { remove }, { remove: { role: "compose", merge: "none" } });
}

function field<Schema extends z.ZodType>(schema: Schema, description: string, ...examples: readonly unknown[]) {
  return described(schema.optional(), { description, examples: [...examples] });
}

const vars = field(
  z.record(name, z.union([z.string(), z.number(), z.boolean()])),
  "Values for `${var.NAME}` in text; they override inherited values and those of the project.",
  { headliner: "DJ Ana" },
);
const extendsField = field(
  z.union([name, z.array(name)]),
  "The template to inherit fields from, or a list of templates: later ones override earlier ones, and fields written here override them all.",
  "club-night",
);
const day = z.string();
const days = z.array(day);

/** `overlay`: what an entry of `dates` may say. */
function seriesSchema<Overlay extends z.ZodType>(overlay: Overlay) {
  return field(
    z.strictObject({
      every: field(
        z.union([name, z.array(name)]),
        "The repeat rule: one or more weekdays; one or more weekdays of the month, such as `first wednesday` or `last friday`; or an interval, such as `day` or `2 weeks`.",
        "friday",
        ["friday", "saturday"],
        "first wednesday",
      ),
      rrule: field(
        name,
        "The repeat rule in RFC 5545 format, instead of `every`; it can repeat at most once a day.",
        "FREQ=MONTHLY;BYDAY=-1FR",
      ),
      from: field(
        day,
        "The first day of the repeat rule. An earlier date has an event only if `also` lists it.",
        "2027-01-08",
      ),
      until: field(
        day,
        "The last day of the repeat rule, inclusive. A repeat rule needs `until` or `count`, unless `rrule` itself has UNTIL or COUNT.",
        "2027-12-17",
      ),
      count: field(
        z.int().min(1),
        "How many dates the repeat rule has, including those in `skip`; use it instead of `until`.",
        50,
      ),
      skip: field(
        days,
        "Dates of the repeat rule that have no event. If the event of such a date is live, the next apply deletes it, but only if you accept the risk and no tickets have been sold; an event that is over or archived is left alone.",
        ["2027-03-26"],
      ),
      also: field(days, "Extra dates that are not in the repeat rule.", ["2027-12-31"]),
      table: field(
        name,
        "The path of a CSV file, from the folder of this file. Each row has a date in the column `date`; every other column is `${var.COLUMN}` on that date.",
        "line-up.csv",
      ),
      keepEnded: yesNo(
        "`true`: dates that are over stay managed. By default, a date that is over is no longer managed and costs no calls; if it has phases, it stays managed until a week after the last one began or ended.",
        true,
      ).optional(),
      dates: field(
        z.record(name, overlay),
        "For individual dates of the series, the fields that differ. An event that was moved to another day stays under its original date.",
        { "2027-02-12": { vars: { headliner: "DJ Ana" } } },
      ),
    }),
    "Makes one event per date, with the key `KEY@DATE`. `dateTime` is then only a time, such as `22:00`.",
    { every: "friday", from: "2027-01-08", until: "2027-12-17" },
  );
}

const moment = z.string();

/** `overlay`: what a phase may contain in addition to its name and time. */
function phasesOf(overlay: z.ZodObject) {
  return field(
    z.array(
      z
        .strictObject({
          name: field(name, "The phase's name, as the plan and the calendar show it.", "Early bird ends"),
          from: field(
            moment,
            "When the phase begins: a date and a time, or a time relative to the event, such as `-6w at 10:00` or `end +3d`.",
            "-2w",
            "-6w at 10:00",
            "2027-02-01T10:00",
          ),
          until: field(
            moment,
            "When the phase ends. Each field that it sets then returns to its value in the event or in an earlier phase; a phase that sets a field without such a value cannot end.",
            "-1d",
          ),
        })
        .extend(overlay.shape)
        .catchall(overlay.def.catchall ?? z.never()),
    ),
    "Changes that take effect at a set time, such as an announcement or the end of an early-bird price: once a phase begins, it overrides the event's fields.",
    [{ name: "Announce", from: "-6w at 10:00", status: "PUBLISHED" }],
  );
}

/** A document can extend templates, be a series of dates, and change at set times. */
export function withComposition(kind: Kind): Kind {
  const { documentOnly, lasting = [] } = kind;
  if (documentOnly === undefined) return kind;
  const inherited = [...Object.keys(kind.fields), "vars", "phases"].filter((field) => !documentOnly.includes(field));
  const without = field(
    z.array(choice(Object.fromEntries(inherited.map((each) => [each, titleOf(each)])), "A field to drop.", "brands")),
    "Inherited fields to drop: they are then not managed, and stay on the service as they are.",
    ["brands"],
  );
  const order = fieldOrder({ ...kind, fields: { ...kind.fields, ...composing } });
  const changing = schemaWithout(kind.schema, [...documentOnly, ...lasting]).extend({ without, vars });
  const phases = phasesOf(orderedSchema(changing, order));
  const overlay = orderedSchema(schemaWithout(kind.schema, ["key"]).extend({ without, vars, phases }), order);
  return extended(
    { ...kind, documentOnly: [...documentOnly, "series"] },
    { extends: extendsField, without, vars, phases, series: seriesSchema(overlay) },
    composing,
  );
}

const composing: Readonly<Record<string, FieldPolicy>> = {
  extends: { role: "compose", merge: "none" },
  without: { role: "compose", merge: "none" },
  vars: { role: "compose", merge: "deep" },
  phases: { role: "compose", merge: "append" },
  series: { role: "compose", merge: "none" },
};

/** What people write for the fields that compose documents, as `Kind.synonyms`. */
export const compositionSynonyms: Readonly<Record<string, string>> = {
  extends: "extend template templates inherits inherit basedon parent copyfrom include includes import imports uses",
  phases: "phase timeline stages",
  series: "recurring recurrence recurs repeat repeats rrule frequency every weekly daily dates occurrences",
  without: "except exclude drop omit",
  remove: "removed delete deleted",
  from: "start starts startsat startdate begin begins at when",
  until: "end ends endsat enddate to",
};

/** The fields that say how a document is composed. The fields of an overlay are checked in the document that it makes. */
export function compositionSchema({ schema }: Kind): z.ZodObject {
  const { extends: names, without } = schema.shape as Record<string, z.ZodType>;
  const loose = z.looseObject({ vars });
  return z.strictObject({
    extends: names ?? z.unknown(),
    without: without ?? z.unknown(),
    vars,
    phases: phasesOf(loose),
    series: seriesSchema(loose),
  });
}

function extended(kind: Kind, shape: z.ZodRawShape, fields: Readonly<Record<string, FieldPolicy>>): Kind {
  return {
    ...kind,
    schema: described(kind.schema.extend(shape), kind.schema.meta() ?? {}),
    fields: { ...kind.fields, ...fields },
  };
}

export function schemaWithout(schema: z.ZodObject, fields: readonly string[]): z.ZodObject {
  const shape = Object.entries(schema.shape).filter(([field]) => !fields.includes(field));
  return z.strictObject(Object.fromEntries(shape));
}

/** What a template may say: a part of a document. */
export function templateSchema(kind: Kind): z.ZodObject {
  return described(schemaWithout(kind.schema, kind.documentOnly ?? []), {
    title: "Template",
    description: `What several ${kind.words.many} share; each names it under \`extends\`.`,
  });
}
