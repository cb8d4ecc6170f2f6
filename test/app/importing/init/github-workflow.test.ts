// The workflow that init writes: valid, careful with keys, and made of commands that exist.
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import type { CiProject } from "../../../../src/app/importing/init/ci-project.ts";
import { githubFile, githubWorkflow } from "../../../../src/app/importing/init/github-workflow.ts";
import { lintWorkflow } from "../../../stage/lint-workflow.ts";
import { ciSamples } from "./ci-samples.ts";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly name: string;
  readonly if: string;
  readonly "timeout-minutes": number;
  readonly permissions: Readonly<Record<string, string>>;
  readonly concurrency?: { readonly group: string; readonly "cancel-in-progress": boolean };
  readonly steps: readonly Step[];
}

interface Workflow {
  readonly name: string;
  readonly on: Readonly<Record<string, { readonly paths?: readonly string[]; readonly inputs?: object } | null>>;
  readonly permissions: Readonly<Record<string, string>>;
  readonly defaults: { readonly run: Readonly<Record<string, string>> };
  readonly jobs: Readonly<Record<string, Job>>;
}

function workflowOf(project: CiProject): Workflow {
  return parse(githubWorkflow(project)) as Workflow;
}

const [single, several, unnamed] = ciSamples as [CiProject, CiProject, CiProject];

describe.each(ciSamples)("a workflow for $environments in '$folder'", (project) => {
  const workflow = workflowOf(project);
  const jobs = Object.entries(workflow.jobs);
  const steps = jobs.flatMap(([, job]) => job.steps);

  test("actionlint finds nothing", async () => {
    expect(await lintWorkflow(githubWorkflow(project), githubFile(project))).toEqual([]);
  });

  test("answers every occasion", () => {
    expect(Object.keys(workflow.on)).toEqual(["pull_request", "merge_group", "push", "schedule", "workflow_dispatch"]);
    expect(workflow.on.push).toMatchObject({ branches: [project.branch] });
    expect(workflow.on.workflow_dispatch?.inputs).toMatchObject({ allow: {}, target: {}, unreviewed: {} });
    for (const event of ["push", "pull_request"]) {
      const { paths = [] } = workflow.on[event] ?? {};
      if (project.folder !== "") expect(paths).toContain(`${project.folder}/**`);
      if (project.install.from === "tarball") expect(paths).toContain(project.install.file);
    }
  });

  test("gives forks nothing but validate, and never a key", () => {
    const text = githubWorkflow(project);
    expect(text).not.toContain("pull_request_target");
    expect(JSON.stringify(workflow.jobs.validate)).not.toMatch(/secrets\.|TICKETING_API_KEY|github\.token/);
    expect(JSON.stringify(workflow.jobs.validate)).toContain("No plan");
    for (const [name, job] of jobs) {
      if (name.startsWith("plan"))
        expect(job.if).toContain("github.event.pull_request.head.repo.full_name == github.repository");
      if (name.startsWith("apply"))
        expect(job.if).toContain(`github.ref == 'refs/heads/${project.branch.replace("'", "''")}'`);
      if (name.startsWith("drift")) expect(job.if).toContain("github.event_name == 'schedule'");
    }
  });

  test("hands keys and tokens to the steps that need them and to no other", () => {
    for (const step of steps) {
      const isCommand = / ci (plan|apply|drift)/.test(step.run ?? "");
      expect(JSON.stringify(step).includes("secrets.")).toBe(isCommand);
      expect(step.env?.GITHUB_TOKEN !== undefined).toBe(isCommand);
    }
    for (const [name, job] of jobs) {
      const checkout = job.steps.find(({ uses }) => uses?.startsWith("actions/checkout"));
      expect(checkout?.with).toEqual({ "fetch-depth": 0, "persist-credentials": name !== "validate" });
      const text = JSON.stringify(job.steps.filter(({ env }) => env?.GITHUB_TOKEN !== undefined));
      if (/^(apply|due)/.test(name)) expect(text).not.toContain("READ_KEY");
      else if (name !== "validate") expect(text).toMatch(/secrets\.\w+_READ_KEY \|\| secrets\./);
    }
  });

  test("may do no more than it needs, ends, and applies one at a time", () => {
    expect(workflow.permissions).toEqual({});
    const rights: Readonly<Record<string, object>> = {
      validate: { contents: "read" },
      plan: { contents: "read", "pull-requests": "write" },
      apply: { contents: "write", "pull-requests": "write", actions: "read" },
      due: { contents: "write", "pull-requests": "write", actions: "read" },
      drift: { contents: "write", issues: "write" },
    };
    for (const [name, job] of jobs) {
      const [kind = ""] = name.split("-");
      expect(job.permissions).toEqual(rights[kind]);
      expect(job["timeout-minutes"]).toBeGreaterThan(0);
      if (kind === "apply") expect(job.concurrency?.["cancel-in-progress"]).toBe(false);
    }
  });

  test("puts no expression into a script, and pins every action by its commit", () => {
    for (const { run, uses } of steps) {
      expect(run ?? "").not.toContain("${{");
      if (uses !== undefined) expect(uses).toMatch(/@[0-9a-f]{40}$/);
    }
    expect(workflow.defaults.run.shell).toBe("bash");
    expect(workflow.defaults.run["working-directory"] ?? "").toBe(project.folder);
  });
});

