// What the comments on a host share: links to files, commits and runs, and YAML that resolves a block.
import { isInFamily } from "../../kinds/index.ts";
import { dateOf, keyInAddress, rootOf, yamlKey } from "../../model/address.ts";
import { acceptableCodes, isRisk, plainHintOf, type Source } from "../../model/diagnostic.ts";
import {
  type Block,
  type Change,
  type Edit,
  isWhole,
  type Origin,
  originOfChange,
  type Plan,
  partOf,
} from "../../model/plan.ts";
import { dayMs } from "../../model/time.ts";
import { groupBy, listSome } from "../../model/value.ts";
import { type AllowEntry, projectFile } from "../../model/wish.ts";
import type { ExplainCode } from "../page/frame.ts";
import { codeSpan, escapeProse } from "../text/markdown.ts";
import { safeText } from "../text/sanitize.ts";
import { cutText } from "../text/table.ts";
import { changeSubject, shownNames } from "./headlines.ts";

export interface CommentPlace {
  readonly host: "github" | "gitlab";
  readonly repositoryUrl: string;
  /** The page of the run; null if it has none. */
  readonly runUrl: string | null;
  /** The commit whose files the lines are of. */
  readonly head: string | null;
  /** The project's folder below the repository's root: "" or ending in a slash. */
  readonly prefix: string;
}

/** Lines that are shown without unfolding anything. */
export const mostUnfolded = 10;

export function fileLink(place: CommentPlace | null, { file, line }: Source): string {
  const shown = codeSpan(safeText(`${file}:${line}`));
  if (place === null || place.head === null) return shown;
  const path = `${place.prefix}${file}`.split("/").map(encodeURIComponent).join("/");
  return `[${shown}](${pageUrl(place, "blob")}/${place.head}/${escaped(path)}#L${line})`;
}

export function commitLink(place: CommentPlace | null, commit: string): string {
  const shown = codeSpan(safeText(commit.slice(0, 7)));
  return place === null ? shown : `[${shown}](${pageUrl(place, "commit")}/${encodeURIComponent(commit)})`;
}

/** The words as a link to the run; null: there is no run to see. */
export function runLink(place: CommentPlace | null, words: string): string | null {
  return place === null || place.runUrl === null ? null : `[${words}](${escaped(place.runUrl)})`;
}

function pageUrl({ host, repositoryUrl }: CommentPlace, what: "blob" | "commit"): string {
  return `${escaped(repositoryUrl)}/${host === "gitlab" ? "-/" : ""}${what}`;
}

/** Without what would end the link. */
function escaped(url: string): string {
  return url.replace(/[()<>\s]/g, (sign) => `%${sign.charCodeAt(0).toString(16).padStart(2, "0").toUpperCase()}`);
}

type Whose = "own" | "held" | "waiting";

/** Field by field: this branch may change one field of an object of which another is held, or waits since an earlier merge. */
export function shareOf(changes: readonly Change[], name: Whose, held: ReadonlySet<string>): readonly Change[] {
  const isHeld = ({ digest }: Edit | Change) => digest !== undefined && held.has(digest);
  const whose = (part: Edit | Change, origin: Origin | undefined): Whose =>
    isHeld(part) ? "held" : origin === "unapplied" ? "waiting" : "own";
  return changes.flatMap((change) => {
    const edits = change.edits.filter(({ sentAlong }) => !sentAlong);
    const isOne = isWhole(change) || (edits.length === 0 && change.transition === null);
    if (isOne) return whose(edits.find(isHeld) ?? change, originOfChange(change)) === name ? change : [];
    const part = partOf({ ...change, edits }, (each) => whose(each, each.origin) === name);
    if (part === null || name !== "own") return part ?? [];
    return { ...part, edits: change.edits.filter((edit) => edit.sentAlong || part.edits.includes(edit)) };
  });
}

/** Below a comment: what each code in it means, a line each. An unknown code is left out. */
export function codesMarkdown(codes: readonly string[], explain: ExplainCode): string {
  const lines = [...new Set(codes)].sort().flatMap((code) => {
    const entry = explain(code);
    return entry === null ? [] : [`- ${codeSpan(code)}: ${escapeProse(entry.summary)}`];
  });
  if (lines.length === 0) return "";
  const more = "More, with examples: `ticketing explain CODE`.";
  return ["<details>", "<summary>What the codes mean</summary>", "", ...lines, "", more, "", "</details>"].join("\n");
}

