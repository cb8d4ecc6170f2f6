// At most so many calls at once; the others stand in line.

export interface Gate {
  /** Null where the way is free; otherwise a promise of the place. */
  enter(): Promise<void> | null;
  leave(): void;
}

export function makeGate(places: number): Gate {
  let taken = 0;
  let line: (() => void)[] = [];
  /** Who is next in line. A line is long when a plan is: nobody is moved up one by one. */
  let first = 0;
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
      const next = line[first];
      if (next === undefined) {
        taken--;
        return;
      }
      first++;
      if (first === line.length) {
        line = [];
        first = 0;
      }
      next();
    },
  };
}