test("each environment has its jobs, its keys and its name in every check", () => {
  const { jobs, on } = workflowOf(several);
  const kinds = ["plan", "apply", "due", "drift"].flatMap((kind) => [`${kind}-staging`, `${kind}-production`]);
  expect(Object.keys(jobs)).toEqual(["validate", ...kinds]);
  expect(jobs["plan-staging"]?.name).toBe("ticketing plan staging (teams/live events)");
  const step = jobs["plan-staging"]?.steps.find(({ name }) => name === "Plan");
  expect(step?.env?.TICKETING_STAGING_KEY).toBe(
    "${{ secrets.TICKETING_STAGING_READ_KEY || secrets.TICKETING_STAGING_KEY }}",
  );
  expect(on.workflow_dispatch?.inputs).toMatchObject({ environment: { options: ["all", "staging", "production"] } });
  expect(jobs["apply-staging"]?.if).toContain("inputs.environment == 'staging'");
});

test("two projects of a repository share no file, no name and no group", () => {
  const [one, other] = [single, unnamed].map((project) => {
    const { name, jobs } = workflowOf(project);
    const groups = Object.values(jobs).flatMap(({ concurrency }) => concurrency?.group ?? []);
    return [githubFile(project), name, ...Object.values(jobs).map((job) => job.name), ...groups];
  });
  expect(one?.filter((name) => other?.includes(name))).toEqual([]);
});

test("from a registry it installs one version, by its digest", () => {
  const step = workflowOf(several).jobs.validate?.steps.find(({ name }) => name === "Install ticketing");
  expect(step?.run).toContain("npm pack --silent ticketing-as-code@1.2.3\n");
  expect(step?.run).toContain(`${"ab".repeat(64)}  ticketing-as-code-1.2.3.tgz" | sha512sum --check --strict\n`);
  const vendored = workflowOf(unnamed).jobs.validate?.steps.find(({ name }) => name === "Install ticketing");
  expect(vendored?.run).toBe("npm install --global --ignore-scripts --offline ../vendor/ticketing-1.2.3.tgz");
});

test("without an address in the file nothing is planned until a variable gives one", () => {
  const { jobs } = workflowOf(unnamed);
  for (const name of ["plan", "apply", "due", "drift"]) {
    expect(jobs[name]?.if).toContain("vars.TICKETING_BASE_URL != ''");
    const step = jobs[name]?.steps.find(({ env }) => env?.TICKETING_API_KEY !== undefined);
    expect(step?.env?.TICKETING_BASE_URL).toBe("${{ vars.TICKETING_BASE_URL }}");
  }
});

test("where phases exist, a job every 15 minutes stays for what comes due, and holds up no merge", () => {
  const { on, jobs } = workflowOf(several);
  const [night, quarter] = on.schedule as unknown as readonly { readonly cron: string }[];
  expect(quarter?.cron).toMatch(/\/15 \* \* \* \*$/);
  const { if: condition, steps = [], concurrency } = jobs["due-staging"] ?? {};
  expect(condition).toContain(`github.event.schedule == '${quarter?.cron}'`);
  expect(jobs["drift-staging"]?.if).toContain(`github.event.schedule == '${night?.cron}'`);
  expect(steps.at(-1)?.run).toBe("ticketing ci apply --env staging --wait 15m");
  expect(concurrency?.group).not.toBe(jobs["apply-staging"]?.concurrency?.group);
  const without = workflowOf(single);
  expect(Object.keys(without.jobs)).toEqual(["validate", "plan", "apply", "drift"]);
  expect(without.on.schedule).toHaveLength(1);
});
