import { type Address, keyInAddress, rootOf } from "./address.ts";
import type { AnyCode } from "./diagnostic/codes.ts";
import { compareText, formatCount } from "./value.ts";

export {
  type AnyCode,
  acceptableCodes,
  type Code,
  codeOfKind,
  codes,
  isCode,
  isRisk,
  type RiskCode,
  riskCodes,
  runCodes,
  type ServiceCode,
  serviceCode,
  silencingOf,
} from "./diagnostic/codes.ts";

/** An error blocks; a warning is shown; info of `validate` is shown with --verbose, info of `plan` (a notice) always. */
export type Severity = "error" | "warning" | "info";

/** A problem or a remark: where, what is wrong in one sentence, what to do. */
export interface Diagnostic {
  readonly code: AnyCode;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly plainHint?: string;
  readonly address?: Address;
  readonly source?: Source;
  /** Further places that belong to the problem, such as the first of two twins. */
  readonly related?: readonly { readonly message: string; readonly source: Source }[];
}

/** What to do. */
export interface Hints {
  readonly hint: string;
  /** The hint for pull requests and issues, where no flag may override a rule. Left out if it is the same. */
  readonly plainHint?: string;
}

/** `plain` is shown everywhere, `flagged` only where a flag can be passed. */
export function withOption(plain: string, flagged?: string): Hints {
  return flagged === undefined ? { hint: plain } : { hint: `${plain} ${flagged}`.trim(), plainHint: plain };
}

export function plainHintOf({ hint = "", plainHint = hint }: Partial<Hints>): string {
  return plainHint;
}

/** What is wrong in one sentence, and what to do, before it is known where that is shown. */
export interface Advice {
  readonly message: string;
  readonly hint: string;
}

export function errorAt(code: AnyCode, source: Source, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint, source };
}

/** An error without a place in a file. `flagged`: see `withOption`. */
export function errorOf(code: AnyCode, message: string, hint: string, flagged?: string): Diagnostic {
  return { code, severity: "error", message, ...withOption(hint, flagged) };
}

/** A warning without a place in a file: it is shown, and stops nothing. */
export function warningOf(code: AnyCode, message: string, hint: string): Diagnostic {
  return { code, severity: "warning", message, hint };
}

/** The same for information only. */
export function noticeOf(code: AnyCode, message: string, hint: string, flagged?: string): Diagnostic {
  return { code, severity: "info", message, ...withOption(hint, flagged) };
}

/** What every function that can fail returns: the result, or why not. Exceptions are for bugs and for the environment. */
export type ResultOr<Given, Why extends { readonly ok: false }> = ({ readonly ok: true } & Given) | Why;

/** Why something could not be done, as it is reported. */
export interface Failed {
  readonly ok: false;
  readonly diagnostics: readonly Diagnostic[];
}

export type Fallible<T> = ResultOr<T, Failed>;

export function failed(...diagnostics: readonly Diagnostic[]): Failed {
  return { ok: false, diagnostics };
}

/** Why a walk ended: as it is reported, or as the service said it. */
type Why = Failed | { readonly ok: false; readonly problem: { readonly message: string } };

/** A failed result, thrown to end a walk from deep within: `attempt` makes it a result again. */
export class Halt extends Error {
  override readonly name = "Halt";
  readonly why: Why;

  constructor(why: Why) {
    super("problem" in why ? why.problem.message : why.diagnostics.map(adviceIn).join("\n"));
    this.why = why;
  }
}

function adviceIn({ message, hint }: Diagnostic): string {
  return hint === undefined ? message : `${message} ${hint}`;
}

/** What was asked for; without it the walk cannot go on. */
export function orHalt<Either extends { readonly ok: true } | Why>(result: Either): Extract<Either, { ok: true }> {
  if (result.ok) return result as Extract<Either, { ok: true }>;
  throw new Halt(result);
}

