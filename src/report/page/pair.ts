// One event of a plan as cards: before and after side by side, or one card if it comes or goes.
import type { CardPair, EventCard } from "../../model/live.ts";
import { escapeHtml } from "../../model/value.ts";
import { diffText } from "../text/line.ts";
import { type CardPart, cardHtml, cardParts, type PartName, partsHtml, renderCard } from "./card.ts";
import { diffHtml } from "./lines.ts";
import { type Beside, sameData } from "./marks.ts";

/** `level` is that of the cards' headings. */
export function pairHtml({ address, before, after, blocked }: CardPair, level: number): string {
  const isBlocked = blocked.includes(address) ? ", but blocked" : "";
  if (before !== null && after !== null)
    return besideHtml(before, after, { level, blocked: new Set(blocked), title: `After${isBlocked}` });
  if (after !== null)
    return `<div class="one">${sideTitle("new", `New${isBlocked}`)}${renderCard(after, { level })}</div>`;
  if (before === null) return "";
  return `<div class="one struck">${sideTitle("gone", `Removed${isBlocked}`)}${renderCard(before, { level })}</div>`;
}

interface BesideOptions {
  readonly level: number;
  readonly blocked: ReadonlySet<string>;
  /** Above the card of what will be. */
  readonly title: string;
}

function besideHtml(before: EventCard, after: EventCard, { level, blocked, title }: BesideOptions): string {
  const left: Beside = { side: "before", other: after, blocked };
  const right: Beside = { side: "after", other: before, blocked };
  const [lost, gained] = [cardParts(before, left), cardParts(after, right)];
  const isChanged = ({ name }: CardPart) =>
    name !== "description" && !sameData(dataOf(before, name), dataOf(after, name));
  const column = (card: EventCard, beside: Beside, parts: readonly CardPart[], above: string) => {
    const changed = partsHtml(parts.filter(isChanged), level + 1);
    return `<div>${sideTitle(beside.side, above)}${cardHtml(card, { beside, level }, changed)}</div>`;
  };
  const same = cardParts(after).filter(
    (part) => !isChanged(part) && !(part.name === "description" && isRewritten(before, after)),
  );
  return [
    `<div class="pair">${column(before, left, lost, "Now")}${column(after, right, gained, title)}</div>`,
    isRewritten(before, after) ? descriptionHtml(before, after, level) : "",
    sameHtml(same, level),
  ].join("\n");
}

function sideTitle(side: string, title: string): string {
  return `<p class="side ${side}">${title}</p>`;
}

function isRewritten(before: EventCard, after: EventCard): boolean {
  return before.description !== after.description;
}

function descriptionHtml(before: EventCard, after: EventCard, level: number): string {
  const lines = diffText(before.description ?? "", after.description ?? "");
  const shown = lines.filter(({ spans }) => spans.some(({ text }) => text !== ""));
  return `<h${level}><span class="badge changed">changed</span> Description</h${level}>\n${diffHtml(shown)}`;
}

/** What stays is folded, and named. */
function sameHtml(parts: readonly CardPart[], level: number): string {
  if (parts.length === 0) return "";
  const names = parts.map(({ title }) => escapeHtml(title)).join(", ");
  return `<details class="same"><summary>Unchanged: ${names}</summary><div class="card"><div class="card-body">${partsHtml(parts, level)}</div></div></details>`;
}

function dataOf(card: EventCard, part: PartName): unknown {
  return part === "gallery" ? card.galleryUrls : card[part];
}
