// The webhooks of an organization: what differs, and what happens to their secrets.
import { kindOf, normalUrl } from "../kinds/index.ts";
import { idKey, makeAddresses } from "../model/address.ts";
import { type Diagnostic, noticeOf, warningOf } from "../model/diagnostic.ts";
import type { Live, State } from "../model/live.ts";
import type { SecretPlace } from "../model/value.ts";
import type { Project, Wish } from "../model/wish.ts";
import { comparePair, compareSurplus } from "./compare/compare-object.ts";
import type { Comparison } from "./compare/comparison.ts";
import { matchList } from "./match/match-list.ts";
import { removalOrigin } from "./match/origins.ts";
import type { Recall } from "./match/recall.ts";
import { acceptedRisks } from "./rules/judge-events.ts";

export interface WebhookInput {
  readonly wishes: readonly Wish[];
  readonly lives: readonly Live[];
  readonly state: State | null;
  readonly base: readonly Wish[];
  readonly remember: Recall;
  readonly resendUnreadable: boolean;
}

export function compareWebhooks(input: WebhookInput) {
  const kind = kindOf("webhook");
  const { pairs, surplus } = matchList(kind, input.wishes, input.lives, input.remember);
  const references = {
    addressOf: () => undefined,
    formerAddressOf: () => undefined,
    nameOf: (address: string) => address,
  };
  const ours = surplus.filter(knownIn(input));
  const addresses = makeAddresses(
    null,
    kind.plural,
    ours.map((live) => String(live.fields.url ?? live.id)),
    input.wishes.map(({ address }) => address),
  );
  const removals = ours.map((live, index) => {
    const address = addresses[index] ?? "";
    const origin = removalOrigin(input.remember(address, live.id));
    return compareSurplus(kind, address, live, null, { reason: "no longer listed in the webhooks file", origin });
  });
  return {
    cases: [...pairs.map((pair) => comparePair(kind, pair, { ...input, references })), ...removals],
    unmanaged: surplus.length - ours.length,
  };
}

/** Those that state or the base knows. The normal form of an address that is live as written is somebody else's. */
function knownIn({ state, base, lives }: WebhookInput): (live: Live) => boolean {
  const ids = new Set(Object.values(state?.objects ?? {}).map(({ kind, id }) => `${kind} ${idKey(id)}`));
  const written = new Set(base.map(({ fields }) => String(fields.url)));
  const shown = new Set(lives.map(({ fields }) => String(fields.url)));
  const normal = new Set([...written].filter((url) => !shown.has(url)).map(normalUrl));
  return ({ kind, id, fields }) => {
    const url = String(fields.url);
    return ids.has(`${kind} ${idKey(id)}`) || written.has(url) || normal.has(normalUrl(url));
  };
}

export interface SecretKeeping {
  readonly secretSink: "file" | "command" | null;
  readonly holdsSecret: (webhookId: string) => boolean | null;
  readonly secretPlace: SecretPlace;
  readonly onRunner: boolean;
  readonly base: Pick<Project, "webhooks"> | null;
  readonly state: State | null;
}

export function webhookRemarks(webhooks: readonly Comparison[], keeping: SecretKeeping): readonly Diagnostic[] {
  return webhooks.flatMap((one) => {
    const found = [secretOnThisRunnerOnly(one, keeping), secretNotHeld(one, keeping)].filter((each) => each !== null);
    const about = { address: one.address, ...(one.wish === null ? {} : { source: one.wish.source }) };
    const reported = found.filter(({ code }) => one.wish?.own.ignore?.includes(code) !== true);
    const named = secretNameUsed(one, keeping) ?? [];
    return [...acceptedRisks(one), ...[named, reported].flat().map((each) => ({ ...each, ...about }))];
  });
}

/** The name is an argument of the command, so reviewers of the change must see it. */
function secretNameUsed(
  { name, wish, live, change }: Comparison,
  { secretSink, base, state }: SecretKeeping,
): Diagnostic | null {
  const wanted = wish?.own.secretName;
  if (secretSink !== "command" || wanted === undefined) return null;
  if (change?.action === "create") {
    return noticeOf(
      "secret-name-used",
      `The command in \`secrets\` will store the secret of the webhook ${name} under the name \`${wanted}\`.`,
      "Check that nothing else is stored under that name: it would be overwritten.",
    );
  }
  const before =
    state?.objects[wish?.address ?? ""]?.secretName ??
    base?.webhooks.find(({ fields }) => fields.url === wish?.fields.url)?.own.secretName;
  if (live === null || before === undefined || before === wanted) return null;
  const message = `The secret of the webhook ${name} is stored under the name \`${before}\`. The new \`secretName\`, \`${wanted}\`, is used only from the next rotation on.`;
  const hint = `Once this is merged, run \`ticketing webhooks rotate ${name}\`. Check that nothing else is stored under \`${wanted}\`: it would be overwritten.`;
  return warningOf("secret-name-used", message, hint);
}

function secretOnThisRunnerOnly(
  one: Comparison,
  { secretSink, secretPlace, onRunner }: SecretKeeping,
): Diagnostic | null {
  // Of hosts that are known to forget it, a rule says so.
  if (one.change?.action !== "create" || secretSink !== "file" || secretPlace.fate !== "kept" || !onRunner) return null;
  const message = `The secret of the webhook ${one.name} would be written to a file on this runner and would be lost with it.`;
  const hint =
    "Write `secrets: { sink: command, command: […] }` in ticketing.yaml, or create the webhook from your own machine.";
  return warningOf("secret-on-this-runner-only", message, hint);
}

function secretNotHeld(one: Comparison, { secretSink, holdsSecret }: SecretKeeping): Diagnostic | null {
  if (one.live === null || one.wish === null || holdsSecret(one.live.id) !== false) return null;
  return noticeOf(
    "secret-not-held",
    secretSink === "command"
      ? `The webhook ${one.name} is live, and nothing shows that the command under \`secrets:\` was ever given its secret.`
      : `The webhook ${one.name} is live, and its secret is not in the place that ticketing.yaml names.`,
    `If its receiver does not have the secret either, \`ticketing webhooks rotate ${one.name}\` makes a new one.`,
  );
}
