// The GitHub workflow: validate for everybody, plan for pull requests of the repository itself, apply on the main branch,
// and a check for drift every night.
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";

export const workflowFile = ".github/workflows/ticketing.yml";

export interface WorkflowOptions {
  /** The environment of ticketing.yaml; null: the address comes from a variable of the repository. */
  readonly environment: string | null;
  /** The project's folder within the repository, with `/`; "" if it is the repository. */
  readonly folder: string;
  readonly branch: string;
  readonly version: string;
}

export function workflowText(options: WorkflowOptions): string {
  return [head(options), validateJob(options), planJob(options), applyJob(options), driftJob(options)].join("\n");
}

function head({ environment, folder, branch }: WorkflowOptions): string {
  const variable = environment === null ? "\n#   variable TICKETING_BASE_URL  the address of the service" : "";
  return `# Validates and plans pull requests, applies what is merged, and checks for drift every night.
#
# Set up once, under Settings, Secrets and variables, Actions:
#   secret TICKETING_API_KEY     a key of your organization; only apply uses it
#   secret TICKETING_READ_KEY    a read-only key; plans use it (without it, they use the other one)${variable}
#
# Action tags can move. If your policy requires it, pin commits instead (\`@<commit> # v4\`).
name: ticketing

on:
  pull_request:
  push:
    branches: [${branch}]
  schedule:
    - cron: "17 19 * * *" # 03:17 in Manila
  workflow_dispatch:

permissions:
  contents: read
${folder === "" ? "" : `\ndefaults:\n  run:\n    working-directory: ${JSON.stringify(folder)}\n`}
jobs:`;
}

function validateJob(options: WorkflowOptions): string {
  return `  # Needs no key, so it also runs for pull requests from forks; nothing else does.
  validate:
    if: github.event_name == 'pull_request'
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
${setup(options, 1)}
      - run: ticketing validate --strict --format github
`;
}

function planJob(options: WorkflowOptions): string {
  return `  plan:
    needs: validate
    if: >-
      github.event_name == 'pull_request' &&
      github.event.pull_request.head.repo.full_name == github.repository &&
      github.actor != 'dependabot[bot]'${ifAddress(options)}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
      pull-requests: write # for the comment
    concurrency:
      group: ticketing-plan-\${{ github.event.pull_request.number }}
      cancel-in-progress: true
    steps:
${setup(options, 2)}
      # The checkout is the merged pull request; its first parent is the target branch.
      - name: Plan
        env:
${keyFor(options, "secrets.TICKETING_READ_KEY || secrets.TICKETING_API_KEY")}
        run: |
          ticketing plan${environmentFlag(options)} --base HEAD^1 --format markdown > plan.md || code=$?
          cat plan.md >> "$GITHUB_STEP_SUMMARY"
          exit "\${code:-0}"
      - name: Comment
        if: \${{ !cancelled() }}
        env:
          GH_TOKEN: \${{ github.token }}
          PULL_REQUEST: \${{ github.event.pull_request.number }}
        run: |
          { echo '<!-- ticketing-plan -->'; cat plan.md; } > comment.md
          comments="repos/$GITHUB_REPOSITORY/issues/$PULL_REQUEST/comments"
          ours='.[] | select(.user.type == "Bot" and (.body | startswith("<!-- ticketing-plan -->"))) | .id'
          id=$(gh api --paginate "$comments" --jq "$ours" | head -n 1)
          if [ -n "$id" ]; then
            gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$id" --field body=@comment.md
          else
            gh api --silent --method POST "$comments" --field body=@comment.md
          fi
`;
}

