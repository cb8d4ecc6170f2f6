// The files of a project as a git revision holds them. Nothing is checked out.

import { posix } from "node:path";
import { type Diagnostic, errorOf, type Fallible, failed } from "../../model/diagnostic.ts";
import { commitOf, isShallow, runGit } from "../../system/git.ts";
import { gitHint, objectsIn, wholeHistoryHint } from "../../system/git-output.ts";
import { type FileProblem, maximumFileSize } from "../../system/inside-project.ts";
import { matcherOf } from "./globs.ts";
import type { FileSource, Listing } from "./read-text.ts";

/** The commit that a revision names, or why there is none. */
async function findCommit(
  root: string,
  revision: string,
  flag = "--base",
): Promise<Fallible<{ readonly commit: string }>> {
  const named = await commitOf(root, revision);
  if (named !== null) return { ok: true, commit: named };
  const inside = await runGit(root, ["rev-parse", "--is-shallow-repository"]);
  if (inside.ok)
    return failed(inside.output.toString("utf8").trim() === "true" ? shallow(revision) : unknownRevision(revision));
  if (inside.reason === "no-git") return failed(noGit(flag));
  return failed(/not a git repository/i.test(inside.message) ? notARepository(flag) : gitFailed(inside.message));
}

function noGit(flag: string): Diagnostic {
  const message = "Revisions are read with the `git` command, which is not installed here.";
  return errorOf("no-git", message, `Install git, or plan without ${flag}.`);
}

function notARepository(flag: string): Diagnostic {
  const message = "This folder is not in a git repository, so there is no revision to compare with.";
  return errorOf("not-a-repository", message, `Run the command in the project's repository, or plan without ${flag}.`);
}

/** Git's own message says best what is wrong, such as a folder that belongs to another user. */
function gitFailed(message: string): Diagnostic {
  const hint = gitHint(message) ?? "Check that the repository is complete (`git fsck`).";
  return errorOf("git-failed", `git cannot read the repository: ${message.split("\n")[0] ?? ""}`, hint);
}

function shallow(revision: string): Diagnostic {
  const message = `The revision ${revision} is not in this clone, which is shallow and contains only the newest commits.`;
  return errorOf("shallow-clone", message, wholeHistoryHint);
}

function unknownRevision(revision: string): Diagnostic {
  const hint =
    "Name a branch, a tag, or a commit. For a branch that only the remote has, run `git fetch origin NAME:refs/remotes/origin/NAME` first and call it origin/NAME.";
  return errorOf("unknown-revision", `git does not know the revision ${revision}.`, hint);
}

export type GitFiles = Fallible<{ readonly files: FileSource; readonly commit: string }>;

interface Blob {
  readonly object: string;
  readonly size: number;
  readonly link: boolean;
}

/**
 * `root` is the project's folder, which may lie below the repository's; a revision without it is an empty project.
 * `folder` is where the project was at that revision, from the top of the repository; left out: where it is now.
 */
export async function gitFiles(root: string, revision: string, folder?: string): Promise<GitFiles> {
  const found = await findCommit(root, revision);
  if (!found.ok) return found;
  const tree = folder === undefined ? [found.commit] : ["--full-tree", `${found.commit}:${folder}`];
  return listTree(root, tree, found.commit);
}

async function listTree(root: string, tree: readonly string[], commit: string): Promise<GitFiles> {
  const listed = await runGit(root, ["ls-tree", "-r", "-l", "-z", ...tree]);
  if (!listed.ok) return failed(gitFailed(listed.message));
  return { ok: true, files: filesOf(root, readTree(listed.output.toString("utf8")), tree.join(" ")), commit };
}

/** The files that merging the checked out commit into a revision would make; `commit` is that revision. */
export async function mergedFiles(root: string, into: string): Promise<GitFiles> {
  const flag = "--merge-into";
  const [target, head] = await Promise.all([findCommit(root, into, flag), findCommit(root, "HEAD", flag)]);
  if (!target.ok) return target;
  if (!head.ok) return head;
  const flags = ["--write-tree", "--name-only", "--no-messages", "-z"];
  const merged = await runGit(root, ["merge-tree", ...flags, target.commit, head.commit]);
  const [tree = "", ...names] = (merged.ok ? merged.output.toString("utf8") : (merged.output ?? "")).split("\0");
  if (merged.ok) return listTree(root, [tree], target.commit);
  if (/^[0-9a-f]{40,64}$/.test(tree)) return failed(conflict(into, names));
  return failed(await whyNotMerged(root, into, merged.message));
}

