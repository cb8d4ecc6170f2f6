// The pages of a preview: all events of a project, and one of them, as buyers will see them at some time.
import { type Address, keyInAddress } from "../../model/address.ts";
import { type Diagnostic, hasErrors } from "../../model/diagnostic.ts";
import type { EventCard } from "../../model/live.ts";
import { formatLocalMoment } from "../../model/time.ts";
import { escapeHtml, formatCount, groupBy, pluralize } from "../../model/value.ts";
import { dayWords } from "../plan-view/plan-view.ts";
import { severityCounts } from "../text/terminal-text.ts";
import { cardHtml, renderCard } from "./card.ts";
import { type ExplainCode, explainedCodes, nameHtml, renderPage, textHtml } from "./frame.ts";
import { calendarHtml, compareStarts, diagnosticsHtml, nameOfSeries } from "./lines.ts";

export interface PreviewEvent {
  readonly address: Address;
  readonly series: Address | null;
  readonly card: EventCard;
}

/** What changes by itself at one instant. */
export interface PreviewMoment {
  readonly at: number;
  readonly timezone: string;
  readonly phases: readonly string[];
  readonly events: readonly Address[];
}

export interface PreviewView {
  readonly organization: string | null;
  /** The zone of the project's defaults. */
  readonly timezone: string;
  /** The present. */
  readonly asOf: number;
  /** The time that is shown. */
  readonly instant: number;
  /** In order of time, from the present on. */
  readonly moments: readonly PreviewMoment[];
  readonly events: readonly PreviewEvent[];
  /** Events that the files take out of the service. */
  readonly deleted: readonly Address[];
  readonly problems: readonly Diagnostic[];
  /** The files have errors, and the events are those of the last version without. */
  readonly isBehind: boolean;
  readonly explain?: ExplainCode;
}

/** A year of a weekly series with three phases each fits; the page of an event lists all of that event's. */
const mostMoments = 200;

export interface PageCopy {
  readonly nonce: string;
  /** How many changes had been announced when it was drawn: it requests those announced before it could listen. */
  readonly round: number;
}

export function renderPreviewIndex(view: PreviewView, copy: PageCopy): string {
  const title = `Preview${view.organization === null ? "" : ` of ${view.organization}`}`;
  const head = `<h1>${textHtml(title)}</h1>\n<p>${textHtml(sumOf(view))}</p>`;
  return pageOf(view, title, [head, stateHtml(view, "/", view.moments), eventsHtml(view)], copy);
}

/** The page of one event; null: no event has that address. */
export function renderPreviewEvent(view: PreviewView, address: string, copy: PageCopy): string | null {
  const at = view.events.findIndex((event) => event.address === address);
  const event = view.events[at];
  const own = view.moments.filter(({ events }) => events.includes(address));
  if (event === undefined && own.length === 0 && !view.deleted.includes(address)) return null;
  const title = event?.card.title ?? address;
  const back = `<p><a href="${hrefOf(view, "/")}" id="all">All events</a></p>`;
  const gone = `<h1>${nameHtml(address)}</h1><p>Buyers do not see this event at this time: it is deleted or over.</p>`;
  const card = event === undefined ? gone : renderCard(event.card, { level: 1, now: view.instant });
  return pageOf(view, title, [back, stateHtml(view, previewPath(address), own), card], copy);
}

export function renderPreviewProblem(sentence: string): string {
  return renderPage({ title: "Preview", body: `<main><h1>Preview</h1><p>${textHtml(sentence)}</p></main>` });
}

function pageOf(view: PreviewView, title: string, parts: readonly string[], { nonce, round }: PageCopy): string {
  const explained = explainedCodes(parts.filter((part) => part !== "").join("\n"), view.explain ?? (() => null));
  const body = `<p id="live" role="status" class="live" data-round="${round}"></p>\n<main>\n${explained}\n</main>`;
  return renderPage({ title, body, script: { code: previewScript, nonce } });
}

function sumOf({ events, instant, asOf }: PreviewView): string {
  const seen = events.filter(({ card }) => card.status === "PUBLISHED").length;
  const all = events.length === 1 ? "it" : "all of them";
  const which = seen === events.length ? all : seen === 0 ? "none" : `${formatCount(seen)} of them`;
  return `${pluralize(events.length, "event")}. If the files were applied, buyers would see ${which} ${instant === asOf ? "now" : "then"}.`;
}

function previewPath(address: Address): string {
  return `/${address.split("/").map(encodeURIComponent).join("/")}`;
}

