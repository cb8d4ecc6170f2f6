// Files, folders and git.
import { type CodeEntries, swap } from "./entry.ts";

export const files = {
  "no-project": {
    summary: "The folder contains no project: no ticketing.yaml and no event files.",
    fix: "Go to the project's folder or name it with `-C`; `ticketing init` creates a new one.",
    example: "`ticketing plan` in an empty folder.",
  },
  "no-files-matched": {
    levels: ["error", "warning"],
    summary: "File patterns (globs) that match no file.",
    details:
      "It is an error in `validate` and `upcoming`, unless ticketing.yaml exists and does not set `events`; otherwise a warning.",
    fix: "Go to the project's folder, or correct `events` in ticketing.yaml.",
    example: { file: "ticketing.yaml", wrong: "events: event/*.yaml", right: "events: events/*.yaml" },
  },
  "wrong-file-name": {
    ofFiles: true,
    levels: ["error", "warning"],
    summary: "A project file called ticketing.yml, a name with a line break, or two names that differ only in case.",
    details: "Or an event file that is not read because its name ends in .YAML or .yaml.txt: that is a warning.",
    fix: "Rename the file.",
    example: "`ticketing.yml`, which is not read, is where ticketing.yaml is expected.",
  },
  "empty-file": {
    summary: "A file without content.",
    fix: "Put an event in it, or remove it.",
    example: {
      file: "events/gala.yaml",
      wrong: "# to be written",
      right: "name: Gala\ndateTime: 2027-05-01T19:00",
      line: 1,
    },
  },
  "file-too-large": {
    summary: "A file of more than 1 MiB.",
    fix: "Write one event per file.",
    example: "A whole year of events was exported into one file.",
  },
  "not-text": {
    summary: "A binary file, or one that is not UTF-8.",
    fix: "Save it as UTF-8, or move it.",
    example: "A spreadsheet was saved as `events/gala.yaml`.",
  },
  "folder-for-file": {
    summary: "A folder where a file is expected.",
    fix: "Rename or move it.",
    example: "A folder is called `events/2027.yaml`.",
  },
  "unreadable-file": {
    summary: "A file that cannot be read, or no longer exists.",
    fix: "Check that the file exists and that you may read it.",
    example: "The file belongs to another user.",
  },
  "outside-project": {
    summary: "A path, glob or link that leads out of the project.",
    fix: "Put the file itself in the project.",
    example: { file: "ticketing.yaml", ...swap("events: «[events/*.yaml, ../shared/*.yaml]→events/*.yaml»") },
  },
  "too-complex": {
    summary: "A glob with more stars or braces than any list of files needs.",
    details: "More than 16 stars (2 if there are brackets or parentheses), or 64 alternatives in braces.",
    fix: "Use `**/*.yaml`, or several globs.",
    example: {
      file: "ticketing.yaml",
      ...swap("events: «[events/*.yaml, events/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*/*.yaml]→events/**/*.yaml»"),
    },
  },
  "no-such-folder": {
    summary: "A folder given with -C that does not exist.",
    fix: "Correct the path, or run the command in the project's folder.",
    example: "`ticketing -C evnets plan`",
  },
  "no-such-path": {
    summary: "A path given to `validate` or `fmt` that names no file of the project.",
    fix: "Correct the path.",
    example: "`ticketing validate events/manila-night.yaml`",
  },
  "unsafe-file": {
    summary: "A local file or folder that others could replace, so it was not used.",
    fix: "Do what the message says: often the file is a link, or belongs to another user.",
    example: "`.ticketing` is a link that leads out of the project.",
  },
} as const satisfies CodeEntries;

