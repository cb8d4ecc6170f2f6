// "Did you mean …?"

/** The one of `choices` that was most likely meant; null where none is near. */
export function suggest(written: string, choices: Iterable<string>): string | null {
  return closest(written, choices) ?? containing(simplify(written), choices);
}

/** The one that differs in the fewest letters; null where all differ in too many. */
export function closest(written: string, choices: Iterable<string>): string | null {
  const wanted = simplify(written);
  if (wanted === "") return null;
  let best: string | null = null;
  let bestDistance = Math.min(4, Math.max(1, Math.floor(wanted.length / 3))) + 1;
  for (const choice of choices) {
    const candidate = simplify(choice);
    if (isOpposite(wanted, candidate)) continue;
    const distance = candidate === wanted ? 0 : distanceWithin(wanted, candidate, bestDistance - 1);
    if (distance < bestDistance) {
      best = choice;
      bestDistance = distance;
    }
  }
  return best;
}

/** `capacity` for `eventCapacity`: one within the other, where only one choice is so. */
function containing(wanted: string, choices: Iterable<string>): string | null {
  const found = [...choices].filter((choice) => {
    const candidate = simplify(choice);
    // A word of three letters is within many others by chance: `id` in `hidden`.
    if (Math.min(wanted.length, candidate.length) < 4 || isOpposite(wanted, candidate)) return false;
    return candidate.includes(wanted) || wanted.includes(candidate);
  });
  return found.length === 1 ? (found[0] as string) : null;
}

const opposites: readonly (readonly [string, string])[] = [
  ["min", "max"],
  ["start", "end"],
  ["begin", "end"],
  ["before", "after"],
  ["first", "last"],
  ["public", "private"],
  ["open", "close"],
  ["enable", "disable"],
  ["online", "offline"],
];

/** `minimumQuantity` and `maximumQuantity` differ in few letters, and in all that counts. */
function isOpposite(one: string, other: string): boolean {
  return opposites.some(
    ([left, right]) => contradicts(one, other, left, right) || contradicts(one, other, right, left),
  );
}

function contradicts(one: string, other: string, left: string, right: string): boolean {
  return one.includes(left) && other.includes(right) && !one.includes(right) && !other.includes(left);
}

function simplify(text: string): string {
  return text.toLowerCase().replace(/[\s_-]/g, "");
}

/** How many letters must be added, dropped, changed or swapped; `limit + 1` where it is more than `limit`. */
function distanceWithin(one: string, other: string, limit: number): number {
  if (Math.abs(one.length - other.length) > limit) return limit + 1;
  let older: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (let row = 1; row <= one.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const same = one[row - 1] === other[column - 1];
      let cost = Math.min(get(last, column) + 1, get(current, column - 1) + 1, get(last, column - 1) + (same ? 0 : 1));
      if (one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        cost = Math.min(cost, get(older, column - 2) + 1);
      }
      current.push(cost);
    }
    older = last;
    last = current;
  }
  return get(last, other.length);
}

function get(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