/** A link keeps the time that is shown. */
function hrefOf({ asOf, instant }: PreviewView, path: string, at: number | null = null): string {
  const time = at ?? instant;
  return escapeHtml(`${path}?at=${time === asOf ? "now" : new Date(time).toISOString()}`);
}

function stateHtml(view: PreviewView, path: string, moments: readonly PreviewMoment[]): string {
  return [problemsHtml(view), momentsHtml(view, path, moments)].join("\n");
}

function problemsHtml({ problems, isBehind }: PreviewView): string {
  if (problems.length === 0) return "";
  const behind = isBehind ? '<p class="waiting">Below are the events as they were before these errors.</p>' : "";
  return `<section class="${hasErrors(problems) ? "blocked" : "change"}" aria-labelledby="problems"><h2 id="problems">${severityCounts(problems)} in the files</h2>${diagnosticsHtml(problems)}${behind}</section>`;
}

interface PreviewStop {
  readonly at: number;
  readonly words: string;
}

/** The times that can be shown, as links; the script puts a slider over them. */
function momentsHtml(view: PreviewView, path: string, moments: readonly PreviewMoment[]): string {
  const { asOf, instant, timezone } = view;
  // On the page of one event, they are all its own.
  const isOverview = path === "/";
  const nameOf = (address: Address) => (isOverview ? eventWords(view, address) : "");
  const coming = moments
    .slice(0, mostMoments)
    .map((moment): PreviewStop => ({ at: moment.at, words: wordsOf(moment, nameOf) }));
  const clock = (time: number) => `${formatLocalMoment(time, timezone)} ${timezone}`;
  const stops: PreviewStop[] = [{ at: asOf, words: "Now" }, ...coming];
  if (!stops.some(({ at }) => at === instant)) stops.push({ at: instant, words: clock(instant) });
  if (stops.length === 1) return "";
  stops.sort((one, other) => one.at - other.at);
  const shown = stops.findIndex(({ at }) => at === instant);
  const words = textHtml(stops[shown]?.words ?? "");
  const links = stops.map(({ at, words: own }, index) => {
    return `<li><a href="${hrefOf(view, path, at)}"${index === shown ? ' aria-current="true"' : ""}>${textHtml(own)}</a></li>`;
  });
  const more = moments.length - coming.length;
  const rest = more === 0 ? "" : `<p>${formatCount(more)} later ones are on the pages of their events.</p>`;
  return `<section class="time" aria-label="Time">
<p><label for="moment">Shown:</label> <span id="moment-label">${words}</span></p>
<input type="range" id="moment" min="0" max="${stops.length - 1}" step="1" value="${shown}" aria-valuetext="${words}" hidden>
<details id="moments"><summary>${pluralize(coming.length, "moment")} at which something changes</summary><ol>${links.join("\n")}</ol>${rest}</details>
</section>`;
}

function wordsOf({ at, timezone, phases, events }: PreviewMoment, nameOf: (address: Address) => string): string {
  const [first = "", ...others] = phases;
  const names = others.length > 2 ? `${first} and ${others.length} other phases` : phases.join(", ");
  const [event] = events;
  const whose = events.length === 1 && event !== undefined ? nameOf(event) : pluralize(events.length, "event");
  return `${formatLocalMoment(at, timezone)} ${timezone}: ${names}${whose === "" ? "" : ` (${whose})`}`;
}

function eventWords({ events }: PreviewView, address: Address): string {
  const name = events.find((event) => event.address === address)?.card.title ?? "";
  return `${name}${dayWords(address)}`;
}

function eventsHtml(view: PreviewView): string {
  const { events, deleted } = view;
  if (events.length + deleted.length === 0)
    return "<p>There are no events yet. Write one in <code>events/my-event.yaml</code>, and it is shown here.</p>";
  const groups = [...groupBy(events, ({ address, series }) => series ?? address).values()];
  const cards = groups
    .map((all) => [...all].sort(byStart))
    .sort(([one], [other]) => (one === undefined || other === undefined ? 0 : byStart(one, other)))
    .map((all) => previewGroupHtml(view, all));
  const gone = deleted.map((address) => `<li>${nameHtml(address)}</li>`);
  return [
    `<ul class="cards">${cards.map((html) => `<li>${html}</li>`).join("\n")}</ul>`,
    gone.length === 0 ? "" : `<h2>Deleted</h2><ul>${gone.join("")}</ul>`,
  ].join("\n");
}

