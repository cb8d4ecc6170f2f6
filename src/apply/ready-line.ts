// Operations that may begin, the first of the plan first: so events are finished one after another, not begun all at once.

export interface ReadyLine {
  add(index: number): void;
  take(): number | undefined;
}

export function makeReadyLine(): ReadyLine {
  const heap: number[] = [];

  function at(index: number): number {
    return heap[index] ?? Number.POSITIVE_INFINITY;
  }

  function swap(one: number, other: number): void {
    [heap[one], heap[other]] = [at(other), at(one)];
  }

  return {
    add(value) {
      let index = heap.push(value) - 1;
      while (index > 0) {
        const above = (index - 1) >> 1;
        if (at(above) <= at(index)) break;
        swap(above, index);
        index = above;
      }
    },
    take() {
      const first = heap[0];
      const last = heap.pop();
      if (first === undefined || last === undefined || heap.length === 0) return first;
      heap[0] = last;
      for (let index = 0; ; ) {
        const left = 2 * index + 1;
        const least = at(left + 1) < at(left) ? left + 1 : left;
        if (at(index) <= at(least)) return first;
        swap(index, least);
        index = least;
      }
    },
  };
}
