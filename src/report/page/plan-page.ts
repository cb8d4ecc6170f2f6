// A plan as one page that needs nothing else: no script, no font, only the pictures that events name.
import { isFamilyHead, kindOf, parentAddress } from "../../kinds/index.ts";
import { dateOf, rootOf } from "../../model/address.ts";
import type { CardPair } from "../../model/live.ts";
import type { Change, Edit, Plan } from "../../model/plan.ts";
import { formatLocalDay } from "../../model/time.ts";
import { escapeHtml, formatCount, formatMoney, type Group, groupBy, pluralize } from "../../model/value.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import { feesSentence, fieldText, mostColumns, valueNotShown } from "../plan-view/edit-line.ts";
import { editsBesideName, fewestAlike } from "../plan-view/group-changes.ts";
import {
  boxesOf,
  countOf,
  eventNameOf,
  isSent,
  madeAt,
  nameOfChange,
  type PlanView,
  shardWords,
  soldWords,
  subjectWords,
  transitionVerb,
} from "../plan-view/plan-view.ts";
import { safeText } from "../text/sanitize.ts";
import { cutText } from "../text/table.ts";
import { codeHtml, type ExplainCode, explainedCodes, renderPage, textHtml } from "./frame.ts";
import { diagnosticsHtml, spansHtml } from "./lines.ts";
import { contentsHtml, unitHtml, unitsOf } from "./plan-sections.ts";

// With this many sections or more, a list of them saves scrolling.
const manySections = 4;

/** Without cards, as of a plan that was saved before, changes are shown field by field. */
export function renderPlanHtml(
  plan: Plan,
  {
    cards = [],
    explain = () => null,
    inJob = false,
  }: {
    readonly cards?: readonly CardPair[] | undefined;
    readonly explain?: ExplainCode;
    readonly inJob?: boolean;
  } = {},
): string {
  const view = buildPlanView(plan, { full: true, skipBlocked: inJob, noOptions: inJob });
  const units = unitsOf(view.sections, withWaiting(cards, plan.changes));
  const places = new Map(
    units.flatMap(({ id, sections }) => sections.flatMap(({ events }) => events.map((event) => [event, id] as const))),
  );
  const linkTo = ({ address }: Change) => places.get(rootOf(address)) ?? null;
  const title = `Plan for ${view.environment}${shardWords(view)}`;
  const main = `<a class="skip" href="#changes">Go to the changes</a>
<header>
<h1>${escapeHtml(title)}</h1>
<p>${targetHtml(view)}</p>
<p class="summary">${escapeHtml(view.summary)}</p>
${boxesOf(view)
  .map((box) => `<p class="waiting">${spansHtml(box)}</p>\n`)
  .join("")}${overviewHtml(plan.changes, linkTo)}</header>
${units.length < manySections ? "" : contentsHtml(units)}<main id="changes">
${units.map(unitHtml).join("\n")}
${remarksHtml(view)}${view.notes.map((note) => `<p>${escapeHtml(note)}</p>\n`).join("")}`;
  const body = `${explainedCodes(main, explain)}${stepsHtml(view)}</main>
<footer><p class="quiet">Made ${textHtml(madeAt(plan))} by ${textHtml(`${plan.tool.name} ${plan.tool.version}`)}.</p></footer>`;
  return renderPage({ title, body });
}

/** What waits for a blocked change counts as blocked, and so does an event in which nothing is changed after all. */
function withWaiting(cards: readonly CardPair[], changes: readonly Change[]): readonly CardPair[] {
  const byEvent = groupBy(changes, ({ address }) => rootOf(address));
  return cards.map((pair) => {
    const all = byEvent.get(pair.address) ?? [];
    const unsent = all.filter((change) => !isSent(change)).map(({ address }) => address);
    const whole = unsent.length > 0 && unsent.length === all.length ? [pair.address] : [];
    return { ...pair, blocked: [...pair.blocked, ...whole, ...unsent] };
  });
}

function targetHtml(view: PlanView): string {
  const whose = view.organization === null ? "" : `, organization <code>${escapeHtml(view.organization)}</code>`;
  return `<code>${escapeHtml(view.baseUrl)}</code>${whose}`;
}

