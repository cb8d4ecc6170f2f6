import { displayWidth } from "./display-width.ts";
import type { PlanView } from "./plan-view.ts";

/** What the plan is for, in one line: shorter words where the address is long. */
export function targetLine(view: PlanView, columns: number): string {
  const { environment, baseUrl, organization } = view;
  const whose = organization === null ? "" : `, organization ${organization}`;
  // Where the address cannot be used, what follows says why.
  if (baseUrl === "") return `Plan for ${environment}${whose}`;
  const long = `Plan for ${environment}: ${baseUrl}${whose}`;
  if (displayWidth(long) <= columns || organization === null) return long;
  return `${environment}: ${baseUrl}, ${organization}`;
}
