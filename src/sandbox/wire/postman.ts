// Who gets told of what, how often it is tried, and what is written down about it.
import { randomUUID } from "node:crypto";
import { setTimeout } from "node:timers/promises";
import type { DeliveryRow, WebhookRow } from "../data/records.ts";
import { type Notice, type SandboxContext, stamp } from "../endpoints/call.ts";
import { deliver, type Receipt } from "./deliver.ts";

export interface Postman {
  notify(notice: Notice): void;
  test(webhook: WebhookRow): Promise<{ readonly success: boolean; readonly [field: string]: unknown }>;
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>;
  /** Gives up what has not arrived. */
  close(): void;
}

const timeoutMs = 5_000;

/** `outside`: whether deliveries may leave this machine. */
export function createPostman(desk: () => SandboxContext, commit: () => void, outside: boolean): Postman {
  const underWay = new Set<Promise<void>>();
  const closing = new AbortController();
  const { signal } = closing;

  function wrap(id: string, type: string, data: unknown): string {
    return JSON.stringify({ id, type, createdAt: stamp(desk()), data });
  }

  function record(webhook: WebhookRow, type: string, url: string): DeliveryRow {
    return desk().store.deliveries.put({
      id: randomUUID(),
      webhookId: webhook.id,
      event: type,
      url,
      status: "PENDING",
      attempts: 0,
      responseStatus: null,
      error: null,
      createdAt: stamp(desk()),
      deliveredAt: null,
    });
  }

  function note(delivery: DeliveryRow, receipt: Receipt, last: boolean): DeliveryRow {
    const { store } = desk();
    const failed = last ? "FAILED" : "PENDING";
    const noted: DeliveryRow = {
      ...delivery,
      status: receipt.success ? "DELIVERED" : receipt.notSent === true ? "NOT_SENT" : failed,
      attempts: delivery.attempts + (receipt.notSent === true ? 0 : 1),
      responseStatus: receipt.responseStatus,
      error: receipt.error,
      deliveredAt: receipt.success ? stamp(desk()) : null,
    };
    // A webhook deleted meanwhile has taken its history with it.
    if (store.webhooks.get(delivery.webhookId) !== undefined) store.deliveries.put(noted);
    return noted;
  }

  async function send(webhook: WebhookRow, delivery: DeliveryRow, body: string): Promise<void> {
    const { deliveryAttempts, deliveryBackoff } = desk().profile();
    let noted = delivery;
    for (let attempt = 1; attempt <= deliveryAttempts && !signal.aborted; attempt++) {
      if (attempt > 1) await pause(deliveryBackoff * 2 ** (attempt - 2), signal);
      const { id, event: type, url } = delivery;
      const receipt = await deliver({ url, id, type, body, secret: webhook.secret, timeoutMs, outside, signal });
      if (signal.aborted) return;
      noted = note(noted, receipt, attempt === deliveryAttempts);
      if (receipt.success || receipt.notSent === true) break;
    }
    if (noted.status !== "NOT_SENT") tally(webhook.id, noted.status === "DELIVERED");
    commit();
  }

  function tally(webhookId: string, arrived: boolean): void {
    const { store, profile } = desk();
    const webhook = store.webhooks.get(webhookId);
    if (webhook === undefined || (arrived && webhook.failures === 0)) return;
    const failures = arrived ? 0 : webhook.failures + 1;
    const off = profile().webhookOffAfter;
    store.webhooks.put({ ...webhook, failures, isActive: webhook.isActive && !(off > 0 && failures >= off) });
  }

  return {
    notify({ type, event, data }) {
      const { store } = desk();
      for (const webhook of store.webhooks.of(event.organizationId)) {
        if (!webhook.isActive || !webhook.events.includes(type)) continue;
        const delivery = record(webhook, type, event.callbackUrl ?? webhook.url);
        const sent = send(webhook, delivery, wrap(delivery.id, type, data)).finally(() => underWay.delete(sent));
        underWay.add(sent);
      }
    },
    async test(webhook) {
      const delivery = record(webhook, "webhook.test", webhook.url);
      const body = wrap(delivery.id, "webhook.test", { webhookId: webhook.id });
      const parcel = {
        url: webhook.url,
        id: delivery.id,
        type: "webhook.test",
        body,
        secret: webhook.secret,
        timeoutMs,
        outside,
        signal,
      };
      const noted = note(delivery, await deliver(parcel), true);
      const { status, responseStatus, error } = noted;
      return { success: status === "DELIVERED", deliveryId: noted.id, status, responseStatus, error };
    },
    async idle() {
      while (underWay.size > 0) await Promise.allSettled([...underWay]);
    },
    close() {
      closing.abort();
    },
  };
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // An abort only ends the wait: whoever waits looks at the signal next.
  await setTimeout(ms, undefined, { signal }).catch(() => undefined);
}
