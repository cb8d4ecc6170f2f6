import type { Plan } from "../../model/plan.ts";

export interface RenderOptions {
  readonly format: string;
  readonly color: boolean;
  readonly verbose: boolean;
  readonly columns: number;
  /** An apply that leaves out what is blocked shows it. */
  readonly skipBlocked?: boolean;
}

export async function renderPlan(plan: Plan, options: RenderOptions): Promise<string> {
  switch (options.format) {
    case "json":
      return (await import("../../report/plan-json.ts")).renderPlanJson(plan);
    case "markdown":
      return (await import("../../report/plan-markdown.ts")).renderPlanMarkdown(plan);
    case "html":
      return (await import("../../report/plan-html.ts")).renderPlanHtml(plan);
    default:
      return (await import("../../report/plan-text.ts")).renderPlanText(plan, options);
  }
}
