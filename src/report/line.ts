import type { Span } from "./span.ts";
import type { DiffLine } from "./text-diff.ts";

/** One thing that a report says about an object, whatever the format. */
export type Line =
  | { readonly type: "field"; readonly label: string; readonly spans: readonly Span[] }
  | {
      readonly type: "text";
      readonly label: string;
      readonly remark: readonly Span[];
      readonly lines: readonly DiffLine[];
    }
  | { readonly type: "note"; readonly spans: readonly Span[] }
  /** What the object is one of many alike: their names, and how many more there are. */
  | { readonly type: "names"; readonly names: readonly string[]; readonly more: number; readonly tail: string }
  | {
      readonly type: "blocked";
      readonly code: string;
      readonly messages: readonly (readonly string[])[];
      readonly hint: string;
    };
