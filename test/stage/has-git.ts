import { spawnSync } from "node:child_process";

/** Whether git is installed. What needs it is skipped where it is not: the rest of the program does without. */
export const hasGit = spawnSync("git", ["--version"]).status === 0;
