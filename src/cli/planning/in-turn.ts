/** Works on all items, so many at once and no more: what waits in line costs memory. Results in the order of the items. */
export async function inTurn<Item, Result>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results = new Array<Result>(items.length);
  let next = 0;
  async function worker(): Promise<void> {
    while (next < items.length) {
      const index = next++;
      results[index] = await work(items[index] as Item);
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  return results;
}
