import type * as z from "zod";
import type { KindName } from "../model/address.ts";
import type { Advice, Code, Diagnostic } from "../model/diagnostic.ts";
import type { Live, Sold } from "../model/live.ts";
import type { Block, Change, Verb } from "../model/plan.ts";
import type { SecretPlace, Value } from "../model/value.ts";
import type { DateLoss, EventStatus, StatusWish, Wish } from "../model/wish.ts";

/**
 * How a field's two sides are brought into one form before they are compared (`canonical`).
 *
 * | form    | is compared                                                                                      |
 * |---------|--------------------------------------------------------------------------------------------------|
 * | text    | without spaces around it, with one kind of line break and accent; "" is no value                 |
 * | markup  | as text; with only a base to compare with, a different text on the service is not an edit        |
 * | url     | as it is written; `https://Example.com` has the meaning of `https://example.com/`                |
 * | instant | in UTC, whatever the offset                                                                      |
 * | number  | as a number, even where it is shown as text; fractions are kept                                  |
 * | flag    | true or false                                                                                    |
 * | choice  | in capitals                                                                                      |
 * | color   | in capitals                                                                                      |
 * | id      | as it is written, without regard to case                                                         |
 * | list    | texts in their order; an empty one is no value                                                   |
 * | set     | texts in any order, each once                                                                    |
 *
 * Text, markup, url and list may come back in another shape (`isRewritable`); any other form with another value differs.
 */
export type Form =
  | "text"
  | "markup"
  | "instant"
  | "number"
  | "flag"
  | "choice"
  | "color"
  | "set"
  | "list"
  | "id"
  | "url";

/**
 * What becomes of a field when the live object has another value.
 *
 * | change     | means                                                                 |
 * |------------|-----------------------------------------------------------------------|
 * | patch      | sent with PATCH                                                       |
 * | replace    | the service cannot change it: another object takes its place          |
 * | publish    | becomes true by a separate call, never false again                    |
 * | sold-out   | likewise                                                              |
 * | identity   | never differs, because objects are matched by it                      |
 */
export type FieldChange = "patch" | "replace" | "publish" | "sold-out" | "identity";

export interface ValuePolicy {
  readonly role: "value";
  readonly form: Form;
  readonly change: FieldChange;
  /** The service asks for it on create. */
  readonly required?: true;
  /** On create it is set by a later call. Left out: in the body. */
  readonly create?: "after";
  /** The default that the API specification names: what `null` means in YAML. */
  readonly serviceDefault?: Value;
  /** What `null` means in YAML if the specification names no default and the service may reject an empty value. */
  readonly plainest?: Value;
  /** For an instant: the name by which other times of the event count from it. */
  readonly anchor?: "start" | "end";
  /** For an instant: the field of the same object that its offsets count from, instead of the event's start. */
  readonly countsFrom?: string;
  /** For a number: an amount in pesos. */
  readonly money?: true;
  /** The field whose own call may lower this one, or switch it off: a service may close a sale by lowering the quantity, or by taking it off sale. */
  readonly loweredBy?: string;
  /** Fields of objects below it that must change together with it: while one of those is blocked, the object waits. */
  readonly decidedWith?: readonly string[];
  /** Whether a change leaves less room for what is below: a service that checks that against it accepts the change only afterward. */
  readonly narrows?: (before: Value, after: Value) => boolean;
  /** Sent on create even if the wish leaves it out. */
  readonly alwaysSent?: Value;
  /** Where a record may show it, in order; its own name if left out. Dots step into objects. */
  readonly shownAt?: readonly string[];
  /** For an address: buyers see the picture there, or the service calls it. Left out: buyers open it. */
  readonly leadsTo?: "image" | "receiver";
  /** Reads it from a record that shows it only in another shape. */
  readonly read?: (record: Readonly<Record<string, unknown>>) => Value | undefined;
  /** The code of the problem when the value does not fit the schema. */
  readonly mistake?: Code;
  /** The code of the problem when the service asks for it and it is not there. */
  readonly absent?: Code;
  /** By value, what people read instead, if the field's name does not say what it means. */
  readonly shownAs?: Readonly<Record<string, string>>;
  /** The same while the event is not published, where the value means nothing to buyers yet. */
  readonly shownUnpublished?: Readonly<Record<string, string>>;
  /** What the value makes of its object, after the object's name: "Regular on sale". */
  readonly inShort?: Readonly<Record<string, string>>;
  /** Whether `import` writes it: never, or always; by default only if it differs from the default. */
  readonly imported?: "never" | "always";
}

