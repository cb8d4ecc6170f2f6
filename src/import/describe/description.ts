import type { Kind } from "../../kinds/define.ts";
import type { KindName } from "../../model/address.ts";
import type { Value } from "../../model/value.ts";

/** A value as a file holds it, before it becomes text. */
export type Written = string | number | boolean | null | readonly string[] | Pins;

/** An id by the environment that it holds in. */
export interface Pins {
  readonly pins: Readonly<Record<string, string>>;
}

/** One line of a document: a field with its value. */
export interface FieldEntry {
  readonly field: string;
  readonly value: Written;
  /** A comment beside the value. */
  readonly remark?: string;
}

/** What a file says of one object. */
export interface Description {
  /** The live object. */
  readonly id: string;
  readonly entries: readonly FieldEntry[];
}

/** A list of a document; `remarks` go above it. */
export interface DescribedList {
  readonly kind: KindName;
  /** null: it is left out, and the remarks say why. */
  readonly items: readonly Description[] | null;
  readonly remarks: readonly string[];
}

export interface DescribedEvent extends Description {
  readonly remarks: readonly string[];
  /** Lists that hold something, and lists that are left out with a reason. */
  readonly lists: readonly DescribedList[];
}

/** What checking a description found: how the file must describe the object so that it is accepted as it is live. */
export interface Correction {
  /** Codes of remarks that do not apply, because the service shows the object like this. */
  readonly ignore: readonly string[];
  /** Those of them that the file did not ignore before. */
  readonly learned: readonly string[];
  /** Fields that must not go into a file. */
  readonly without: readonly string[];
}

/** By the id of the live object. */
export type Corrections = ReadonlyMap<string, Correction>;

export const noCorrection: Correction = { ignore: [], learned: [], without: [] };

/** The value that goes without saying; undefined if every value is said. */
export function usualValue(kind: Kind, field: string): Value | undefined {
  const policy = kind.fields[field];
  // Without it a reader would not know whether tickets are on sale, or whether a webhook is on.
  if (policy?.role !== "value" || policy.imported === "always") return undefined;
  return policy.standard ?? policy.plainest;
}
