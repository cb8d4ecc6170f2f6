// The sections of a plan's page: an event, events that change alike, the dates of a series, or the webhooks.
import type { Address } from "../../model/address.ts";
import type { CardPair, EventCard } from "../../model/live.ts";
import { escapeHtml, formatCount, type Group, groupBy, pluralize } from "../../model/value.ts";
import { type Mark, type Part, type Section, tones } from "../plan-view/plan-view.ts";
import { diffText, type ReportLine } from "../text/line.ts";
import { safeText } from "../text/sanitize.ts";
import { type CardPart, cardHtml, cardParts, type PartName, partsHtml, renderCard, whenHtml } from "./card.ts";
import { nameHtml } from "./frame.ts";
import { dateWord, diffHtml, groupDates, linesHtml, spansHtml, stripHtml } from "./lines.ts";
import { type Beside, markHtml, sameData } from "./marks.ts";

/** What has one heading on the page. */
interface Unit {
  readonly id: string;
  readonly symbol: Mark;
  /** HTML. */
  readonly title: string;
  readonly does: string;
  readonly sections: Group<Section>;
  readonly pairs: readonly CardPair[];
  readonly series: Address | null;
}

/** With more of these than a person reads one by one, the cards of the others are folded. */
const openCards = 20;
const openDates = 3;

/** Two dates of a series and more are one unit, whatever happens to each. */
export function unitsOf(sections: readonly Section[], cards: readonly CardPair[]): readonly Unit[] {
  const byAddress = new Map(cards.map((pair) => [pair.address, pair]));
  const pairsOf = (section: Section) => section.events.flatMap((address) => byAddress.get(address) ?? []);
  const seriesOf = (section: Section) => {
    const all = new Set(pairsOf(section).map(({ series }) => series));
    return all.size === 1 && pairsOf(section).length === section.events.length ? ([...all][0] ?? null) : null;
  };
  const units = groupBy(sections, (section) => seriesOf(section) ?? section);
  return [...units.values()].map((group, index) => {
    const [first] = group;
    const pairs = group.flatMap(pairsOf);
    const id = `section-${index + 1}`;
    const own = { id, symbol: first.symbol, title: spansHtml(first.title), does: first.does, sections: group, pairs };
    const series = seriesOf(first);
    if (series === null || pairs.length < 2) {
      const isBlocked = pairs.length > 0 && pairs.every(({ address, blocked }) => blocked.includes(address));
      return { ...own, ...(isBlocked ? { symbol: "!" as const } : {}), series: null };
    }
    const [[lead] = []] = groupDates(pairs);
    const title = nameHtml((lead?.after ?? lead?.before)?.title ?? series);
    return {
      ...own,
      symbol: commonSymbol(group),
      title: `<strong>${title}</strong>`,
      does: datesWords(pairs, group),
      series,
    };
  });
}

function commonSymbol(sections: readonly Section[]): Mark {
  if (sections.some(({ isBlocked }) => isBlocked)) return "!";
  const [first, ...others] = new Set(sections.map(({ symbol }) => symbol));
  return first === undefined || others.length > 0 ? "~" : first;
}

/** "series, 54 dates: 50 changed, 2 new, 1 deleted, 1 blocked": in the words of the calendar below it. */
function datesWords(pairs: readonly CardPair[], sections: readonly Section[]): string {
  const blocked = blockedIn(sections);
  const byWord = groupBy(pairs, (pair) => dateWord(pair, blocked.has(pair.address)));
  const words = Array.from(byWord, ([word, { length }]) => `${formatCount(length)} ${word}`);
  return `series, ${pluralize(pairs.length, "date")}: ${words.join(", ")}`;
}

function blockedIn(sections: readonly Section[]): ReadonlySet<string> {
  return new Set(sections.filter(({ isBlocked }) => isBlocked).flatMap(({ events }) => events));
}

export function contentsHtml(units: readonly Unit[]): string {
  const links = units.map((unit) => {
    return `<li>${symbolHtml(unit.symbol)} <a href="#${unit.id}">${unit.title}</a>: ${escapeHtml(unit.does)}</li>`;
  });
  const list = `<ul class="diff">\n${links.join("\n")}\n</ul>`;
  const folded =
    units.length <= openCards
      ? list
      : `<details><summary>Contents (${formatCount(units.length)})</summary>${list}</details>`;
  return `<nav aria-label="Changes">${folded}</nav>\n`;
}

