// Remarks on the plan as a whole, and which remarks on the files it repeats.
import type { ValuePolicy } from "../../kinds/define.ts";
import { isInFamily, kindOf, showsApplied } from "../../kinds/index.ts";
import { type Address, dateOf, keyInAddress, rootOf } from "../../model/address.ts";
import { type Diagnostic, noticeOf, warningOf } from "../../model/diagnostic.ts";
import { type Change, type Context, isDrift, recoveryDelete } from "../../model/plan.ts";
import { formatLocalMoment, standardZone } from "../../model/time.ts";
import { formatCount, formatMoney, groupBy, listSome, pluralize, shellWord, type Value } from "../../model/value.ts";
import type { Comparison } from "../compare/comparison.ts";
import { type Recall, withEffects } from "../match/recall.ts";

/**
 * Remarks on the files as far as this plan is about them: a pull request that edits one event does not report the
 * hundreds that it leaves alone. Remarks on no event stay, and so do those on what will be deleted.
 */
export function remarksOnPlanned(remarks: readonly Diagnostic[], planned: readonly Address[]): readonly Diagnostic[] {
  const events = new Set(planned);
  return remarks.filter(
    ({ code, address = "" }) => code === recoveryDelete || !isInFamily(address) || events.has(rootOf(address)),
  );
}

/** Fields that the service does not show and nothing remembers: reported once per kind and field, not once per object. */
export function unreadableRemarks(comparisons: readonly Comparison[]): readonly Diagnostic[] {
  const hidden = comparisons.flatMap(({ kind, unknown, change }) => {
    const unsent = unknown.filter((field) => !change?.edits.some((edit) => edit.path === `/${field}`));
    return unsent.map((field) => ({ kind, field }));
  });
  if (hidden.length === 0) return [];
  const alike = groupBy(hidden, ({ kind, field }) => `${kind.name}/${field}`);
  const parts = Array.from(alike.values(), (group) => {
    const [{ kind, field }] = group;
    return `the \`${field}\` of ${pluralize(group.length, kind.words.one, kind.words.many)}`;
  });
  return [
    noticeOf(
      "unreadable-fields",
      `The service does not show ${new Intl.ListFormat("en-GB", { type: "disjunction" }).format(parts)}, and no earlier run recorded what it sent, so the service may differ from the files.`,
      "These fields are sent with the next change to their object; until then, an edit of one of them is not sent.",
      "To send them now, pass --resend-unreadable.",
    ),
  ];
}

/**
 * What somebody changed on the service and this plan overwrites: the reviewers may not know of that change. Only where state records what
 * was applied last; one remark per object.
 */
export function overwriteRemarks(
  comparisons: readonly Comparison[],
  remember: Recall,
  isTargeted: (address: Address) => boolean,
): readonly Diagnostic[] {
  return comparisons.flatMap((one) => {
    const { address, change, name, wish } = one;
    const lost = isTargeted(address) ? lostEdits(one, remember) : [];
    if (wish === null || lost.length === 0) return [];
    const { eventName } = change?.context ?? {};
    const day = dateOf(rootOf(address))?.day;
    const what = `"${name}"${eventName === undefined ? "" : ` of "${eventName}"`}${day === undefined ? "" : ` (${day})`}`;
    const found = warningOf(
      "overwrites-a-change",
      `Somebody changed ${what} on the service after the last apply, and this plan overwrites that change: ${lost.map(({ words }) => words).join("; ")}.`,
      `To keep what the service has, ${importToKeep(address)} before this is merged or applied. If the files are right, there is nothing to do.`,
    );
    return { ...found, address, source: wish.places[lost[0]?.field ?? ""] ?? wish.source };
  });
}

function lostEdits({ kind, wish, live, change }: Comparison, remember: Recall) {
  if (wish === null || live === null || change === null || change.blockedBy.length > 0) return [];
  const memory = withEffects(kind, remember(wish.address, live.id), live);
  const { id, applied } = memory;
  if (id === null || applied === null) return [];
  return change.edits.flatMap(({ path, before, after, origin, sentAlong, unreadable }) => {
    const field = path.slice(1);
    const [policy, shown, last] = [kind.fields[field], live.fields[field], applied[field]];
    if (sentAlong || unreadable || origin === "drift") return [];
    if (policy?.role !== "value" || shown === undefined || last === undefined) return [];
    if (showsApplied(policy, field, shown, { ...memory, applied })) return [];
    const [is, was, will] = [before, last, after].map((value) => shortWords(policy, value, change.context));
    const words =
      is && was && will ? `${is} (last applied: ${was}) becomes ${will}` : "is not the text that was applied last";
    return [{ field, words: `${field} ${words}` }];
  });
}

const longestValue = 60;

