// From a document as written to the documents it stands for: merged with what it inherits, one for each date of a series.
import type { FieldPolicy, Kind } from "../../kinds/define.ts";
import { compositionSchema, kindOf, perKind } from "../../kinds/index.ts";
import { howToLeave } from "../../kinds/lint-rules.ts";
import { closest, type Diagnostic, errorAt } from "../../model/diagnostic.ts";
import { standardZone, zoneOr } from "../../model/time.ts";
import { checkPart } from "../check/check.ts";
import type { FileSource } from "../files/read-text.ts";
import { varNodes } from "../settings/decode-settings.ts";
import { clockMeantBy } from "../time/read-time.ts";
import {
  entryOf,
  hasVariable,
  type Located,
  type LocatedEntry,
  type LocatedMap,
  type LocatedScalar,
  type ScalarValue,
  someNode,
} from "../yaml/located.ts";
import { mergeOver, refuseFields, withEntryDefaults } from "./merge.ts";
import type { Cell } from "./series/read-csv.ts";
import type { RuledStart } from "./series/rule.ts";
import { type SeriesDate, seriesDates } from "./series/series-dates.ts";
import { loadSheet, unusedColumns } from "./series/sheet.ts";
import { type Inherit, makeInherit, type Templates } from "./templates.ts";
import { type Allowance, allowanceOfFile, interpolate, type Variables, varsUsedIn, withVars } from "./variables.ts";

const kind = kindOf("event");
// Made when it is first needed: most events are not composed of anything.
const schemaOf = perKind(compositionSchema);

export interface ComposeInputs {
  readonly defaults: LocatedMap | null;
  readonly templates: Templates;
  readonly variables: Variables;
}

export interface Composed {
  /** All levels merged; variables are not filled in yet. */
  readonly occurrences: readonly Occurrence[];
  /** What they have in common. */
  readonly map: LocatedMap;
  readonly isSeries: boolean;
  /** Dates that are over stay managed. */
  readonly keepsEnded: boolean;
  /** Names of the templates that it extends, directly or through others. */
  readonly templates: readonly string[];
  /** Of the series' sheet: variables that its rows set. */
  readonly columns: readonly Cell[];
}

/** One event: the document itself, or a date of its series. */
export interface Occurrence {
  readonly map: LocatedMap;
  readonly date: SeriesDate | null;
}

/** `files`: where the sheet of a series is read from. */
export async function composeDocument(
  file: string,
  content: LocatedMap,
  inputs: ComposeInputs,
  files: Pick<FileSource, "read">,
  problems: Diagnostic[],
): Promise<Composed> {
  const inherited = inheritFrom(inputs)(entryOf(content, "extends"));
  problems.push(...inherited.problems);
  if (inherited.isBroken) {
    checkPart(kind, kind.schema, content, problems);
    const { templates } = inherited;
    return { map: content, isSeries: false, keepsEnded: false, templates, columns: [], occurrences: [] };
  }
  const written = mergeOver(kind, inherited.map, content, problems);
  const map = written.entries.has("series") ? withoutStartDay(written, problems) : written;
  const composition = part(map, isComposition);
  const before = problems.length;
  const bad = composition.entries.size === 0 ? none : checkPart(kind, schemaOf(kind), composition, problems);
  const series = entryOf(map, "series");
  const kept = entryOf(series, "keepEnded");
  const keepsEnded = kept?.type === "scalar" && kept.value === true;
  const composed = { map, isSeries: series !== undefined, keepsEnded };
  const { templates } = inherited;
  // Before merging: a variable counts as used even in template text that the document replaces, and one that a template sets may be for other events.
  const below = templates.flatMap((name) => inputs.templates.get(name)?.map ?? []);
  problems.push(...misspelledVars([content, inputs.defaults ?? content, ...below], inputs.variables));
  if (series === undefined) return { ...composed, templates, columns: [], occurrences: [{ map, date: null }] };
  // A series that is only half understood must not delete events.
  const used = () => usedVars(map, inputs.variables);
  const start = () => ruledStart(map, inputs);
  const slips = new Set(problems.slice(before).map(({ source }) => source));
  const isReadable =
    series.type === "map" &&
    !someNode(series, (node) => bad.has(node)) &&
    ![...series.entries.values()].some(({ key }) => slips.has(key));
  const { dates, columns } = isReadable ? await datesOf(file, { series, start }, files, used, problems) : noDates;
  const occurrences = dates.map((date) => ({ map: onDate(map, date, problems), date }));
  return { ...composed, templates, columns, occurrences };
}

const none: ReadonlySet<Located> = new Set();
const noDates = { dates: [], columns: [] };

