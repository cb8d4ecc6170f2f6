import { randomBytes, randomUUID } from "node:crypto";
import { notificationTypes, type WebhookRow } from "../data/records.ts";
import { type Call, type Reply, stamp } from "./call.ts";
import { type Fields, readPart, readWhole } from "./fields/fields.ts";
import { param } from "./records/find.ts";
import { arrange, pageOf, plainOf } from "./records/list.ts";
import { noteBirth } from "./records/make-event.ts";
import { showDelivery, showWebhook, written } from "./records/show.ts";
import { invalid, notFound, Refusal } from "./refusal.ts";

const events = { type: "texts", role: "line", of: notificationTypes, filled: true, required: true } as const;
const createFields = {
  url: { type: "text", role: "line", format: "https-url", required: true },
  events,
} as const satisfies Fields;
const patchFields = { events, isActive: { type: "flag", required: true } } as const satisfies Fields;

export function createWebhook(call: Call): Reply {
  const { desk, key, body } = call;
  const { values, problems } = readWhole(createFields, body, desk.profile());
  if (problems.length > 0) throw invalid(problems);
  const now = stamp(desk);
  const webhook = desk.store.webhooks.put({
    id: randomUUID(),
    organizationId: key.organizationId,
    ...(values as { url: string; events: string[] }),
    isActive: true,
    secret: `whsec_${randomBytes(24).toString("hex")}`,
    failures: 0,
    createdAt: now,
    updatedAt: now,
  });
  noteBirth(desk, webhook.id);
  // The one and only time that the secret is told.
  return { status: 201, data: { ...showWebhook(webhook, desk.profile()), secret: webhook.secret } };
}

export function listWebhooks(call: Call): Reply {
  const { desk, key } = call;
  const profile = desk.profile();
  const rows = arrange(desk, desk.store.webhooks.of(key.organizationId));
  const show = (webhook: WebhookRow) => showWebhook(webhook, profile);
  return profile.webhookList === "paged" ? pageOf(call, rows, show) : plainOf(rows, show);
}

function findWebhook(call: Call): WebhookRow {
  const id = param(call, 0);
  const webhook = call.desk.store.webhooks.get(id.toLowerCase());
  if (webhook === undefined || webhook.organizationId !== call.key.organizationId) throw notFound("Webhook", id);
  return webhook;
}

export function patchWebhook(call: Call): Reply {
  const { desk, body } = call;
  const webhook = findWebhook(call);
  const { values, problems } = readPart(patchFields, body, desk.profile());
  if (problems.length > 0) throw invalid(problems);
  const changed = { ...webhook, ...values, updatedAt: stamp(desk) } as WebhookRow;
  const failures = changed.isActive && !webhook.isActive ? 0 : changed.failures;
  return written(desk, showWebhook(desk.store.webhooks.put({ ...changed, failures }), desk.profile()));
}

export function deleteWebhook(call: Call): Reply {
  const { desk } = call;
  const { id } = findWebhook(call);
  for (const delivery of desk.store.deliveries.of(id)) desk.store.deliveries.remove(delivery.id);
  desk.store.webhooks.remove(id);
  return written(desk, { deleted: true, id });
}

export async function testWebhook(call: Call): Promise<Reply> {
  const { desk } = call;
  const result = await desk.testWebhook(findWebhook(call));
  if (!result.success && desk.profile().webhookTest === "refused") {
    throw new Refusal(
      400,
      "WEBHOOK_TEST_FAILED",
      result.status === "NOT_SENT" ? `The test event was ${String(result.error)}.` : "The test event was not accepted.",
      "See GET /webhooks/:id/deliveries.",
    );
  }
  return { status: 200, data: result };
}

export function listDeliveries(call: Call): Reply {
  const { desk } = call;
  const rows = desk.store.deliveries.of(findWebhook(call).id);
  return pageOf(call, [...rows].reverse(), (delivery) => showDelivery(delivery, desk.profile()));
}
