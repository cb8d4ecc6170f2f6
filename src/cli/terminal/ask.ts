// Approval by a person at the terminal.
import { createInterface } from "node:readline";
import { renderPlan } from "../../app/plan.ts";
import type { Output, World } from "../../app/world.ts";
import type { Plan } from "../../model/plan.ts";
import { summarySentence } from "../../report/plan.ts";
import { safeText } from "../../report/text.ts";

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
