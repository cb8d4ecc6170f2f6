// Where things are on the host, as links of a comment.
import type { Source } from "../../model/diagnostic.ts";
import { codeSpan } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";

export interface CommentPlace {
  readonly host: "github" | "gitlab";
  /** The page of the repository. */
  readonly repositoryUrl: string;
  /** The page of the run; null: there is none. */
  readonly runUrl: string | null;
  /** The commit whose files the lines are of. */
  readonly head: string | null;
  /** The project's folder below the repository's root: "" or ending in a slash. */
  readonly prefix: string;
}

/** A file and line, as a link where it is known where it is. */
export function fileLink(place: CommentPlace | null, { file, line }: Source): string {
  const shown = codeSpan(safeText(`${file}:${line}`));
  if (place === null || place.head === null) return shown;
  const path = `${place.prefix}${file}`.split("/").map(encodeURIComponent).join("/");
  return `[${shown}](${pageOf(place, "blob")}/${place.head}/${escaped(path)}#L${line})`;
}

export function commitLink(place: CommentPlace | null, commit: string): string {
  const shown = codeSpan(safeText(commit.slice(0, 7)));
  return place === null ? shown : `[${shown}](${pageOf(place, "commit")}/${encodeURIComponent(commit)})`;
}

/** The words as a link to the run; null: there is no run to see. */
export function runLink(place: CommentPlace | null, words: string): string | null {
  return place === null || place.runUrl === null ? null : `[${words}](${escaped(place.runUrl)})`;
}

function pageOf({ host, repositoryUrl }: CommentPlace, what: "blob" | "commit"): string {
  return `${escaped(repositoryUrl)}/${host === "gitlab" ? "-/" : ""}${what}`;
}

/** Without what would end the link. */
function escaped(url: string): string {
  return url.replace(/[()<>\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
}
