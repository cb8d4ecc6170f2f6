// Files, folders and git.
import type { CodeEntries } from "./entry.ts";

export const files = {
  "no-project": {
    levels: ["error"],
    summary: "The folder holds no project: no ticketing.yaml and no event files.",
    fix: "Go to the project's folder or name it with `-C`; `ticketing init` creates a new one.",
    example: "`ticketing plan` in an empty folder.",
  },
  "no-files-matched": {
    levels: ["error", "warning"],
    summary: "Globs that match no file.",
    fix: "Go to the project's folder, or correct `events` in ticketing.yaml.",
    example: { file: "ticketing.yaml", wrong: "events: event/*.yaml", right: "events: events/*.yaml" },
  },
  "wrong-file-name": {
    levels: ["error"],
    summary: "A project file called ticketing.yml, a name with a line break, or two that differ only in case.",
    fix: "Rename the file.",
    example: "`ticketing.yml`, which is not read, is where ticketing.yaml is expected.",
  },
  "empty-file": {
    levels: ["error"],
    summary: "A file without content.",
    fix: "Write an event into it, or remove it.",
    example: {
      file: "events/gala.yaml",
      wrong: "# to be written",
      right: "name: Gala\ndateTime: 2027-05-01T19:00",
      line: 1,
    },
  },
  "file-too-large": {
    levels: ["error"],
    summary: "A file of more than 1 MiB.",
    fix: "Write one event per file.",
    example: "A whole year of events was exported into one file.",
  },
  "not-text": {
    levels: ["error"],
    summary: "A binary file, or one that is not UTF-8.",
    fix: "Save it as UTF-8, or move it.",
    example: "A spreadsheet was saved as `events/gala.yaml`.",
  },
  "folder-for-file": {
    levels: ["error"],
    summary: "A folder where a file is expected.",
    fix: "Rename or move it.",
    example: "A folder is called `events/2027.yaml`.",
  },
  "unreadable-file": {
    levels: ["error"],
    summary: "A file that cannot be read, or no longer exists.",
    fix: "Check its permissions.",
    example: "The file belongs to another user.",
  },
  "outside-project": {
    levels: ["error"],
    summary: "A path, glob or link that leads out of the project.",
    fix: "Put the file itself into the project.",
    example: {
      file: "ticketing.yaml",
      wrong: "events: [events/*.yaml, ../shared/*.yaml]",
      right: "events: events/*.yaml",
    },
  },
  "too-complex": {
    levels: ["error"],
    summary: "A glob with more stars or braces than any list of files needs.",
    details: "More than 16 stars (2 beside brackets or parentheses), or 64 alternatives in braces.",
    fix: "Use `**/*.yaml`, or several globs.",
    example: {
      file: "ticketing.yaml",
      wrong: "events: [events/*.yaml, events/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*.yaml]",
      right: "events: events/**/*.yaml",
    },
  },
  "no-such-folder": {
    levels: ["error"],
    summary: "A folder given with -C that does not exist.",
    fix: "Correct the path, or run the command in the project's folder.",
    example: "`ticketing -C evnets plan`",
  },
  "no-such-path": {
    levels: ["error"],
    summary: "A path given to validate that names no file of the project.",
    fix: "Correct the path.",
    example: "`ticketing validate events/manila-night.yaml`",
  },
  "unsafe-file": {
    levels: ["error"],
    summary: "A local file or folder that others could replace, so it was not used.",
    fix: "Do what the message says: often it is a link, or belongs to another user.",
    example: "`.ticketing` is a link that leads out of the project.",
  },
} as const satisfies CodeEntries;

export const git = {
  "no-git": {
    levels: ["error"],
    summary: "Git is needed but not installed.",
    fix: "Install git, or plan without `--base` and `--merge-into`.",
    example: "`ticketing plan --base main` on a machine without git.",
  },
  "not-a-repository": {
    levels: ["error"],
    summary: "A revision was asked for, but the folder is not in a git repository.",
    fix: "Run it in a clone of the repository.",
    example: "`ticketing plan --base main` in a copy of the files.",
  },
  "git-failed": {
    levels: ["error"],
    summary: "A git command failed.",
    fix: "The message shows what git said: fix that, and run the command again.",
    example: "The repository is damaged, or belongs to another user.",
  },
  "old-git": {
    levels: ["error"],
    summary: "This version of git is too old to try a merge.",
    fix: "Update git to 2.38 or later.",
    example: "`ticketing plan --merge-into origin/main` with git 2.30.",
  },
  "unknown-revision": {
    levels: ["error"],
    summary: "A git revision that does not exist here.",
    fix: "Correct the name, or fetch it.",
    example: "`ticketing plan --base mian`",
  },
  "shallow-clone": {
    levels: ["error"],
    summary: "The clone does not reach back to the revision asked for.",
    fix: "Fetch the whole history: `fetch-depth: 0` in the checkout step, or `git fetch --unshallow`.",
    example: "A CI job with the default checkout plans with `--base last`.",
  },
  "merge-conflict": {
    levels: ["error"],
    summary: "Files that git cannot merge on its own.",
    fix: "Merge that branch into this one, resolve the conflicts, and commit.",
    example: "`--merge-into origin/main`, where main changed the same line.",
  },
  "unrelated-histories": {
    levels: ["error"],
    summary: "Two revisions without a common ancestor.",
    fix: "Check that both belong to this repository.",
    example: "`--merge-into` names a branch of another repository.",
  },
  "not-committed": {
    levels: ["warning"],
    summary: "Edits that are not committed and so are not part of the merge.",
    fix: "Commit them.",
    example: "`ticketing plan --merge-into origin/main` with a file that is edited and not committed.",
  },
  "base-has-errors": {
    levels: ["warning"],
    summary: "The files at the base revision have errors, so what they describe is only partly known.",
    fix: "Choose a revision that validates, or plan without `--base`.",
    example: "`--base main`, while main does not validate.",
  },
  "no-last-revision": {
    levels: ["notice"],
    summary: "Nothing records what was applied last, so everything is planned.",
    fix: "Nothing to do: the next apply records it.",
    example: "`ticketing plan --base last` before the first apply.",
  },
  "older-than-applied": {
    levels: ["error"],
    summary: "A checkout that is older than what was applied last.",
    details: "Often the job of an older commit was run again: it would undo newer changes.",
    fix: "Apply the newest commit. To go back, revert in git, or pass `--allow older-than-applied`.",
    example: "An old CI job is started again after newer ones have applied.",
  },
  "diverged-from-applied": {
    levels: ["error"],
    summary: "A checkout that does not contain what was applied last.",
    details: "Another branch, or rewritten history.",
    fix: "Merge first, or pass `--allow diverged-from-applied`.",
    example: "`ticketing apply` on a branch, while main was applied.",
  },
  "unjudged-deletions": {
    levels: ["error"],
    summary: "Documents that git shows as deleted, while nothing records what was applied.",
    fix: "Bring the document back with `status: DELETED`, or pass `--allow unjudged-deletions` to leave the event live.",
    example: "State is lost, and the last commit deleted an event's file.",
  },
} as const satisfies CodeEntries;
