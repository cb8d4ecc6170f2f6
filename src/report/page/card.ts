// An event as a buyer sees it. Its parts are also available one by one, for a page that shows only some of them.
import { kindOf, linesWithoutMarkup, titleOf, withoutMarkup } from "../../kinds/index.ts";
import type { KindName } from "../../model/address.ts";
import type { CardBrand, CardFact, CardPerformer, CardTicket, EventCard } from "../../model/live.ts";
import { formatLocalMoment, formatShortMoment } from "../../model/time.ts";
import { escapeHtml, type Fee, formatCount, formatMoney, formatShortMoney, sentenceCase } from "../../model/value.ts";
import { fieldText } from "../plan-view/edit-line.ts";
import { soldWords } from "../plan-view/plan-view.ts";
import { safeLines, safeText } from "../text/sanitize.ts";
import { nameHtml, textHtml } from "./frame.ts";
import {
  type Beside,
  counterpartOf,
  factMark,
  itemMark,
  itemMarkHtml,
  linkHtml,
  markClass,
  markHtml,
  pictureHtml,
  sameData,
  sideHtml,
} from "./marks.ts";
import { timetableHtml } from "./timetable.ts";

/** The parts of a card below its head, in the order in which it shows them. */
export type PartName =
  | "tickets"
  | "performers"
  | "schedule"
  | "brands"
  | "description"
  | "gallery"
  | "facts"
  | "others";

export interface CardPart {
  readonly name: PartName;
  readonly title: string;
  readonly html: string;
}

export interface CardOptions {
  readonly beside?: Beside | undefined;
  /** The level of its heading; those of its parts are one below. */
  readonly level?: number;
  /** As of when it is shown: an event that has ended by then says so. */
  readonly now?: number;
}

export function renderCard(card: EventCard, options: CardOptions = {}): string {
  const { beside, level = 3 } = options;
  return cardHtml(card, options, partsHtml(cardParts(card, beside), level + 1));
}

/** Picture, title, date and place, with `below` under them. */
export function cardHtml(card: EventCard, options: CardOptions, below: string): string {
  const cover = pictureHtml(card.imageUrl, `Cover of ${card.title}`, "cover") || noCoverHtml(card);
  return `<article class="card">${cover}\n<div class="card-body">\n${headHtml(card, options)}${below}</div></article>`;
}

export function partsHtml(parts: readonly CardPart[], level: number): string {
  if (parts.length === 0) return "";
  const items = parts.map(({ title, html }) => {
    return `<div class="card-part"><h${level}>${escapeHtml(title)}</h${level}>\n${html}</div>`;
  });
  return `<div class="parts">${items.join("\n")}</div>`;
}

const statusWords = { DRAFT: "Draft: not visible", PUBLISHED: "Published", ARCHIVED: "Archived" } as const;
const statusClasses = { DRAFT: "draft", PUBLISHED: "sale", ARCHIVED: "closed" } as const;

/** A cover that no page may load is replaced by its URL. */
function noCoverHtml({ imageUrl }: EventCard): string {
  if (imageUrl === null) return "";
  return `<p class="cover no-cover">The cover is not shown here: <span>${textHtml(imageUrl)}</span></p>`;
}

/** A class of the page's style. */
export function statusClass(status: EventCard["status"]): string {
  return status === null ? "draft" : statusClasses[status];
}

function headHtml(card: EventCard, { beside, level = 3, now }: CardOptions): string {
  const isOver = now !== undefined && Date.parse(card.end ?? card.start ?? "") < now;
  const words = card.status === null ? "Status not known" : statusWords[card.status];
  const changed = (...fields: readonly (keyof EventCard)[]) =>
    beside !== undefined && fields.some((field) => !sameData(card[field], beside.other[field]));
  const mark = (...fields: readonly (keyof EventCard)[]) =>
    markHtml(changed(...fields) ? "changed" : null, beside?.isBlocked);
  const cover = changed("imageUrl")
    ? `<span class="badge changed">${beside?.isBlocked ? "changed (blocked)" : "changed"}: cover</span>`
    : "";
  return [
    `<p>${mark("status")}<span class="badge ${statusClass(card.status)}">${words}</span>${isOver ? '<span class="badge draft">Ended</span>' : ""}${cover}</p>`,
    `<h${level} class="card-title">${mark("title")}${nameHtml(card.title)}</h${level}>`,
    `<p class="when">${mark("start", "end", "timezone")}${whenHtml(card)}</p>`,
    `<p>${mark("venue")}${whereHtml(card)}</p>`,
    cover === "" ? "" : `<p class="quiet">Cover: ${card.imageUrl === null ? "none" : textHtml(card.imageUrl)}</p>`,
  ].join("\n");
}

