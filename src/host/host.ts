// What the loop from pull request to service needs from the host of the repository.
import type { ResultOr } from "../model/diagnostic.ts";
import type { SendOutside } from "../model/outside.ts";

export type HostName = "github" | "gitlab";

/**
 * | reason      | means                                                             |
 * |-------------|-------------------------------------------------------------------|
 * | no-rights   | the token may not do this, or may not even see it                 |
 * | refused     | the host understood and said no                                   |
 * | limited     | it is asked too often, and did nothing                            |
 * | unreachable | no response, or none that can be used, after several attempts     |
 */
export interface HostFailure {
  readonly ok: false;
  readonly reason: "no-rights" | "refused" | "limited" | "unreachable";
  /** A clause, as it ends a sentence: without a period. */
  readonly message: string;
}

export type HostResult<Value> = ResultOr<{ readonly value: Value }, HostFailure>;

/** A comment or an issue; an issue's id is its number. */
export interface HostEntry {
  readonly id: number;
  readonly body: string;
  readonly author: string | null;
  readonly isOpen: boolean;
  /** False: a pull request that is listed among issues. */
  readonly isIssue: boolean;
}

/** The newest comment of the workflow's own identity. `others`: who else wrote one with the marker; those do not count, whatever they contain. */
export type FoundComment = ResultOr<
  { readonly value: HostEntry | null; readonly others: readonly string[] },
  HostFailure
>;

export interface Host {
  /** The comment on a pull request that begins with the marker. */
  findComment(pullRequest: number, marker: string): Promise<FoundComment>;
  /** Edits `existing` in place unless its text is the same; posts a new comment if there is none or it has been deleted since. */
  putComment(pullRequest: number, existing: HostEntry | null, body: string): Promise<HostResult<HostEntry>>;
  /** The pull requests that were merged with it, or just are being merged. */
  mergedWith(commit: string): Promise<HostResult<readonly MergedRequest[]>>;
  /** Whether a pull request was merged, or just is being merged; false if it is not known. */
  isMerged(pullRequest: number): Promise<boolean>;
  /** The newest issue, open or closed, that begins with the marker and was opened by the workflow's own identity. */
  findIssue(marker: string): Promise<HostResult<HostEntry | null>>;
  putIssue(existing: HostEntry | null, issue: IssueText): Promise<HostResult<HostEntry>>;
  /** Whether a run of the host's CI, named by its address, is over; false if it is not known. */
  hasEnded(runUrl: string): Promise<boolean>;
}

export interface MergedRequest {
  readonly number: number;
  /** The branch that it was merged into; null: the host does not say. */
  readonly into: string | null;
}

export interface IssueText {
  readonly title: string;
  readonly body: string;
  readonly isOpen: boolean;
}

export interface HostSetup {
  /** `https://api.github.com`, `https://gitlab.example.com/api/v4` */
  readonly apiUrl: string;
  /** `owner/name`; on GitLab the project's number or path. */
  readonly repository: string;
  readonly token: string;
  readonly send: SendOutside;
  readonly sleep: (ms: number) => Promise<void>;
  readonly now: () => number;
}
