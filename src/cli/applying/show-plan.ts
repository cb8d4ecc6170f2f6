import type { Plan } from "../../model/plan.ts";
import { safeText } from "../../report/safe-text.ts";
import { summarySentence } from "../../report/summary-sentence.ts";
import { renderPlan } from "../planning/render-plan.ts";
import type { Output } from "../world.ts";

export interface ShowOptions {
  readonly color: boolean;
  readonly verbose: boolean;
  /** Nobody is asked: what is done is told line by line as it is done. */
  readonly unattended: boolean;
  readonly skipBlocked: boolean;
}

/** More changes than this are a book that nobody reads in a log. */
const mostListed = 1000;

export async function showPlan(plan: Plan, out: Output, options: ShowOptions): Promise<void> {
  const whole = options.verbose || !options.unattended || plan.changes.length <= mostListed;
  if (whole || plan.diagnostics.some((each) => each.severity === "error")) {
    const { color, verbose, skipBlocked } = options;
    out.write(await renderPlan(plan, { format: "text", color, verbose, columns: out.columns, skipBlocked }));
    return;
  }
  const { environment, baseUrl, organization } = plan.target;
  const whose = organization === null ? "" : `, organization ${organization.slug}`;
  const remarks = plan.diagnostics.map(
    ({ severity, message }) => `${severity === "info" ? "notice" : severity}: ${message}`,
  );
  const lines = [
    `Plan for ${environment}: ${baseUrl}${whose}`,
    ...remarks,
    summarySentence(plan, options.skipBlocked),
    `So many changes are not listed here; --verbose lists them, and so does \`ticketing plan\`.`,
  ];
  out.write(`${lines.map(safeText).join("\n\n")}\n`);
}
