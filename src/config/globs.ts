// One meaning of globs for folders and for git's listings.
import picomatch from "picomatch";

const options = { dot: false } as const;

export type Matcher = (path: string) => boolean;

export function matcherOf(globs: readonly string[]): Matcher {
  return picomatch([...globs], options);
}

/** The folder below which a glob can match, and whether it looks into folders of any depth; "" is the project itself. */
export function baseOf(glob: string): { readonly folder: string; readonly deep: boolean } {
  const { base, glob: rest, isGlob } = picomatch.scan(glob);
  if (!isGlob) return { folder: folderOf(glob), deep: false };
  return { folder: base === "." ? "" : base, deep: rest.includes("/") || rest.includes("**") };
}

/** A glob (or path) that leads out of the project, or could. */
export function leadsOut(glob: string): boolean {
  return (
    /^[/\\]/.test(glob) ||
    glob.startsWith("~") ||
    /^[a-z]:/i.test(glob) ||
    glob.split(/[/\\{},]/).some((step) => step === "..")
  );
}

function folderOf(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}
