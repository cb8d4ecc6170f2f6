// The codes of all messages of this program, by name: a message with a code that is not listed is a type error.
import { otherCodes } from "./other-codes.ts";

/** What `ignore` silences: a remark can be wrong about an object. */
const opinionCodes = [
  "allow-expired",
  "allow-unknown-event",
  "bare-listing",
  "born-sold-out",
  "buyers-not-told",
  "deleted-outside",
  "duplicate-name",
  "ends-before-start",
  "expiring-image-link",
  "far-future",
  "free-event-with-price",
  "http-image",
  "invisible-characters",
  "large-price-change",
  "local-time-odd",
  "max-purchase-above-quantity",
  "not-a-public-url",
  "nothing-on-sale",
  "odd-duration",
  "paid-event-all-free",
  "performer-in-two-places",
  "phases-moved",
  "pinned-twice",
  "placeholder-text",
  "price-looks-like-centavos",
  "published-not-stated",
  "rename-changes-address",
  "reserved-seat-without-seat",
  "rsvp-with-price",
  "schedule-outside-event",
  "secret-in-file",
  "secret-name-missing",
  "secret-name-shared",
  "secret-not-held",
  "secret-on-this-runner-only",
  "sold-out-stays",
  "starts-in-the-past",
  "status-unknown",
  "tickets-exceed-capacity",
  "venue-missing",
  "venue-on-online-event",
  "vip-cheaper-than-ga",
  "webhook-not-https",
  "webhook-without-events",
  "wrong-weekday",
  "year-in-name",
] as const;

/** What cannot be read, or cannot be sent, as it is written: that is never a matter of opinion. */
const unreadableCodes = [
  "ambiguous-entry",
  "bad-color",
  "bad-id",
  "bad-phase",
  "currency-not-php",
  "duplicate-key",
  "empty-text",
  "max-purchase-not-positive",
  "missing-field",
  "nothing-to-remove",
  "price-not-whole",
  "quantity-not-positive",
  "unknown-event-type",
  "unknown-key",
  "unknown-performer",
  "unknown-timezone",
  "unknown-value",
  "unknown-variable",
  "unreadable-time",
  "venue-twice",
  "wrong-case",
  "wrong-type",
  "wrong-value",
  "yaml-syntax",
  "yaml-trap",
] as const;

/** Changes that the service accepts and that hurt people: each waits until its code is allowed. */
export const riskCodes = [
  "delete-event",
  "delete-webhook",
  "delete-ticket-on-sale",
  "unpublish-with-sales",
  "archive-with-sales",
  "price-change-with-sales",
  "reschedule-with-sales",
  "venue-change-with-sales",
  "make-private-with-sales",
] as const;

/** Risks that only `--allow` accepts, for one run: a file would accept them for every run. */
export const runCodes = ["older-than-applied", "diverged-from-applied", "state-moved", "unjudged-deletions"] as const;

/** What can be accepted for a plan: each risk, and the number of deletions. */
export const acceptableCodes: readonly string[] = [...riskCodes, "too-many-deletes"];

export type RiskCode = (typeof riskCodes)[number];

export function isRisk(code: string): code is RiskCode {
  return (riskCodes as readonly string[]).includes(code);
}

/** Every code, for code that needs only the names: completion, and a suggestion for a typo. */
export const codes = [...opinionCodes, ...unreadableCodes, ...riskCodes, ...runCodes, ...otherCodes] as const;

export type Code = (typeof codes)[number];

/** A code that the service sent, which is in capitals by its document: `NOT_FOUND`. */
export type ServiceCode = Uppercase<string>;

export type AnyCode = Code | ServiceCode;

/** Text of the service as a code: whatever it wrote there. */
export function serviceCode(text: string): ServiceCode {
  return text as ServiceCode;
}

/** A code that is made for a kind or its field; a test checks the catalog in src/report against the existing kinds. */
export function codeOfKind(
  code: `ambiguous-${string}` | `unknown-${string}` | `${string}-in-use` | `${string}-twice`,
): Code {
  return code as Code;
}

export function isCode(text: string): text is Code {
  return (codes as readonly string[]).includes(text);
}

/** What happens to a code in `ignore`; "unreadable" and "elsewhere" silence nothing. */
export type Silencing = "silenced" | "unreadable" | "elsewhere" | "unknown";

export function silencingOf(code: string): Silencing {
  if ((opinionCodes as readonly string[]).includes(code)) return "silenced";
  if ((unreadableCodes as readonly string[]).includes(code)) return "unreadable";
  return isCode(code) ? "elsewhere" : "unknown";
}
