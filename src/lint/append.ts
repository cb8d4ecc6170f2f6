/** Adds at the end, one by one: spreading a list of any length into a call can exceed what a call takes. */
export function append<Item>(list: Item[], more: readonly Item[]): void {
  for (const item of more) list.push(item);
}
