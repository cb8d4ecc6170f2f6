import type { Address } from "./address.ts";

/** An error blocks; a warning is shown; info of `validate` is shown with --verbose, info of `plan` (a notice) always. */
export type Severity = "error" | "warning" | "info";

/** A problem or a remark: where, what is wrong in one sentence, what to do. */
export interface Diagnostic {
  readonly code: string;
  readonly severity: Severity;
  readonly message: string;
  readonly hint?: string;
  readonly address?: Address;
  readonly source?: Source;
  /** Further places that belong to the problem, such as the first of two twins. */
  readonly related?: readonly { readonly message: string; readonly source: Source }[];
}

/** `source` undefined: the problem has no place in a file. */
export function errorAt(code: string, source: Source | undefined, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint, ...(source === undefined ? {} : { source }) };
}

/** An error without a place in a file. */
export function errorOf(code: string, message: string, hint: string): Diagnostic {
  return { code, severity: "error", message, hint };
}

/** Why something could not be done. Whatever can fail gives this, or `ok: true` with what was asked for; exceptions are for bugs and broken worlds. */
export interface Failed {
  readonly ok: false;
  readonly diagnostics: readonly Diagnostic[];
}

export type Fallible<T> = ({ readonly ok: true } & T) | Failed;

export function failed(...diagnostics: readonly Diagnostic[]): Failed {
  return { ok: false, diagnostics };
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

// What each rule finds, by its code, in one sentence; docs/rules.md says more about the same codes. Which of the three tables
// a code is in says whether `ignore` reaches it: a remark can be wrong about an object; that something cannot be read is
// never an opinion.

/** What `ignore` silences. */
const opinions: Readonly<Record<string, string>> = {
  "allow-expired": "A risk that was accepted until a day that is over.",
  "allow-unknown-event": "A risk that is accepted for an event without a document.",
  "bare-listing": "An event to be published without image, description or end.",
  "born-sold-out": "A ticket type that is sold out before it is live: copied from an earlier event.",
  "buyers-not-told": "A start, venue or visibility that changes with tickets sold.",
  "deleted-outside": "A live event that somebody deleted at the service: apply would create it again.",
  "duplicate-name": "Two objects of one kind that cannot be told apart.",
  "ends-before-start": "Events and schedule entries that end before they start, often for want of the next day's date.",
  "expiring-image-link": "An image address that stops working after a while.",
  "far-future": "A start more than 18 months ahead.",
  "free-event-with-price": "A price in a FREE event.",
  "http-image": "An image that is not https.",
  "invisible-characters": "Zero-width characters, double or outer spaces in a name.",
  "large-price-change": "A change of more than 50% on a published event.",
  "local-time-odd": "An offset that is not the zone's, or a Z that makes it 00:00 to 06:59 local time.",
  "max-purchase-above-quantity": "Orders that may hold more tickets than there are.",
  "not-a-public-url": "An address that others cannot open.",
  "nothing-on-sale": "An event to be published whose tickets have nothing on sale.",
  "odd-duration": "An event of less than 15 minutes or more than 3 days.",
  "paid-event-all-free": "A PAID event (the service's default) where everything costs nothing.",
  "performer-in-two-places": "One performer in entries that overlap.",
  "pinned-twice": "Two documents, or two ticket types of an event, that pin one id in one environment.",
  "placeholder-text": "TBD, TBA, lorem or xxx in an event to be published.",
  "price-looks-like-centavos": "A price that looks like centavos: prices are whole pesos.",
  "published-not-stated": "A ticket type that does not say whether it is on sale.",
  "rename-changes-address": "A published event under another name, whose public address may change.",
  "reserved-seat-without-seat": "A RESERVED_SEAT without section or row.",
  "rsvp-with-price": "A price in an RSVP event.",
  "schedule-outside-event": "An entry before the start or after the end of the event.",
  "secret-in-file": "What looks like a key or a secret, or a user name and password in an address.",
  "secret-name-missing": "A webhook without secretName in a project whose secrets go to a command.",
  "secret-not-held": "A live webhook whose secret is not where ticketing.yaml says secrets go.",
  "secret-on-this-runner-only":
    "A webhook's secret that would be written to a file on a CI runner and be gone with it.",
  "sold-out-stays": "A ticket type that stays sold out although soldOut was dropped or its quantity raised.",
  "starts-in-the-past": "An event that starts in the past.",
  "tickets-exceed-capacity": "Ticket types that add up to more than eventCapacity.",
  "venue-missing": "An event at a venue that does not say which.",
  "venue-on-online-event": "An ONLINE event that names a venue.",
  "vip-cheaper-than-ga": "A VIP ticket that costs less than general admission.",
  "webhook-not-https": "A webhook or callback address that is not https.",
  "webhook-without-events": "A webhook that subscribes to no events.",
  "wrong-weekday": "A start that falls on another day of the week than `weekday` says.",
  "year-in-name": "A name that holds another year than the event's date.",
};

/** What cannot be read, or cannot be sent, as it is written. */
const unreadable: Readonly<Record<string, string>> = {
  "bad-phase": "A phase without a time, without a value to fall back to, or about an entry that is not there.",
  "bad-color": "A color that is not # and six hex digits.",
  "bad-id": "An id or venueId that is not a UUID.",
  "currency-not-php": "Another currency than PHP.",
  "duplicate-key": "Two events of one key, or of keys that differ by case only.",
  "empty-text": "A field that must say something and is empty.",
  "max-purchase-not-positive": "A maximumPurchaseQuantity that is not a whole number of 1 or more.",
  "missing-key": "A field that must be there and is not.",
  "nothing-to-remove": "An entry with remove whose name none of the inherited ones has.",
  "price-not-whole": "A price with a fraction, below zero, or written as text with a sign or commas.",
  "quantity-not-positive": "A quantity that is not a whole number of 1 or more.",
  "unknown-event-type": "Something in a webhook's events that the service does not send.",
  "unknown-key": "A field that does not exist, which the service might drop without a word.",
  "unknown-performer": "An entry that names someone who is not one of the event's performers.",
  "unknown-timezone": "A zone that is not in the IANA database.",
  "unknown-value": "A word that is none of those allowed.",
  "unknown-variable": "A variable that is not there or may not be read.",
  "unreadable-time": "What is not a date and a time, or a time that the zone's clocks skip or show twice.",
  "venue-twice": "A venue that is given by name and by id.",
  "wrong-case": "The right word in the wrong case.",
  "wrong-type": "A text where a list is expected, and the like.",
  "wrong-value": "A number out of range, or settings that exclude each other.",
  "yaml-syntax": "What is not YAML.",
  "yaml-trap":
    "What YAML reads otherwise than it looks: duplicate keys, tabs, words such as NO, leading zeros, comments.",
};

/** What is about files, settings, the key or the run, and not about an object that could ignore it. */
const elsewhere: Readonly<Record<string, string>> = {
  "address-changed": "An address or key variable in the file that is not the one agreed on before, while a key is set.",
  "bad-base-url": "An address of the service that would not keep the key private.",
  "bad-series":
    "A series whose rule cannot be read or never ends, that has a date that does not exist, or more than 1,000 dates.",
  "bad-sheet": "A sheet of a series that cannot be read, or a row without a date or with one that is there already.",
  "diverged-from-applied": "A checkout that does not contain what was applied last.",
  "duplicate-template": "Two templates of one name.",
  "empty-file": "A file without content.",
  "file-too-large": "A file of more than 1 MiB.",
  "folder-for-file": "A folder where a file is expected.",
  "forbidden-key": "__proto__, constructor or prototype as a key.",
  "git-failed": "Git did not do what was asked of it.",
  "key-expires-soon": "An API key near its end.",
  "merge-conflict": "Files that git cannot merge by itself.",
  "no-files-matched": "Globs that match no file.",
  "no-git": "Git is needed and not installed.",
  "no-such-folder": "A folder given with -C that is not there.",
  "no-such-path": "A path given to validate that names no file of the project.",
  "not-a-repository": "A revision is asked for, and the folder is not in a git repository.",
  "not-committed": "Edits that are not committed and so are not part of the merge.",
  "not-in-series": "An entry of `dates`, a row of the table or a skipped date for a day that the series does not have.",
  "not-text": "A binary file, or one that is not UTF-8.",
  "old-git": "A git that is too old to try a merge.",
  "older-than-applied": "A checkout that is older than what was applied last.",
  "outside-project": "A path, glob or link that leads out of the project.",
  "over-budget": "More calls than are left of the hour.",
  "review-unreadable": "A file for --reviewed that is not a plan of this environment as JSON.",
  "sandbox-is-embedded": "An address for the environment sandbox.",
  "scope-missing": "A scope that the plan needs and the key lacks.",
  "secrets-exposed": "A file for webhook secrets that git has or would take, or that is read as events.",
  "shallow-clone": "A clone that does not reach back to the revision asked for.",
  "sink-changed": "Another place for webhook secrets than the one agreed on before.",
  "template-circle": "Templates that extend each other.",
  "too-complex": "A glob with more stars or braces than any list of files needs.",
  "too-deep": "Values that are nested deeper than any event needs.",
  "too-long": "A text of more than 100,000 characters, or variables that fill in more than 1 MiB.",
  "too-many-documents": "A file of more than 2,000 documents.",
  "too-many-keys": "A map with more keys than are read.",
  "unjudged-deletions": "Documents that git shows as deleted, while nothing records what was applied.",
  "unknown-code": "A code in ignore that silences nothing: no rule has it, or the rule cannot be silenced.",
  "unknown-environment": "An environment that ticketing.yaml does not have.",
  "unknown-template": "A template in extends that does not exist.",
  "unrelated-histories": "Two revisions without a common ancestor.",
  "unknown-revision": "A git revision that does not exist here.",
  "unreadable-file": "A file that may not be read, or is gone.",
  unreviewed: "A change that was not reviewed, which is held.",
  "unused-template": "A template that no event extends.",
  "variable-circle": "Vars that are made of each other.",
  "wrong-file-name": "A project file called ticketing.yml, a name with a line break, or two that differ by case only.",
  "wrong-organization": "A key of another organization than the project's.",
};

export const rules: Readonly<Record<string, string>> = { ...opinions, ...unreadable, ...elsewhere };

/** What becomes of a code in `ignore`; "unreadable" and "elsewhere" silence nothing. */
export type Silencing = "silenced" | "unreadable" | "elsewhere" | "unknown";

export function silencingOf(code: string): Silencing {
  if (Object.hasOwn(unreadable, code)) return "unreadable";
  if (Object.hasOwn(elsewhere, code)) return "elsewhere";
  return Object.hasOwn(opinions, code) ? "silenced" : "unknown";
}

// "Did you mean …?"

/** The one of `choices` that was most likely meant; null if none is near. */
export function suggest(written: string, choices: Iterable<string>): string | null {
  return closest(written, choices) ?? containing(simplify(written), choices);
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

/** `minimumQuantity` and `maximumQuantity` differ in few letters, and in all that counts. */
function isOpposite(one: string, other: string): boolean {
  return opposites.some(
    ([left, right]) => contradicts(one, other, left, right) || contradicts(one, other, right, left),
  );
}

function contradicts(one: string, other: string, left: string, right: string): boolean {
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
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, get(older, slot) + 1);
      }
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
