// At most so many calls at once; the others stand in line.

export interface Gate {
  /** Null where the way is free; otherwise a promise of the place. */
  enter(): Promise<void> | null;
  leave(): void;
}

export function makeGate(places: number): Gate {
  let taken = 0;
  const line: (() => void)[] = [];
  return {
    enter() {
      if (taken < places) {
        taken++;
        return null;
      }
      return new Promise((resolve) => {
        line.push(resolve);
      });
    },
    leave() {
      const next = line.shift();
      if (next === undefined) taken--;
      else next();
    },
  };
}
