// What to do about failures of git, in words for those who do not know git well.

export const wholeHistoryHint =
  "Fetch the whole history: `fetch-depth: 0` at the checkout step, `GIT_DEPTH: 0` on GitLab, or `git fetch --unshallow`.";

/** What to do about a failure that git explains for those who know git; undefined where its own words are all there is. */
export function gitHint(message: string): string | undefined {
  if (/dubious ownership/.test(message))
    return `The folder belongs to another user. If it is to be trusted: \`git config --global --add safe.directory ${folderIn(message)}\`.`;
  if (/\bE[MN]FILE\b/.test(message))
    return "Raise the limit of open files with `ulimit -n 1024`, and run the command again.";
  if (/lazy fetching disabled|promisor remote/.test(message))
    return "This clone was made with `--filter` and lacks what is needed. Leave out `filter` at the checkout step, or fetch the rest with `git fetch --refetch --no-filter`.";
  return undefined;
}

function folderIn(message: string): string {
  return /repository at '(.*)'/.exec(message)?.[1] ?? "FOLDER";
}
