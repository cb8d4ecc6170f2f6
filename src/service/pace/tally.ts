// How many calls happened after a moment, for moments within the last hour and a bit.

export interface Tally {
  add(at: number, count: number): void;
  /** The sum of all counts later than the moment. */
  after(moment: number): number;
  forget(before: number): void;
  clear(): void;
  entries(): readonly (readonly [at: number, count: number])[];
}

/** Calls that end within one grain are kept as one entry, so that an unlimited service cannot fill the memory. */
const grainMs = 50;

/** Where an entry of that moment is kept. */
export function slotOf(at: number): number {
  return Math.ceil(at / grainMs) * grainMs;
}

export function makeTally(): Tally {
  let times: number[] = [];
  let sums: number[] = [];
  let dropped = 0;

  function firstAfter(moment: number): number {
    let low = 0;
    let high = times.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((times[middle] as number) > moment) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  function sumBefore(index: number): number {
    return index === 0 ? dropped : (sums[index - 1] as number);
  }

  return {
    add(at, count) {
      const last = times.length - 1;
      // The end of the grain: a call is never thought to lapse before it does.
      const slot = Math.max(slotOf(at), times[last] ?? 0);
      const sum = sumBefore(times.length) + count;
      if (times[last] === slot) {
        sums[last] = sum;
        return;
      }
      times.push(slot);
      sums.push(sum);
    },
    after(moment) {
      return sumBefore(times.length) - sumBefore(firstAfter(moment));
    },
    forget(before) {
      const keep = firstAfter(before);
      // Cutting the front is worth it only now and then.
      if (keep < 1000 || keep < times.length / 2) return;
      dropped = sumBefore(keep);
      times = times.slice(keep);
      sums = sums.slice(keep);
    },
    clear() {
      times = [];
      sums = [];
      dropped = 0;
    },
    entries() {
      return times.map((at, index) => [at, (sums[index] as number) - sumBefore(index)] as const);
    },
  };
}