/** A field whose value is another object of the same event, written by its name. */
export interface ReferencePolicy {
  readonly role: "reference";
  readonly to: KindName;
  /** The service's name of the field. */
  readonly sentAs: string;
  readonly change: "patch";
}

/** A field resolved to another by a search of the service. */
export interface LookupPolicy {
  readonly role: "lookup";
  readonly sentAs: string;
}

/** A list of objects of another kind below this one. */
export interface ChildrenPolicy {
  readonly role: "children";
  readonly kind: KindName;
}

/** Only for this tool; never sent. */
export interface OwnPolicy {
  readonly role: "own";
  /** A list that adds to an inherited one instead of replacing it. */
  readonly merge?: "append";
}

/**
 * Says how documents are composed; no wish holds it.
 *
 * | merge  | over an inherited value                          |
 * |--------|--------------------------------------------------|
 * | none   | there is none: it applies only to its own level  |
 * | deep   | its entries are added, or replace those below    |
 * | append | a list that adds to the inherited one            |
 */
export interface ComposePolicy {
  readonly role: "compose";
  readonly merge: "none" | "deep" | "append";
}

export type FieldPolicy = ValuePolicy | ReferencePolicy | LookupPolicy | ChildrenPolicy | OwnPolicy | ComposePolicy;

/** What a rule may read. Rules see the change and the facts, not the files, so that a saved plan can be judged again. */
export interface Facts {
  readonly change: Change;
  readonly live: Live | null;
  /** The live event that the object belongs to (for an event: itself). */
  readonly event: Live | null;
  /** Sales of the object itself. */
  readonly sold: Sold;
  readonly eventSold: Sold;
  /** What the files say about the event; null: nothing, or they are not at hand. */
  readonly eventWish: Wish | null;
  /** For a date that its series no longer has; undefined: no file has the series. */
  readonly whyDateLeft?: DateLoss | undefined;
  readonly secretPlace: SecretPlace;
  /** What a person calls the object. */
  readonly name: string;
  /** Whether the event's document has an `allow`, which a second one would contradict. */
  readonly hasAllow?: boolean;
}

export interface Verdict extends Block {
  /** A risk can be accepted by its code; a rule cannot. */
  readonly risk: boolean;
}

export type Rule = (facts: Facts) => Verdict | null;