export const git = {
  "no-git": {
    summary: "Git is needed but not installed.",
    fix: "Install git, or plan without `--base` and `--merge-into`.",
    example: "`ticketing plan --base main` on a machine without git.",
  },
  "not-a-repository": {
    summary: "A revision was asked for, but the folder is not in a git repository.",
    fix: "Run it in a clone of the repository.",
    example: "`ticketing plan --base main` in a copy of the files.",
  },
  "git-failed": {
    summary: "A git command failed.",
    fix: "The message shows what git said: fix that, and run the command again.",
    example: "The repository is damaged, or belongs to another user.",
  },
  "old-git": {
    summary: "This version of git is too old to try a merge.",
    fix: "Update git to 2.38 or later.",
    example: "`ticketing plan --merge-into origin/main` with git 2.30.",
  },
  "unknown-revision": {
    summary: "A git revision that does not exist here.",
    fix: "Correct the name, or fetch it.",
    example: "`ticketing plan --base mian`",
  },
  "shallow-clone": {
    summary: "The clone does not reach back to the revision asked for.",
    fix: "Fetch the whole history: `fetch-depth: 0` in the checkout step, or `git fetch --unshallow`.",
    example: "A CI job with the default checkout plans with `--base last`.",
  },
  "merge-conflict": {
    summary: "Files that git cannot merge on its own.",
    fix: "Merge that branch into this one, resolve the conflicts, and commit.",
    example: "`--merge-into origin/main`, where main changed the same line.",
  },
  "unrelated-histories": {
    summary: "Two revisions without a common ancestor.",
    fix: "Check that both belong to this repository.",
    example: "`--merge-into` names a branch of another repository.",
  },
  "not-committed": {
    levels: ["warning"],
    summary: "Edits that are not committed and so are not part of the merge.",
    fix: "Commit them, or plan without `--merge-into`.",
    example: "`ticketing plan --merge-into origin/main` with a file that is edited but not committed.",
  },
  "base-has-errors": {
    levels: ["warning"],
    summary: "The files at the base revision have errors, so what they describe is only partly known.",
    fix: "Choose a revision that validates, or plan without `--base`. In a pull request, first correct the files on the target branch.",
    example: "`--base main`, while main does not validate.",
  },
  "no-last-revision": {
    levels: ["notice"],
    summary: "There is no applied revision to compare with, so the plan covers everything.",
    details:
      "No revision has been fully applied yet, the last run applied files that were not committed, git does not have the commit that was applied last, or the project is not in a git repository.",
    fix: "Nothing to do in a git repository: the next complete apply of committed files records a revision. Elsewhere, no revision is recorded, and every run plans everything.",
    example: "`ticketing plan --base last` before the first apply.",
  },
  "older-than-applied": {
    levels: ["error", "warning"],
    summary: "A checkout that is older than what was applied last.",
    details:
      "Often the job of an older commit was run again: it would undo newer changes. In a plan this is only a warning; in the sandbox, `apply` only warns too, and continues.",
    fix: "Apply the newest commit of the default branch. To go back, revert in git. If the branch was moved back, or the newer work was never pushed, push that work, or pass `--allow older-than-applied` to undo it.",
    example: "An old CI job is started again after newer ones have applied.",
  },
  "diverged-from-applied": {
    levels: ["error", "warning"],
    summary: "A checkout that does not contain what was applied last.",
    details:
      "Another branch, or rewritten history. In a plan this is only a warning; in the sandbox, `apply` only warns too, and continues.",
    fix: "Merge first, or pass `--allow diverged-from-applied`.",
    example: "`ticketing apply` on a branch, while main was applied.",
  },
  "unjudged-deletions": {
    summary:
      "There is no record of what was applied, and git shows that the files of live events were deleted, or the clone is too shallow to show it: so it is not known whether to delete these events.",
    fix: "To delete the event, bring its file back with `status: DELETED`; to leave it live, pass `--allow unjudged-deletions`. In a shallow clone, fetch the whole history first.",
    example: "State is lost, and the last commit deleted an event's file.",
  },
} as const satisfies CodeEntries;

// State, its lock and journal, and other local data.

/** How a state is deleted. */
const startOver =
  'What to delete: with `file`, the file `.ticketing/state.<environment>.json`; with `git`, the ref (`git push origin --delete refs/ticketing/<project>/<environment>`); with `postgres`, the row of the project and environment in `ticketing.head`; with `http`, the state at its address (GitLab: Operate > Terraform states); with `s3`, the object `<prefix>/<environment>/head.json`. docs/state.md has the commands under "To start over".';

