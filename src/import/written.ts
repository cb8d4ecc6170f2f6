import type { KindName } from "../model/kind-name.ts";

/** A value as a file holds it, before it becomes text. */
export type Written = string | number | boolean | null | readonly string[] | Pins;

/** An id by the environment that it holds in. */
export interface Pins {
  readonly pins: Readonly<Record<string, string>>;
}

/** One line of a document: a field with its value. */
export interface Entry {
  readonly field: string;
  readonly value: Written;
  /** What a reader is told beside the value. */
  readonly remark?: string;
}

/** What a file says of one object. */
export interface Description {
  /** The live object. */
  readonly id: string;
  readonly entries: readonly Entry[];
}

/** A list of a document; `remarks` stand above it. */
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
