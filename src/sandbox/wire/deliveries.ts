// Webhooks: who is notified of what, how often it is tried, what is recorded, and the one signed POST of each attempt.
import { createHmac, randomUUID } from "node:crypto";
import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import type { DeliveryRow, WebhookRow } from "../data/rows.ts";
import { type Notice, type SandboxContext, stamp } from "../endpoints/handler.ts";
import { isThisMachine, parseAddress } from "../endpoints/read-body.ts";

/** `outside`: whether deliveries may leave this machine. */
export function createDeliveries(context: SandboxContext, commit: () => void, outside: boolean) {
  const { store } = context;
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;

  function begin(webhook: WebhookRow, type: string, url: string, data: unknown): Parcel {
    const createdAt = stamp(context);
    const delivery = store.deliveries.put({
      id: randomUUID(),
      webhookId: webhook.id,
      event: type,
      url,
      status: "PENDING",
      attempts: 0,
      responseStatus: null,
      error: null,
      createdAt,
      deliveredAt: null,
    });
    const body = JSON.stringify({ id: delivery.id, type, createdAt, data });
    return { delivery, body, secret: webhook.secret };
  }

  async function attempt(parcel: Parcel, isLast: boolean): Promise<DeliveryRow> {
    const { delivery } = parcel;
    const receipt = await deliver(parcel, outside, signal);
    const status = receipt.status === "FAILED" && !isLast ? "PENDING" : receipt.status;
    const recorded: DeliveryRow = {
      ...delivery,
      ...receipt,
      status,
      attempts: delivery.attempts + (status === "NOT_SENT" ? 0 : 1),
      deliveredAt: status === "DELIVERED" ? stamp(context) : null,
    };
    // The history of a webhook is deleted with it; what is given up leaves no trace.
    if (store.webhooks.get(delivery.webhookId) !== undefined && !signal.aborted) store.deliveries.put(recorded);
    return recorded;
  }

  async function send(parcel: Parcel): Promise<void> {
    const { deliveryAttempts, deliveryBackoff } = context.profile;
    let { delivery } = parcel;
    for (let tries = 1; delivery.status === "PENDING"; tries++) {
      // An abort only ends the wait.
      if (tries > 1) await sleep(deliveryBackoff * 2 ** (tries - 2), undefined, { signal }).catch(() => undefined);
      if (!signal.aborted) delivery = await attempt({ ...parcel, delivery }, tries === deliveryAttempts);
      if (signal.aborted) return;
    }
    if (delivery.status !== "NOT_SENT") countFailures(delivery.webhookId, delivery.status === "DELIVERED");
    commit();
  }

  function countFailures(webhookId: string, hasArrived: boolean): void {
    const webhook = store.webhooks.get(webhookId);
    if (webhook === undefined || (hasArrived && webhook.failures === 0)) return;
    const failures = hasArrived ? 0 : webhook.failures + 1;
    const { webhookOffAfter } = context.profile;
    const isOff = webhookOffAfter > 0 && failures >= webhookOffAfter;
    store.webhooks.put({ ...webhook, failures, isActive: webhook.isActive && !isOff });
  }

  return {
    notify({ type, event, data }: Notice): void {
      for (const webhook of store.webhooks.of(event.organizationId)) {
        if (!webhook.isActive || !webhook.events.includes(type)) continue;
        const parcel = begin(webhook, type, event.callbackUrl ?? webhook.url, data);
        const sent = send(parcel).finally(() => underWay.delete(sent));
        underWay.add(sent);
      }
    },
    async testWebhook(webhook: WebhookRow): ReturnType<SandboxContext["testWebhook"]> {
      const parcel = begin(webhook, "webhook.test", webhook.url, { webhookId: webhook.id });
      const { id, status, responseStatus, error } = await attempt(parcel, true);
      return { success: status === "DELIVERED", deliveryId: id, status, responseStatus, error };
    },
    /** Resolves when none is in flight. */
    async idle(): Promise<void> {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
    /** Abandons those that have not arrived. */
    close(): void {
      closing.abort();
    },
  };
}

interface Parcel {
  readonly delivery: DeliveryRow;
  readonly body: string;
  readonly secret: string;
}

/** NOT_SENT: trying again would not change that. */
interface Receipt {
  readonly status: "DELIVERED" | "FAILED" | "NOT_SENT";
  readonly responseStatus: number | null;
  readonly error: string | null;
}

const timeoutMs = 5_000;

const staysHere =
  "the sandbox delivers only to this machine (localhost, 127.0.0.1, ::1); `ticketing sandbox --deliver-outside` delivers everywhere";

/** The value of X-Webhook-Signature: the HMAC-SHA256 of the body, byte for byte as sent. */
export function sign(body: string, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

/** Names that end in .localhost are this machine, whatever a name server says about them. */
const lookUpLoopback: LookupFunction = (_, options, found) => {
  const wantsIpv6 = options.family === 6 || options.family === "IPv6";
  const ipv4 = { address: "127.0.0.1", family: 4 };
  const ipv6 = { address: "::1", family: 6 };
  if (options.all === true) found(null, [ipv4, ipv6]);
  else if (wantsIpv6) found(null, ipv6.address, 6);
  else found(null, ipv4.address, 4);
};

function deliver({ delivery, body, secret }: Parcel, outside: boolean, signal: AbortSignal): Promise<Receipt> {
  return new Promise((resolve) => {
    function fail(error: string, status: "FAILED" | "NOT_SENT" = "FAILED"): void {
      resolve({ status, responseStatus: null, error });
    }
    const url = parseAddress(delivery.url);
    const isLocal = url !== undefined && isThisMachine(url.hostname);
    if (url === undefined || !(url.protocol === "https:" || (url.protocol === "http:" && isLocal)))
      return fail("the receiver's URL is not https://");
    // Only by the name: what it resolves to is decided elsewhere, and may change at any moment.
    if (!isLocal && !outside) return fail(staysHere, "NOT_SENT");
    const send = url.protocol === "https:" ? httpsRequest : httpRequest;
    const options = {
      method: "POST",
      // A receiver under test on this machine has no certificate that an authority signed.
      rejectUnauthorized: !isLocal,
      agent: false,
      ...(isLocal ? { lookup: lookUpLoopback } : {}),
      signal,
      headers: {
        "Content-Type": "application/json",
        "Content-Length": Buffer.byteLength(body),
        "X-Webhook-Id": delivery.id,
        "X-Webhook-Event": delivery.event,
        "X-Webhook-Signature": sign(body, secret),
      },
    };
    const outgoing = send(url, options, (response) => {
      response.resume();
      const responseStatus = response.statusCode ?? 0;
      if (responseStatus >= 200 && responseStatus < 300) resolve({ status: "DELIVERED", responseStatus, error: null });
      else resolve({ status: "FAILED", responseStatus, error: `the receiver responded with ${responseStatus}` });
    });
    // For the whole exchange, since a socket's own timeout starts only once it is connected.
    const timer = setTimeout(() => outgoing.destroy(new Error("the receiver did not respond in time")), timeoutMs);
    outgoing.on("close", () => clearTimeout(timer));
    // Where both addresses of localhost refuse, the error has a code and no message.
    outgoing.on("error", ({ message, code }: NodeJS.ErrnoException) => fail(message || `no connection (${code})`));
    outgoing.end(body);
  });
}
