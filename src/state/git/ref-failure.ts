// Why a state ref could not be read or written, from what git says about it.
import { type Diagnostic, errorOf } from "../../model/diagnostic.ts";
import type { GitAnswer } from "../../system/git.ts";

/**
 * | reason      | means                                                                      |
 * |-------------|----------------------------------------------------------------------------|
 * | moved       | somebody else wrote the ref since it was read                              |
 * | refused     | the remote was reached and does not let this be written or read            |
 * | unreachable | nothing was heard of the remote: the next attempt may get through          |
 * | foreign     | the ref holds something that this program did not write                    |
 * | too-new     | a newer version of this program wrote it                                   |
 * | setup       | there is no repository or no such remote, or git cannot work here          |
 */
export interface RefFailure {
  readonly ok: false;
  readonly reason: "moved" | "refused" | "unreachable" | "foreign" | "too-new" | "setup";
  /** One sentence or what git printed; without credentials. */
  readonly message: string;
}

export type RefResult<Value> = { readonly ok: true; readonly value: Value } | RefFailure;

export function refFailure(reason: RefFailure["reason"], message: string): RefFailure {
  return { ok: false, reason, message: withoutCredentials(message) };
}

type Refusal = GitAnswer & { ok: false };

/** What is said in place of git by a store that is closed. */
export const closedStore = "The store is closed.";

/** The remote found the ref at another commit than we did. */
export function isMoved({ output = "", message }: Refusal): boolean {
  return /stale info|fetch first|non-fast-forward|cannot lock ref|but expected|reference already exists/i.test(
    `${output}\n${message}`,
  );
}

const refusals =
  /remote rejected|permission|denied|protected|authentication failed|could not read (username|password)|terminal prompts disabled|not authorized|40[13]|hook declined|not found|does not (exist|appear to be a git repository)|access rights/i;
const silences = /could not resolve|connection|timed out|unable to access|early eof|hung up|network|ended by|closed/i;

export function failureOf({ reason, output = "", message }: Refusal): RefFailure {
  if (reason === "no-git") return refFailure("setup", "git is not installed.");
  if (message === closedStore) return refFailure("setup", message);
  const said = `${output}\n${message}`.trim();
  const isRefused =
    refusals.test(said) && !(silences.test(said) && !/40[13]|denied|authentication|rejected/i.test(said));
  return refFailure(isRefused ? "refused" : "unreachable", gistOf(said));
}

/** What the remote says comes first, then what ssh says, then git's own word. */
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
const plain = /^(?!$|(fatal|error|warning|hint|remote):|To |Done$|Please make sure|and the repository exists)/;

function withoutCredentials(text: string): string {
  return text.replace(/:\/\/[^/@\s]+@/g, "://");
}

/** `doing`: "read" or "written". */
export function refProblem(failure: RefFailure, doing: "read" | "written", remote: string): Diagnostic {
  const { reason } = failure;
  const message =
    reason === "setup" || reason === "foreign" || reason === "too-new"
      ? `State is kept in git, and cannot be ${doing}: ${failure.message}`
      : `The state on the remote '${remote}' could not be ${doing}: ${failure.message}`;
  const hint = reason === "refused" && doing === "read" ? mayNotRead : hints[reason];
  return errorOf(reason === "too-new" ? "state-too-new" : "state-unusable", sentence(message), hint);
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

const mayNotRead =
  "The job needs the right to read the repository: on GitHub `permissions: contents: read`, and `contents: write` to apply; on GitLab a token with the scope `read_repository`.";

const hints: Readonly<Record<RefFailure["reason"], string>> = {
  refused:
    "The job needs the right to push to refs/ticketing/*. On GitHub, add this to the job: `permissions: contents: write`. On GitLab, give the remote a token with the scope `write_repository`. Elsewhere, let this user push to refs/ticketing/*.",
  unreachable: "Check the connection to the remote, then run the command again. Nothing was sent to the service.",
  moved: "Another run writes the state at the same time. Run the command again.",
  foreign:
    "Choose another ref with `state: { backend: git, ref: refs/… }`, or delete that ref on the remote if nothing needs it.",
  "too-new": "Update the program on this machine.",
  setup:
    "Run the command in a clone of the repository whose remote `state.remote` names (`git remote -v` shows them), or set `state: { backend: file }` in ticketing.yaml.",
};
