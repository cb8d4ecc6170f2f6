// All sections of a report. A series is one event in full and a line for each further one; and where the new events are
// so many that nobody reads them one by one, most of them are a line as well.
import type { Change } from "../../model/plan.ts";
import { formatMoment } from "../../model/time.ts";
import { formatCount } from "../../model/value.ts";
import { type Line, type Span, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { buildSection } from "./build-section.ts";
import { note, type Setting } from "./change-lines.ts";
import { startOf } from "./distinct-names.ts";
import { type Family, findSeries, groupAlikeFamilies, groupFamilies, type Series } from "./group-changes.ts";
import { nameOfChange, verbPhrases } from "./messages.ts";
import type { Section } from "./view.ts";

/** More sections than this are a book; so many new events of them are told in full. */
const manySections = 100;
const fullOfMany = 20;
const mostListed = 50;

export function buildSections(changes: readonly Change[], setting: Setting): readonly Section[] {
  const families = groupFamilies(changes);
  const series = setting.full ? families.map((lead): Series => ({ lead, others: [] })) : findSeries(families);
  const othersOf = new Map(series.map(({ lead, others }) => [lead, others]));
  const groups = groupAlikeFamilies(series.map(({ lead }) => lead));
  const { told, listed } = setting.full ? { told: groups, listed: [] } : chooseTold(groups, othersOf);
  const sections = told.flatMap((group) => {
    const [lead] = group;
    const others = (lead && othersOf.get(lead)) ?? [];
    const section = buildSection(group, setting);
    return lead === undefined || others.length === 0 ? [section] : [section, likeSection(lead, others, setting)];
  });
  return listed.length === 0 ? sections : [...sections, manySection(listed, setting)];
}

/** Which groups are told in full, and which new events only by their names. */
function chooseTold(groups: readonly (readonly Family[])[], othersOf: ReadonlyMap<Family, readonly Family[]>) {
  if (groups.length <= manySections) return { told: groups, listed: [] };
  const listed: Family[] = [];
  let created = 0;
  const told = groups.filter((group) => {
    const [lead] = group;
    if (lead === undefined || !isPlainlyNew(lead)) return true;
    created += 1;
    if (created <= fullOfMany) return true;
    listed.push(lead, ...(othersOf.get(lead) ?? []));
    return false;
  });
  return { told, listed };
}

function isPlainlyNew(family: Family): boolean {
  const all = [family.own, ...family.children];
  return all.every((change) => change !== null && change.action === "create" && change.blockedBy.length === 0);
}

function likeSection(lead: Family, others: readonly Family[], setting: Setting): Section {
  const title: Span[] = [
    word(`${formatCount(others.length)} more like `),
    { role: "value", text: safeText(lead.address ?? "") },
    word(", with all times moved along"),
  ];
  return listSection(title, others, nameOfFamily(lead), setting);
}

function manySection(families: readonly Family[], setting: Setting): Section {
  const events = families.length === 1 ? "1 more event" : `${formatCount(families.length)} more events`;
  return listSection([word(`${events}, each as its file says`)], families, null, setting);
}

/** `name` is known from the title. */
function listSection(
  title: readonly Span[],
  families: readonly Family[],
  name: string | null,
  setting: Setting,
): Section {
  const does = families.map(({ own }) => (own === null ? "" : verbPhrases(own, setting.heldBack(own))));
  const areSame = does.every((one) => one === does[0]);
  const lines = families.slice(0, mostListed).map((family, index) => {
    return eventLine(family, name, areSame ? "" : `: ${does[index]}`);
  });
  const more = families.length - lines.length;
  if (more > 0) lines.push(note(`and ${formatCount(more)} more: --verbose and --format html show them`));
  return {
    symbol: "+",
    title,
    address: null,
    does: areSame ? (does[0] ?? "") : "create",
    facts: [],
    lines,
    parts: [],
    isBlocked: false,
  };
}

function eventLine(family: Family, knownName: string | null, does: string): Line {
  const { own, address } = family;
  const start = own === null ? null : startOf(own);
  const when = start === null ? "" : safeText(formatMoment(start, own?.context?.timezone ?? "Asia/Manila"));
  const name = nameOfFamily(family);
  const spans: Span[] = [{ role: "value", text: safeText(address ?? "") }];
  if (name !== knownName) spans.push(word(" "), { role: "name", text: name });
  if (when !== "") spans.push(word(" on "), { role: "value", text: when });
  return { type: "note", spans: [...spans, word(does)] };
}

function nameOfFamily({ own }: Family): string {
  return own === null ? "" : nameOfChange(own);
}
