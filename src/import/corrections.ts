/** What checking a description brought up: how the file must say it so that it is taken as it is live. */
export interface Correction {
  /** Codes of remarks that do not apply, because the service shows the object like this. */
  readonly ignore: readonly string[];
  /** Those of them that nobody ignored before. */
  readonly learned: readonly string[];
  /** Fields that must not go into a file. */
  readonly without: readonly string[];
}

/** By the id of the live object. */
export type Corrections = ReadonlyMap<string, Correction>;

export const noCorrection: Correction = { ignore: [], learned: [], without: [] };
