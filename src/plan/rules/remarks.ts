// Remarks that need both the files and the live service: what the rules allow and people should still know.
import { type Address, rootOf } from "../../model/address.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { OrderFigures } from "../../model/live.ts";
import { type Edit, recoveryDelete } from "../../model/plan.ts";
import { formatCount, formatMoney } from "../../model/value.ts";
import { withBlocks } from "../compare/compare-object.ts";
import type { Comparison, EventComparison } from "../compare/comparison.ts";
import type { Recall } from "../match/recall.ts";
import { acceptedRisks } from "./judge.ts";
import { soldOfEvent } from "./sold.ts";

export interface RemarkContext {
  readonly now: number;
  readonly orders: OrderFigures | undefined;
  readonly remember: Recall;
}

type Remark = (one: Comparison, event: EventComparison, context: RemarkContext) => Diagnostic | null;

export function remarksOn(event: EventComparison, context: RemarkContext): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  for (const one of [event.self, ...event.children]) {
    found.push(...acceptedRisks(one), ...remarksAbout(one, event, context));
  }
  return found;
}

const remarks: Readonly<Record<string, readonly Remark[]>> = {
  event: [deletedOutside, startsInThePast, renameChangesAddress, buyersNotTold],
  ticket: [bornSoldOut, centavosBesideLive, largePriceChange, soldOutStays],
};

/** Mistakes that only show beside the live service, and that are too dear to be remarks: they block what they are about. */
export function judgeMistakes(event: EventComparison, context: RemarkContext): EventComparison {
  function judged(one: Comparison): Comparison {
    const found = remarksAbout(one, event, context).filter(({ severity }) => severity === "error");
    const blocks = found.map(({ code, message, hint = "" }) => ({ code, message, hint }));
    return one.change === null || blocks.length === 0 ? one : { ...one, change: withBlocks(one.change, blocks) };
  }
  return { ...event, self: judged(event.self), children: event.children.map(judged) };
}

function remarksAbout(one: Comparison, event: EventComparison, context: RemarkContext): readonly Diagnostic[] {
  return (remarks[one.kind.name] ?? [])
    .map((remark) => remark(one, event, context))
    .filter((found) => found !== null && !isIgnored(found.code, one, event)) as readonly Diagnostic[];
}

/** To make it anew is what the files say; that it was taken away is what somebody should hear first. */
function deletedOutside(one: Comparison, _event: EventComparison, { remember }: RemarkContext): Diagnostic | null {
  const { id } = remember(one.address);
  if (one.change?.action !== "create" || id === null || one.change.blockedBy.length > 0) return null;
  const published = one.change.transition?.to === "PUBLISHED";
  return at(one, "name", {
    code: "deleted-outside",
    severity: "warning",
    message: `'${one.name}' was live with the id ${id} and is not any more: somebody deleted it at the service. Apply would make it anew${published ? " and publish it" : ""}.`,
    hint: "If it is to stay away, say `status: DELETED` or remove the document; if it is to come back, go on.",
  });
}

function startsInThePast(one: Comparison, _event: EventComparison, { now }: RemarkContext): Diagnostic | null {
  const start = one.wish?.fields.dateTime;
  if (one.change?.action !== "create" || typeof start !== "string" || Date.parse(start) >= now) return null;
  // Whether it is new at all is not known yet.
  if (one.change.blockedBy.some(({ code }) => code === "ambiguous-event")) return null;
  return at(one, "dateTime", {
    code: "starts-in-the-past",
    severity: "error",
    message: `'${one.name}' is new and its start is already past.`,
    hint: "Correct `dateTime` (is it the right year?), pin the live event with `id`, or silence this with `ignore: [starts-in-the-past]`.",
  });
}

function bornSoldOut(one: Comparison, event: EventComparison): Diagnostic | null {
  if (one.change?.action !== "create" || one.wish?.fields.soldOut !== true) return null;
  // Whether it is new at all is not known yet.
  if (event.self.change?.blockedBy.some(({ code }) => code === "ambiguous-event")) return null;
  return at(one, "soldOut", {
    code: "born-sold-out",
    severity: "warning",
    message: `${one.name} is not live yet and has \`soldOut: true\`: it is created and closed at once.`,
    hint: "Remove the line if it was copied from an earlier event; if it is meant, add `ignore: [born-sold-out]`.",
  });
}

function centavosBesideLive(one: Comparison): Diagnostic | null {
  const { before, after } = editOf(one, "/price") ?? {};
  if (typeof before !== "number" || typeof after !== "number" || before <= 0) return null;
  if (after % 100 !== 0 || after < 20 * before) return null;
  return at(one, "price", {
    code: "price-looks-like-centavos",
    severity: after >= 100 * before ? "error" : "warning",
    message: `${one.name} costs ${formatMoney(before)} now and would cost ${formatMoney(after)}. Prices are whole pesos: did you mean ${after / 100}?`,
    hint: `Write \`price: ${after / 100}\`, or silence this with \`ignore: [price-looks-like-centavos]\` on the ticket type.`,
  });
}

function renameChangesAddress(one: Comparison): Diagnostic | null {
  const edit = editOf(one, "/name");
  if (one.live?.status !== "PUBLISHED" || edit === undefined) return null;
  return at(one, "name", {
    code: "rename-changes-address",
    severity: "warning",
    message: `'${one.live.fields.name}' is public, and a new name may change its address on the marketplace: links that people shared may break.`,
    hint: "Check the event's page after the apply, and the links in your own announcements.",
  });
}

