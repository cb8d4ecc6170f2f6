/** As many at once as there are processors to spare on a small machine; the first error ends it. */
const spare = 2;

/** Every so many calls meet a fault where real processes and sockets take real time; in process every one does. */
export const stride = Number(process.env.FAULT_STRIDE ?? 1);

/** Works through the numbers from `first` on, in steps of the stride, until `work` says that it came to the end. */
export async function countUp(first: number, work: (at: number) => Promise<"go on" | "end">, atOnce = spare) {
  let next = first;
  let ended = false;
  async function walk(): Promise<void> {
    while (!ended) {
      const at = next;
      next += stride;
      if ((await work(at)) === "end") ended = true;
    }
  }
  await Promise.all(Array.from({ length: atOnce }, walk));
}
