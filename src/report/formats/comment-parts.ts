// What the comments on a host share: links to files, commits and runs, and YAML that resolves a block.

import { riskCodes } from "../../kinds/index.ts";
import { keyInAddress, rootOf } from "../../model/address.ts";
import type { Source } from "../../model/diagnostic.ts";
import type { Block, Change, Plan } from "../../model/plan.ts";
import { dayMs } from "../../model/time.ts";
import type { ExplainCode } from "../page/frame.ts";
import { codeSpan, escapeProse } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";

export interface CommentPlace {
  readonly host: "github" | "gitlab";
  /** The page of the repository. */
  readonly repositoryUrl: string;
  /** The page of the run; null if it has none. */
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

/** Below a comment: what each code in it means, a line each. A code that is not known is left out. */
export function codesMarkdown(codes: readonly string[], explain: ExplainCode): string {
  const lines = [...new Set(codes)].sort().flatMap((code) => {
    const entry = explain(code);
    return entry === null ? [] : [`- ${codeSpan(code)}: ${escapeProse(entry.summary)}`];
  });
  if (lines.length === 0) return "";
  const more = "More, with examples: `ticketing explain CODE`.";
  return ["<details>", "<summary>What the codes mean</summary>", "", ...lines, "", more, "", "</details>"].join("\n");
}

// How a block is resolved in a pull request: by YAML to add, never by a flag, because the command is not typed there.

export interface YamlFix {
  /** The file to add it to. */
  readonly file: string;
  readonly lines: readonly string[];
}

const projectFile = "ticketing.yaml";
/** How long a risk is accepted by what is offered to be copied. */
const acceptedDays = 14;

/** null: there is no YAML that would do; the hint says what to do. */
export function yamlFix(change: Change, { code }: Block, plan: Pick<Plan, "createdAt" | "summary">): YamlFix | null {
  const file = change.source === null ? projectFile : safeText(change.source.file);
  if (code === "too-many-deletes")
    return { file: projectFile, lines: [`maxDeletes: ${Math.max(plan.summary.delete, 1)}`] };
  if (code === "no-withdrawal") return { file, lines: ["published: true", "soldOut: true"] };
  if (code === "delete-after-sales" && change.kind === "event") return { file, lines: ["status: ARCHIVED"] };
  if (!(riskCodes as readonly string[]).includes(code)) return null;
  const until = new Date(Date.parse(plan.createdAt) + acceptedDays * dayMs).toISOString().slice(0, 10);
  // A document that is gone can hold nothing: the project file names its event.
  const isGone = change.source === null || change.kind === "webhook";
  const event = change.kind === "webhook" ? [] : [`    event: ${eventKey(change)}`];
  return {
    file: isGone ? projectFile : file,
    lines: ["allow:", `  - risk: ${code}`, ...(isGone ? event : []), `    until: ${until}`, "    why: …"],
  };
}

function eventKey({ address }: Change): string {
  const key = keyInAddress(rootOf(address));
  return /^[\w-]+$/.test(key) ? key : JSON.stringify(safeText(key));
}

/** The sentences of a hint that need no flag, and of the others what comes before it. */
export function withoutFlags(hint: string): string {
  return hint
    .replace(/,? or (?:pass|leave [\w ]+ with) --[^.;]*/g, "")
    .split(/(?<=\.)\s+/)
    .filter((sentence) => !/(?:^|[\s`(])--[a-z]/.test(sentence))
    .join(" ");
}
