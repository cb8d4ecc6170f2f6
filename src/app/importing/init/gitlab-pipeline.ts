// The jobs for GitLab, in a separate file that .gitlab-ci.yml includes: a repository may have other jobs and projects.
import { parseDocument } from "yaml";
import { type Diagnostic, warningOf } from "../../../model/diagnostic.ts";
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
} from "./ci-project.ts";
import { gitlabFile } from "./repository.ts";

export function gitlabJobsFile(project: Pick<CiProject, "folder">): string {
  return `.gitlab/ticketing${project.folder === "" ? "" : `-${projectSlug(project)}`}.yml`;
}

export function gitlabJobs(project: CiProject): string {
  const targets = targetsOf(project);
  return [
    gitlabHead(project, targets),
    gitlabValidateJob(project),
    ...targets.map((target) => gitlabPlanJob(project, target)),
    ...targets.map((target) => gitlabApplyJob(project, target, targets)),
    ...(project.hasPhases ? targets.map((target) => gitlabDueJob(project, target)) : []),
    ...targets.map((target) => gitlabDriftJob(project, target)),
  ].join("\n");
}

/** The variable that distinguishes the schedule for due phases from the nightly one. */
const dueVariable = "TICKETING_DUE";

function gitlabHead(project: CiProject, targets: readonly CiTarget[]): string {
  const rows = [
    [
      "GITLAB_TOKEN",
      "masked: a project access token, role Developer, scopes api and write_repository (a job's own token cannot write notes)",
    ],
    ...targets.flatMap(({ apiKey, readKey, name }) => [
      [apiKey, `masked and protected: a key that may write, for ${name}; apply uses it`],
      [readKey, `masked: a key that may only read, for plans and drift checks; if it is not set, they use ${apiKey}`],
    ]),
    ...(project.stateSecrets ?? []).map((name) => [name, "masked: where the state is kept"]),
    ...(targets.some(({ byAddress }) => byAddress) ? [["TICKETING_BASE_URL", byAddressNote("gitlab")]] : []),
  ];
  return `# Validates and plans merge requests, applies what is merged, and checks for drift.
#
# Set up once, under Settings, CI/CD, Variables:
${setupComments(rows)}
# and under Build, Pipeline schedules, a nightly one for the default branch, such as ${nightly} in UTC (03:17 in Manila): it checks for drift.
${
  project.hasPhases
    ? `# Another one every 15 minutes (7-59/15 * * * *), with the variable ${dueVariable} set to true: it applies what comes due by time.
`
    : ""
}
variables:
  TICKETING_ALLOW:
    value: ""
    description: "Apply by hand: accept these risks, such as price-change-with-sales."
  TICKETING_TARGET:
    value: ""
    description: "Apply by hand: only this address, such as events/manila-nights."
  TICKETING_UNREVIEWED:
    value: ""
    description: "Apply by hand, for changes that no merge request has shown: hold, apply or stop."
${
  targets.length === 1
    ? ""
    : `  TICKETING_APPLY_TO:
    value: ""
    description: "Apply by hand: only to this environment (${targets.map(({ name }) => name).join(", ")}). Empty: to all."
`
}
${base(project)}:
  image: node:22
  variables:
    GIT_DEPTH: "0" # all history: git finds what changed
  before_script:
${installScript(project)}
    - ${cdLine(project)}
`;
}

function base(project: CiProject): string {
  return asYaml(`.ticketing${inProject(project)}`);
}

