// The GitHub workflow: one command a job. Its input comes from the event and from secrets, as variables: no text of a pull
// request or of an input ever becomes part of a script.
import { projectFile } from "../../../config/project.ts";
import {
  asYaml,
  byAddressNote,
  type CiProject,
  type CiTarget,
  driftBudget,
  dueWait,
  escapePattern,
  inProject,
  installedFile,
  jobGroup,
  nightly,
  otherSheets,
  ownEndings,
  packageAt,
  projectSlug,
  setupComments,
  targetsOf,
  upToRoot,
} from "./ci-project.ts";

/** Tags of actions can move; commits cannot. */
const actions = {
  checkout: "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1",
  node: "actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0",
  upload: "actions/upload-artifact@bbbca2ddaa5d8feaa63e36b76fdaad77386f024f # v7.0.0",
};

export function githubFile(project: Pick<CiProject, "folder">): string {
  return `.github/workflows/ticketing${project.folder === "" ? "" : `-${projectSlug(project)}`}.yml`;
}

export function githubWorkflow(project: CiProject): string {
  const targets = targetsOf(project);
  const jobs = [
    validateJob(project),
    ...targets.map((target) => planJob(project, target)),
    ...targets.map((target) => applyJob(project, target, targets)),
    ...(project.hasPhases ? targets.map((target) => dueJob(project, target)) : []),
    ...targets.map((target) => driftJob(project, target)),
  ];
  return [head(project, targets), ...jobs].join("\n");
}

/** Passes no `--unreviewed`: starting a run by hand is no reason to be less strict. */
const asInFiles = `as ${projectFile} says`;

const quarterly = "7-59/15 * * * *";

