// "Did you mean …?"

/** The one of `choices` that was most likely meant; null where none is near. */
export function suggest(written: string, choices: Iterable<string>): string | null {
  const wanted = simplify(written);
  if (wanted === "") return null;
  let best: string | null = null;
  let bestDistance = Math.max(1, Math.floor(wanted.length / 3)) + 1;
  for (const choice of choices) {
    const candidate = simplify(choice);
    const distance = candidate === wanted ? 0 : distanceWithin(wanted, candidate, bestDistance - 1);
    if (distance < bestDistance) {
      best = choice;
      bestDistance = distance;
    }
  }
  return best ?? containing(wanted, choices);
}

/** `capacity` for `eventCapacity`: one within the other, where only one choice is so. */
function containing(wanted: string, choices: Iterable<string>): string | null {
  if (wanted.length < 4) return null;
  const found = [...choices].filter((choice) => simplify(choice).includes(wanted) || wanted.includes(simplify(choice)));
  return found.length === 1 ? (found[0] as string) : null;
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
