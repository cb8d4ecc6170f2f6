// What a file becomes that others may write, too.

type FileChange = (text: string | undefined) => string | null;

/**
 * What a file becomes. A change is made to what is there when it is written, since other shards of the run may have written, too:
 * made twice, it must change nothing more.
 */
export type FileEdit = string | null | FileChange;

/** After what was to become of the file before. To merge a large state takes time: the same text has the same result. */
export function changeOnce(change: FileChange, before: FileEdit | undefined): FileChange {
  let last: { readonly text: string | undefined; readonly result: string | null } | null = null;
  return (text) => {
    if (last !== null && last.text === text) return last.result;
    const now = typeof before === "function" ? before(text) : before === undefined ? text : before;
    last = { text, result: change(now ?? undefined) };
    return last.result;
  };
}