function remarksHtml(view: PlanView): string {
  if (view.remarks.length === 0) return "";
  return `<h2>Remarks</h2>\n${diagnosticsHtml(view.remarks)}\n`;
}

function stepsHtml(view: PlanView): string {
  if (view.steps.length === 0) return "";
  const steps = view.steps.map((step) => {
    const call = step.call === null ? "" : ` <code class="quiet">${escapeHtml(step.call)}</code>`;
    return `<li>${spansHtml(step.words)}${call}</li>`;
  });
  return `<details><summary>${view.stepsTitle}: ${pluralize(steps.length, "call")}</summary>\n<ol class="steps">\n${steps.join("\n")}\n</ol></details>\n`;
}

// On top, what its readers must not miss: blocked, deleted, moved, on sale and off sale, money.

interface Highlight {
  readonly title: Title;
  readonly change: Change;
  readonly does: string;
  /** Codes of the blocks that forbid it. */
  readonly codes?: readonly string[];
}

/** In the order of the page, each with its class. */
const titles = {
  Blocked: "blocked",
  Deleted: "delete",
  "When and where": "change",
  "On sale and off sale": "create",
  Money: "change",
} as const;
type Title = keyof typeof titles;

const mostShown = 10;

/** `linkTo` returns the place of a change on the page. */
export function overviewHtml(changes: readonly Change[], linkTo: (change: Change) => string | null): string {
  const highlights = changes.flatMap(highlightsOf);
  const boxes = Object.entries(titles).flatMap(([title, cssClass]) => {
    const lines = highlightLines(
      highlights.filter((highlight) => highlight.title === title),
      linkTo,
    );
    if (lines.length === 0) return [];
    const more = lines.length - mostShown;
    const rest =
      more <= 0
        ? ""
        : `<details><summary>${formatCount(more)} more</summary><ul>${lines.slice(mostShown).join("")}</ul></details>`;
    return [
      `<div class="highlight ${cssClass}"><h2>${title}</h2><ul>${lines.slice(0, mostShown).join("")}</ul>${rest}</div>`,
    ];
  });
  return boxes.length === 0 ? "" : `<div class="highlights">${boxes.join("\n")}</div>\n`;
}

function highlightLines(
  highlights: readonly Highlight[],
  linkTo: (change: Change) => string | null,
): readonly string[] {
  const alike = groupBy(highlights, ({ change, does, codes }) =>
    JSON.stringify([change.kind, does, codes, ownName(change)]),
  );
  return [...alike.values()].flatMap((group) => {
    const subjects = new Set(group.map(({ change }) => highlightSubject(change)));
    // Lines that would look the same are one.
    if (group.length < fewestAlike && subjects.size === group.length)
      return group.map((highlight) => highlightHtml(highlight, linkTo));
    const sold = group.reduce(
      (sum, { change }) => sum + (typeof change.context?.sold === "number" ? change.context.sold : 0),
      0,
    );
    const all = sold === 0 ? "" : `${formatCount(sold)} sold in total`;
    return [highlightHtml(group[0], linkTo, together(group), all)];
  });
}

/** Dates of a series are one line if the same happens to their ticket types of one name. */
function ownName(change: Change): string {
  return parentAddress(change.address) === null ? "" : nameOfChange(change);
}

function together(group: Group<Highlight>): string {
  const [{ change }] = group;
  const name = ownName(change);
  const names = [...new Set(group.map(({ change: each }) => eventNameOf(each)))];
  const listed =
    names.length === 1
      ? ` of ${names[0]}`
      : ` (${cutText(names.slice(0, 3).join(", "), mostColumns)}${names.length > 3 ? ` and ${formatCount(names.length - 3)} more` : ""})`;
  const events = new Set(group.map(({ change: each }) => rootOf(each.address))).size;
  const series = [...new Set(group.map(({ change: each }) => dateOf(rootOf(each.address))?.series))];
  if (name !== "")
    return events === 1
      ? `${countOf(change.kind, group.length)} ${name}${listed}`
      : `${name} on ${series.length === 1 && series[0] !== undefined ? `${formatCount(events)} dates of ${series[0]}` : `${countOf("event", events)}${listed}`}`;
  return `${countOf(change.kind, group.length)}${isFamilyHead(change.kind) ? listed : ""}`;
}

