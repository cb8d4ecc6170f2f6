import type { Diagnostic } from "../model/diagnostic.ts";
import type { Wish } from "../model/wish.ts";

/** What rules know beside the files. */
export interface LintContext {
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** The environment's name; `sandbox` is the embedded service. */
  readonly environment: string;
}

/** Where a wish stands. */
export interface Scene extends LintContext {
  /** The event that the wish belongs to, or is; null for a webhook. */
  readonly event: Wish | null;
  /** The zone of the event's clocks. */
  readonly zone: string;
  /** The event's start and end in milliseconds since the epoch, where they are written. */
  readonly start: number | undefined;
  readonly end: number | undefined;
}

/** Looks at one wish and tells every mistake of one sort that it finds. */
export type Rule = (wish: Wish, scene: Scene) => readonly Diagnostic[];

/** No mistake: one empty list for all, because nearly every rule returns it nearly every time. */
export const none: readonly Diagnostic[] = [];
