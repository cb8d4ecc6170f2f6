// A plan for the terminal: the target, a block per event, remarks, order and cost, and one sentence at the end.

import type { Plan } from "../../model/plan.ts";
import { buildPlanView } from "../plan-view/build-view.ts";
import type { Part, PlanView, Remark, Section } from "../plan-view/view.ts";
import { displayWidth } from "../text/display-width.ts";
import { plainText } from "../text/line.ts";
import { makePaint, markTone, type Tone } from "./paint.ts";
import { messageLines, objectLines, type Page, paragraph, piece, tint } from "./text-lines.ts";

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

export interface PlanTextOptions {
  readonly columns: number;
  readonly color: boolean;
  /** Every call, and long texts and lists in full. */
  readonly verbose: boolean;
  readonly skipBlocked?: boolean;
}

export function renderPlanText(plan: Plan, options: PlanTextOptions): string {
  const view = buildPlanView(plan, { full: options.verbose, skipBlocked: options.skipBlocked === true });
  const page: Page = { columns: Math.max(40, options.columns), paint: makePaint(options.color) };
  const paragraphs = [
    [page.paint([piece("heading", targetLine(view, page.columns))])],
    ...view.sections.map((section) => sectionLines(page, section)),
    ...view.remarks.map((remark) => remarkLines(page, remark)),
    orderLines(page, view),
    [...view.notes, ...(view.cost === null ? [] : [`Calls: ${view.cost}`])].flatMap((text) =>
      paragraph(page, [piece("word", text)], 0, 2),
    ),
    paragraph(page, [piece("heading", view.summary)], 0, 2),
  ];
  return `${paragraphs
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n")}\n`;
}

function sectionLines(page: Page, section: Section): readonly string[] {
  return [
    ...headLines(page, section, section.address, 0),
    ...(section.facts.length === 0 ? [] : paragraph(page, [piece("quiet", plainText(section.facts))], 4)),
    ...objectLines(page, section.lines, 4),
    ...section.parts.flatMap((part) => [...headLines(page, part, null, 2), ...objectLines(page, part.lines, 6)]),
  ];
}

function headLines(page: Page, part: Part, address: string | null, indent: number): readonly string[] {
  const pieces = [
    piece(markTone(part.symbol), `${part.symbol} `),
    ...tint(part.title),
    ...(address === null ? [] : [piece("quiet", ` (${address})`)]),
    ...(part.does === "" ? [] : [piece("word", `: ${part.does}`)]),
  ];
  return paragraph(page, pieces, indent, indent + 4);
}

const severityTones: Readonly<Record<Remark["severity"], Tone>> = {
  error: "blocked",
  warning: "warning",
  notice: "heading",
};

function remarkLines(page: Page, remark: Remark): readonly string[] {
  const place = remark.place === null ? [] : [piece("value", remark.place), piece("word", " ")];
  const hint =
    remark.hint === null ? [] : paragraph(page, [piece("heading", "fix: "), piece("prose", remark.hint)], 2, 4);
  const head = [piece(severityTones[remark.severity], remark.severity), piece("quiet", `[${remark.code}] `), ...place];
  return [...messageLines(page, head, remark.message, 0), ...hint];
}

function orderLines(page: Page, view: PlanView): readonly string[] {
  if (view.steps.length === 0) return [];
  const width = String(view.steps.length).length;
  const lines = view.steps.flatMap((step, index) => {
    const number = view.stepsInOrder ? `${String(index + 1).padStart(width)}. ` : "";
    const call = step.call === null ? [] : [piece("quiet", ` (${step.call})`)];
    return paragraph(page, [piece("word", number), ...tint(step.words), ...call], 2, 2 + number.length);
  });
  const when = view.onlySkipping ? ", with --skip-blocked" : "";
  const heading = view.stepsInOrder
    ? `In this order${when}:`
    : `In all${when} (--verbose lists every call in its order):`;
  return [...paragraph(page, [piece("heading", heading)], 0, 2), ...lines];
}