function byStart({ card: one }: PreviewEvent, { card: other }: PreviewEvent): number {
  return compareStarts(one.start, other.start) || one.title.localeCompare(other.title, "en");
}

/** An event, or a series by its next date with all dates below. */
function previewGroupHtml(view: PreviewView, all: readonly PreviewEvent[]): string {
  const next = all.find(({ card }) => Date.parse(card.end ?? card.start ?? "") >= view.instant) ?? all[0];
  if (next === undefined) return "";
  const { address, series, card } = next;
  const names = all.map(({ card: { title: name } }) => ({ name }));
  const title = series === null ? card.title : nameOfSeries(keyInAddress(series), names);
  const link = `<p><a href="${hrefOf(view, previewPath(address))}">Tickets, lineup and program<span class="spoken"> of ${textHtml(card.title)}</span></a></p>`;
  const dates = all.map(({ address: own, card: { start, timezone, status } }) => ({
    start: start ?? "",
    timezone,
    cssClass: status === "PUBLISHED" ? "sale" : "draft",
    html: (day: string, time: string) =>
      `<a href="${hrefOf(view, previewPath(own))}">${day}<span class="spoken"> ${time} ${statusWord(status)}</span></a>`,
  }));
  const strip = series === null ? "" : `<p>${statusCounts(all)}</p>${calendarHtml(dates)}`;
  return cardHtml({ ...card, title }, { level: 2, now: view.instant }, `${link}${strip}`);
}

function statusWord(status: EventCard["status"]): string {
  return status?.toLowerCase() ?? "";
}

/** `52 dates: 4 published, 48 draft`. */
function statusCounts(all: readonly PreviewEvent[]): string {
  const counts = [...groupBy(all, ({ card }) => statusWord(card.status))].map(
    ([word, some]) => `${formatCount(some.length)} ${word}`,
  );
  return `${pluralize(all.length, "date")}: ${counts.join(", ")}`;
}

/**
 * What the page of a preview does besides showing itself: it reloads when the server says that files have changed, and moves
 * through time by the slider. Only `main` is replaced: place, focus and open parts stay. It can be read without.
 */
const previewScript = `
"use strict";
const live = document.getElementById("live");
let turn = 0;
function selectorOf(element) {
  if (!element || element === document.body) return null;
  if (element.id) return "#" + CSS.escape(element.id);
  const href = element.getAttribute("href");
  return href ? 'main a[href="' + CSS.escape(href) + '"]' : null;
}
async function showPage(address, said) {
  const mine = ++turn;
  let response;
  try {
    response = await fetch(address, { redirect: "error" });
  } catch {
    return;
  }
  const text = await response.text();
  if (mine !== turn) return;
  const next = new DOMParser().parseFromString(text, "text/html");
  const fresh = next.querySelector("main");
  if (!fresh) return;
  const focused = selectorOf(document.activeElement);
  const open = [...document.querySelectorAll("main details[open][id]")].map(({ id }) => id);
  const [left, top] = [scrollX, scrollY];
  document.querySelector("main").replaceWith(document.adoptNode(fresh));
  document.title = next.title;
  for (const id of open) document.getElementById(id)?.setAttribute("open", "");
  start();
  if (focused) document.querySelector(focused)?.focus({ preventScroll: true });
  scrollTo(left, top);
  live.textContent = said;
}
function start() {
  const slider = document.getElementById("moment");
  if (!slider) return;
  const links = [...document.querySelectorAll("#moments a")];
  const label = document.getElementById("moment-label");
  slider.hidden = false;
  slider.addEventListener("input", () => {
    const words = links[slider.valueAsNumber].textContent;
    label.textContent = words;
    slider.setAttribute("aria-valuetext", words);
  });
  slider.addEventListener("change", () => {
    const { href, textContent } = links[slider.valueAsNumber];
    history.replaceState(null, "", href);
    showPage(href, "Shown: " + textContent);
  });
}
start();
const changes = new EventSource("/changes?since=" + live.dataset.round);
let isLost = false;
changes.addEventListener("change", ({ data }) => showPage(location.href, data));
changes.addEventListener("open", () => {
  if (isLost) showPage(location.href, "Connected again.");
  isLost = false;
  document.body.classList.remove("lost");
});
changes.addEventListener("error", () => {
  isLost = true;
  live.textContent = "The preview has stopped: this page is no longer redrawn.";
  document.body.classList.add("lost");
});
`;