async function datesOf(
  file: string,
  { series, start }: { readonly series: LocatedMap; readonly start: () => RuledStart },
  files: Pick<FileSource, "read">,
  used: () => ReadonlySet<string>,
  problems: Diagnostic[],
): Promise<{ readonly dates: readonly SeriesDate[]; readonly columns: readonly Cell[] }> {
  const table = entryOf(series, "table");
  if (table?.type !== "scalar") return { dates: await seriesDates(series, null, start, problems), columns: [] };
  const before = problems.length;
  const sheet = await loadSheet(files, file, table, problems);
  // An unreadable row could be any date.
  if (sheet === null || problems.length > before) return noDates;
  problems.push(...unusedColumns(sheet, used()));
  return { dates: await seriesDates(series, sheet, start, problems), columns: sheet.columns };
}

/** The start that the document itself gives to the dates of its rule. */
function ruledStart(map: LocatedMap, inputs: ComposeInputs): RuledStart {
  const [zone, clock] = ["timezone", "dateTime"].map((field) => {
    const node = entryOf(map, field);
    return node?.type === "scalar" ? fillScalar(node, map, inputs, [], allowanceOfFile()).value : null;
  });
  return { zone: zoneOr(zone, standardZone), clock: typeof clock === "string" ? clock : "" };
}

/** All variables that are used by texts of the document or by other variables. */
function usedVars(map: LocatedMap, { written }: Variables): ReadonlySet<string> {
  const names = new Set<string>();
  varsUsedIn(map, names);
  for (const node of written.values()) varsUsedIn(node, names);
  return names;
}

/** Variables that the document, the first level, sets and nothing uses, where one that is set and used has a similar name. */
function misspelledVars(levels: readonly LocatedMap[], variables: Variables): readonly Diagnostic[] {
  const own = levels.slice(0, 1).flatMap((level) => varMapsIn(level));
  if (own.length === 0) return [];
  const used = new Set(levels.flatMap((level) => [...usedVars(level, variables)]));
  const set = new Set(
    [variables.written, ...levels.flatMap((level) => varMapsIn(level))].flatMap((vars) => [...vars.keys()]),
  );
  // Comparing very many names with each other would take minutes.
  const known = [...set].filter((name) => used.has(name)).slice(0, 200);
  return own.flatMap((vars) =>
    [...vars].flatMap(([name, { key }]): Diagnostic[] => {
      const free = known.filter((other) => !vars.has(other));
      const near = used.has(name) || name.length < 3 ? null : closest(name, free);
      const message = `Nothing uses the variable \`${name}\`.`;
      const problem = errorAt("unused-variable", key, message, `Did you mean \`${near}\`?`);
      return near === null ? [] : [{ ...problem, severity: "warning" }];
    }),
  );
}

/** The `vars` of a document, of its phases and of the dates of its series. */
function varMapsIn(node: Located, found: LocatedMap["entries"][] = []): readonly LocatedMap["entries"][] {
  if (node.type === "list") for (const item of node.items) varMapsIn(item, found);
  if (node.type !== "map") return found;
  for (const [field, { value }] of node.entries) {
    if (field === "vars" && value.type === "map") found.push(value.entries);
    else varMapsIn(value, found);
  }
  return found;
}

/** The date's row below its entry in `dates`. */
function onDate(map: LocatedMap, date: SeriesDate, problems: Diagnostic[]): LocatedMap {
  const { entry, row } = date;
  const levels = [
    ...(row === null || row.vars.size + row.empty.length === 0 ? [] : [varsOf(row)]),
    ...(entry?.type === "map" ? [withoutSkips(refuseFields(entry, notOnDate, "date", problems), date, problems)] : []),
  ];
  if (levels.length === 0) return map;
  const merged = levels.reduce((below, above) => mergeOver(kind, below, above, problems), map);
  return { ...merged, source: map.source };
}

const notOnDate = ["key", "extends", "series"];

/** `remove: true` and the like: a date leaves the series by `skip`. */
function withoutSkips(entry: LocatedMap, date: SeriesDate, problems: Diagnostic[]): LocatedMap {
  const isSkip = (field: string) => /^(?:removed?|deleted?|skip(?:ped)?)$/i.test(field);
  const hint = `To take this date out of the series, ${howToLeave(date, date.day)}.`;
  for (const [field, { key }] of entry.entries)
    if (isSkip(field)) problems.push(errorAt("unknown-key", key, `\`${field}\` does not belong here.`, hint));
  return part(entry, (field) => !isSkip(field));
}