export const stateCodes = {
  "state-locked": {
    summary: "Another run is active in this project or environment.",
    details:
      "With state in files, the lock of a process on this machine that is no longer running is ignored. Elsewhere a run that waits takes over at once if the holder is known to be gone, otherwise once the holder has given no sign of life for two minutes (with PostgreSQL, four seconds after the connection of the holder has ended). The lock of another program, such as Terraform, on a state server is never taken over. A lock that cannot be read, or that is dated in the future, counts as held.",
    fix: "Wait for that run to end, or let this one wait with `--lock-timeout SECONDS`. If that run is no longer active, remove its lock with `ticketing state unlock`.",
    example: "Two CI jobs apply at the same time.",
  },
  "lock-lost": {
    summary: "This run no longer holds its lock, so nothing more was sent.",
    fix: "Run the command again: it checks first and does only what is still missing.",
    example: "The machine slept for an hour, and another run took over the lock.",
  },
  "lock-unconfirmed": {
    summary: "It could not be determined whether the lock is still held, so nothing more was sent.",
    fix: "Run the command again when the place where state is kept can be reached.",
    example: "The git remote goes away in the middle of an apply.",
  },
  "state-corrupt": {
    summary: "The state file cannot be read.",
    fix: `Restore it from a copy, or delete it: what is live is found by name and start. ${startOver}`,
    example: "The file was edited by hand, or the disk was full.",
  },
  "state-too-new": {
    summary: "The state was written by a newer version of `ticketing`.",
    fix: "Update `ticketing` on this machine.",
    example: "A colleague applied with a newer version.",
  },
  "state-unusable": {
    summary: "The state cannot be read or written.",
    fix: "Fix what the message names, such as a full disk or a missing permission. If state is in git and the repository has no remote, run `git remote add origin URL`, or work in a clone. To keep state on this machine instead, set `state: { backend: file }` in ticketing.yaml.",
    example: "The disk is full, the git remote refuses the push, or the database refuses the password.",
  },
  "store-cannot-exclude": {
    summary: "A test showed that the store would let two runs write at once, so nothing was written.",
    fix: "Keep the state in a store that refuses the second of two writers.",
    example: "An HTTP server that gives its lock to everyone who asks.",
  },
  "state-changed-meanwhile": {
    summary: "Another run changed the state in the meantime, so it was left as it is.",
    fix: "Run the command again: it reads what is live first.",
    example: "Two machines apply the same project without a common lock.",
  },
  "state-of-another-organization": {
    summary: "The state was written for an organization other than the API key's.",
    fix: `Use the API key of the organization that the state is for, or another environment name for the other organization; or delete this state and start over. ${startOver}`,
    example: "The API key of the test organization is used with production's state.",
  },
  "state-of-another-lineage": {
    summary: "The destination already has a state that does not come from this one, so nothing was overwritten.",
    fix: `Find out which of the two is right. To replace the other one, save it with \`ticketing state pull\`, then delete it. ${startOver}`,
    example: "`ticketing state migrate --to git`, where somebody else has already started a state.",
  },
  "state-is-newer": {
    summary: "The state at the destination is newer, so nothing was overwritten.",
    fix: "Set `state:` in ticketing.yaml to that backend and continue with it.",
    example: "`ticketing state migrate --to git` a second time.",
  },
  "state-moved": {
    levels: ["error", "warning"],
    summary: "The state was moved to a different backend, and this run would use the copy that was left behind.",
    details:
      "`ticketing state migrate` marks what it leaves behind, because a run that uses it could undo what was applied since. `plan`, `apply` and `ci drift` refuse it, whatever the checkout. An apply with `--allow state-moved`, and commands that only show the state, such as `ticketing state list`, warn instead.",
    fix: "Use the newest commit of the default branch, whose `state:` in ticketing.yaml names the new place; if it does not, change it and merge the change. `ticketing state migrate` also moves the state back. If the new place is lost, `ticketing apply --allow state-moved` uses the copy that was left behind and removes the mark.",
    example: "An old CI job is started again, and its ticketing.yaml still says `backend: git`.",
  },
  "journal-open": {
    summary: "An interrupted run has left a journal at the destination, so nothing was overwritten.",
    fix: "Run `ticketing apply` with the destination's backend first: it finishes what was begun.",
    example: "`ticketing state migrate` after a CI job was killed.",
  },
  "journal-unwritable": {
    summary: "The next call could not be recorded in the journal, so nothing more was sent.",
    fix: "Run the command again when the place where state is kept can be reached: it finishes what is left.",
    example: "The git remote goes away in the middle of an apply.",
  },
  "journal-damaged": {
    levels: ["warning"],
    summary: "The journal of an earlier run cannot be read in full.",
    fix: "Check the plan for duplicates: what the journal recorded is looked up by name instead.",
    example: "The disk was full when the earlier run was killed.",
  },
  "nothing-to-migrate": {
    summary: "There is no state to copy.",
    fix: "Change `state:` in ticketing.yaml: the next apply begins a new state. If ticketing.yaml has the new setting already, and the state is in a different backend, name that with `--from`.",
    example: "`ticketing state migrate --to git` before the first apply.",
  },
  "no-backend": {
    summary:
      "`ticketing state migrate` does not know where to copy from or to: `--to` is missing or names the backend that is in use, or ticketing.yaml has no `address` or `bucket` for one of the two.",
    fix: "Pass `--to git`, `--to postgres`, `--to http`, `--to s3` or `--to file`, or add the setting that the message names.",
    example: "`ticketing state migrate`",
  },
  "sandbox-stays": {
    summary: "The state of the embedded sandbox stays next to its data, in files.",
    fix: "Name another environment with `--env`.",
    example: "`ticketing state migrate --to git --env sandbox`",
  },
  "not-remembered": {
    summary: "State has no object with that address.",
    fix: "Correct the address: `ticketing state list` shows all of them.",
    example: "`ticketing state show events/manila-night`",
  },
  "local-data-unsealed": {
    summary:
      "Local data (in `.ticketing/`) has no seal, so an earlier version of `ticketing` or somebody else wrote it. It was not used.",
    fix: "Run `ticketing state reseal`: it lists the objects in the file and, if you accept them as they are, seals the file with this API key. Or delete the file and continue without it.",
    example: "`.ticketing/` was copied from another machine without its seal.",
  },
  "local-data-altered": {
    summary:
      "Local data (in `.ticketing/`) was altered after it was written: its seal does not match. It was not used.",
    fix: "Restore it from a copy. If the change is yours, accept it with `ticketing state reseal`.",
    example: "The state file was edited by hand.",
  },
  "local-data-unverified": {
    levels: ["error", "warning"],
    summary:
      "Local data (in `.ticketing/`) was sealed with a different API key, or no API key is set, so it cannot be verified.",
    details: "In a plan this is only a warning.",
    fix: "If no API key is set, set its variable. If the API key was rotated, set TICKETING_PREVIOUS_API_KEY to the previous API key for one `ticketing apply`.",
    example: "The API key was replaced.",
  },
  "local-data-in-the-future": {
    levels: ["error", "warning"],
    summary: "Local data (in `.ticketing/`) is dated in the future.",
    details: "In a plan this is only a warning.",
    fix: "Check the clock of this machine. If the file is right, accept it with `ticketing state reseal`.",
    example: "The clock of this machine was wrong when the file was written.",
  },
  "unsafe-local-data": {
    summary: "Local data (in `.ticketing/`) came with a commit, or others could replace it. It was not used.",
    fix: "Take `.ticketing/` out of git with `git rm -r --cached .ticketing`. If you did not put it there, delete the folder.",
    example: "A pull request adds files below `.ticketing/`.",
  },
} as const satisfies CodeEntries;
