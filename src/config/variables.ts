// What `${var.…}` and `${env.…}` stand for in one environment.
import type { Diagnostic } from "../model/diagnostic.ts";
import { type Allowance, allowanceOfFile, allowanceOfProject, fillIn, type Reported, reported } from "./fill-in.ts";
import type { LocatedScalar, ScalarValue } from "./located.ts";

export interface Variables {
  /** Without those that have no value; why they have none is told where they stand. */
  readonly vars: ReadonlyMap<string, ScalarValue>;
  readonly names: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly allowance: Allowance;
}

/** Vars may be made of other vars; those that go in a circle, or are made of an unknown one, are problems and left out. */
export function resolveVariables(
  written: ReadonlyMap<string, LocatedScalar>,
  env: Variables["env"],
  problems: Diagnostic[],
): Variables {
  const vars = new Map<string, ScalarValue>();
  const open: string[] = [];
  const names = [...written.keys()];
  const allowances = [allowanceOfFile()];
  const failed = new Set<string>();

  function resolve(name: string): ScalarValue | undefined {
    const known = vars.get(name);
    if (known !== undefined || failed.has(name)) return known;
    const node = written.get(name);
    if (node === undefined) return undefined;
    if (open.includes(name)) {
      reportCircle(name);
      return undefined;
    }
    open.push(name);
    const value = node.marks === undefined ? node.value : fillIn(node, { lookUp, names, env }, problems, allowances);
    open.pop();
    if (value === undefined || failed.has(name)) failed.add(name);
    else vars.set(name, value);
    return vars.get(name);
  }

  function lookUp(name: string): ScalarValue | undefined | Reported {
    if (!written.has(name)) return undefined;
    return resolve(name) ?? reported;
  }

  function reportCircle(name: string): void {
    const circle = [...open.slice(open.indexOf(name)), name];
    for (const member of circle) failed.add(member);
    problems.push({
      code: "variable-circle",
      severity: "error",
      message: `The vars ${circle.join(" → ")} go in a circle.`,
      hint: "Give one of them a value of its own.",
      source: (written.get(name) as LocatedScalar).source,
    });
  }

  for (const name of written.keys()) resolve(name);
  return { vars, names, env, allowance: allowanceOfProject() };
}
