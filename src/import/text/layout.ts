// A document as it is laid out: values with the comments and blank lines around them.
import type { Scalar } from "yaml";

export interface Comment {
  /** With its `#`. */
  readonly text: string;
  /** Whether an empty line comes before it. */
  readonly isApart: boolean;
}

/** A field of a map, or an entry of a list. */
export interface LayoutEntry {
  /** null in a list. */
  readonly key: Scalar | null;
  value: Layout;
  /** On separate lines above it. */
  readonly before: Comment[];
  /** Behind its key, its dash or its value. */
  readonly behind: string[];
  isApart: boolean;
  readonly start: number;
}

export interface LayoutCollection {
  readonly type: "map" | "list";
  readonly anchor: string;
  readonly isFlow: boolean;
  entries: LayoutEntry[];
  readonly after: Comment[];
  /** The most columns it may take on one line; 0: it is always written line by line. */
  width: number;
}

export type Layout =
  | LayoutCollection
  | { readonly type: "alias"; readonly name: string }
  | { readonly type: "scalar"; readonly anchor: string; readonly node: Scalar; readonly source: string };

export interface DocumentLayout {
  /** Above everything, and not about the first field in particular. */
  readonly head: readonly Comment[];
  /** Whether an empty line follows the head. */
  readonly isHeadApart: boolean;
  /** null: there is nothing but comments. */
  readonly root: Layout | null;
}

/** The most columns of a value of several parts next to its key: `[a, b]`, `{ name: Palace, city: Baguio }`. */
export const shortWidth = 72;
/** As wide as an entry of a list may be on its line. */
export const entryWidth = 140;
/** As wide as a text may be before it is folded. */
export const textWidth = 100;
