// One meaning of globs for folders and for git's listings.
import picomatch from "picomatch";

export type Matcher = (path: string) => boolean;

/** More stars than any list of files needs, and more alternatives. */
const mostStars = 16;
const mostAlternatives = 64;
/** With brackets a glob becomes a pattern, whose time grows with a power of its stars. */
const mostStarsInPattern = 2;

export function matcherOf(globs: readonly string[]): Matcher {
  const matchers = globs.filter((glob) => globExcess(glob) === null).map(matcherOfOne);
  return (path) => matchers.some((matches) => matches(path));
}

/** What makes a glob too slow to match; null: nothing. */
export function globExcess(glob: string): { readonly message: string; readonly hint: string } | null {
  const stars = glob.match(/\*+/g)?.length ?? 0;
  const alternatives = alternativesOf(glob);
  const most = alternatives === null ? mostStarsInPattern : mostStars;
  const hint = "Use `**/*.yaml` below a folder, or write a list of several patterns.";
  if (stars > most) {
    const where = alternatives === null ? "with brackets, parentheses, ! or \\, " : "";
    return { message: `This file pattern has ${stars} stars; ${where}the limit is ${most}.`, hint };
  }
  if (alternatives === null && /[+*]\(|\([^)]*\(/.test(glob)) {
    return { message: "File patterns with `+(…)`, `*(…)`, or nested parentheses are not supported.", hint };
  }
  if ((alternatives?.length ?? 0) > mostAlternatives) {
    return { message: `The braces of this file pattern expand to more than ${mostAlternatives} patterns.`, hint };
  }
  return null;
}

function matcherOfOne(glob: string): Matcher {
  const alternatives = alternativesOf(glob);
  if (alternatives === null) return picomatch(glob, { dot: false });
  const patterns = alternatives.map((one) => one.replace(/^\.\//, "").split("/"));
  return (path) => {
    const steps = path.split("/");
    return patterns.some((pattern) => stepsMatch(steps, pattern));
  };
}

/** A glob with `{a,b}` expanded into globs without braces; null if it uses more than stars, `?` and braces. */
function alternativesOf(glob: string): readonly string[] | null {
  if (/[()[\]\\!]|\.\.\}|\{[^{},]*\.\.|^$/.test(glob)) return null;
  let found: readonly string[] = [""];
  for (const part of glob.split(/(\{[^{}]*\})/)) {
    const isList = part.startsWith("{") && part.includes(",");
    if (!isList && /[{}]/.test(part)) return null;
    const choices = isList ? part.slice(1, -1).split(",") : [part];
    found = found.flatMap((before) => choices.map((choice) => before + choice));
    // Enough to know that they are too many.
    if (found.length > mostAlternatives) return found;
  }
  return found;
}

/** Whether the names of a path match; `**` matches any folders, but none that begins with a dot. */
function stepsMatch(steps: readonly string[], pattern: readonly string[]): boolean {
  return matches(steps, pattern, "**", stepMatches, (step) => !step.startsWith("."));
}

/** One name of a path. A name that begins with a dot matches only if the glob has the dot. */
function stepMatches(name: string, pattern: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const isSame = (letter: string, wanted: string) => wanted === "?" || wanted === letter;
  return matches(name, pattern, "*", isSame, () => true);
}

/** `star` matches any number of items. Only the last one seen is ever retried: everything before it has matched. */
function matches(
  items: ArrayLike<string>,
  pattern: ArrayLike<string>,
  star: string,
  isMatch: (item: string, wanted: string) => boolean,
  maySkip: (item: string) => boolean,
): boolean {
  let at = 0;
  let next = 0;
  let afterStar: number | null = null;
  let resume = 0;
  while (at < items.length) {
    const wanted = pattern[next];
    if (wanted === star) {
      next += 1;
      afterStar = next;
      resume = at;
    } else if (wanted !== undefined && isMatch(items[at] as string, wanted)) {
      at += 1;
      next += 1;
    } else if (afterStar !== null && maySkip(items[resume] as string)) {
      resume += 1;
      at = resume;
      next = afterStar;
    } else return false;
  }
  while (pattern[next] === star) next += 1;
  return next === pattern.length;
}

/** The folder below which a glob can match, and whether it looks into folders of any depth; "" is the project itself. */
export function baseOf(glob: string): { readonly folder: string; readonly deep: boolean } {
  const { base, glob: rest, isGlob } = picomatch.scan(glob);
  if (!isGlob) return { folder: parentFolder(glob), deep: false };
  return { folder: base === "." ? "" : base, deep: rest.includes("/") || rest.includes("**") };
}

export function leadsOut(glob: string): boolean {
  return (
    /^[/\\]/.test(glob) ||
    glob.startsWith("~") ||
    /^[a-z]:/i.test(glob) ||
    glob.split(/[/\\{},]/).some((step) => step === "..")
  );
}

function parentFolder(path: string): string {
  const slash = path.lastIndexOf("/");
  return slash === -1 ? "" : path.slice(0, slash);
}
