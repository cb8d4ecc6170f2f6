// What a field may hold. One table of fields per kind yields the type of its rows, the check of requests, and the check
// and the defaults of seeds.
import type { Profile } from "../profile/knobs.ts";

/** `line`: refused above 255 characters where lengths are checked. `prose`: its markup may be changed. `image`: may be re-hosted. */
export type TextRole = "line" | "prose" | "image";

type FieldType =
  | { readonly type: "text"; readonly role: TextRole; readonly format?: "url" | "https-url" | "timezone" }
  | { readonly type: "texts"; readonly role: TextRole; readonly of?: readonly string[]; readonly nonEmpty?: true }
  | { readonly type: "time" | "number" | "flag" | "uuid" | "color" }
  | { readonly type: "choice"; readonly of: readonly string[] }
  | { readonly type: "whole"; readonly least: number; readonly most?: number }
  | { readonly type: "object"; readonly of: FieldTable }
  | { readonly type: "objects"; readonly of: FieldTable }
  | { readonly type: "other"; readonly accepts: (value: unknown) => boolean; readonly expected: string };

export type Field = FieldType & {
  readonly required?: boolean;
  /** Whether a seed or a request to the control API may say null. */
  readonly nullable?: boolean;
  /** The value if a request leaves the field out or clears it, or a function that computes it; null by default. */
  readonly fallback?: unknown;
  /** The value if a seed leaves the field out, unless it is the fallback. */
  readonly sample?: unknown;
};

export type FieldTable = Readonly<Record<string, Field>>;

type ValueOf<F> = F extends { readonly type: "flag" }
  ? boolean
  : F extends { readonly type: "whole" | "number" }
    ? number
    : F extends { readonly type: "texts" }
      ? readonly string[]
      : F extends { readonly type: "objects"; readonly of: infer T }
        ? readonly RowOf<T>[]
        : F extends { readonly type: "object"; readonly of: infer T }
          ? RowOf<T>
          : string;

/** A field that is not required and has neither fallback nor sample may be null. */
export type RowOf<T> = {
  readonly [Name in keyof T]: T[Name] extends
    | { readonly required: true }
    | { readonly fallback: unknown }
    | { readonly sample: unknown }
    ? ValueOf<T[Name]>
    : ValueOf<T[Name]> | null;
};

export function fallbackOf({ fallback = null }: Field, profile: Profile): unknown {
  return typeof fallback === "function" ? fallback(profile) : fallback;
}

/** Values for a row that a seed says nothing about. */
export function samplesOf(fields: FieldTable): Readonly<Record<string, unknown>> {
  const samples = Object.entries(fields).map(([name, field]) => [name, field.sample ?? field.fallback ?? null]);
  return Object.fromEntries(samples);
}