function applyJob(options: WorkflowOptions): string {
  return `  apply:
    if: >-
      github.ref == 'refs/heads/${options.branch}' &&
      (github.event_name == 'push' || github.event_name == 'workflow_dispatch')${ifAddress(options)}
    runs-on: ubuntu-latest
    timeout-minutes: 120 # if it is cut off, the next run finishes the work
    environment: ${options.environment ?? "production"} # GitHub can require reviewers and branches for it
    concurrency:
      group: ticketing-apply
      cancel-in-progress: false
    steps:
${setup(options, 0)}
      # State makes plans smaller and more certain, but it is not required: without it, everything is compared again, and
      # only deleted files go unnoticed (\`status: DELETED\` never does).
      - name: Restore state
        uses: actions/cache/restore@v4
        with:
${cached(options)}
          restore-keys: ticketing-state-
      - name: Apply
        env:
${keyFor(options, "secrets.TICKETING_API_KEY")}
        run: ticketing apply${environmentFlag(options)} --base last --yes
      - name: Save state
        if: always()
        uses: actions/cache/save@v4
        with:
${cached(options)}
`;
}

function driftJob(options: WorkflowOptions): string {
  const address = options.environment === null ? " && vars.TICKETING_BASE_URL != ''" : "";
  return `  # Fails if someone changed the live service by hand; GitHub notifies whoever last edited the schedule above.
  drift:
    if: github.event_name == 'schedule'${address}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    steps:
${setup(options, 1)}
      - name: Restore state
        uses: actions/cache/restore@v4
        with:
${cached(options)}
          restore-keys: ticketing-state-
      - name: Check for drift
        env:
${keyFor(options, "secrets.TICKETING_READ_KEY || secrets.TICKETING_API_KEY")}
        run: |
          ticketing plan${environmentFlag(options)} --detailed-exitcode --format markdown > plan.md || code=$?
          cat plan.md >> "$GITHUB_STEP_SUMMARY"
          if [ "\${code:-0}" -eq 2 ]; then echo "::error::The live service differs from the files: see the summary."; fi
          exit "\${code:-0}"
`;
}

function setup({ version }: WorkflowOptions, depth: number): string {
  return `      - uses: actions/checkout@v4
        with:
          fetch-depth: ${depth}
          persist-credentials: false
      - uses: actions/setup-node@v4
        with:
          node-version: 22
      - run: npm install --global --ignore-scripts ticketing-as-code@${version}`;
}

function keyFor({ environment }: WorkflowOptions, secret: string): string {
  const address = environment === null ? "\n          TICKETING_BASE_URL: ${{ vars.TICKETING_BASE_URL }}" : "";
  return `          TICKETING_API_KEY: \${{ ${secret} }}${address}`;
}

// Only state and journal: they hold no secret, and what else may be in the folder does.
function cached({ folder }: WorkflowOptions): string {
  const prefix = folder === "" ? "" : `${folder}/`;
  return `          path: |
            ${prefix}.ticketing/state.*.json
            ${prefix}.ticketing/journal.*.jsonl
          key: ticketing-state-\${{ github.run_id }}-\${{ github.run_attempt }}`;
}

function environmentFlag({ environment }: WorkflowOptions): string {
  return environment === null ? "" : ` --env ${environment}`;
}

function ifAddress({ environment }: WorkflowOptions): string {
  return environment === null ? " &&\n      vars.TICKETING_BASE_URL != ''" : "";
}

/** The git repository that a folder is in. */
export interface Repository {
  readonly root: string;
  /** The folder as the repository sees it, with `/`; "" if it is the root. */
  readonly folder: string;
  readonly branch: string;
}

const mainBranches = ["main", "master", "trunk"];

/** null outside of any repository. */
export function findRepository(directory: string): Repository | null {
  for (let folder = directory; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) {
      return { root: folder, folder: relative(folder, directory).split(sep).join("/"), branch: branchOf(folder) };
    }
    if (dirname(folder) === folder) return null;
  }
}

/** The branch that is checked out where it is a main one; somebody may be on another one just now. */
function branchOf(root: string): string {
  try {
    const head = readFileSync(join(root, ".git", "HEAD"), "utf8")
      .trim()
      .replace("ref: refs/heads/", "");
    return mainBranches.includes(head) ? head : "main";
  } catch {
    return "main";
  }
}
