// Which webhooks a rotation replaces and with what: decided before anything is sent.
import type { RotationWish } from "../../apply/secrets.ts";
import { kindOf } from "../../kinds/index.ts";
import { makeAddress, sameId } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed, suggest } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { formatCount, keepSecretsOn, maskUrls, parseUrl, type SecretPlace, type Value } from "../../model/value.ts";
import type { SecretSink } from "../../model/wish.ts";
import { unsentFields } from "../../plan/assemble.ts";
import type { TicketingClient } from "../../service/client.ts";
import { readWebhooks } from "../../snapshot/read-organization.ts";
import { makeReader } from "../../snapshot/reader.ts";
import type { ProjectWishes } from "./project-wishes.ts";

export interface RotationPlan extends Omit<RotationWish, "untested"> {
  readonly secretName: string | null;
  /** What the files say about it and a new webhook has by itself. */
  readonly unsent: Readonly<Record<string, Value>>;
}

export type PlannedRotation = Fallible<{ readonly plan: RotationPlan }>;

/** `former`: the webhook that is meant, or twins of one address. */
export function planRotation(
  former: readonly [Live, ...Live[]],
  project: ProjectWishes,
  sink: SecretSink | null,
  host: SecretPlace["host"],
): PlannedRotation {
  const [first, ...twins] = former;
  const url = webhookUrl(first);
  const wish = project.webhooks.find((each) => each.fields.url === url);
  const address = wish?.address ?? makeAddress(null, kindOf("webhook").plural, url);
  const events = eventsOf(first) ?? eventsOf(wish);
  const secretName = wish?.own.secretName ?? null;
  if (twins.some((twin) => String(eventsOf(twin)) !== String(eventsOf(first))))
    return failed(differentTwins(former, url));
  if (url === "" || events === null) return failed(notShown(first));
  if (sink === null) return failed(noSink(host));
  if (sink.sink === "command" && secretName === null && sink.command.some((part) => part.includes("{secretName}")))
    return failed(noSecretName(url));
  const ids = new Set(former.map(({ id }) => id));
  const inactive = former.every(({ fields }) => fields.isActive === false);
  const known = Object.values(project.state?.objects ?? {}).some(({ id }) => ids.has(id));
  return {
    ok: true,
    plan: {
      address,
      url,
      events,
      secretName,
      unsent: wish === undefined || inactive ? {} : unsentFields(kindOf("webhook"), wish),
      rotation: {
        replaces: [...ids],
        ...(inactive ? { inactive: true as const } : {}),
        // A webhook that neither the files nor state call ours does not become ours by a new secret.
        ...(wish === undefined && !known ? { unremembered: true as const } : {}),
      },
    },
  };
}

function eventsOf(shown: { readonly fields: Readonly<Record<string, unknown>> } | undefined): readonly string[] | null {
  const events = shown?.fields.events;
  return Array.isArray(events) ? events.filter((each) => typeof each === "string") : null;
}

function noSink(host: SecretPlace["host"]): Diagnostic {
  const message = "There is no place to store the new secret, which the service shows only once.";
  return errorOf("no-secret-sink", message, keepSecretsOn(host));
}

function noSecretName(url: string): Diagnostic {
  const message = `The secrets command needs a name for the secret of ${url}, but no file gives it one.`;
  const hint = `List the webhook in webhooks.yaml with a \`secretName\`.`;
  return errorOf("no-secret-name", message, hint);
}

function notShown({ id }: Live): Diagnostic {
  const message = `The service does not show the events of the webhook ${id}, so it cannot be replaced by one like it.`;
  const hint = "List it in webhooks.yaml with its `events`, then run the command again.";
  return errorOf("webhook-not-shown", message, hint);
}

function differentTwins(former: readonly Live[], url: string): Diagnostic {
  const lines = former.map((live) => `\n  ${live.id}: ${(eventsOf(live) ?? ["events not shown"]).join(", ")}`);
  const message = `${formatCount(former.length)} webhooks have the URL ${url} but different events:${lines.join("")}`;
  const hint = "Name the one to rotate by its id; or first delete, in the dashboard, those that you do not need.";
  return errorOf("ambiguous-webhook", message, hint);
}

// The live webhooks, and those that an address or an id refers to.

/** Several if twins share the address. */
type FoundWebhooks = Fallible<{ readonly all: readonly Live[]; readonly found: readonly [Live, ...Live[]] }>;

export function listWebhooks(client: TicketingClient): Promise<readonly Live[]> {
  return readWebhooks(makeReader(client));
}

export async function findWebhooks(client: TicketingClient, word: string): Promise<FoundWebhooks> {
  const all = await listWebhooks(client);
  const wanted = word.trim();
  const [first, ...others] = all.filter(({ id, fields }) => sameId(id, wanted) || fields.url === wanted);
  if (first !== undefined) return { ok: true, all, found: [first, ...others] };
  const [near, ...twins] = all.filter((live) => plainUrl(webhookUrl(live)) === plainUrl(wanted));
  if (near !== undefined) return { ok: true, all, found: [near, ...twins] };
  // Copied from output, where the query is masked: fine if only one matches.
  const [masked, ...more] = all.filter((live) => webhookUrl(live) !== "" && maskUrls(webhookUrl(live)) === wanted);
  if (masked !== undefined && more.length === 0) return { ok: true, all, found: [masked] };
  return failed(unknownWebhook(word, all));
}

export function webhookUrl(live: Live): string {
  return typeof live.fields.url === "string" ? live.fields.url : "";
}

/** The same URL, however it is typed: `HTTPS://Hooks.example.com` and `https://hooks.example.com/`. */
function plainUrl(text: string): string {
  return parseUrl(text)?.href.replace(/\/$/, "") ?? text;
}

function unknownWebhook(word: string, all: readonly Live[]): Diagnostic {
  const urls = [...new Set(all.map(webhookUrl))].filter((url) => url !== "");
  const near = suggest(word, urls);
  const hint =
    all.length === 0
      ? "The organization has no webhooks yet: list one in webhooks.yaml and run `ticketing apply`; if it is listed, `ticketing plan` shows why it is not live."
      : near === null
        ? `Known webhooks: ${urls.slice(0, 10).join(", ")}. An id works too; \`ticketing webhooks list\` shows all.`
        : `Did you mean "${near}"? \`ticketing webhooks list\` shows all.`;
  return errorOf("unknown-webhook", `There is no webhook "${word}".`, hint);
}