export function unitHtml(unit: Unit, index: number): string {
  const { id, symbol, title, does, sections, pairs, series } = unit;
  const [first] = sections;
  const address = series ?? first.address;
  const where = address === null ? "" : ` <code class="quiet">${escapeHtml(safeText(address))}</code>`;
  const cards = cardsHtml(unit);
  const isOpen = index < openCards;
  return [
    `<section id="${id}" class="${tones[symbol]}" aria-labelledby="${id}-title">`,
    `<h2 id="${id}-title">${symbolHtml(symbol)} ${title}<span class="does">: ${escapeHtml(does)}${where}</span></h2>`,
    ...(series === null ? [sectionFacts(first)] : []),
    pairs.length === 0 ? bodyHtml(first) : urgentOf(unit),
    cards === "" || isOpen ? cards : `<details><summary>Card</summary>${cards}</details>`,
    pairs.length === 0 ? "" : foldedHtml(unit),
    "</section>",
  ]
    .filter((line) => line !== "")
    .join("\n");
}

function sectionFacts({ facts }: Section): string {
  return facts.length === 0 ? "" : `<p class="quiet">${spansHtml(facts)}</p>`;
}

function cardsHtml({ series, pairs, sections }: Unit): string {
  const blocked = blockedIn(sections);
  const strip = stripHtml(pairs.map((pair) => ({ pair, isBlocked: blocked.has(pair.address) })));
  if (series === null) {
    const [lead, ...others] = pairs;
    if (lead === undefined) return "";
    if (others.length > 0) return `${pairHtml(lead, 3)}${alikeHtml(pairs)}`;
    return `${lead.staying === undefined ? "" : `${strip}\n`}${pairHtml(lead, 3)}`;
  }
  const groups = groupDates(pairs);
  const lead = groups[0]?.[0];
  const title = (lead?.after ?? lead?.before)?.title;
  const areFew = groups.length <= 1 + openDates;
  return [strip, ...groups.map((group, at) => pairGroupHtml(group, at === 0 || areFew, title))].join("\n");
}

/** Dates that change in the same way: the card of the first; with its title where that is not the common one. */
function pairGroupHtml(group: Group<CardPair>, isOpen: boolean, common: string | undefined): string {
  const [lead] = group;
  const card = lead.after ?? lead.before;
  if (card === null) return "";
  const name = common === card.title ? "" : `${nameHtml(card.title)}: `;
  const when = whenHtml(card);
  const dates =
    group.length === 1 ? `only on ${when}` : `the same on ${formatCount(group.length)} dates, the first on ${when}`;
  const title = `${name}${name === "" ? dates.replace(/^./, (letter) => letter.toUpperCase()) : dates}`;
  const [before, after] = [cardOfAll(group.map((pair) => pair.before)), cardOfAll(group.map((pair) => pair.after))];
  const body = pairHtml({ ...lead, before, after }, 4);
  return isOpen ? `<h3>${title}</h3>\n${body}` : `<details><summary>${title}</summary>${body}</details>`;
}

/** The first card, without what is sold and left where that differs from date to date. */
function cardOfAll([lead = null, ...others]: readonly (EventCard | null)[]): EventCard | null {
  const tickets = lead?.tickets?.map((ticket, at) => {
    const alike = others.flatMap((card) => card?.tickets?.[at] ?? []);
    const isShared = alike.every(({ left, sold }) => left === ticket.left && sold === ticket.sold);
    const soldOut = ticket.soldOut && alike.every((other) => other.soldOut);
    return isShared ? ticket : { ...ticket, left: null, sold: null, soldOut };
  });
  return lead && { ...lead, tickets: tickets ?? null };
}

/** Events that are no dates of one series, and change in the same way. */
function alikeHtml(pairs: readonly CardPair[]): string {
  const items = pairs.map(({ before, after }) => {
    const card = after ?? before;
    return card === null ? "" : `<li><strong>${nameHtml(card.title)}</strong>, ${whenHtml(card)}</li>`;
  });
  return `<h3>The same change in ${formatCount(pairs.length)} events</h3>\n<ul>${items.join("")}</ul>`;
}

/** What many dates share is shown once; for the others, with their dates. */
function urgentOf({ sections, pairs, series }: Unit): string {
  if (series === null) return sections.map(urgentHtml).join("");
  const byAddress = new Map(pairs.map((pair) => [pair.address, pair]));
  const groups = groupBy(sections, urgentHtml);
  return [...groups]
    .map(([html, group]) => {
      if (html === "" || group.length === sections.length) return html;
      const [first, ...others] = group.flatMap(({ events }) =>
        events.flatMap((address) => byAddress.get(address) ?? []),
      );
      const card = first?.after ?? first?.before;
      const more = others.length === 0 ? "" : ` and ${pluralize(others.length, "other date")}`;
      return card === undefined || card === null ? html : `<p>On ${whenHtml(card)}${more}:</p>${html}`;
    })
    .join("\n");
}

/** What must not be folded away: what forbids a change, and what happens to the event as a whole. */
function urgentHtml({ lines, parts }: Section): string {
  const below = parts.flatMap((part) => {
    const blocked = part.lines.filter(({ type }) => type === "blocked");
    return blocked.length === 0
      ? []
      : [`<p>${symbolHtml(part.symbol)} ${spansHtml(part.title)}</p>${linesHtml(blocked)}`];
  });
  return [linesHtml(lines.filter(isUrgent)), ...below].join("");
}

