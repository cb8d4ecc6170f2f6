// An event as a buyer sees it. Its parts can also be had one by one, for a page that shows only some of them.
import { kindOf, withoutMarkup } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import type { CardBrand, CardFact, CardPerformer, CardTicket, EventCard } from "../../model/card.ts";
import { formatLocalMoment, formatShortMoment } from "../../model/time.ts";
import { escapeHtml, type Fee, formatCount, formatMoney } from "../../model/value.ts";
import { fieldText } from "../plan-view/edit-line.ts";
import { safeLines } from "../text/sanitize.ts";
import { nameHtml, textHtml } from "./frame.ts";
import { type MarkOf, markHtml, type PartName, unmarked } from "./marks.ts";
import { linkHtml, pictureHtml } from "./picture.ts";
import { timetableHtml } from "./timetable.ts";

export interface CardPart {
  readonly name: PartName;
  readonly title: string;
  readonly html: string;
}

export interface CardOptions {
  readonly markOf?: MarkOf;
  /** The level of its heading; those of its parts are one below. */
  readonly level?: number;
}

/** The whole card, with all its parts. */
export function renderCard(card: EventCard, { markOf = unmarked, level = 3 }: CardOptions = {}): string {
  const parts = cardParts(card, markOf).map((part) => partHtml(part, level + 1));
  return `<article class="card">${headHtml(card, { markOf, level })}${parts.join("\n")}</div></article>`;
}

export function partHtml({ title, html }: CardPart, level: number): string {
  return `<h${level}>${escapeHtml(title)}</h${level}>\n${html}`;
}

const statusWords: Readonly<Record<NonNullable<EventCard["status"]>, readonly [string, string]>> = {
  DRAFT: ["draft", "Draft: not visible"],
  PUBLISHED: ["sale", "Published"],
  ARCHIVED: ["closed", "Archived"],
};

/** Picture, title, date and place; the box that they open is left open for the parts. */
export function headHtml(card: EventCard, { markOf = unmarked, level = 3 }: CardOptions = {}): string {
  const [look, words] = card.status === null ? ["draft", "Status not known"] : statusWords[card.status];
  const mark = (key: string) => markHtml(markOf("head", key));
  return [
    pictureHtml(card.imageUrl, `Cover of ${card.title}`, "cover"),
    '<div class="card-body">',
    `<p>${mark("status")}<span class="badge ${look}">${words}</span>${mark("imageUrl") === "" ? "" : `<span class="badge changed">${card.imageUrl === null ? "no cover" : "changed: cover"}</span>`}</p>`,
    `<h${level} class="card-title">${mark("title")}${nameHtml(card.title)}</h${level}>`,
    `<p class="when">${mark("start")}${whenHtml(card)}</p>`,
    `<p>${mark("venue")}${whereHtml(card)}</p>`,
  ].join("\n");
}

function whenHtml({ start, end, timezone }: EventCard): string {
  if (start === null) return "Date not known";
  const from = formatLocalMoment(start, timezone);
  const day = (text: string) => text.replace(/ [\d:]+$/, "");
  const last = end === null ? null : formatLocalMoment(end, timezone);
  const isSameDay = last !== null && day(last) === day(from);
  const to =
    end === null
      ? ""
      : ` – ${isSameDay ? (last?.slice(day(from).length + 1) ?? "") : formatShortMoment(end, timezone)}`;
  return `<time datetime="${escapeHtml(start)}">${textHtml(`${from}${to}`)}</time> <span class="quiet">${textHtml(timezone)}</span>`;
}

function whereHtml({ venue: { isOnline, words } }: EventCard): string {
  if (isOnline) return words === "" ? "Online" : `Online · ${nameHtml(words)}`;
  return words === "" ? '<span class="quiet">No venue</span>' : nameHtml(words);
}

/** The parts that have something to show. */
export function cardParts(card: EventCard, markOf: MarkOf = unmarked): readonly CardPart[] {
  const { tickets, performers, schedule, brands } = card;
  const parts: readonly (CardPart | null)[] = [
    listPart("tickets", "Tickets", tickets, (all) => ticketsHtml(all, markOf)),
    listPart("performers", "Line-up", performers, (all) => peopleHtml("performers", all, markOf)),
    listPart("schedule", "Program", schedule, (all) => timetableHtml(all, card.timezone, markOf)),
    listPart("brands", "Sponsors", brands, (all) => peopleHtml("brands", all, markOf)),
    card.description === null ? null : { name: "description", title: "Description", html: proseHtml(card.description) },
    listPart("gallery", "Gallery", card.galleryUrls, galleryHtml),
    listPart("facts", "Further settings", card.facts, (all) => factsHtml("event", all, markOf)),
    ...card.others.map(({ kind, items }) =>
      listPart("others", titleOf(kind), items, (all) => {
        const rows = all.map(({ key, name, facts }) => {
          return `<dt>${markHtml(markOf("others", key))}${nameHtml(name)}</dt><dd>${factWords(kind, facts)}</dd>`;
        });
        return `<dl>${rows.join("")}</dl>`;
      }),
    ),
  ];
  return parts.filter((part) => part !== null);
}