/** The result of the work, or what ended it. Anything else that is thrown is a bug or a system error, and rethrown. */
export async function attempt<Value, Ended extends Why = Failed>(
  work: () => Promise<Value>,
  isMeant: (why: Why) => boolean = (why) => "diagnostics" in why,
): Promise<ResultOr<{ readonly value: Value }, Ended>> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    if (error instanceof Halt && isMeant(error.why)) return error.why as Ended;
    throw error;
  }
}

export function hasErrors(diagnostics: readonly Diagnostic[]): boolean {
  return diagnostics.some((diagnostic) => diagnostic.severity === "error");
}

/** A place in a file: the path as the user knows it (relative to the project, with `/`), line and column counted from 1. */
export interface Source {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** Equal for the same place. */
export function placeKey(source: Source | undefined): string {
  return source === undefined ? "" : `${source.file}:${source.line}:${source.column}`;
}

// "Did you mean …?"

/** The one of `choices` that was most likely meant; null if none is near. */
export function suggest(written: string, choices: Iterable<string>): string | null {
  return closest(written, choices) ?? containing(simplify(written), choices);
}

/** A hint that asks whether that one was meant; `otherwise` if none is near. */
export function didYouMean(written: string, choices: Iterable<string>, otherwise: string): string {
  const near = suggest(written, choices);
  return near === null ? otherwise : `Did you mean ${near}?`;
}

/** The one that differs in the fewest letters; null if all differ in too many. */
export function closest(written: string, choices: Iterable<string>): string | null {
  const wanted = simplify(written);
  if (wanted === "") return null;
  let best: string | null = null;
  let bestDistance = Math.min(4, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const choice of choices) {
    const candidate = simplify(choice);
    const distance = candidate === wanted ? 0 : distanceWithin(wanted, candidate, bestDistance - 1);
    if (distance < bestDistance && !isOpposite(wanted, candidate)) {
      best = choice;
      bestDistance = distance;
    }
  }
  return best;
}

/** `capacity` for `eventCapacity`: one within the other, if only one choice is so. */
function containing(wanted: string, choices: Iterable<string>): string | null {
  const found = [...choices].filter((choice) => {
    const candidate = simplify(choice);
    // A word of three letters is within many others by chance: `id` in `hidden`.
    if (Math.min(wanted.length, candidate.length) < 4 || isOpposite(wanted, candidate)) return false;
    return candidate.includes(wanted) || wanted.includes(candidate);
  });
  return found.length === 1 ? (found[0] as string) : null;
}

const opposites: readonly (readonly [string, string])[] = [
  ["min", "max"],
  ["start", "end"],
  ["begin", "end"],
  ["before", "after"],
  ["first", "last"],
  ["public", "private"],
  ["open", "close"],
  ["enable", "disable"],
  ["online", "offline"],
];

/** `minimumQuantity` and `maximumQuantity` differ in few letters, but mean opposite things. */
function isOpposite(one: string, other: string): boolean {
  return opposites.some(([left, right]) => areOpposed(one, other, left, right) || areOpposed(one, other, right, left));
}

function areOpposed(one: string, other: string, left: string, right: string): boolean {
  return one.includes(left) && other.includes(right) && !one.includes(right) && !other.includes(left);
}

function simplify(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

/** How many letters must be added, dropped, changed or swapped; `limit + 1` if it is more than `limit`. */
function distanceWithin(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  // Each row holds the columns from `row - limit` to `row + limit`: what lies farther off costs more than `limit`.
  const width = 2 * limit + 1;
  let older: number[] = [];
  let last: number[] = Array.from({ length: width }, (_, slot) => (slot < limit ? far : slot - limit));
  for (let row = 1; row <= one.length; row += 1) {
    const current: number[] = [];
    for (let slot = 0; slot < width; slot += 1) {
      const column = row - limit + slot;
      if (column <= 0 || column > other.length) {
        current.push(column === 0 ? row : far);
        continue;
      }
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(get(last, slot + 1) + 1, get(current, slot - 1) + 1, get(last, slot) + (same ? 0 : 1));
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1])
        cost = Math.min(cost, get(older, slot) + 1);
      current.push(cost);
    }
    if (current.every((cost) => cost > limit)) return limit + 1;
    older = last;
    last = current;
  }
  return Math.min(get(last, other.length - one.length + limit), limit + 1);
}

