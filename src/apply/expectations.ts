// What a finished run must have led to: one entry for each object that it touched, whatever number of calls that took.
import type { Kind } from "../kinds/define.ts";
import type { Address } from "../model/address.ts";
import { idKey } from "../model/id.ts";
import type { Verb } from "../model/operation.ts";
import type { Plan } from "../model/plan.ts";
import { fillOperation, type Task } from "./fill.ts";
import type { Ids } from "./ids.ts";
import type { Fields } from "./journal-entry.ts";
import { fieldsAfter } from "./move-object.ts";
import type { Performed } from "./run.ts";

export interface Expectation {
  readonly address: Address;
  readonly kind: Kind;
  readonly id: string;
  readonly parentId: string | null;
  /** The change that the plan shows for it. */
  readonly because: Address;
  /** As they were sent last. */
  readonly fields: Fields;
  /** The last transition of a kind that has a status. */
  readonly move: Verb | null;
  readonly gone: boolean;
}

/** By what is certain: operations that were not done promise nothing. */
export function expectationsOf(plan: Plan, results: ReadonlyMap<string, Performed>, ids: Ids): readonly Expectation[] {
  const byId = new Map<string, Expectation>();
  function expect(made: Omit<Expectation, "move" | "gone"> & Partial<Expectation>): void {
    const before = byId.get(idKey(made.id));
    const fields = { ...before?.fields, ...made.fields };
    byId.set(idKey(made.id), { move: null, gone: false, ...before, ...made, fields });
  }
  for (const operation of plan.operations) {
    if (results.get(operation.id)?.result !== "done") continue;
    const filled = fillOperation(operation, ids);
    const id = filled.ok ? (filled.task.id ?? ids.of(operation.address)) : undefined;
    if (!filled.ok || id === undefined) continue;
    const { kind, parentId } = filled.task;
    const about = { address: operation.address, kind, id, parentId, because: operation.because };
    expect({ ...about, ...afterwards(filled.task) });
    for (const part of filled.task.inline) {
      const partId = ids.of(part.address);
      if (partId !== undefined) {
        expect({
          address: part.address,
          kind: part.kind,
          id: partId,
          parentId: id,
          because: part.address,
          fields: part.fields,
        });
      }
    }
  }
  return [...byId.values()].map((each) => ({
    ...each,
    // With an object goes everything below it.
    gone: each.gone || (each.parentId !== null && byId.get(idKey(each.parentId))?.gone === true),
  }));
}

function afterwards({ operation, kind, fields }: Task): Pick<Expectation, "fields"> & Partial<Expectation> {
  switch (operation.verb) {
    case "create":
    case "update":
      return { fields };
    case "delete":
      return { fields: {}, gone: true };
    case "publish":
    case "unpublish":
    case "archive":
    case "sold-out":
      return kind.steps.length > 0
        ? { fields: {}, move: operation.verb }
        : { fields: fieldsAfter(kind, operation.verb) };
  }
}
