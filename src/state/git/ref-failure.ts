// Why a state ref could not be read or written, from what git says about it.
import type { GitResult } from "../../system/git.ts";
import { gitHint } from "../../system/git-output.ts";
import { type StoreFailure, type StoreHints, storeFailure } from "../shared/shared-files.ts";

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
    "The job needs the right to read the repository: on GitHub `permissions: contents: read`, and `contents: write` to apply; on GitLab a token with the scope `read_repository`.",
  refused:
    "The job needs the right to push to refs/ticketing/*. On GitHub, add this to the job: `permissions: contents: write`. On GitLab, give the remote a token with the scope `write_repository`. Elsewhere, let this user push to refs/ticketing/*.",
  unreachable: "Check the connection to the remote, then run the command again. Nothing was sent to the service.",
  foreign:
    "Choose another ref with `state: { backend: git, ref: refs/… }`, or delete that ref on the remote if nothing needs it. If it belongs to another environment of this project, remove `ref` from `state` instead: each environment then has its own.",
  unsafe: "Keep the state on another remote.",
  setup:
    "Run it in a clone that has the remote, or add the remote (`git remote add NAME URL`). Without git, state can be kept in a file: `state: { backend: file }` in ticketing.yaml.",
};