const far = Number.POSITIVE_INFINITY;

function get(row: readonly number[], slot: number): number {
  return row[slot] ?? far;
}

// In which order problems are reported, and which of them are reported once.

/** By file, line, column and code. The same problem at one place is reported once, with the number of events that share it. */
export function sortDiagnostics(diagnostics: readonly Diagnostic[]): Diagnostic[] {
  return sortOnce(diagnostics, (here, one) => here.byMessage.get(one.message) ?? inOtherEvent(here, eventOf(one)));
}

/** The same for a plan: what is live differs by event, so only the very same words are merged. `isApart`: what stays. */
export function sortRemarks(diagnostics: readonly Diagnostic[], isApart = (_: Diagnostic) => false): Diagnostic[] {
  return sortOnce(diagnostics, (here, one) => (isApart(one) ? undefined : here.byMessage.get(one.message)));
}

function sortOnce(
  diagnostics: readonly Diagnostic[],
  findSame: (here: PlaceFindings, one: Diagnostic) => GroupedFinding | undefined,
): Diagnostic[] {
  const byPlace = new Map<string, PlaceFindings>();
  for (const diagnostic of [...diagnostics].sort(compareDiagnostics)) {
    const { file, line, column } = diagnostic.source ?? nowhere;
    const place = `${file}:${line}:${column}:${diagnostic.code}`;
    const event = eventOf(diagnostic);
    const here: PlaceFindings = byPlace.get(place) ?? { all: [], byMessage: new Map() };
    byPlace.set(place, here);
    const same = findSame(here, diagnostic);
    const group = same ?? { first: diagnostic, events: new Set() };
    if (same === undefined) here.all.push(group);
    if (event === null) group.first = diagnostic;
    else group.events.add(event);
    if (!here.byMessage.has(diagnostic.message)) here.byMessage.set(diagnostic.message, group);
  }
  return [...byPlace.values()].flatMap(({ all }) => all.map(counted));
}

interface PlaceFindings {
  readonly all: GroupedFinding[];
  readonly byMessage: Map<string, GroupedFinding>;
}

interface GroupedFinding {
  /** The one of the shared file itself; else that of the first event. */
  first: Diagnostic;
  readonly events: Set<Address>;
}

/** The same of a value that events share: messages may name the event. */
function inOtherEvent({ all }: PlaceFindings, event: Address | null): GroupedFinding | undefined {
  const isOther = ({ events }: GroupedFinding) => (event === null ? events.size > 0 : !events.has(event));
  return all.find((one) => one.first.source !== undefined && isOther(one));
}

const mostNamed = 3;

function counted({ first, events }: GroupedFinding): Diagnostic {
  if (events.size < 2) return first;
  const { address: _, ...shared } = first;
  const some = [...events].slice(0, mostNamed);
  const [words = ""] = some.map((address) => address.split("/", 1)[0]);
  const named = [...some.map(keyInAddress), ...(events.size > mostNamed ? ["…"] : [])].join(", ");
  return { ...shared, message: `${first.message} (in ${formatCount(events.size)} ${words}: ${named})` };
}

function eventOf({ address }: Diagnostic): Address | null {
  return address === undefined ? null : rootOf(address);
}

/** Problems without a place come first, unless they are only notices. */
const isAside = ({ source, severity }: Diagnostic) => Number(source === undefined && severity === "info");
const nowhere = { file: "", line: 0, column: 0 };

function compareDiagnostics(one: Diagnostic, other: Diagnostic): number {
  const here = one.source ?? nowhere;
  const there = other.source ?? nowhere;
  return (
    isAside(one) - isAside(other) ||
    compareText(here.file, there.file) ||
    here.line - there.line ||
    here.column - there.column ||
    compareText(one.code, other.code) ||
    (one.source === undefined
      ? 0
      : compareText(eventOf(one) ?? "", eventOf(other) ?? "") || compareText(one.message, other.message))
  );
}