export function whenHtml({ start, end, timezone }: EventCard): string {
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
export function cardParts(card: EventCard, beside?: Beside): readonly CardPart[] {
  const { tickets, performers, schedule, brands } = card;
  const parts: readonly (CardPart | null)[] = [
    listPart("tickets", "Tickets", tickets, (all) => ticketsHtml(all, beside)),
    listPart("performers", "Lineup", performers, (all) => peopleHtml("performers", all, beside)),
    listPart("schedule", "Program", schedule, (all) => timetableHtml(all, card.timezone, beside)),
    listPart("brands", "Sponsors", brands, (all) => peopleHtml("brands", all, beside)),
    card.description === null ? null : { name: "description", title: "Description", html: proseHtml(card.description) },
    listPart("gallery", "Gallery", card.galleryUrls, galleryHtml),
    listPart("facts", "Further settings", card.facts, (all) => factsHtml("event", all, beside)),
    ...card.others.map(({ kind, items }) =>
      listPart("others", sentenceCase(kindOf(kind).words.many), items, (all) => {
        const rows = all.map(({ name, facts }) => {
          return `<dt>${nameHtml(name)}</dt><dd>${factWords(kind, facts)}</dd>`;
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

function ticketsHtml(tickets: readonly CardTicket[], beside?: Beside): string {
  const all = [...tickets, ...(beside?.other.tickets ?? [])];
  const money = moneyIn(all);
  // Of what is not live, nothing can be left yet.
  const isCounted = all.some(({ left }) => left !== null);
  const rows = tickets.map((ticket) => {
    const mark = itemMark(beside, "tickets", ticket);
    const other = mark === "changed" && beside ? counterpartOf(beside, "tickets", ticket.key) : undefined;
    const others = other === undefined ? [] : ticketCells(other, money, isCounted);
    const own = ticketCells(ticket, money, isCounted);
    const [name = "", ...cells] = own.map((cell, at) => sideHtml(beside, cell, others[at]));
    const small = aboutTicket(ticket);
    const about = small === "" ? "" : `<small>${sideHtml(beside, small, other && aboutTicket(other))}</small>`;
    return `<tr${markClass(mark)}><th scope="row">${itemMarkHtml(beside, mark, ticket)}${name}${about}</th>${cells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  });
  const heads = [...ticketHeads, isCounted ? "Left" : "Quantity"]
    .map((text) => `<th scope="col">${text}</th>`)
    .join("");
  return `<table class="tickets"><thead><tr>${heads}</tr></thead><tbody>${rows.join("\n")}</tbody></table>`;
}

const ticketHeads = ["Ticket", "Price", "Buyer pays", "Organizer receives"];

function ticketCells(ticket: CardTicket, money: Money, isCounted: boolean): readonly string[] {
  const { name, price, quantity, fee } = ticket;
  const count = isCounted || quantity === null ? leftWords(ticket) : formatCount(quantity);
  return [nameHtml(name), priceWords(price, money), ...shares(fee, money), count];
}

function aboutTicket({ soldOut, onSale, facts }: CardTicket): string {
  const state = soldOut ? "Sold out" : onSale === false ? "Not on sale" : "";
  return [state, factWords("ticket", facts)].filter((text) => text !== "").join("; ");
}

type Money = (amount: number) => string;

/** Without centavos, unless one amount of the table has some. */
function moneyIn(tickets: readonly CardTicket[]): Money {
  const isWhole = tickets.every(({ fee }) => fee === null || Number.isInteger(fee.commission));
  return isWhole ? formatShortMoney : formatMoney;
}

function priceWords(price: number | null, money: Money): string {
  if (price === null) return "not shown";
  return price === 0 ? "free" : money(price);
}

/** What the buyer pays, and how much of it the organizer receives. */
function shares(fee: Fee | null, money: Money): readonly [string, string] {
  if (fee === null) return ["not shown", "not shown"];
  const { price, commission, absorbFees } = fee;
  if (price === 0) return ["nothing", "nothing"];
  const [plain, more, less] = [money(price), money(price + commission), money(price - commission)];
  if (absorbFees === null) return [`${plain} or ${more}`, `${less} or ${plain}`];
  return absorbFees ? [plain, less] : [more, plain];
}

function leftWords({ left, quantity, sold, soldOut }: CardTicket): string {
  const all = quantity === null ? "" : formatCount(quantity);
  const first =
    left === null
      ? all === ""
        ? "not shown"
        : soldOut
          ? "none"
          : `${all} in total`
      : `${formatCount(left)}${all === "" ? "" : ` of ${all}`}`;
  const words = soldWords(sold);
  return words === "" ? first : `${first}<small>${words}</small>`;
}

/** Next to the other side of the plan, those who stay are only named. */
function peopleHtml(part: "performers" | "brands", people: readonly (CardPerformer | CardBrand)[], beside?: Beside) {
  const stays = (one: CardPerformer | CardBrand) => beside !== undefined && itemMark(beside, part, one) === null;
  const items = people.filter((one) => !stays(one)).map((one) => personHtml(part, one, beside));
  const others = people.filter(stays).map(({ name }) => nameHtml(name));
  const same = others.length === 0 ? "" : `<p class="quiet">Unchanged: ${others.join(", ")}</p>`;
  return `${items.length === 0 ? "" : `<ul class="people">${items.join("\n")}</ul>`}${same}`;
}

function personHtml(part: "performers" | "brands", one: CardPerformer | CardBrand, beside?: Beside): string {
  const mark = itemMark(beside, part, one);
  const type = "type" in one && one.type !== null ? [textHtml(one.type)] : [];
  const url = "url" in one && one.url !== null ? [linkHtml(one.url)] : [];
  const about = one.description === null ? [] : [textHtml(plainWords(one.description))];
  const further = factWords(part === "brands" ? "brand" : "performer", one.facts);
  const small = [...type, ...url, ...about, ...(further === "" ? [] : [further])].map(
    (text) => `<small>${text}</small>`,
  );
  return `<li${markClass(mark)}>${pictureHtml(one.imageUrl, "")}<div>${itemMarkHtml(beside, mark, one)}<strong>${nameHtml(one.name)}</strong>${small.join("")}</div></li>`;
}

/** A service may keep texts as HTML; a page shows their words. */
function plainWords(text: string): string {
  return hasTags(text) ? withoutMarkup(text) : text;
}

function hasTags(text: string): boolean {
  return /<\/?[a-z]/i.test(text);
}

function proseHtml(text: string): string {
  const lines = hasTags(text) ? linesWithoutMarkup(text).map(safeText) : safeLines(text);
  return `<div class="prose">${lines.flatMap((line) => (line.trim() === "" ? [] : `<p>${escapeHtml(line)}</p>`)).join("")}</div>`;
}

function galleryHtml(addresses: readonly string[]): string {
  const items = addresses.map((address, index) => {
    return pictureHtml(address, `Gallery picture ${index + 1}`) || `<span class="quiet">${textHtml(address)}</span>`;
  });
  return `<div class="gallery">${items.join("")}</div>`;
}

function factsHtml(kind: KindName, facts: readonly CardFact[], beside?: Beside): string {
  const rows = facts.map((fact) => {
    const words = escapeHtml(fieldText(kind, fact.field, fact.value));
    return `<dt>${markHtml(factMark(beside, fact), beside?.isBlocked)}${textHtml(titleOf(fact.field))}</dt><dd>${words}</dd>`;
  });
  return `<dl>${rows.join("")}</dl>`;
}

function factWords(kind: KindName, facts: readonly CardFact[]): string {
  return facts
    .map(({ field, value }) => `${textHtml(titleOf(field))}: ${escapeHtml(fieldText(kind, field, value))}`)
    .join("; ");
}
