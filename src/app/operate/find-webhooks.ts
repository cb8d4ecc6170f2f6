// The live webhooks, and those that an address or an id refers to.
import { sameId } from "../../model/address.ts";
import { type Diagnostic, errorOf, type Fallible, failed, suggest } from "../../model/diagnostic.ts";
import type { Live } from "../../model/live.ts";
import { maskUrls, parseUrl } from "../../model/value.ts";
import type { TicketingClient } from "../../service/client.ts";
import { readWebhooks } from "../../snapshot/read-lists.ts";
import { makeReader } from "../../snapshot/reader.ts";

/** Several if twins share the address. */
export type FoundWebhooks = Fallible<{ readonly all: readonly Live[]; readonly found: readonly [Live, ...Live[]] }>;

export function listWebhooks(client: TicketingClient): Promise<readonly Live[]> {
  return readWebhooks(makeReader(client));
}

export async function findWebhooks(client: TicketingClient, word: string): Promise<FoundWebhooks> {
  const all = await listWebhooks(client);
  const wanted = word.trim();
  const [first, ...others] = all.filter(({ id, fields }) => sameId(id, wanted) || fields.url === wanted);
  if (first !== undefined) return { ok: true, all, found: [first, ...others] };
  const [near, ...twins] = all.filter((live) => plainUrl(urlOf(live)) === plainUrl(wanted));
  if (near !== undefined) return { ok: true, all, found: [near, ...twins] };
  // Copied from output, where the query is masked: fine if only one matches.
  const [masked, ...more] = all.filter((live) => urlOf(live) !== "" && maskUrls(urlOf(live)) === wanted);
  if (masked !== undefined && more.length === 0) return { ok: true, all, found: [masked] };
  return failed(unknown(word, all));
}

export function urlOf(live: Live): string {
  return typeof live.fields.url === "string" ? live.fields.url : "";
}

/** What is the same address however it is typed: `HTTPS://Hooks.example.com` and `https://hooks.example.com/`. */
function plainUrl(text: string): string {
  return parseUrl(text)?.href.replace(/\/$/, "") ?? text;
}

function unknown(word: string, all: readonly Live[]): Diagnostic {
  const urls = all.map(urlOf).filter((url) => url !== "");
  const near = suggest(word, urls);
  const hint =
    all.length === 0
      ? "The organization has no webhooks yet: list one in webhooks.yaml and run `ticketing apply`."
      : near === null
        ? `Known webhooks: ${urls.slice(0, 10).join(", ")}. An id works too; \`ticketing webhooks list\` shows all.`
        : `Did you mean '${near}'? \`ticketing webhooks list\` shows all.`;
  return errorOf("unknown-webhook", `There is no webhook '${word}'.`, hint);
}
