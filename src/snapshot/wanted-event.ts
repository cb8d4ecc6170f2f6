/** What is needed to find the live event that one document may mean. */
export interface WantedEvent {
  /** Ids that the document, state or a base gives. */
  readonly ids: readonly string[];
  /** Those of them that somebody wrote by hand. */
  readonly pins?: readonly string[];
  /** Names it may have: now, at the base, before a rename. */
  readonly names: readonly string[];
  /** Starts it may have: now, at the base. The first is the one that is wished. */
  readonly starts: readonly string[];
  /** Managed fields, which must be read where the service shows them. */
  readonly fields: readonly string[];
  /** Whether a base or state knows it as live, a base knows that it is new, or nobody knows. */
  readonly expected: "live" | "new" | "unknown";
  /** Whether an archived event might be the one. */
  readonly archivedToo: boolean;
  /** Whether an open event of another name may be it, renamed: one that starts with it. */
  readonly renamesToo?: boolean;
}
