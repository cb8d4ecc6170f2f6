import type { Operation } from "../model/operation.ts";

/** An operation before it has a number: its needs are other drafts. */
export interface Draft extends Omit<Operation, "id" | "needs"> {
  readonly needs: readonly Draft[];
}

/** Numbers drafts in their order and drops those that a blocked change caused, with all that need them. */
export function numberDrafts(drafts: readonly Draft[], blocked: ReadonlySet<string>): readonly Operation[] {
  const numbers = new Map<Draft, string>();
  const dropped = new Set<Draft>();
  const operations: Operation[] = [];
  for (const draft of drafts) {
    if (blocked.has(draft.because) || draft.needs.some((need) => dropped.has(need))) {
      dropped.add(draft);
      continue;
    }
    const id = String(operations.length + 1);
    numbers.set(draft, id);
    const { needs, ...rest } = draft;
    operations.push({
      id,
      ...rest,
      needs: needs.map((need) => numbers.get(need)).filter((need) => need !== undefined),
    });
  }
  return operations;
}
