import { endOf, type Source, startOf } from "./extent.ts";
import type { Splice } from "./splice.ts";

/** Parts of a flow collection taken out with the commas that go with them; neighbours go together. */
export function removeRuns(
  nodes: readonly unknown[],
  isRemoved: (node: unknown) => boolean,
  source: Source,
): readonly Splice[] {
  const splices: Splice[] = [];
  for (let first = 0; first < nodes.length; first += 1) {
    if (!isRemoved(nodes[first])) continue;
    let last = first;
    while (last + 1 < nodes.length && isRemoved(nodes[last + 1])) last += 1;
    const next = nodes[last + 1];
    if (next !== undefined) splices.push({ start: startOf(nodes[first]), end: startOf(next), text: "" });
    else {
      const start = first === 0 ? startOf(nodes[first]) : endOf(nodes[first - 1], source);
      splices.push({ start, end: endOf(nodes[last], source), text: "" });
    }
    first = last;
  }
  return splices;
}
