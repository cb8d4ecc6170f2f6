// The key and its organization, its webhooks, what was sold, and where events can take place.
import { randomBytes, randomUUID } from "node:crypto";
import { orderStatuses, recordFields, type WebhookRow, webhookPatchFields } from "../data/rows.ts";
import {
  type Call,
  noteBirth,
  notFound,
  paramOf,
  Refusal,
  type Reply,
  requireEvent,
  requireValid,
  stamp,
  venuesOf,
  written,
} from "./handler.ts";
import { readBody } from "./read-body.ts";
import {
  listReply,
  pageReply,
  readStatusFilter,
  showAccount,
  showOrder,
  showPaidOrder,
  showRow,
  showWebhook,
} from "./show.ts";

export function getMe({ store, profile, key, lastUsed, now }: Call): Reply {
  const organization = store.organizations.get(key.organizationId);
  if (organization === undefined) throw notFound("Organization", key.organizationId);
  const lastUsedAt = new Date(lastUsed.get(key.id) ?? now()).toISOString();
  return { status: 200, data: showAccount({ ...key, lastUsedAt }, organization, profile) };
}

export function listOrders(call: Call): Reply {
  const { id } = requireEvent(call);
  const status = readStatusFilter(call, orderStatuses);
  const rows = call.store.orders.of(id).filter((order) => status === undefined || order.status === status);
  return listReply(call, rows, showOrder);
}

export function getOrder(call: Call): Reply {
  const { store, profile, key } = call;
  const id = paramOf(call, 0);
  const order = store.orders.get(id.toLowerCase());
  if (order === undefined || store.events.get(order.eventId)?.organizationId !== key.organizationId)
    throw notFound("Order", id);
  return { status: 200, data: showPaidOrder(order, profile) };
}

export function searchVenues(call: Call): Reply {
  const text = (call.query.get("query") ?? "").trim().toLowerCase();
  requireValid(text === "" ? [{ field: "query", message: "query is required: part of a venue's name" }] : []);
  const found = venuesOf(call).filter((venue) => venue.name.toLowerCase().includes(text));
  return listReply(call, found, (venue) => ({ ...venue }));
}

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