/** What a remark on a planned object may read. The object itself may be left as it is. */
export interface RemarkFacts extends Omit<Facts, "change"> {
  readonly change: Change | null;
  readonly wish: Wish;
  /** What keeps the change of the event from being planned. */
  readonly eventObstacles: readonly Block[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** What is remembered of the object from the last run or from the base. */
  readonly remembered: {
    readonly id: string | null;
    /** Another document means that event now. */
    readonly reassigned?: boolean;
    readonly applied: Readonly<Record<string, Value>> | null;
  };
}

/** What the rules allow but people should still know. An error blocks the change. */
export type Remark = (facts: RemarkFacts) => Diagnostic | null;

/** How a status is reached from another. */
export interface StatusStep {
  readonly from: EventStatus;
  readonly to: StatusWish;
  readonly verbs: readonly Verb[];
  /** Whether the calls come before or after all other changes below the object. */
  readonly place: "first" | "last";
  readonly fallback?: readonly Verb[];
}

/** The surroundings of a wish: what a lint rule knows in addition to the wish itself. */
export interface LintScene {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The environment's name; `sandbox` is the embedded service. */
  readonly environment: string;
  /** The event that the wish belongs to, or is; null for a webhook. */
  readonly event: Wish | null;
  /** The zone of the event's clocks. */
  readonly zone: string;
  /** The event's start and end in milliseconds since the epoch, where they are written. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

export interface WordAdvice {
  /** With a space between them. */
  readonly words: string;
  readonly advice: Advice;
}

export type LintFinding = Diagnostic | readonly Diagnostic[] | null;

/** Checks one wish for one sort of mistake. */
export type LintRule = (wish: Wish, scene: LintScene) => LintFinding;

/** Everything about one kind of object. The engine reads it and knows no kind by name. */
export interface Kind<Shape extends z.ZodRawShape = z.ZodRawShape> {
  readonly name: KindName;
  /** The name of lists of it: in addresses, in YAML and in paths. */
  readonly plural: string;
  /** What people call one of them, and several. */
  readonly words: { readonly one: string; readonly many: string };
  readonly parent: KindName | null;
  /** Its documents can extend templates. These fields identify one object, so only a document itself may have them. */
  readonly documentOnly?: readonly string[];
  /** Fields that hold from beginning to end: a phase cannot change them. */
  readonly lasting?: readonly string[];
  /** What a file may say. The lists below an event, and how it is composed, are added by the registry. */
  readonly schema: z.ZodObject<Shape>;
  readonly fields: { readonly [Field in keyof Shape]: FieldPolicy };
  /** What people write for its list, its fields and their values. In lower case, without signs, with a space between them. */
  readonly synonyms?: {
    readonly list?: string;
    readonly fields?: { readonly [Field in keyof Shape]?: string };
    readonly values?: { readonly [Field in keyof Shape]?: Readonly<Record<string, string>> };
  };
  /** What to do instead of words that people write in it, although it has no such field. */
  readonly notFields?: readonly WordAdvice[];
  /** The fields that files name first, in this order; the rest follow in the order of `fields`, and lists come last. */
  readonly writeFirst?: readonly string[];
  /** What `import` sorts a list by; `-price` puts the highest first. */
  readonly sortBy: readonly string[];
  /** For editors: what entries of a list of it might share under `defaults`. */
  readonly defaultsExample?: Readonly<Record<string, Value>>;
  readonly identity: {
    /** The field a person calls it by. */
    readonly label: string;
    /** Sets of fields that identify it, tried in order; later ones only if they are unique. An absent one counts as its default. */
    readonly keys: readonly (readonly string[])[];
    /** What two of one identity have in common, for people: "name and start". */
    readonly likeness: string;
    /** Live objects of one identity: any of them is fine, and the rest is surplus; or a person must choose one. */
    readonly twins: "any" | "ask";
    /** What to do about two of one identity, in the files or on the service, if the usual advice does not fit. */
    readonly advice?: { readonly inFiles: string; readonly live: (name: string, twins: readonly Live[]) => string };
  };
  readonly endpoints: {
    readonly get: boolean;
    readonly patch: boolean;
    readonly readScope: string;
    readonly writeScope: string;
  };
  /** Can be made within the create call of its parent. */
  readonly inline?: true;
  /** Its `quantity` and what remains of it show how many are sold. */
  readonly sold?: true;
  readonly steps: readonly StatusStep[];
  readonly rules: readonly Rule[];
  readonly remarks?: readonly Remark[];
  readonly lint: readonly LintRule[];
  /** The response to its create contains a secret that is shown only once. */
  readonly secret?: true;
}

/** Ties policies to the schema: a field without a policy does not compile. */
export function defineKind<const Shape extends z.ZodRawShape>(kind: Kind<Shape>): Kind {
  return kind as unknown as Kind;
}