// How to resolve a block in a pull request: with YAML to add, never with a flag, because no command is typed there.

/** How long a risk is accepted by the entry that is offered for copying. */
const acceptedDays = 14;

/** How to accept a risk: the fields of an entry of `allow`, and in which file. */
interface YamlFix {
  readonly file: string;
  readonly fields: readonly string[];
}

/** null: no risk, so the hint says what to do. */
export type FixOf = (change: Change, block: Block) => YamlFix | null;

/** `isOfSeveral`: it is shown together with changes whose entries would belong to other files. */
export function yamlFix(
  change: Change,
  { code }: Block,
  { createdAt }: Pick<Plan, "createdAt">,
  isOfSeveral = false,
): YamlFix | null {
  if (!isRisk(code)) return null;
  const file = change.source === null ? projectFile : safeText(change.source.file);
  // The entry goes into the project file, and names the event, if the document is gone, is a series or template, or
  // shares its file.
  const isShared = !file.replace(/\.ya?ml$/, "").endsWith(keyInAddress(rootOf(change.address)));
  const inProject = isOfSeveral || change.source === null || dateOf(rootOf(change.address)) !== null || isShared;
  const until = new Date(Date.parse(createdAt) + acceptedDays * dayMs).toISOString().slice(0, 10);
  const event = inProject && isInFamily(change.address) ? [`event: ${safeText(yamlKey(change.address))}`] : [];
  return { file: inProject ? projectFile : file, fields: [`risk: ${code}`, ...event, `until: ${until}`, "why: …"] };
}

/** The blocks that matter: accepting a risk helps only where no rule forbids the change. */
export function decidingBlocks({ blockedBy }: Change): readonly Block[] {
  const rules = blockedBy.filter(({ code }) => !acceptableCodes.includes(code));
  return rules.length === 0 ? blockedBy : rules;
}

/** A comment must have room for a hundred entries. */
const subjectColumns = 100;

/** The entries of `allow` that each file needs for all these changes, with those that it has, because a file has one `allow`. */
export function allowLists(
  changes: readonly Change[],
  fixOf: FixOf,
  allowed: ReadonlyMap<string, readonly AllowEntry[]>,
): ReadonlyMap<string, readonly (readonly string[])[]> {
  const fixes = changes.flatMap((change) =>
    decidingBlocks(change).flatMap((block) => {
      const fix = fixOf(change, block);
      return fix === null ? [] : { ...fix, subject: changeSubject(change, "plan") };
    }),
  );
  const textOf = (value: string) => JSON.stringify(safeText(value));
  return new Map(
    [...groupBy(fixes, ({ file }) => file)].map(([file, all]) => {
      // Those who copy only some of the entries must know what each is about.
      const added = [...groupBy(all, ({ fields }) => fields.join()).values()].map((group) => {
        const [risk, ...rest] = group[0].fields;
        const subjects = group.map(({ subject }) => subject);
        return [`${risk} # ${cutText(listSome(subjects, shownNames), subjectColumns)}`, ...rest];
      });
      const kept = (allowed.get(file) ?? []).map(({ risk, event, until, why }) => [
        `risk: ${safeText(risk)}`,
        ...(event === undefined ? [] : [`event: ${textOf(event)}`]),
        ...(until === undefined ? [] : [`until: ${safeText(until)}`]),
        ...(why === undefined ? [] : [`why: ${textOf(why)}`]),
      ]);
      return [file, [...kept, ...added]];
    }),
  );
}

/** The plan with hints for a pull request, where no flags can be passed: a risk is accepted in one way, with an end date. */
export function forReview(plan: Plan): Plan {
  const inReview = (change: Change, { plainHint, ...block }: Block): Block => {
    const hint = plainHint ?? block.hint;
    const fix = yamlFix(change, block, plan);
    if (fix === null) return { ...block, hint };
    const accept = `To accept this risk, add \`{ ${fix.fields.join(", ")} }\` to the list \`allow\` in ${fix.file}.`;
    return { ...block, hint: `${hint} ${accept}`.trim() };
  };
  const changes = plan.changes.map((change) => {
    return { ...change, blockedBy: change.blockedBy.map((block) => inReview(change, block)) };
  });
  return { ...plan, changes, diagnostics: plan.diagnostics.map((each) => ({ ...each, hint: plainHintOf(each) })) };
}
