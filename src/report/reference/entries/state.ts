// State, its lock and journal, and other local data.
import type { CodeEntries } from "./entry.ts";

/** How a state is deleted. */
const startOver =
  'To delete a state: with `file`, the file `.ticketing/state.<environment>.json`; with `git`, `git push origin --delete refs/ticketing/<project>/<environment>`; with `postgres`, the project\'s row of `ticketing.head`; with `http`, the state at its address (GitLab: Operate > Terraform states); with `s3`, the object `<prefix>/<environment>/head.json`. docs/state.md has the commands under "To start over".';

export const state = {
  "state-locked": {
    levels: ["error"],
    summary: "Another run is active in this project or environment.",
    details:
      "With state in files, the lock of a process that no longer runs on this machine is ignored. Elsewhere a run that waits takes over after two minutes without a sign of life, at once if the holder is known to be gone. The lock of another program, such as Terraform, on a state server is never taken over.",
    fix: "Wait for it to end, or let this one wait with `--lock-timeout SECONDS`. If it no longer runs: `ticketing state unlock`.",
    example: "Two CI jobs apply at the same time.",
  },
  "lock-lost": {
    levels: ["error"],
    summary: "The lock of this run is no longer its own, so nothing more was sent.",
    fix: "Run the command again: it checks first and does only what is still missing.",
    example: "The machine slept for an hour, and another run took the lock over.",
  },
  "lock-unconfirmed": {
    levels: ["error"],
    summary: "It could not be determined whether the lock is still held, so nothing more was sent.",
    fix: "Run the command again when the remote can be reached.",
    example: "The git remote goes away in the middle of an apply.",
  },
  "state-corrupt": {
    levels: ["error"],
    summary: "The state file cannot be read.",
    fix: "Restore it from a copy, or delete it: what is live is found by name and start.",
    example: "The file was edited by hand, or the disk was full.",
  },
  "state-too-new": {
    levels: ["error"],
    summary: "The state was written by a newer version of this program.",
    fix: "Update the program on this machine.",
    example: "A colleague applied with a newer version.",
  },
  "state-unusable": {
    levels: ["error"],
    summary: "The state cannot be read or written.",
    fix: "Run the command in a clone whose remote `state.remote` names (`git remote -v` shows them), or fix what else the message names: disk, permissions, a missing `GRANT`.",
    example: "The disk is full, the git remote refuses the push, or the database refuses the password.",
  },
  "store-cannot-exclude": {
    levels: ["error"],
    summary: "The store was tried out, and it would let two runs write at once, so nothing was written.",
    fix: "Keep the state in a store that refuses the second of two writers.",
    example: "An HTTP server that gives its lock to everyone who asks.",
  },
  "state-changed-meanwhile": {
    levels: ["error"],
    summary: "Another run changed the state in the meantime, so it was left as it is.",
    fix: "Run the command again: it reads what is live first.",
    example: "Two machines apply the same project without a common lock.",
  },
  "state-of-another-organization": {
    levels: ["error"],
    summary: "The state was written for another organization than the key's.",
    details: startOver,
    fix: "Use the key of the organization that the state is for, or another environment name for the other organization; or start over without this state.",
    example: "The key of the test organization is used with production's state.",
  },
  "state-of-another-lineage": {
    levels: ["error"],
    summary: "There is a state at the target already that does not come from this one, so nothing was overwritten.",
    details: startOver,
    fix: "Find out which of the two is right. To replace the other one, save it with `ticketing state pull`, then delete it.",
    example: "`ticketing state migrate --to git`, where somebody else has already started a state.",
  },
  "state-is-newer": {
    levels: ["error"],
    summary: "The state at the target is newer, so nothing was overwritten.",
    fix: "Set `state:` in ticketing.yaml to that backend and go on with it.",
    example: "`ticketing state migrate --to git` a second time.",
  },
  "journal-open": {
    levels: ["error"],
    summary: "An interrupted run has left a journal at the target, so nothing was overwritten.",
    fix: "Run `ticketing apply` with that backend first: it finishes what was begun.",
    example: "`ticketing state migrate` after a CI job was killed.",
  },
  "journal-unwritable": {
    levels: ["error"],
    summary: "The next call could not be written down, so nothing more was sent.",
    fix: "Run the command again when the remote can be reached: it finishes what is left.",
    example: "The git remote goes away in the middle of an apply.",
  },
  "journal-damaged": {
    levels: ["warning"],
    summary: "The journal of an earlier run cannot be read in full.",
    fix: "The objects it recorded are looked up by name instead: check the plan for duplicates.",
    example: "The disk was full when the earlier run was killed.",
  },
  "nothing-to-migrate": {
    levels: ["error"],
    summary: "There is no state to copy.",
    fix: "Change `state:` in ticketing.yaml: the next apply begins a new state.",
    example: "`ticketing state migrate --to git` before the first apply.",
  },
  "no-backend": {
    levels: ["error"],
    summary: "`--to` is missing.",
    fix: "Pass `--to git`, `--to postgres`, `--to http`, `--to s3` or `--to file`.",
    example: "`ticketing state migrate`",
  },
  "sandbox-stays": {
    levels: ["error"],
    summary: "The state of the embedded sandbox stays beside its data, in files.",
    fix: "Name another environment with `--env`.",
    example: "`ticketing state migrate --to git --env sandbox`",
  },
  "not-remembered": {
    levels: ["error"],
    summary: "State has no object of that address.",
    fix: "`ticketing state list` shows all addresses.",
    example: "`ticketing state show events/manila-night`",
  },
  "local-data-unsealed": {
    levels: ["error"],
    summary: "Local data has no seal, so an earlier version or somebody else wrote it. It was not used.",
    fix: "`ticketing state reseal` shows what is in it and, if you accept that, seals it with this key. Or delete the file and continue without it.",
    example: "`.ticketing/` was copied from another machine without its seal.",
  },
  "local-data-altered": {
    levels: ["error"],
    summary: "Local data was altered after it was written: its seal does not match. It was not used.",
    fix: "Restore it from a copy. If the change is yours, accept it with `ticketing state reseal`.",
    example: "The state file was edited by hand.",
  },
  "local-data-unverified": {
    levels: ["error"],
    summary: "Local data was sealed with another API key, or no key is set, so it cannot be verified.",
    fix: "If the key was rotated, set TICKETING_PREVIOUS_API_KEY to the former key for one run.",
    example: "The API key was replaced.",
  },
  "local-data-in-the-future": {
    levels: ["error"],
    summary: "Local data is dated in the future.",
    fix: "Check the clock of this machine. If the file is right, accept it with `ticketing state reseal`.",
    example: "The clock of this machine was wrong when the file was written.",
  },
  "unsafe-local-data": {
    levels: ["error"],
    summary: "Local data that came with a commit, or that others could replace. It was not used.",
    fix: "Take `.ticketing/` out of git with `git rm -r --cached .ticketing`. If you did not put it there, delete the folder.",
    example: "A pull request adds files below `.ticketing/`.",
  },
} as const satisfies CodeEntries;