/** All of it is one YAML text: quotes for YAML in the middle would reach the shell, too. */
function cdLine({ folder }: CiProject): string {
  return /^[\w./-]*$/.test(folder) ? `cd ${folder || "."}` : asYaml(`cd '${folder.replaceAll("'", `'\\''`)}'`);
}

const isRequest = `$CI_PIPELINE_SOURCE == "merge_request_event"`;
const isOwn = "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID == $CI_MERGE_REQUEST_PROJECT_ID";
const isDefault = "$CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH";

function changesRule(project: CiProject): string {
  const { folder, install: source } = project;
  const own =
    folder === "" ? [`**/*.{${ownEndings.join(",")}}`, ...otherSheets(project)] : [`${escapePattern(folder)}/**/*`];
  const listed = [...own, gitlabJobsFile(project), ...(source.from === "tarball" ? [source.file] : [])];
  return `      changes: [${listed.map(asYaml).join(", ")}]`;
}

function ruleLine(condition: string, { byAddress }: Pick<CiTarget, "byAddress">): string {
  return `    - if: ${byAddress ? "$TICKETING_BASE_URL && " : ""}${condition}`;
}

function gitlabValidateJob(project: CiProject): string {
  return `${asYaml(`ticketing validate${inProject(project)}`)}:
  extends: ${base(project)}
  stage: test
  needs: []
  interruptible: true
  timeout: 10 minutes
  rules:
    - if: ${isRequest}
${changesRule(project)}
  script:
    - ticketing validate
    - |
      if [ "$CI_MERGE_REQUEST_SOURCE_PROJECT_ID" != "$CI_MERGE_REQUEST_PROJECT_ID" ]; then
        echo "No plan: pipelines of merge requests from forks get no secrets, so this one was only validated. A maintainer who has read it can push its branch to this project to have it planned."
      fi
`;
}

function gitlabPlanJob(project: CiProject, target: CiTarget): string {
  const prefix = project.folder === "" ? "" : `${project.folder}/`;
  return `${asYaml(`ticketing plan ${target.name}${inProject(project)}`)}:
  extends: ${base(project)}
  stage: test
  needs: []
  interruptible: true
  timeout: 1 hour
  rules:
${ruleLine(`${isRequest} && ${isOwn}`, target)}
${changesRule(project)}
  script:
    - ${readKey(target)}
    - ticketing ci plan ${target.flag}--artifacts .ticketing/plan
  artifacts:
    when: always
    paths: [${asYaml(`${prefix}.ticketing/plan/`)}]
`;
}

function gitlabApplyJob(project: CiProject, target: CiTarget, targets: readonly CiTarget[]): string {
  const { name, flag } = target;
  const chosen = targets.length === 1 ? "" : ` && ($TICKETING_APPLY_TO == "" || $TICKETING_APPLY_TO == "${name}")`;
  return `${asYaml(`ticketing apply ${name}${inProject(project)}`)}:
  extends: ${base(project)}
  stage: deploy
  needs: []
  timeout: 2 hours # if it is cut off, the next run finishes the work
  resource_group: ${jobGroup(project, "apply", name)}
  environment:
    name: ${name}
  rules:
${ruleLine(`$CI_PIPELINE_SOURCE == "push" && ${isDefault}`, target)}
${changesRule(project)}
${ruleLine(`$CI_PIPELINE_SOURCE == "web" && ${isDefault}${chosen}`, target)}
  script:
    - ${pushWithToken}
    - read -ra codes <<< "\${TICKETING_ALLOW//,/ }"
    - >-
      ticketing ci apply ${flag}"\${codes[@]/#/--allow=}" \${TICKETING_TARGET:+--target "$TICKETING_TARGET"}
      \${TICKETING_UNREVIEWED:+--unreviewed "$TICKETING_UNREVIEWED"}
`;
}

/** In its own group: it waits for a while, and what is merged meanwhile is applied. The lock keeps them apart. */
function gitlabDueJob(project: CiProject, target: CiTarget): string {
  const { name, flag } = target;
  return `# Applies what has come due, and waits for what comes due next, to send it exactly on time. With nothing due it makes no call.
${asYaml(`ticketing due ${name}${inProject(project)}`)}:
  extends: ${base(project)}
  stage: deploy
  needs: []
  timeout: 1 hour
  resource_group: ${jobGroup(project, "due", name)}
  environment:
    name: ${name}
  rules:
${ruleLine(`$CI_PIPELINE_SOURCE == "schedule" && ${isDefault} && $${dueVariable} == "true"`, target)}
  script:
    - ${pushWithToken}
    - ticketing ci apply ${flag}--wait ${dueWait}
`;
}

function gitlabDriftJob(project: CiProject, target: CiTarget): string {
  const { name, flag } = target;
  const atNight = project.hasPhases ? ` && $${dueVariable} != "true"` : "";
  return `# Opens an issue if somebody changed the service by hand, and closes it once there is no drift. The budget is in
# calls: half of what the free tier allows in an hour, so that an apply is not kept waiting. What is left is checked the next night.
${asYaml(`ticketing drift ${name}${inProject(project)}`)}:
  extends: ${base(project)}
  stage: test
  needs: []
  timeout: 1 hour
  rules:
${ruleLine(`$CI_PIPELINE_SOURCE == "schedule" && ${isDefault}${atNight}`, target)}
  script:
    - ${readKey(target)}
    - ${pushWithToken}
    - ticketing ci drift ${flag}--budget ${driftBudget}
`;
}

function readKey({ apiKey, readKey: name }: CiTarget): string {
  return `export ${apiKey}="\${${name}:-\${${apiKey}:-}}"`;
}

/** State is a ref of this repository, and a job's own token may not push. In single quotes: YAML would see a mapping. */
const pushWithToken = `'git remote set-url --push origin "\${CI_PROJECT_URL%%://*}://ticketing:\${GITLAB_TOKEN}@\${CI_PROJECT_URL#*://}.git"'`;

function installScript(project: CiProject): string {
  const { install: source } = project;
  if (source.from === "tarball") return `    - npm install --global --ignore-scripts --offline ./${source.file}`;
  return `    - package=$(mktemp -d)
    - npm pack --silent --pack-destination "$package" ${packageAt(source)}
    - echo "${source.digest}  $package/${installedFile(source)}" | sha512sum --check --strict
    - npm install --global --ignore-scripts --offline "$package/${installedFile(source)}"`;
}

/** .gitlab-ci.yml with the file included; null if it is written in a way that cannot be added to. */
export function gitlabIncluding(before: string | null, file: string): string | null {
  const entry = `  - local: ${asYaml(file)}\n`;
  if (before === null || before.trim() === "") return `include:\n${entry}`;
  const present = includedIn(before);
  if (present === null) return null;
  if (present.includes(file)) return before;
  const lines = before.endsWith("\n") ? before : `${before}\n`;
  const added = /^include:[ \t]*(?:#.*)?$/m.test(lines)
    ? lines.replace(/^include:[ \t]*(?:#.*)?\n/m, (line) => `${line}${entry}`)
    : `include:\n${entry}\n${lines}`;
  return includedIn(added)?.includes(file) === true ? added : null;
}

/** The local files that it includes; null if it cannot be read, or says it twice. */
function includedIn(text: string): readonly string[] | null {
  const document = parseDocument(text);
  if (document.errors.length > 0) return null;
  const { include = [] } = (document.toJS() ?? {}) as { readonly include?: unknown };
  const entries: readonly unknown[] = Array.isArray(include) ? include : [include];
  return entries.flatMap((entry) => {
    const local = typeof entry === "object" && entry !== null && "local" in entry ? entry.local : entry;
    return typeof local === "string" ? [local.replace(/^\//, "")] : [];
  });
}

/** GitLab runs only what this file leads to. */
export function gitlabLeft(file: string): Diagnostic {
  const message = `${gitlabFile} was not changed: \`include\` in it is written in a way that cannot be added to.`;
  const hint = `Add to it: \`include: [{ local: ${asYaml(file)} }]\``;
  return warningOf("ci-file-left", message, hint);
}
