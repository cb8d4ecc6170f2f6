// Problems at the lines of files, as GitHub shows them beside a change. GitLab shows the log, which has them already.
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { ApplyReport, Plan } from "../../model/plan.ts";
import { withoutFlags } from "../../report/comment.ts";
import { renderAnnotations } from "../../report/diagnostics.ts";
import type { CiJob } from "./ci-job.ts";

/** Lines for the log; empty where the host reads none. */
export function annotationsOf({ run, scope }: CiJob, plan: Plan, applied?: Pick<ApplyReport, "outcomes">): string {
  if (run?.host !== "github") return "";
  const sources = new Map(plan.changes.map(({ address, source }) => [address, source]));
  const at = (address: string) => {
    const source = sources.get(address) ?? null;
    return source === null ? {} : { source };
  };
  const blocks = plan.changes.flatMap(({ address, blockedBy }) =>
    blockedBy.map(
      (block): Diagnostic => ({
        ...block,
        // There is no command line in a pull request.
        hint: withoutFlags(block.hint),
        severity: "error",
        ...at(address),
      }),
    ),
  );
  const causes = new Map(plan.operations.map(({ id, because }) => [id, because]));
  const failures = (applied?.outcomes ?? []).flatMap(({ operation, result, error }): readonly Diagnostic[] => {
    if (result === "done" || result === "skipped" || error === undefined) return [];
    const { code, message, hint } = error;
    return [
      { code, severity: "error", message, ...(hint === null ? {} : { hint }), ...at(causes.get(operation) ?? "") },
    ];
  });
  const remarks = plan.diagnostics.filter(({ severity }) => severity !== "info");
  return renderAnnotations([...remarks, ...blocks, ...failures], scope.project === "" ? "" : `${scope.project}/`);
}
