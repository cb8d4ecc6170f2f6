/** A part of a document that may have to give way. */
export interface Portion {
  readonly text: string;
  /** What stands for it where the text is too long; null: nothing does. */
  readonly short: string | null;
  /** The lowest come first where there is not room for all. */
  readonly rank: number;
}

export interface Fitted {
  /** In the order of the portions. */
  readonly texts: readonly string[];
  /** How many are shortened or left out. */
  readonly missing: number;
}

// Two line ends between portions.
const between = 2;

/** The portions that fit into so many characters: whole by rank, then short ones in the room that is left. */
export function fitBudget(portions: readonly Portion[], room: number): Fitted {
  const chosen = new Map<number, string>();
  const byRank = portions
    .map((portion, index) => ({ portion, index }))
    .sort((one, other) => one.portion.rank - other.portion.rank);
  let left = room;
  const take = (index: number, text: string): boolean => {
    if (text.length + between > left) return false;
    left -= text.length + between;
    chosen.set(index, text);
    return true;
  };
  const tooLong = byRank.filter(({ portion, index }) => !take(index, portion.text));
  for (const { portion, index } of tooLong) if (portion.short !== null) take(index, portion.short);
  const texts = portions.flatMap((_, index) => chosen.get(index) ?? []);
  return { texts, missing: tooLong.length };
}
