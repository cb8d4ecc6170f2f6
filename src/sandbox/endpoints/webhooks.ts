import { randomBytes, randomUUID } from "node:crypto";
import { recordFields, type WebhookRow, webhookPatchFields } from "../data/records.ts";
import { type Call, noteBirth, notFound, paramOf, Refusal, type Reply, requireValid, stamp, written } from "./call.ts";
import { listReply, pageReply } from "./lists.ts";
import { readBody } from "./read-body.ts";
import { showRow, showWebhook } from "./show.ts";

export function createWebhook(call: Call): Reply {
  const { store, profile, key } = call;
  const { values, problems } = readBody("create", recordFields.webhooks, call.body, profile);
  requireValid(problems);
  const now = stamp(call);
  const webhook = store.webhooks.put({
    id: randomUUID(),
    organizationId: key.organizationId,
    ...(values as Pick<WebhookRow, "url" | "events">),
    isActive: true,
    secret: newWebhookSecret(),
    failures: 0,
    createdAt: now,
    updatedAt: now,
  });
  noteBirth(call, webhook.id);
  // The only time that the secret is shown.
  return { status: 201, data: { ...showWebhook(webhook, profile), secret: webhook.secret } };
}

export function newWebhookSecret(): string {
  return `whsec_${randomBytes(24).toString("hex")}`;
}

export function getWebhooks(call: Call): Reply {
  return listReply(call, call.store.webhooks.of(call.key.organizationId), showWebhook, call.profile.webhookList);
}

function requireWebhook(call: Call): WebhookRow {
  const id = paramOf(call, 0);
  const webhook = call.store.webhooks.get(id.toLowerCase());
  if (webhook === undefined || webhook.organizationId !== call.key.organizationId) throw notFound("Webhook", id);
  return webhook;
}

export function patchWebhook(call: Call): Reply {
  const webhook = requireWebhook(call);
  const { values, problems } = readBody("patch", webhookPatchFields, call.body, call.profile);
  requireValid(problems);
  const changed: WebhookRow = { ...webhook, ...values, updatedAt: stamp(call) };
  const failures = changed.isActive && !webhook.isActive ? 0 : changed.failures;
  return written(call, showWebhook(call.store.webhooks.put({ ...changed, failures }), call.profile));
}

export function deleteWebhook(call: Call): Reply {
  const { webhooks, deliveries } = call.store;
  const { id } = requireWebhook(call);
  for (const delivery of deliveries.of(id)) deliveries.remove(delivery.id);
  webhooks.remove(id);
  return written(call, { deleted: true, id });
}

export async function sendTestEvent(call: Call): Promise<Reply> {
  const result = await call.testWebhook(requireWebhook(call));
  if (result.success || call.profile.webhookTest === "success-false") return { status: 200, data: result };
  const why = result.status === "NOT_SENT" ? String(result.error) : "not accepted";
  throw new Refusal(400, "WEBHOOK_TEST_FAILED", `The test event was ${why}.`, "See GET /webhooks/:id/deliveries.");
}

export function listDeliveries(call: Call): Reply {
  return pageReply(call, call.store.deliveries.of(requireWebhook(call).id).reverse(), showRow);
}
