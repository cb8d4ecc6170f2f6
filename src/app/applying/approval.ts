import { relative } from "node:path";
import { createInterface } from "node:readline";
import { rootOf } from "../../model/address.ts";
import type { ApplyReport, Plan } from "../../model/plan.ts";
import { summarySentence } from "../../report/plan.ts";
import { safeText } from "../../report/text.ts";
import { renderPlan } from "../planning/save-plan.ts";
import { type Output, sameTarget, type World } from "../world.ts";

/** Whether there is somebody to ask. */
export function canAsk(world: World): boolean {
  return world.stdin.isTTY === true && world.stderr.isTerminal;
}

/** Only a clear yes is one. */
export function ask(world: World, question: string): Promise<boolean> {
  return new Promise((resolve) => {
    const lines = createInterface({ input: world.stdin, terminal: false });
    function answer(text: string): void {
      // Closing tells of itself as an empty answer, which then comes too late.
      resolve(/^yes$/i.test(text.trim()));
      world.interrupted.removeEventListener("abort", stop);
      lines.close();
    }
    function stop(): void {
      world.stderr.write("\n");
      answer("");
    }
    const rest = 'Only "yes" is taken for yes: ';
    // Room for the answer is left on the line.
    const isLong = question.length + rest.length + 5 > world.stderr.columns;
    world.stderr.write(`${question}${isLong ? "\n" : " "}${rest}`);
    world.interrupted.addEventListener("abort", stop, { once: true });
    lines.once("line", answer);
    lines.once("close", () => answer(""));
  });
}

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
    ({ code, severity, message }) => `${severity === "info" ? "notice" : severity}[${code}] ${message}`,
  );
  const lines = [
    `Plan for ${environment}: ${baseUrl}${whose}`,
    ...remarks,
    summarySentence(plan, options.skipBlocked),
    `So many changes are not listed here; --verbose lists them, and so does \`ticketing plan\`.`,
  ];
  out.write(`${lines.map(safeText).join("\n\n")}\n`);
}

export interface GoOnOptions {
  readonly planFile?: string;
  readonly directory: string;
  readonly env?: string;
  readonly baseUrl?: string;
}

/** More targets than this make a command that nobody can read; a plan shows what it covers anyway. */
const mostTargets = 10;

/**
 * The command to type next, as the shell wants it. A saved plan is done with: what is left of it needs a new one, of the
 * same objects and no others, for somebody to look at.
 */
export function goOnCommand(world: World, options: GoOnOptions, report: ApplyReport): string {
  return ["ticketing", ...(options.planFile === undefined ? world.argv : newPlan(world, options, report))]
    .map(quoted)
    .join(" ");
}

function newPlan(world: World, options: GoOnOptions, report: ApplyReport): readonly string[] {
  const folder = relative(world.cwd, options.directory);
  const targets = openTargets(report);
  return [
    "plan",
    ...(folder === "" ? [] : ["-C", folder]),
    ...sameTarget(options),
    ...(targets.length > mostTargets ? [] : targets.flatMap((target) => ["--target", target])),
    "--out",
    options.planFile ?? "",
  ];
}

/** The events and webhooks of which something is left to do. */
function openTargets({ plan, outcomes }: ApplyReport): readonly string[] {
  const done = new Set(outcomes.filter(({ result }) => result === "done").map(({ operation }) => operation));
  const open = plan.operations.filter((operation) => !done.has(operation.id));
  return [...new Set(open.map(({ address }) => rootOf(address)))];
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
