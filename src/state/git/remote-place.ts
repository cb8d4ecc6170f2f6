// Where the state of an environment is in git: the ref's name, and how the checkout reaches its remote.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { isAbsolute, join, resolve } from "node:path";
import { type GitResult, gitText, placeInRepository, runGit } from "../../system/git.ts";
import { gitHint } from "../../system/git-output.ts";
import { percentEncoded } from "../shared/backend-setup.ts";
import { type StoreFailure, type StoreHints, type StoreResult, storeFailure } from "../shared/shared-files.ts";

/** How the checkout reaches its own remote. */
export interface Remote {
  /** As people know it. */
  readonly name: string;
  readonly settings: readonly (readonly [string, string])[];
  readonly fetchFrom: string;
  readonly pushTo: string;
  /** The project's folder below the repository's root; empty at the root itself. */
  readonly folder: string;
  /** How the checkout names its objects, and so the remote: no repository accepts those of another format. */
  readonly objectFormat: string;
}

/** One segment of a ref name. What git does not allow there is percent-encoded, and so is `/`: refs never nest. */
function refSegment(text: string): string {
  return percentEncoded(text).replace(/^\.|\.(?=\.)|\.$|\.(?=lock$)/g, "%2E");
}

/** `folder`: the project's below the repository's root; empty at the root itself. */
export function refName(folder: string, environment: string): string {
  const project = folder === "" ? "root" : folder === "root" ? "root%2F" : refSegment(folder);
  return `refs/ticketing/${project}/${refSegment(environment)}`;
}

/** `directory`: the project's folder, anywhere in a checkout. */
export async function findRemote(directory: string, name: string): Promise<StoreResult<Remote>> {
  const place = await placeInRepository(directory);
  if (!place.ok) return storeFailure("setup", noRepository(place), gitHint(place.message) ?? initHint(place));
  const { root, folder, objectFormat } = place;
  const [fetchFrom, pushTo, settings] = await Promise.all([
    gitText(directory, ["remote", "get-url", "--", name]),
    gitText(directory, ["remote", "get-url", "--push", "--", name]),
    transportSettings(directory),
  ]);
  if (fetchFrom === null || pushTo === null)
    return storeFailure(
      "setup",
      `This repository has no remote named "${name}".`,
      `Add it with \`git remote add ${name} URL\`. ${inFile}`,
    );
  const addresses = { fetchFrom: absolute(fetchFrom, root), pushTo: absolute(pushTo, root) };
  return { ok: true, value: { name, settings, ...addresses, folder, objectFormat } };
}

/** As the checkout's own repository has it, including the credentials that a runner put there. */
async function transportSettings(directory: string): Promise<readonly (readonly [string, string])[]> {
  const result = await runGit(directory, ["config", "--list", "--show-scope", "--includes", "-z"]);
  if (!result.ok) return [];
  const fields = result.output.toString("utf8").split("\0");
  const settings: [string, string][] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [scope, entry = ""] = [fields[at], fields[at + 1]];
    // Settings of the machine or the user apply anyway.
    if (scope !== "local" && scope !== "worktree") continue;
    const end = entry.indexOf("\n");
    const [key, value] = end === -1 ? [entry, "true"] : [entry.slice(0, end), entry.slice(end + 1)];
    if (/^(http|credential|ssh)\.|^core\.(sshcommand|gitproxy|askpass)$/i.test(key)) settings.push([key, value]);
  }
  return settings;
}

/** git resolves a relative remote against the root of the checkout, and we work elsewhere. */
function absolute(url: string, root: string): string {
  const isPath = !/^[a-z][a-z0-9+.-]*:\/\//i.test(url) && !/^[^/]*:/.test(url);
  return isPath && !isAbsolute(url) ? resolve(root, url) : url;
}

const inFile = "To keep state on this machine for now, set `state: { backend: file }` in ticketing.yaml.";

function initHint({ reason, message }: GitResult & { ok: false }): string | undefined {
  if (reason === "no-git" || !/not a git repository/i.test(message)) return undefined;
  return `Run \`git init\`, then \`git remote add origin URL\`; or work in a clone. ${inFile}`;
}

function noRepository(result: GitResult & { ok: false }): string {
  if (result.reason === "no-git") return "git is not installed.";
  const [said = ""] = result.message.split("\n");
  return /not a git repository/i.test(said) ? "This folder is not in a git repository." : said;
}

// The bare repository in the temporary folder that a run works in, as `git init` creates it.