function buyersNotTold(one: Comparison, event: EventComparison, context: RemarkContext): Diagnostic | null {
  const edited = ["dateTime", "venueId", "locationType", "visibility"].filter(
    (field) => editOf(one, `/${field}`) !== undefined,
  );
  const [field] = edited;
  if (one.live === null || field === undefined) return null;
  const sold = soldOfEvent(event.lists.ticket, context.orders);
  if (sold.any !== true) return null;
  const count =
    sold.count === null
      ? "Some tickets are sold"
      : `${formatCount(sold.count)} ${sold.count === 1 ? "ticket is" : "tickets are"} sold`;
  return at(one, field === "venueId" && one.wish?.places.venue !== undefined ? "venue" : field, {
    code: "buyers-not-told",
    severity: "warning",
    message: `${count} for '${one.name}', and the service tells nobody about this change.`,
    hint: `Write to the buyers yourself: \`ticketing orders ${one.live.id} --with-buyers\` lists them.`,
  });
}

function largePriceChange(one: Comparison, event: EventComparison): Diagnostic | null {
  const edit = editOf(one, "/price");
  if (event.self.live?.status !== "PUBLISHED" || typeof edit?.before !== "number" || typeof edit.after !== "number")
    return null;
  if (edit.before === 0 || Math.abs(edit.after - edit.before) <= edit.before / 2) return null;
  const percent = Math.round(((edit.after - edit.before) / edit.before) * 100);
  return at(one, "price", {
    code: "large-price-change",
    severity: "warning",
    message: `${one.name} goes from ${formatMoney(edit.before)} to ${formatMoney(edit.after)} (${percent > 0 ? "+" : ""}${percent} %) on a public event.`,
    hint: "Check that the price is meant; it holds for the next buyer at once.",
  });
}

function soldOutStays(one: Comparison, _event: EventComparison, context: RemarkContext): Diagnostic | null {
  if (one.live === null || one.wish === null || one.live.remaining !== 0 || one.wish.fields.soldOut === true)
    return null;
  const told = context.remember(one.address).applied?.soldOut === true;
  const raised = editOf(one, "/quantity");
  if (one.wish.fields.soldOut !== false && !told && raised === undefined) return null;
  return at(one, "soldOut", {
    code: "sold-out-stays",
    severity: raised === undefined ? "info" : "warning",
    message: `${one.name} is sold out on the service, and no call undoes that.`,
    hint:
      raised === undefined
        ? "To sell more, raise `quantity`."
        : "Look at it after the apply: whether a higher quantity brings tickets back is up to the service.",
  });
}

function editOf(one: Comparison, path: string): Edit | undefined {
  return one.live === null ? undefined : one.change?.edits.find((edit) => edit.path === path);
}

function at(one: Comparison, field: string, diagnostic: Diagnostic): Diagnostic {
  const source = one.wish?.places[field] ?? one.wish?.source;
  return { ...diagnostic, address: one.address, ...(source === undefined ? {} : { source }) };
}

function isIgnored(code: string, one: Comparison, event: EventComparison): boolean {
  return one.wish?.own.ignore?.includes(code) === true || event.self.wish?.own.ignore?.includes(code) === true;
}

/**
 * Remarks on the files as far as this plan is about them: a pull request that edits one event is not told about the
 * hundreds that it leaves alone. What is said of no event stays, and so does what will be deleted.
 */
export function remarksOnPlanned(remarks: readonly Diagnostic[], planned: readonly Address[]): readonly Diagnostic[] {
  const events = new Set(planned);
  return remarks.filter(
    ({ code, address }) => code === recoveryDelete || !address?.startsWith("events/") || events.has(rootOf(address)),
  );
}

export interface SecretKeeping {
  readonly secretSink: "file" | "command" | null;
  readonly holdsSecret: (webhookId: string) => boolean | null;
  readonly onRunner: boolean;
}

export function webhookRemarks(cases: readonly Comparison[], keeping: SecretKeeping): readonly Diagnostic[] {
  return cases
    .flatMap((one) => [...acceptedRisks(one), secretOnThisRunnerOnly(one, keeping), secretNotHeld(one, keeping)])
    .filter((found) => found !== null);
}

function secretOnThisRunnerOnly(one: Comparison, keeping: SecretKeeping): Diagnostic | null {
  if (
    one.change?.action !== "create" ||
    keeping.secretSink !== "file" ||
    !keeping.onRunner ||
    isSilent(one, "secret-on-this-runner-only")
  )
    return null;
  return atWebhook(one, {
    code: "secret-on-this-runner-only",
    severity: "warning",
    message: `The secret of the webhook ${one.name} would be written to a file on this runner and be gone with it.`,
    hint: "Use a command sink in ticketing.yaml (`secrets: { sink: command, command: […] }`), or create the webhook from your own machine.",
  });
}

function secretNotHeld(one: Comparison, keeping: SecretKeeping): Diagnostic | null {
  if (
    one.live === null ||
    one.wish === null ||
    keeping.holdsSecret(one.live.id) !== false ||
    isSilent(one, "secret-not-held")
  )
    return null;
  return atWebhook(one, {
    code: "secret-not-held",
    severity: "info",
    message:
      keeping.secretSink === "command"
        ? `The webhook ${one.name} is live, and nothing shows that the command under \`secrets:\` was ever given its secret.`
        : `The webhook ${one.name} is live, and its secret is not in the place that ticketing.yaml names.`,
    hint: `If its receiver does not have the secret either, \`ticketing webhooks rotate ${one.name}\` makes a new one.`,
  });
}

function isSilent(one: Comparison, code: string): boolean {
  return one.wish?.own.ignore?.includes(code) === true;
}

function atWebhook(one: Comparison, diagnostic: Diagnostic): Diagnostic {
  return { ...diagnostic, address: one.address, ...(one.wish === null ? {} : { source: one.wish.source }) };
}
