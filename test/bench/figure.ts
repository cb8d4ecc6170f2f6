/** One measured figure and what it is held to. Ratios of two things measured in the same run, so that machines do not matter. */
export interface Figure {
  readonly name: string;
  readonly measured: number;
  readonly goal: number;
  /** Whether the measured value must be at most or at least the goal. */
  readonly bound: "at most" | "at least";
  /** What the numbers are: `×` for a ratio. */
  readonly unit: string;
  /** What the ratio is made of, for people. */
  readonly detail?: string;
}

/** Every other file of this folder exports one of these as `measure`. */
export type Measure = () => Promise<readonly Figure[]>;

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