/** null: too long for a sentence. */
function shortWords({ form, money, shownAs }: ValuePolicy, value: Value, context: Context = {}): string | null {
  const { timezone = standardZone, names } = context;
  if (value === null) return "none";
  if (typeof value === "number") return money ? formatMoney(value) : formatCount(value);
  if (typeof value === "boolean") return shownAs?.[String(value)] ?? (value ? "yes" : "no");
  if (form === "instant" && typeof value === "string") return formatLocalMoment(value, timezone);
  const text = typeof value === "string" ? (names?.[value] ?? value) : value.join(", ");
  if (text.length > longestValue || text.includes("\n")) return null;
  return form === "choice" ? text : `"${text}"`;
}

/** How to get what the service has into the files. */
export function importToKeep(address: Address): string {
  const [what, isDate] = [isInFamily(address) ? keyInAddress(rootOf(address)) : "--webhooks", dateOf(address) !== null];
  return `run \`ticketing import ${what}\` and ${isDate ? "put what it prints under that date" : "commit the file"}`;
}

/** What a run with targets does not release, although it was asked to release what is held: changes for a later time. */
export function laterRemarks(held: readonly Change[]): readonly Diagnostic[] {
  if (held.length === 0) return [];
  return [
    warningOf(
      "unreviewed",
      `${pluralize(held.length, "change")} for a later time ${held.length === 1 ? "stays" : "stay"} held: a run with \`--target\` releases only what is due now.`,
      `Run the command without \`--target\` to release everything that is held, or merge a branch whose plan lists ${held.length === 1 ? "it" : "them"} under "Held and waiting".`,
    ),
  ];
}

/** The comment still lists these changes: without the warning, it would seem to count for them. */
export function revertedRemarks(changes: readonly Change[]): readonly Diagnostic[] {
  if (changes.length === 0) return [];
  const names = [...new Set(changes.map(({ address }) => address))];
  const [are, them] = changes.length === 1 ? ["is", "it"] : ["are", "them"];
  return [
    warningOf(
      "review-not-counted",
      `${pluralize(changes.length, "held change")} (${listSome(names, mostNamed)}) ${are} listed in the comment on a pull request, but ${are} no longer reviewed: a later commit or merge reverted ${them}.`,
      `If ${are === "is" ? "it is" : "they are"} wanted now, merge a branch whose plan lists ${them}.`,
    ),
  ];
}

/** The most events that the advice names in a command. */
const mostNamed = 3;

/**
 * What is left out because it was not reviewed, now or at a `later` time. The advice is about that alone, or at least about the `targets`
 * of this plan. What comes later is released only by a run of everything: it moves on what the next run compares the files with.
 */
export function heldRemarks(
  { now, later }: { readonly now: readonly Change[]; readonly later: readonly Change[] },
  targets: readonly string[],
): readonly Diagnostic[] {
  const held = [...now, ...later];
  if (held.length === 0) return [];
  const whose = [...new Set(held.map(({ address }) => rootOf(address)))];
  const limits = later.length > 0 ? [] : whose.length > mostNamed ? targets : whose;
  const only = limits.map((one) => ` --target ${shellWord(one)}`).join("");
  const drifted = held.filter(isDrift).length;
  // Nothing shows here which key the plans of pull requests use.
  const alone = held.find(({ address }) => !isInFamily(address));
  const { words, endpoints } = kindOf(alone?.kind ?? held[0]?.kind ?? "");
  const scoped =
    alone === undefined
      ? ""
      : ` (a plan lists a ${words.one} only if its API key has the scope ${endpoints.readScope})`;
  const was = (count: number) => (count === 1 ? "was" : "were");
  const it = held.length === 1 ? "it" : "them";
  const release =
    later.length === 0
      ? `To send ${it} now`
      : `To send ${it} ${now.length === 0 ? "at the time" : "now or at the time"} that the files say`;
  const more = later.length > 0 && targets.length > 0 ? " Both commands also send everything else that is held." : "";
  const them = held.length === 1 ? "it is" : "they are";
  const all = drifted === held.length ? (drifted === 1 ? "It" : "They") : `${formatCount(drifted)} of them`;
  const where = drifted === 0 ? "" : ` ${all} would undo what somebody changed on the service.`;
  return [
    warningOf(
      "unreviewed",
      `${pluralize(held.length, "change")} ${was(held.length)} not reviewed, so ${them} held and not sent.${where}`,
      `Merge a branch whose plan lists ${it} under "Held and waiting"${scoped}, or change the files to match the service. ${release}, run \`ticketing ci apply${only} --unreviewed apply\`; where there is no CI, save a plan that lists ${it} (\`ticketing plan${only} --format json > plan.json\`) and run \`ticketing apply${only} --reviewed plan.json\`.${more}`,
    ),
  ];
}
