/** What is needed to find the live event that one document may mean. */
export interface WantedEvent {
  /** Ids that the document, state or a base gives. */
  readonly ids: readonly string[];
  /** Names it may have: now, at the base, before a rename. */
  readonly names: readonly string[];
  /** Starts it may have: now, at the base. The first is the one that is wished. */
  readonly starts: readonly string[];
  /** Managed fields, which must be read where the service shows them. */
  readonly fields: readonly string[];
  /** A base or the document itself says that it cannot be live yet: a search would find nothing. */
  readonly expectedNew: boolean;
  /** Whether an archived event might be the one. */
  readonly archivedToo: boolean;
}