/** A level that holds `vars` and nothing else. */
function varsOf({ source, vars }: NonNullable<SeriesDate["row"]>): LocatedMap {
  const entries = [...vars].map(([name, value]): [string, LocatedEntry] => [name, { key: value.source, value }]);
  const value: LocatedMap = { type: "map", source, entries: new Map(entries) };
  return { type: "map", source, entries: new Map([["vars", { key: source, value }]]) };
}

/** With a date in `dateTime`, all events of the series would start at once: reported here once, not for each of them. */
function withoutStartDay(map: LocatedMap, problems: Diagnostic[]): LocatedMap {
  const entry = map.entries.get("dateTime");
  if (entry?.value.type !== "scalar" || !/^\d{4}-\d\d/.test(String(entry.value.value))) return map;
  const [, clock = ""] = /[T\s](\d\d:\d\d|\d.*)/.exec(String(entry.value.value)) ?? [];
  const time = clockMeantBy(clock);
  const message = "In a series, `dateTime` is only a local time; the dates come from `series`.";
  const hint = time === null ? "Write only the time, such as 22:00." : `Write ${time}.`;
  problems.push(errorAt("bad-series", entry.value.source, message, hint));
  const value = { ...entry.value, reported: true as const };
  return { ...map, entries: new Map(map.entries).set("dateTime", { ...entry, value }) };
}

/** What documents inherit is computed once for all that extend the same templates; inputs stay plain data. */
const inherits = new WeakMap<ComposeInputs, Inherit>();

function inheritFrom(inputs: ComposeInputs): Inherit {
  const inherit = inherits.get(inputs) ?? makeInherit(inputs.defaults, inputs.templates);
  inherits.set(inputs, inherit);
  return inherit;
}

/** Only the object: without the fields that compose it, with the defaults of entries and its variables filled in. */
export function fillDocument(
  map: LocatedMap,
  { defaults, variables, columns }: ComposeInputs & Pick<Variables, "columns">,
  problems: Diagnostic[],
  allowance: Allowance,
): LocatedMap {
  const whole = withEntryDefaults(
    kind,
    part(map, (field) => !isComposition(field)),
    defaults,
  );
  if (!someNode(whole, hasVariable)) return whole;
  const filled = withVars(variables, varNodes(entryOf(map, "vars"), none), problems);
  const extending = entryOf(map, "extends")?.source;
  return interpolateObject(kind, whole, { ...filled, extending, columns }, problems, allowance);
}

/** Fills in a text that only says how the document is composed. */
export function fillScalar(
  node: LocatedScalar,
  map: LocatedMap,
  { variables }: ComposeInputs,
  problems: Diagnostic[],
  allowance: Allowance,
): LocatedScalar {
  if (node.marks === undefined) return node;
  const filled = withVars(variables, varNodes(entryOf(map, "vars"), none), problems);
  return interpolate(node, filled, problems, allowance) as LocatedScalar;
}

function isComposition(field: string): boolean {
  return kind.fields[field]?.role === "compose";
}

function part(map: LocatedMap, includes: (field: string) => boolean): LocatedMap {
  const kept = [...map.entries].filter(([field]) => includes(field));
  return kept.length === map.entries.size ? map : { ...map, entries: new Map(kept) };
}

/** An object with its variables filled in. A cell of a sheet or an environment variable that is the whole value takes the type of its field. */
export function interpolateObject(
  of: Kind,
  map: LocatedMap,
  variables: Variables,
  problems: Diagnostic[],
  allowance: Allowance,
): LocatedMap {
  return takeTypes(of, interpolate(map, variables, problems, allowance) as LocatedMap);
}

function takeTypes(of: Kind, map: LocatedMap): LocatedMap {
  const changed = new Map(map.entries);
  for (const [field, { key, value }] of map.entries) {
    const typed = typedValue(of.fields[field], value);
    if (typed !== value) changed.set(field, { key, value: typed });
  }
  return { ...map, entries: changed };
}

function typedValue(policy: FieldPolicy | undefined, node: Located): Located {
  if (policy?.role === "children" && node.type === "list") {
    const entry = kindOf(policy.kind);
    return { ...node, items: node.items.map((item) => (item.type === "map" ? takeTypes(entry, item) : item)) };
  }
  if (node.type !== "scalar" || node.cell !== true || node.reported) return node;
  if (policy?.role !== "value" && policy?.role !== "own") return node;
  return { ...node, value: typedText(policy.role === "own" ? "flag" : policy.form, String(node.value)) };
}

function typedText(form: string, text: string): ScalarValue {
  if (form === "number" && /^-?\d{1,15}$/.test(text)) return Number(text);
  return form === "flag" && /^(?:true|false)$/i.test(text) ? text.toLowerCase() === "true" : text;
}
