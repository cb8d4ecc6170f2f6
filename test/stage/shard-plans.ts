// The plans of all shards of a run, and that they add up to the whole plan: each change in exactly one of them.
import { expect } from "vitest";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { Operation, Plan, Summary } from "../../src/model/plan.ts";
import { renderPlanJson } from "../../src/report/formats/plan-text.ts";
import { planOf, type Setup, type Staged } from "./plan-of.ts";
import { expectPlanShape } from "./plan-shape.ts";

export async function expectParts(whole: Staged, setup: Setup, parts: readonly number[]): Promise<void> {
  for (const count of parts) {
    // One service for all: what it makes up, such as ids, is the same for each.
    const shards = await shardsOf({ ...setup, service: whole.service }, count);
    expectSum(
      shards.map(({ plan }) => plan),
      whole.plan,
    );
    expect(shards.flatMap(({ forgotten }) => forgotten).sort()).toEqual([...whole.forgotten].sort());
    expect(Object.assign({}, ...shards.map(({ matched }) => matched))).toEqual(whole.matched);
  }
}

export async function shardsOf({ live: _, ...setup }: Setup, count: number): Promise<readonly Staged[]> {
  const shards: Staged[] = [];
  for (let index = 1; index <= count; index += 1) {
    const shard = await planOf({ ...setup, shard: `${index}/${count}` });
    expectPlanShape(renderPlanJson(shard.plan));
    expect(shard.plan.shard).toBe(`${index}/${count}`);
    shards.push(shard);
  }
  return shards;
}

function expectSum(shards: readonly Plan[], whole: Plan): void {
  const all = <Item>(part: (plan: Plan) => readonly Item[]) => shards.flatMap((plan) => part(plan));
  expect(sorted(all(({ changes }) => changes))).toEqual(sorted(whole.changes));
  expect(sorted(all(({ held = [] }) => held))).toEqual(sorted(whole.held ?? []));
  expect(sorted(all(({ operations }) => operations.map(unnumbered(operations))))).toEqual(
    sorted(whole.operations.map(unnumbered(whole.operations))),
  );
  expect(sorted(all(({ observed }) => observed))).toEqual(sorted(whole.observed));
  expect(sorted(all(({ upcoming }) => upcoming))).toEqual(sorted(whole.upcoming));
  expect(once(all(({ diagnostics }) => diagnostics.map(uncounted)))).toEqual(once(whole.diagnostics.map(uncounted)));
  expect(shards.map(({ summary }) => summary).reduce(sum)).toEqual(whole.summary);
}

/** Numbers are given again in each plan. */
function unnumbered(all: readonly Operation[]): (operation: Operation) => unknown {
  const names = new Map(all.map(({ id, verb, address }) => [id, `${verb} ${address}`]));
  return ({ id: _, needs, ...operation }) => ({ ...operation, needs: needs.map((id) => names.get(id)).sort() });
}

/** Each counts its own. */
function uncounted(diagnostic: Diagnostic): unknown {
  return diagnostic.code === "unreadable-fields" ? diagnostic.code : diagnostic;
}

function sum(one: Summary, other: Summary): Summary {
  const entries = Object.keys(one) as (keyof Summary)[];
  return Object.fromEntries(
    entries.map((key) => {
      const [a, b] = [one[key], other[key]];
      return [key, a === null ? b : b === null ? a : a + b];
    }),
  ) as unknown as Summary;
}

function sorted(items: readonly unknown[]): readonly string[] {
  return items.map((item) => JSON.stringify(item)).sort();
}

function once(items: readonly unknown[]): readonly string[] {
  return [...new Set(sorted(items))];
}