function conflict(into: string, names: readonly string[]): Diagnostic {
  const files = [...new Set(names.filter((name) => name !== ""))];
  const message = `This branch cannot be merged into ${into}: ${files.join(", ")} ${files.length === 1 ? "has" : "have"} conflicts.`;
  return errorOf("merge-conflict", message, `Merge ${into} into this branch, resolve the conflicts, and commit.`);
}

async function whyNotMerged(root: string, into: string, message: string): Promise<Diagnostic> {
  if (/unrelated histories/.test(message)) {
    const isPart = await isShallow(root);
    const what = isPart ? "This clone is shallow and does not contain" : "There is no";
    const common = `${what} the commit that the checkout and ${into} have in common, so they cannot be merged.`;
    return isPart
      ? errorOf("shallow-clone", common, wholeHistoryHint)
      : errorOf("unrelated-histories", common.replace("no the", "no"), "Check that it is the right branch.");
  }
  if (!/usage: git merge-tree|unknown option|not a git command/.test(message)) return gitFailed(message);
  return errorOf("old-git", "--merge-into needs git 2.38 or later.", "Update git on this machine.");
}

function filesOf(root: string, blobs: ReadonlyMap<string, Blob>, tree: string): FileSource {
  const contents = new Map<string, Uint8Array>();
  return {
    async list(globs) {
      const files = globs.length === 0 ? [] : [...blobs.keys()].filter(matcherOf(globs)).sort();
      return { files, diagnostics: [] } satisfies Listing;
    },
    async read(path) {
      return readBlob(root, path, blobs, contents);
    },
    contentId(path) {
      const { object, link = false } = blobs.get(path) ?? {};
      // Elsewhere, the same link may lead to another content.
      return link ? `link ${object} in ${tree}` : object;
    },
    async prepare(paths) {
      const wanted = paths.flatMap((path) => blobs.get(path) ?? []);
      await fetchContents(root, wanted, contents);
    },
  };
}

async function readBlob(
  root: string,
  path: string,
  blobs: ReadonlyMap<string, Blob>,
  contents: Map<string, Uint8Array>,
): Promise<Uint8Array | FileProblem> {
  let here = path;
  // A link may lead to a link; more than a few are a cycle.
  for (let steps = 0; steps < 8; steps += 1) {
    const blob = blobs.get(here);
    if (blob === undefined) return isTree(here, blobs) ? "folder" : "missing";
    if (blob.size > maximumFileSize) return "too-large";
    await fetchContents(root, [blob], contents);
    const bytes = contents.get(blob.object);
    if (bytes === undefined) return "unreadable";
    if (!blob.link) return bytes;
    here = posix.join(posix.dirname(here), Buffer.from(bytes).toString("utf8"));
    if (here.startsWith("../") || here.startsWith("/")) return "outside";
  }
  return "unreadable";
}

function isTree(path: string, blobs: ReadonlyMap<string, Blob>): boolean {
  for (const name of blobs.keys()) if (name.startsWith(`${path}/`)) return true;
  return false;
}

/** `mode type object size<TAB>path`, each ended by NUL. */
function readTree(output: string): ReadonlyMap<string, Blob> {
  const blobs = new Map<string, Blob>();
  for (const record of output.split("\0")) {
    const [, mode, type, object, size, path] = /^(\d+) (\w+) ([0-9a-f]+) +(\d+|-)\t(.+)$/s.exec(record) ?? [];
    if (type !== "blob" || object === undefined || path === undefined) continue;
    blobs.set(path, { object, size: Number(size), link: mode === "120000" });
  }
  return blobs;
}

/** One call of git for everything that is still missing. */
async function fetchContents(root: string, blobs: readonly Blob[], contents: Map<string, Uint8Array>): Promise<void> {
  const wanted = new Set<string>();
  for (const { object, size } of blobs) if (size <= maximumFileSize && !contents.has(object)) wanted.add(object);
  if (wanted.size === 0) return;
  const result = await runGit(root, ["cat-file", "--batch"], [...wanted, ""].join("\n"));
  for (const { id, content } of result.ok ? objectsIn(result.output) : []) contents.set(id, content);
}