export async function makeRepository(objectFormat: string): Promise<StoreResult<string>> {
  let gitDir = "";
  try {
    gitDir = await mkdtemp(join(tmpdir(), "ticketing-state-"));
    for (const folder of ["objects", "refs"]) await mkdir(join(gitDir, folder));
    await writeFile(join(gitDir, "HEAD"), "ref: refs/heads/none\n");
    const config = `[core]\nbare = true\nrepositoryFormatVersion = 1\n[extensions]\nobjectFormat = ${objectFormat}\n`;
    await writeFile(join(gitDir, "config"), config);
    return { ok: true, value: gitDir };
  } catch (error) {
    if (gitDir !== "") await rm(gitDir, { recursive: true, force: true });
    return notWorking(`could not be created: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Our own working folder: nothing is wrong with the remote or the checkout. */
export function notWorking(why: string): StoreFailure {
  const [first = ""] = why.replace(/(?<=: )(fatal|error): /, "").split("\n");
  const hint = `Make sure that files can be written to ${tmpdir()} and that its disk is not full, or name another folder with TMPDIR, then run the command again.`;
  return storeFailure("setup", `The working folder for git ${first}`, hint);
}

// Why a state ref could not be read or written, from what git says about it.

type GitRefusal = GitResult & { ok: false };

/** The remote found the ref at another commit than we did. */
export function isMoved({ output = "", message }: GitRefusal): boolean {
  return /stale info|fetch first|non-fast-forward|cannot lock ref|but expected|reference already exists/i.test(
    `${output}\n${message}`,
  );
}

/** The remote is about to move the ref for somebody else, or was stopped while it did. */
export function isBusy({ output = "", message }: GitRefusal): boolean {
  return /\.lock': File exists/i.test(`${output}\n${message}`);
}

const refusals =
  /remote rejected|permission|denied|protected|authentication failed|could not read (username|password)|terminal prompts disabled|not authorized|40[13]|hook declined|not found|does not (exist|appear to be a git repository)|access rights/i;
const silences = /could not resolve|connection|timed out|unable to access|early eof|hung up|network|ended by|closed/i;

export function failureOf({ reason, output = "", message }: GitRefusal): StoreFailure {
  if (reason === "no-git") return storeFailure("setup", "git is not installed.");
  if (reason === "closed") return storeFailure("setup", message);
  const said = `${output}\n${message}`.trim();
  const isRefused =
    refusals.test(said) && !(silences.test(said) && !/40[13]|denied|authentication|rejected/i.test(said));
  return storeFailure(isRefused ? "refused" : "unreachable", gistOf(said), gitHint(said));
}

/** What the remote says comes first, then what ssh says, then git's own message. */
function gistOf(said: string): string {
  const lines = said.split("\n").map((line) => line.trim());
  const picked = [/^remote: *\S/, /^!\s/, plain, /^(fatal|error): /].flatMap(
    (pattern) => lines.find((line) => pattern.test(line)) ?? [],
  );
  const [first = "git gave no reason"] = picked;
  const refusal = picked.find((line) => line.startsWith("!") && line.includes("["));
  const rejected = refusal?.slice(refusal.indexOf("["));
  const reason = first.replace(/^(remote|fatal|error): */, "").replace(/^!\s.*?(?=\[)/, "");
  return rejected === undefined || reason.includes(rejected) ? reason : `${reason} ${rejected}`;
}

/** Not one of the lines that git adds to every failure. */
const plain =
  /^(?!$|(fatal|error|warning|hint|remote):|To |git config |Done$|Please make sure|and the repository exists)/;

export const refHints: StoreHints = {
  unreadable:
    "Check the URL of the remote (`git remote -v`) and the right to read it. In a job, that is `permissions: contents: read` on GitHub (`contents: write` to apply), or a token with the scope `read_repository` on GitLab.",
  refused:
    "Allow the push to refs/ticketing/*. In a job on GitHub, set `permissions: contents: write`; on GitLab, give the remote a token with the scope `write_repository`. Elsewhere, let this user push to refs/ticketing/*.",
  unreachable: "Check the connection to the remote, then run the command again. Nothing was sent to the service.",
  foreign:
    "Choose another ref with `state: { backend: git, ref: refs/… }`, or delete that ref on the remote if nothing needs it. If it belongs to another environment of this project, remove `ref` from `state` instead: each environment then has its own.",
  unsafe: "Keep the state on another remote.",
  setup:
    "Run the command in a clone that has the remote, or add the remote (`git remote add NAME URL`). Without git, state can be kept in a file: `state: { backend: file }` in ticketing.yaml.",
};
