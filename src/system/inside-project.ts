// A file whose path is in a project must really be there: a link that came with a clone must not lead a write out of it.
import { lstatSync, realpathSync, statSync } from "node:fs";
import { dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { UnsafeFileError } from "./private-folder.ts";

/** Throws if writing the file would touch something outside the project. `file` may begin with `../` on purpose. */
export function assertInside(directory: string, file: string): void {
  const path = resolve(directory, file);
  const root = allowedRoot(directory, file);
  if (leaves(root, path)) return;
  const place = nearest(path);
  if (leaves(root, place)) return;
  const real = realOf(place);
  if (real === null || leaves(realOf(root) ?? root, real)) {
    throw new UnsafeFileError(
      path,
      `${file} leads out of the project through the link ${relative(directory, linkOn(root, place))}, so it was not written.`,
      "Check where the link came from and delete it.",
    );
  }
  if (place === path && !statSync(real).isFile()) {
    throw new UnsafeFileError(path, `${file} is not a regular file, so it was not written.`, "Move it away first.");
  }
}

/** A path that begins above the project is meant to be there. */
function allowedRoot(directory: string, file: string): string {
  const up = /^(\.\.[/\\])*/.exec(file)?.[0] ?? "";
  return isAbsolute(file) ? resolve(directory) : resolve(directory, up);
}

/** The path, or the part of it that exists. */
function nearest(path: string): string {
  let place = path;
  while (lstatSync(place, { throwIfNoEntry: false }) === undefined && dirname(place) !== place) place = dirname(place);
  return place;
}

function realOf(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

/** The first link on the path; the place itself if there is none above it. */
function linkOn(root: string, place: string): string {
  let path = root;
  for (const part of relative(root, place).split(sep)) {
    path = join(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true) return path;
  }
  return place;
}

function leaves(root: string, path: string): boolean {
  const way = relative(root, path);
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way);
}
