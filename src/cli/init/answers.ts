/** What a first project is made from. */
export interface Answers {
  /** null: not known; the project is then pinned to none. */
  readonly organization: string | null;
  /** The service that the project is for; null: the embedded sandbox to begin with. */
  readonly environment: { readonly name: string; readonly baseUrl: string } | null;
  /** Whether files are written for what is live there. */
  readonly importLive: boolean;
  /** Where the workflow goes, relative to the project: another place where the project is a folder of a repository. */
  readonly workflowAtRoot: boolean;
}

export const standardEnvironment = "production";
