// What git has printed: the objects in it, and its failures in words for those who do not know git well.

/** What `cat-file --batch` prints: for each object a line with its id, type and size, then its bytes and a line end; `NAME missing` for others. */
export function objectsIn(output: Buffer) {
  const objects: { readonly id: string; readonly type: string; readonly content: Buffer }[] = [];
  let start = output.indexOf("\n") + 1;
  for (let at = 0; start > at; start = output.indexOf("\n", at) + 1) {
    const [, id, type, size] = /^([0-9a-f]+) (\w+) (\d+)\n$/.exec(output.toString("latin1", at, start)) ?? [];
    if (id === undefined || type === undefined) {
      at = start;
      continue;
    }
    const end = start + Number(size);
    objects.push({ id, type, content: output.subarray(start, end) });
    at = end + 1;
  }
  return objects;
}

export const wholeHistoryHint =
  "Fetch the whole history: `fetch-depth: 0` at the checkout step, `GIT_DEPTH: 0` on GitLab, or `git fetch --unshallow`.";

/** What to do about a failure that git explains only to experts; undefined if its own words are all there is. */
export function gitHint(message: string): string | undefined {
  if (/dubious ownership/.test(message))
    return `The folder belongs to another user. If you trust it: \`git config --global --add safe.directory ${folderIn(message)}\`.`;
  if (/\bE[MN]FILE\b/.test(message))
    return "Raise the limit of open files with `ulimit -n 1024`, and run the command again.";
  if (/lazy fetching disabled|promisor remote/.test(message))
    return "This clone was made with `--filter` and lacks what is needed. Leave out `filter` at the checkout step, or fetch the rest with `git fetch --refetch --no-filter`.";
  return undefined;
}

function folderIn(message: string): string {
  return /repository at '(.*)'/.exec(message)?.[1] ?? "FOLDER";
}
