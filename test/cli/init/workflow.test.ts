// The workflow that init writes: valid, careful with keys, and made of commands that exist.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { type WorkflowOptions, workflowText } from "../../../src/cli/init/workflow.ts";
import { parseArguments } from "../../../src/cli/program.ts";
import { usages } from "../../../src/cli/usages.ts";
import { testWorld } from "../../stage/test-world.ts";

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly if: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly concurrency?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly on: Readonly<Record<string, unknown>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly defaults?: { readonly run: Readonly<Record<string, string>> };
  readonly jobs: Readonly<Record<"validate" | "plan" | "apply" | "drift", Job>>;
}

const variants: readonly WorkflowOptions[] = [
  { environment: "production", folder: "", branch: "main", version: "1.2.3" },
  { environment: null, folder: "teams/live/tickets", branch: "master", version: "1.2.3" },
];

function workflowOf(options: WorkflowOptions): Workflow {
  return parse(workflowText(options)) as Workflow;
}

/** Every `ticketing …` that a script runs, as words. */
function commandsIn(script: string): readonly (readonly string[])[] {
  return [...script.matchAll(/(?:^|\s)ticketing ([^|>\n]*)/g)].map((match) => (match[1] ?? "").trim().split(/\s+/));
}

describe.each(variants)("a workflow for $environment in '$folder'", (options) => {
  const workflow = workflowOf(options);
  const jobs = Object.entries(workflow.jobs);

  test("has a job for each occasion", () => {
    expect(jobs.map(([name]) => name)).toEqual(["validate", "plan", "apply", "drift"]);
    expect(Object.keys(workflow.on)).toEqual(["pull_request", "push", "schedule", "workflow_dispatch"]);
    expect(workflow.on.push).toEqual({ branches: [options.branch] });
  });

  test("runs only commands and flags that exist", async () => {
    const lines = jobs.flatMap(([, job]) => job.steps.flatMap((step) => commandsIn(step.run ?? "")));
    expect(lines.map(([name]) => name)).toEqual(["validate", "plan", "apply", "plan"]);
    for (const argv of lines) {
      const { world, written } = testWorld(argv);
      const parsed = await parseArguments(world, usages);
      expect(`${parsed.kind} ${written.stderr}`).toBe("run ");
    }
  });

  test("gives forks nothing but validate, and never a key", () => {
    expect(workflowText(options)).not.toContain("pull_request_target");
    expect(JSON.stringify(workflow.jobs.validate)).not.toMatch(/secrets|TICKETING_API_KEY/);
    expect(workflow.jobs.plan.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
    expect(workflow.jobs.apply.if).toContain(`github.ref == 'refs/heads/${options.branch}'`);
    expect(workflow.jobs.drift.if).toContain("github.event_name == 'schedule'");
  });

  test("hands the key to the steps that talk to the service and to no other", () => {
    for (const [, job] of jobs) {
      for (const step of job.steps) {
        expect(JSON.stringify(step).includes("secrets.")).toBe(step.env?.TICKETING_API_KEY !== undefined);
        if (step.env?.TICKETING_API_KEY !== undefined) expect(step.run).toMatch(/ticketing (plan|apply)/);
        if (step.uses?.startsWith("actions/checkout")) expect(step.with?.["persist-credentials"]).toBe(false);
      }
    }
    expect(workflow.jobs.plan.steps.find((step) => step.env?.TICKETING_API_KEY)?.env?.TICKETING_API_KEY).toContain(
      "secrets.TICKETING_READ_KEY",
    );
  });

  test("may do no more than it needs, and applies one at a time", () => {
    expect(workflow.permissions).toEqual({ contents: "read" });
    expect(workflow.jobs.plan.permissions).toEqual({ contents: "read", "pull-requests": "write" });
    for (const name of ["validate", "apply", "drift"] as const) expect(workflow.jobs[name].permissions).toBeUndefined();
    expect(workflow.jobs.apply.concurrency).toEqual({ group: "ticketing-apply", "cancel-in-progress": false });
  });

  test("keeps state between runs, and nothing that may hold a secret", () => {
    const caches = jobs.flatMap(([, job]) => job.steps).filter((step) => step.uses?.startsWith("actions/cache"));
    expect(caches).toHaveLength(3);
    for (const { with: settings } of caches) {
      const paths = String(settings?.path).trim().split("\n");
      expect(paths.every((path) => /\.ticketing\/(state|journal)\.\*\.jsonl?$/.test(path))).toBe(true);
      expect(paths.every((path) => path.startsWith(options.folder))).toBe(true);
    }
  });

  test("puts no text of a pull request into a script", () => {
    for (const [, job] of jobs) for (const step of job.steps) expect(step.run ?? "").not.toContain("${{");
  });
});

test("a project in a folder of the repository is worked on there", () => {
  expect(workflowOf(variants[1] as WorkflowOptions).defaults).toEqual({
    run: { "working-directory": "teams/live/tickets" },
  });
  expect(workflowOf(variants[0] as WorkflowOptions).defaults).toBeUndefined();
});

test("without an address in the file nothing is planned until a variable gives one", () => {
  const { jobs } = workflowOf(variants[1] as WorkflowOptions);
  for (const name of ["plan", "apply", "drift"] as const) {
    expect(jobs[name].if).toContain("vars.TICKETING_BASE_URL != ''");
    const step = jobs[name].steps.find(({ env }) => env?.TICKETING_API_KEY !== undefined);
    expect(step?.env?.TICKETING_BASE_URL).toBe("${{ vars.TICKETING_BASE_URL }}");
  }
});