function highlightHtml(
  { change, does, codes = [] }: Highlight,
  linkTo: (change: Change) => string | null,
  subject = highlightSubject(change),
  // The message of a block has the number sold.
  sold = codes.length > 0 ? "" : soldWords(change.context?.sold),
): string {
  const link = linkTo(change);
  const words = `<bdi>${escapeHtml(subject)}</bdi>`;
  const why = codes.length === 0 ? "" : ` (${codes.map(codeHtml).join(", ")})`;
  return `<li>${link === null ? `<strong>${words}</strong>` : `<a href="#${link}">${words}</a>`}: ${escapeHtml(does)}${why}${sold === "" ? "" : `, ${sold}`}</li>`;
}

function highlightsOf(change: Change): readonly Highlight[] {
  const make = (title: Title, does: string): Highlight => ({ title, change, does });
  const [block] = change.blockedBy;
  if (block !== undefined)
    return [
      {
        ...make("Blocked", safeText((block.message.split("\n")[0] ?? "").replace(/[.:]$/, ""))),
        codes: change.blockedBy.map(({ code }) => code),
      },
    ];
  if (change.action === "delete" || change.transition?.to === "DELETED") {
    return [make("Deleted", transitionVerb(change.transition) || "delete")];
  }
  const status =
    (change.transition !== null && change.transition.from !== null) || change.transition?.to === "PUBLISHED"
      ? transitionVerb(change.transition)
      : "";
  const edits = editsBesideName(change);
  return [
    ...edits.flatMap((edit) => moveWords(change, edit)).map((does) => make("When and where", does)),
    ...(status === "" ? [] : [make("On sale and off sale", status)]),
    ...edits.flatMap((edit) => saleWords(change, edit)).map((does) => make("On sale and off sale", does)),
    ...edits.flatMap((edit) => moneyWords(change, edit)).map((does) => make("Money", does)),
  ];
}

const places: Readonly<Record<string, string>> = {
  "/dateTime": "start",
  "/venueId": "venue",
  "/venue": "venue",
  "/locationType": "location",
};

/** Buyers go by the announced start and venue. */
function moveWords({ kind, context = {} }: Change, { path, before, after }: Edit): readonly string[] {
  const label = places[path];
  if (label === undefined || context.status !== "PUBLISHED" || before === null || after === null) return [];
  const [from, to] = [before, after].map((value) => fieldText(kind, path.slice(1), value, context));
  return [`${label} ${from} → ${to}`];
}

function saleWords({ kind, action }: Change, { path, after }: Edit): readonly string[] {
  if (action === "create" || !kindOf(kind).sold) return [];
  if (path === "/published" && after === true) return ["goes on sale"];
  return path === "/soldOut" && after === true ? ["is marked as sold out: no further sales"] : [];
}

/** Prices of new events are on their cards; what is new about an event that people know is shown here. */
function moneyWords(change: Change, { path, before, after, unreadable }: Edit): readonly string[] {
  const fees = (change.fees ?? []).map(
    (fee) => `${fee.ticket === undefined ? "" : `${safeText(fee.ticket)}: `}${feesSentence(fee)}`,
  );
  if (path === "/absorbFees" && change.action !== "create" && typeof after === "boolean")
    return [[after ? "fees come out of the price" : "buyers pay the fees on top", ...fees].join("; ")];
  if (
    path !== "/price" ||
    !kindOf(change.kind).sold ||
    change.context?.status === undefined ||
    typeof after !== "number"
  )
    return [];
  const from =
    typeof before === "number" ? `${formatMoney(before)} → ` : unreadable ? `price ${valueNotShown} → ` : "new at ";
  return [[`${from}${formatMoney(after)}`, ...fees].join("; ")];
}

function highlightSubject(change: Change): string {
  const day = dateOf(change.address)?.day;
  const which = day === undefined ? "" : ` on ${formatLocalDay(`${day}T00:00:00Z`, "UTC")}`;
  return subjectWords(change, mostColumns, which);
}
