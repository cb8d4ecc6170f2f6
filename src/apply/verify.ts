// --verify: everything that was written is read once more, and what is not as it was sent is told.
import { kindOfAddress } from "../kinds/of-address.ts";
import type { Plan } from "../model/plan.ts";
import { confirmFields } from "./confirm.ts";
import { fillOperation } from "./fill.ts";
import { tellKeptOtherwise } from "./kept-otherwise.ts";
import { lookAt } from "./look.ts";
import { isReached } from "./move-object.ts";
import type { Performed, Run } from "./run.ts";
import { capital, nameOf, tellWarning } from "./words.ts";

export async function verifyAll(run: Run, plan: Plan, results: ReadonlyMap<string, Performed>): Promise<void> {
  const todo = plan.operations.filter((operation) => results.get(operation.id)?.result === "done");
  const dropped = new Set(todo.flatMap((each) => (each.verb === "delete" ? [each.path] : [])));
  await Promise.all(
    todo.map(async (operation) => {
      const filled = fillOperation(operation, run.ids);
      const id = filled.ok ? (filled.task.id ?? run.ids.of(operation.address)) : undefined;
      if (!filled.ok || id === undefined) return;
      const { task } = filled;
      const kind = kindOfAddress(operation.address);
      const sight = await lookAt(run, kind, task.parentId, id);
      if (sight.sight === "unknown") {
        tell(run, operation.address, "could not be read back", "Run `ticketing plan` to see how it is.");
      } else if (sight.sight === "gone") {
        if (operation.verb !== "delete" && !dropped.has(task.path)) {
          tell(run, operation.address, "is not there any more", "Run `ticketing apply` again.");
        }
      } else if (operation.verb === "delete") {
        tell(run, operation.address, "is still there", "Run `ticketing apply` again.");
      } else if (task.body !== undefined) {
        tellKeptOtherwise(
          run,
          kind,
          operation.address,
          task.fields,
          confirmFields(kind, task.fields, sight.live).returned,
        );
      } else if (
        isReached(kind, operation.verb, sight.live) === false &&
        !isSuperseded(plan, operation.address, operation.id)
      ) {
        tell(run, operation.address, `is not as '${operation.verb}' was to make it`, "Run `ticketing apply` again.");
      }
    }),
  );
}

/** A later transition of the same object has the last word. */
function isSuperseded(plan: Plan, address: string, id: string): boolean {
  const position = plan.operations.findIndex((each) => each.id === id);
  return plan.operations.slice(position + 1).some((each) => each.address === address && each.body === undefined);
}

function tell(run: Run, address: string, what: string, hint: string): void {
  tellWarning(run, "verify", address, `${capital(nameOf(address))} ${what}.`, hint);
}