function listPart<Item>(
  name: PartName,
  title: string,
  items: readonly Item[] | null,
  render: (items: readonly Item[]) => string,
): CardPart | null {
  return items === null || items.length === 0 ? null : { name, title, html: render(items) };
}

function titleOf(kind: KindName): string {
  const { many } = kindOf(kind).words;
  return many.slice(0, 1).toUpperCase() + many.slice(1);
}

function ticketsHtml(tickets: readonly CardTicket[], markOf: MarkOf): string {
  const rows = tickets.map((ticket) => {
    const mark = markOf("tickets", ticket.key);
    const [buyer, organizer] = shares(ticket.fee);
    const state = ticket.soldOut ? "Sold out" : ticket.onSale === false ? "Not on sale" : "";
    const about = factWords("ticket", ticket.facts);
    const small = [state, about].filter((text) => text !== "").map((text) => `<small>${text}</small>`);
    const cells = [priceWords(ticket.price), buyer, organizer, leftWords(ticket)].map((text) => `<td>${text}</td>`);
    return `<tr${mark === null ? "" : ` class="${mark}"`}><th scope="row">${markHtml(mark)}${nameHtml(ticket.name)}${small.join("")}</th>${cells.join("")}</tr>`;
  });
  const heads = ["Ticket", "Price", "Buyer pays", "Organizer receives", "Left"].map(
    (text) => `<th scope="col">${text}</th>`,
  );
  return `<table><thead><tr>${heads.join("")}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

/** Whole pesos without their centavos. */
function pesos(amount: number): string {
  return formatMoney(amount).replace(/\.00$/, "");
}

function priceWords(price: number | null): string {
  if (price === null) return "not shown";
  return price === 0 ? "free" : pesos(price);
}

/** What the buyer pays, and what the organizer receives of it. */
function shares(fee: Fee | null): readonly [string, string] {
  if (fee === null) return ["not shown", "not shown"];
  const { price, commission, absorbFees } = fee;
  if (price === 0) return ["nothing", "nothing"];
  const [plain, more, less] = [pesos(price), pesos(price + commission), pesos(price - commission)];
  if (absorbFees === null) return [`${plain} or ${more}`, `${less} or ${plain}`];
  return absorbFees ? [plain, less] : [more, plain];
}

function leftWords({ left, quantity, sold }: CardTicket): string {
  const all = quantity === null ? "" : formatCount(quantity);
  const first =
    left === null
      ? all === ""
        ? "not shown"
        : `${all} in all`
      : `${formatCount(left)}${all === "" ? "" : ` of ${all}`}`;
  const words = sold === null || sold === 0 ? "" : `${sold === "some" ? sold : formatCount(sold)} sold`;
  return words === "" ? first : `${first}<small>${words}</small>`;
}

function peopleHtml(part: PartName, people: readonly (CardPerformer | CardBrand)[], markOf: MarkOf): string {
  const items = people.map((one) => {
    const mark = markOf(part, one.key);
    const type = "type" in one && one.type !== null ? [textHtml(one.type)] : [];
    const url = "url" in one && one.url !== null ? [linkHtml(one.url)] : [];
    const about = one.description === null ? [] : [textHtml(plainWords(one.description))];
    const further = factWords(part === "brands" ? "brand" : "performer", one.facts);
    const small = [...type, ...url, ...about, ...(further === "" ? [] : [further])].map(
      (text) => `<small>${text}</small>`,
    );
    return `<li${mark === null ? "" : ` class="${mark}"`}>${pictureHtml(one.imageUrl, "")}<div>${markHtml(mark)}<strong>${nameHtml(one.name)}</strong>${small.join("")}</div></li>`;
  });
  return `<ul class="people">${items.join("\n")}</ul>`;
}

/** A service may keep texts as HTML; a page shows their words. */
function plainWords(text: string): string {
  return /<\/?[a-z]/i.test(text) ? withoutMarkup(text) : text;
}

function proseHtml(text: string): string {
  const lines = safeLines(plainWords(text)).filter((line) => line.trim() !== "");
  return `<div class="prose">${lines.map((line) => `<p>${escapeHtml(line)}</p>`).join("")}</div>`;
}

function galleryHtml(addresses: readonly string[]): string {
  const items = addresses.map((address, index) => {
    return pictureHtml(address, `Gallery picture ${index + 1}`) || `<span class="quiet">${textHtml(address)}</span>`;
  });
  return `<div class="gallery">${items.join("")}</div>`;
}

function factsHtml(kind: KindName, facts: readonly CardFact[], markOf: MarkOf): string {
  const rows = facts.map(({ field, value }) => {
    const words = escapeHtml(fieldText(kind, field, value));
    return `<dt>${markHtml(markOf("facts", field))}${textHtml(fieldWords(field))}</dt><dd>${words}</dd>`;
  });
  return `<dl>${rows.join("")}</dl>`;
}

function factWords(kind: KindName, facts: readonly CardFact[]): string {
  return facts
    .map(({ field, value }) => `${textHtml(fieldWords(field))}: ${escapeHtml(fieldText(kind, field, value))}`)
    .join("; ");
}

/** `eventCapacity` is "Event capacity". */
function fieldWords(field: string): string {
  const words = field.replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);
  return words.slice(0, 1).toUpperCase() + words.slice(1);
}
