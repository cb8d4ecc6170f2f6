// Taking back what we made ourselves: written down like every other call.
import type { Kind } from "../kinds/define.ts";
import type { Address } from "../model/address.ts";
import type { Problem } from "../service/problem.ts";
import { intend } from "./intend.ts";
import { listPath, lookAt } from "./look.ts";
import type { Run } from "./run.ts";

/** null: it is gone. */
export async function removeOurs(
  run: Run,
  kind: Kind,
  address: Address,
  parentId: string | null,
  id: string,
): Promise<Problem | null> {
  const path = `${listPath(kind, parentId)}/${id}`;
  const about = { address, kind: kind.name, verb: "delete", method: "DELETE", path, parentId, id, fields: {} } as const;
  const { seq } = await intend(run, about);
  const answer = await run.service.request("DELETE", path);
  if (answer.ok) {
    run.journal.close(seq, "done");
    return null;
  }
  if (answer.problem.class === "ambiguous" || answer.problem.class === "refused") {
    const sight = await lookAt(run, kind, parentId, id);
    if (sight.sight === "gone") {
      run.journal.close(seq, "adopted");
      return null;
    }
  }
  run.journal.close(seq, answer.problem.class === "refused" ? "refused" : "passed");
  return answer.problem;
}