function isUrgent({ type }: ReportLine): boolean {
  return type === "note" || type === "blocked";
}

/** Field by field, as files and the service name them. */
function foldedHtml({ sections, series, pairs }: Unit): string {
  const bodies = sections.map((section) => {
    const body = bodyHtml({ ...section, lines: section.lines.filter((line) => !isUrgent(line)) });
    if (sections.length === 1) return body;
    return `<h3>${spansHtml(section.title)} <code class="quiet">${escapeHtml(section.address ?? "")}</code></h3>\n${sectionFacts(section)}${body}`;
  });
  const text = bodies.join("\n");
  if (text.trim() === "") return "";
  const what = series === null ? "" : ` on ${pluralize(pairs.length, "date")}`;
  return `<details class="fields"><summary>Field by field${what}</summary>${text}</details>`;
}

function bodyHtml(section: Section): string {
  return [linesHtml(section.lines), ...section.parts.map((part) => partOfHtml(part))].join("\n");
}

function partOfHtml(part: Part): string {
  const does = part.does === "" ? "" : `<span class="does">: ${escapeHtml(part.does)}</span>`;
  return `<div class="part ${tones[part.symbol]}">\n<h3>${symbolHtml(part.symbol)} ${spansHtml(part.title)}${does}</h3>\n${linesHtml(part.lines)}</div>`;
}

// The words next to it say the same, so that it need not be spoken.
function symbolHtml(symbol: Mark): string {
  return `<span class="mark ${tones[symbol]}" aria-hidden="true">${symbol}</span>`;
}

// One event of a plan as cards: before and after side by side, or one card if it is created or deleted.

/** `level` is that of the cards' headings. */
export function pairHtml({ address, before, after, blocked }: CardPair, level: number): string {
  const isBlocked = blocked.includes(address);
  if (before !== null && after !== null)
    return besideHtml(before, after, level, { blocked: new Set(blocked), isBlocked });
  if (after !== null)
    return `<div class="one">${sideTitle("new", isBlocked ? "Would be new (blocked)" : "New")}${renderCard(after, { level })}</div>`;
  if (before === null) return "";
  return `<div class="one struck">${sideTitle("gone", isBlocked ? "Would be removed (blocked)" : "Removed")}${renderCard(before, { level })}</div>`;
}

function besideHtml(
  before: EventCard,
  after: EventCard,
  level: number,
  obstacles: Pick<Beside, "blocked" | "isBlocked">,
): string {
  const left: Beside = { side: "before", other: after, ...obstacles };
  const right: Beside = { side: "after", other: before, ...obstacles };
  const [lost, gained] = [cardParts(before, left), cardParts(after, right)];
  const isChanged = ({ name }: CardPart) =>
    name !== "description" && !sameData(partData(before, name), partData(after, name));
  const column = (card: EventCard, beside: Beside, parts: readonly CardPart[], above: string) => {
    const changed = partsHtml(parts.filter(isChanged), level + 1);
    return `<div>${sideTitle(beside.side, above)}${cardHtml(card, { beside, level }, changed)}</div>`;
  };
  const same = cardParts(after).filter(
    (part) => !isChanged(part) && !(part.name === "description" && isReworded(before, after)),
  );
  return [
    `<div class="pair">${column(before, left, lost, "Now")}${column(after, right, gained, `After${obstacles.isBlocked ? " (blocked)" : ""}`)}</div>`,
    isReworded(before, after) ? descriptionHtml(before, after, level, obstacles.isBlocked) : "",
    sameHtml(same, level),
  ].join("\n");
}

function sideTitle(side: string, title: string): string {
  return `<p class="side ${side}">${title}</p>`;
}

function isReworded(before: EventCard, after: EventCard): boolean {
  return before.description !== after.description;
}

function descriptionHtml(before: EventCard, after: EventCard, level: number, isBlocked: boolean): string {
  const lines = diffText(before.description ?? "", after.description ?? "");
  const shown = lines.filter(({ spans }) => spans.some(({ text }) => text !== ""));
  return `<h${level}>${markHtml("changed", isBlocked)}Description</h${level}>\n${diffHtml(shown)}`;
}

/** What stays is folded, and named. */
function sameHtml(parts: readonly CardPart[], level: number): string {
  if (parts.length === 0) return "";
  const names = parts.map(({ title }) => escapeHtml(title)).join(", ");
  return `<details class="same"><summary>Unchanged: ${names}</summary><div class="card"><div class="card-body">${partsHtml(parts, level)}</div></div></details>`;
}

function partData(card: EventCard, part: PartName): unknown {
  return part === "gallery" ? card.galleryUrls : card[part];
}
