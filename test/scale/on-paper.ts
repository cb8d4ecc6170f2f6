// An organization of a hundred thousand events, on paper: how many calls each command makes, and how long the rate limit of
// each tier makes them take. docs/scale.md shows the tables; the formulas are checked against plans that are really made.
import { formatDuration } from "../../src/model/time.ts";
import { formatCount } from "../../src/model/value.ts";
import { makeMeter } from "../../src/service/pace/meter.ts";
import { type Tier, tiers } from "../../src/service/pace/rate-headers.ts";

/** Lists below an event: ticket types, performers, schedule entries, brands. */
const lists = 4;
/** The largest page that the embedded service gives; the API document does not say. */
const perPage = 50;
/** 150 ms a call, eight calls at once. */
const callMs = 150 / 8;

/** Whose key it is, a page size that is refused, and the first page of drafts: the beginning of every plan of many events. */
const beginning = 3;

export function fullPlanCalls(events: number): number {
  return beginning + Math.ceil(events / perPage) + lists * events;
}

/** Each shard reads the list of all events, and what is below its own. */
export function shardCalls(events: number, shards: number): number {
  return beginning + Math.ceil(events / perPage) + lists * Math.ceil(events / shards);
}

/** One or two events are read by the ids in state at once; of more, a page of published ones shows first that ids are cheaper. */
export function basePlanCalls(edited: number): number {
  return (edited < 3 ? 1 : beginning + 1) + edited * (1 + lists);
}

/** Events that a drift check compares with so many calls, by the ids in state. */
export function driftEvents(budget: number): number {
  return Math.floor((budget - beginning - 1) / (1 + lists));
}

/** For a new event everything live is looked through once, archived events included; then five writes and one list each. */
export function applyCalls(created: number, events: number): number {
  return beginning + 1 + Math.ceil(events / perPage) + created * 6;
}

interface Row {
  readonly what: string;
  readonly calls: number;
}

const events = 100_000;
const shards = 8;

function rows(): readonly Row[] {
  return [
    { what: "Full plan", calls: fullPlanCalls(events) },
    { what: `Full plan, one of ${shards} shards`, calls: shardCalls(events, shards) },
    { what: `Full plan, all ${shards} shards together`, calls: shards * shardCalls(events, shards) },
    { what: "`plan --base` with one edit", calls: basePlanCalls(1) },
    { what: "`plan --base` with 100 edited events", calls: basePlanCalls(100) },
    { what: "`apply` of 1,000 new events", calls: applyCalls(1000, events) },
  ];
}

const tierNames = Object.keys(tiers) as readonly Tier[];

export function callsTable(): string {
  const head = ["", "Calls", ...tierNames.map((tier) => `${tier}: ${limitsOf(tier)}`)];
  return table(
    head,
    rows().map(({ what, calls }) => [
      what,
      formatCount(calls),
      ...tierNames.map((tier) => shownTime(makeMeter(tier).estimateSeconds(calls, 0, callMs))),
    ]),
  );
}

/** Half of an hour's calls go to the check, so that an apply is never starved. */
export function driftTable(): string {
  const head = ["Tier", "`--budget`", "Events a run", "Whole organization, one run a night", "One run an hour"];
  return table(
    head,
    tierNames.map((tier) => {
      const budget = tiers[tier].hour / 2;
      const checked = driftEvents(budget);
      const runs = Math.ceil(events / checked);
      return [tier, formatCount(budget), formatCount(checked), `${formatCount(runs)} days`, shownTime(runs * 3600)];
    }),
  );
}

function limitsOf(tier: Tier): string {
  return `${formatCount(tiers[tier].minute)} a minute, ${formatCount(tiers[tier].hour)} an hour`;
}

/** Whole days from two days on: no one plans for hours then. */
function shownTime(seconds: number): string {
  return seconds >= 2 * 86_400
    ? `${(seconds / 86_400).toFixed(1)} days`
    : formatDuration(Math.max(1, seconds)).replace("about ", "");
}

function table(head: readonly string[], body: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...body.map(line)].join("\n");
}
