// All sections of a report. A series is one event in full and a line for each further one; and where the new events are
// too many to read one by one, most of them are a line as well.
import type { Change } from "../../model/plan.ts";
import { formatMoment, standardZone } from "../../model/time.ts";
import { formatCount, pluralize } from "../../model/value.ts";
import { type ReportLine, type TextSpan, word } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { buildSection } from "./build-section.ts";
import { note, type Setting } from "./change-lines.ts";
import { startOf } from "./distinct-names.ts";
import {
  type Family,
  groupAlikeFamilies,
  groupFamilies,
  isPlainlyNew,
  startInstant,
  withoutPlainDates,
} from "./group-changes.ts";
import { describeChange, nameOfChange } from "./messages.ts";
import type { Section } from "./view.ts";

/** More sections than this are a book; then this many of the new events are shown in full. */
const manySections = 100;
const fullOfMany = 20;
const mostListed = 50;

export function buildSections(changes: readonly Change[], setting: Setting): readonly Section[] {
  const groups = groupAlikeFamilies(groupFamilies(changes), !setting.full);
  const isLong = !setting.full && groups.length > manySections;
  const listed: Family[] = [];
  let created = 0;
  const sections = groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined || !isPlainlyNew(first)) return [buildSection(group, setting)];
    created += 1;
    if (isLong && created > fullOfMany) {
      listed.push(...group);
      return [];
    }
    const [lead = first, ...others] = [...group].sort((one, other) => startInstant(one) - startInstant(other));
    const section = buildSection([lead], setting);
    return others.length === 0 ? [section] : [section, likeSection(lead, others)];
  });
  const title = [word(`${pluralize(listed.length, "more event")}, each as its file says`)];
  return listed.length === 0 ? sections : [...sections, listSection(title, listed, null)];
}

function likeSection(lead: Family, others: readonly Family[]): Section {
  const title: TextSpan[] = [
    word(`${formatCount(others.length)} more like `),
    { role: "value", text: safeText(lead.address ?? "") },
    word(", each with its own dates"),
  ];
  const name = nameOfFamily(lead);
  const dates = withoutPlainDates(others, name, nameOfFamily);
  const section = listSection(title, dates.others, name, others[0]);
  const lines = dates.lines.map(
    (text): ReportLine => ({ type: "note", spans: [{ role: "value", text: safeText(text) }] }),
  );
  return { ...section, lines: [...lines, ...section.lines] };
}

/** `name` is known from the title; `like` is one of those that are not listed. */
function listSection(
  title: readonly TextSpan[],
  families: readonly Family[],
  name: string | null,
  like?: Family,
): Section {
  const does = (like === undefined ? families : [...families, like]).map(({ own }) =>
    own === null ? "" : describeChange(own),
  );
  const areSame = does.every((one) => one === does[0]);
  const lines = families.slice(0, mostListed).map((family, index) => {
    return eventLine(family, name, areSame ? "" : `: ${does[index]}`);
  });
  const more = families.length - lines.length;
  if (more > 0) lines.push(note(`and ${formatCount(more)} more: --verbose and --format html show them`));
  const symbol = "+";
  const verb = areSame ? (does[0] ?? "") : "create";
  const events = families.flatMap(({ address }) => address ?? []);
  return { symbol, title, events, address: null, does: verb, facts: [], lines, parts: [], isBlocked: false };
}

function eventLine(family: Family, knownName: string | null, does: string): ReportLine {
  const { own, address } = family;
  const start = own === null ? null : startOf(own);
  const name = nameOfFamily(family);
  const spans: TextSpan[] = [{ role: "value", text: safeText(address ?? "") }];
  if (name !== knownName) spans.push(word(" "), { role: "name", text: name });
  if (start !== null) {
    const when = formatMoment(start, own?.context?.timezone ?? standardZone);
    spans.push(word(" on "), { role: "value", text: safeText(when) });
  }
  return { type: "note", spans: [...spans, word(does)] };
}

function nameOfFamily({ own }: Family): string {
  return own === null ? "" : nameOfChange(own);
}