function head(project: CiProject, targets: readonly CiTarget[]): string {
  const { folder, branch } = project;
  const keys = targets.flatMap(({ apiKey, readKey, name }) => [
    [
      `secret ${apiKey}`,
      `a key that may write, for ${name}; apply uses it. Best kept as a secret of the environment ${name}`,
    ],
    [`secret ${readKey}`, `a key that may only read, for plans and drift checks; if it is not set, they use ${apiKey}`],
  ]);
  const address = targets.some(({ byAddress }) => byAddress)
    ? [["variable TICKETING_BASE_URL", byAddressNote("github")]]
    : [];
  const state = (project.stateSecrets ?? []).map((name) => [`secret ${name}`, "where the state is kept"]);
  return `# Validates and plans pull requests, applies what is merged, and checks for drift every night.
#
# Set up once, under Settings, Secrets and variables, Actions:
${setupComments([...keys, ...state, ...address])}
name: ${asYaml(`ticketing${inProject(project)}`)}

# To make a check required, delete \`paths\` under pull_request: otherwise pull requests that skip it wait forever.
on:
  pull_request:
${paths(project)}
  merge_group:
  push:
    branches: [${asYaml(escapePattern(branch))}]
${paths(project)}
  schedule:
    - cron: ${asYaml(nightly)} # 03:17 in Manila
${project.hasPhases ? `    - cron: ${asYaml(quarterly)} # for phases that come due; not on the hour, when GitHub often starts jobs late\n` : ""}  workflow_dispatch:
    inputs:
      allow:
        description: Accept these risks, such as price-change-with-sales
        type: string
      target:
        description: Only this address, such as events/manila-nights
        type: string
      unreviewed:
        description: What to do with changes that no pull request has shown
        type: choice
        options: [${asInFiles}, hold, apply, stop]
        default: ${asInFiles}
${environmentInput(targets)}
permissions: {}

defaults:
  run:
    shell: bash # with -eo pipefail
${folder === "" ? "" : `    working-directory: ${asYaml(folder)}\n`}
jobs:`;
}

function paths(project: CiProject): string {
  const { folder, install } = project;
  const own =
    folder === ""
      ? [...ownEndings.map((ending) => `**.${ending}`), ...otherSheets(project)]
      : [`${escapePattern(folder)}/**`, githubFile(project)];
  const listed = [...own, ...(install.from === "tarball" ? [install.file] : [])];
  return `    paths: [${listed.map(asYaml).join(", ")}]`;
}

function environmentInput(targets: readonly CiTarget[]): string {
  if (targets.length === 1) return "";
  return `      environment:
        description: Where to apply
        type: choice
        options: [all, ${targets.map(({ name }) => asYaml(name)).join(", ")}]
        default: all
`;
}

const isFork = "github.event.pull_request.head.repo.full_name != github.repository";
const isDependabot = "github.actor == 'dependabot[bot]'";

function validateJob(project: CiProject): string {
  return `  # Needs no API key, so it also runs for pull requests from forks; nothing else does.
  validate:
    name: ${asYaml(`ticketing validate${inProject(project)}`)}
    if: github.event_name == 'pull_request' || github.event_name == 'merge_group'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    permissions:
      contents: read
    steps:
${setup(project, false)}
      - name: Validate
        run: ticketing validate --format github
      - name: Say why there is no plan
        if: ${"${{"} !cancelled() && github.event_name == 'pull_request' && (${isFork} || ${isDependabot}) }}
        run: |
          why="No plan: jobs for pull requests from forks and from Dependabot get no secrets, so this one was only validated. A maintainer who has read it can push its branch to this repository to have it planned."
          echo "::notice title=No plan::$why"
          echo "$why" >> "$GITHUB_STEP_SUMMARY"
`;
}

function planJob(project: CiProject, target: CiTarget): string {
  const { name, flag, suffix, byAddress } = target;
  return `  plan${suffix}:
    name: ${asYaml(`ticketing plan ${name}${inProject(project)}`)}
    if: >-
      ${byAddress ? "vars.TICKETING_BASE_URL != '' && " : ""}(github.event_name == 'merge_group' ||
      (github.event_name == 'pull_request' &&
      github.event.pull_request.head.repo.full_name == github.repository && github.actor != 'dependabot[bot]'))
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
      pull-requests: write # for the comment
    concurrency:
      group: ${jobGroup(project, "plan", name)}/\${{ github.event.pull_request.number || github.ref }}
      cancel-in-progress: true
    steps:
${setup(project, true)}
      - name: Plan
        env:
${variables(target, `secrets.${target.readKey} || secrets.${target.apiKey}`)}
        run: ticketing ci plan ${flag}--artifacts "$RUNNER_TEMP/plan"
      - name: Keep the plan
        if: \${{ !cancelled() }}
        uses: ${actions.upload}
        with:
          name: plan-${name}
          path: \${{ runner.temp }}/plan
          if-no-files-found: ignore
`;
}

function applyJob(project: CiProject, target: CiTarget, targets: readonly CiTarget[]): string {
  const { name, flag, suffix, byAddress } = target;
  const chosen =
    targets.length === 1
      ? "github.event_name == 'workflow_dispatch'"
      : `(github.event_name == 'workflow_dispatch' && (inputs.environment == 'all' || inputs.environment == '${name}'))`;
  return `  apply${suffix}:
    name: ${asYaml(`ticketing apply ${name}${inProject(project)}`)}
    if: >-
      ${byAddress ? "vars.TICKETING_BASE_URL != '' && " : ""}github.ref == 'refs/heads/${project.branch.replaceAll("'", "''")}' &&
      (github.event_name == 'push' || ${chosen})
    runs-on: ubuntu-latest
    timeout-minutes: 120 # if it is cut off, the next run finishes the work
    environment: ${name} # in its settings, GitHub can require reviewers and limit branches
    permissions:
      contents: write # state is kept in refs/ticketing/
      pull-requests: write # the result goes into the comment
      actions: read # whether the run that holds the lock has ended
    concurrency:
      group: ${jobGroup(project, "apply", name)}
      cancel-in-progress: false
    steps:
${setup(project, true)}
      - name: Apply
        env:
${variables(target, `secrets.${target.apiKey}`)}
          ALLOW: \${{ inputs.allow }}
          TARGET: \${{ inputs.target }}
          UNREVIEWED: \${{ inputs.unreviewed != '${asInFiles}' && inputs.unreviewed || '' }}
        run: |
          read -ra codes <<< "\${ALLOW//,/ }"
          ticketing ci apply ${flag}"\${codes[@]/#/--allow=}" \${TARGET:+--target "$TARGET"} \\
            \${UNREVIEWED:+--unreviewed "$UNREVIEWED"}
`;
}

/** In its own group: it waits for a while, and what is merged meanwhile is applied. The lock keeps them apart. */
function dueJob(project: CiProject, target: CiTarget): string {
  const { name, flag, suffix, byAddress } = target;
  return `  # Applies what has come due, and waits for what comes due next, to send it exactly on time. With nothing due it makes no call.
  due${suffix}:
    name: ${asYaml(`ticketing due ${name}${inProject(project)}`)}
    if: ${byAddress ? "vars.TICKETING_BASE_URL != '' && " : ""}github.event_name == 'schedule' && github.event.schedule == '${quarterly}'
    runs-on: ubuntu-latest
    timeout-minutes: 60
    environment: ${name}
    permissions:
      contents: write # state is kept in refs/ticketing/
      pull-requests: write # the result goes into the comment
      actions: read # whether the run that holds the lock has ended
    concurrency:
      group: ${jobGroup(project, "due", name)}
      cancel-in-progress: false
    steps:
${setup(project, true)}
      - name: Apply what is due
        env:
${variables(target, `secrets.${target.apiKey}`)}
        run: ticketing ci apply ${flag}--wait ${dueWait}
`;
}

function driftJob(project: CiProject, target: CiTarget): string {
  const { name, flag, suffix, byAddress } = target;
  const atNight = project.hasPhases ? ` && github.event.schedule == '${nightly}'` : "";
  return `  # Opens an issue if somebody changed the service by hand, and closes it once there is no drift. The budget is in
  # calls: half of what the free tier allows in an hour, so that an apply is not kept waiting. What is left is checked the next night.
  drift${suffix}:
    name: ${asYaml(`ticketing drift ${name}${inProject(project)}`)}
    if: ${byAddress ? "vars.TICKETING_BASE_URL != '' && " : ""}github.event_name == 'schedule'${atNight}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: write # state remembers what was checked when
      issues: write
    concurrency:
      group: ${jobGroup(project, "drift", name)}
      cancel-in-progress: false
    steps:
${setup(project, true)}
      - name: Check for drift
        env:
${variables(target, `secrets.${target.readKey} || secrets.${target.apiKey}`)}
        run: ticketing ci drift ${flag}--budget ${driftBudget}
`;
}

/** All history, because git finds what changed. Only jobs that read or write state keep the credentials. */
function setup(project: CiProject, withCredentials: boolean): string {
  return `      - uses: ${actions.checkout}
        with:
          fetch-depth: 0
          persist-credentials: ${withCredentials}
      - uses: ${actions.node}
        with:
          node-version: 22
          package-manager-cache: false
      - name: Install ticketing
        run: ${install(project)}`;
}

function install(project: CiProject): string {
  const { install: source } = project;
  if (source.from === "tarball")
    return `npm install --global --ignore-scripts --offline ${upToRoot(project) || "./"}${source.file}`;
  return `|
          cd "$(mktemp -d)"
          npm pack --silent ${packageAt(source)}
          echo "${source.digest}  ${installedFile(source)}" | sha512sum --check --strict
          npm install --global --ignore-scripts --offline ./${installedFile(source)}`;
}

function variables({ apiKey, byAddress, stateSecrets }: CiTarget, secret: string): string {
  const state = stateSecrets.map((name) => `\n          ${name}: \${{ secrets.${name} }}`).join("");
  const address = byAddress ? "\n          TICKETING_BASE_URL: ${{ vars.TICKETING_BASE_URL }}" : "";
  return `          GITHUB_TOKEN: \${{ github.token }}
          ${apiKey}: \${{ ${secret} }}${state}${address}`;
}
