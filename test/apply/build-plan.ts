// Plans written by hand, as the planner would make them.
import type { Change, Operation, Plan } from "../../src/model/plan.ts";

type Step = Omit<Operation, "id" | "needs" | "because"> & Partial<Operation>;

/** Operations in order; each needs all before it unless it says otherwise. */
export function buildPlan(steps: readonly Step[], more: Partial<Plan> = {}): Plan {
  const operations = steps.map((step, index) => ({
    id: String(index + 1),
    needs: steps.slice(0, index).map((_, before) => String(before + 1)),
    because: step.address,
    ...step,
  }));
  return {
    formatVersion: 1,
    tool: { name: "ticketing", version: "0.0.0" },
    createdAt: "2027-01-01T00:00:00.000Z",
    target: {
      environment: "sandbox",
      baseUrl: "http://127.0.0.1/open-api/v1",
      organization: { id: "7b1e5c7e-1111-4111-8111-111111111111", slug: "sandbox" },
    },
    changes: [] as readonly Change[],
    operations,
    diagnostics: [],
    upcoming: [],
    summary: {
      create: 0,
      update: 0,
      replace: 0,
      delete: 0,
      publish: 0,
      unpublish: 0,
      archive: 0,
      soldOut: 0,
      unchanged: 0,
      blocked: 0,
      unmanaged: null,
    },
    calls: { reads: 0, writes: operations.length, estimateSeconds: 0 },
    observed: [],
    fingerprint: "",
    ...more,
  };
}

const event = "events/nights";

/** A whole event: three ticket types (one of them sold out at once), a performer, an entry that names it, a brand, published. */
export function nightsPlan(): Plan {
  return buildPlan([
    {
      address: event,
      verb: "create",
      method: "POST",
      path: "/events",
      needs: [],
      body: {
        name: "Manila Nights",
        dateTime: "2027-03-14T11:00:00.000Z",
        description: "<b>A night</b>\nof music",
        imageUrl: "https://example.com/cover.jpg",
        eventCapacity: 700,
        tickets: [
          { name: "VIP", price: 4500, quantity: 200, type: "VIP", published: true },
          { name: "GA", price: 1500, quantity: 400, published: true },
          { name: "GA", price: 1200, quantity: 100, row: "B", published: false },
        ],
      },
    },
    {
      address: `${event}/performers/DJ Ana`,
      verb: "create",
      method: "POST",
      path: `/events/{${event}}/performers`,
      needs: ["1"],
      body: { name: "DJ Ana", type: "DJ" },
    },
    {
      address: `${event}/schedules/Set`,
      verb: "create",
      method: "POST",
      path: `/events/{${event}}/schedules`,
      needs: ["1", "2"],
      body: {
        title: "Set",
        startTime: "2027-03-14T12:00:00.000Z",
        endTime: "2027-03-14T14:00:00.000Z",
        color: "#FF8800",
        performerId: { $id: `${event}/performers/DJ Ana` },
      },
    },
    {
      address: `${event}/brands/San Miguel`,
      verb: "create",
      method: "POST",
      path: `/events/{${event}}/brands`,
      needs: ["1"],
      body: { name: "San Miguel", url: "https://example.com" },
    },
    {
      address: `${event}/tickets/GA#2`,
      verb: "sold-out",
      method: "POST",
      path: `/events/{${event}}/tickets/{${event}/tickets/GA#2}/sold-out`,
      needs: ["1"],
    },
    { address: event, verb: "publish", method: "POST", path: `/events/{${event}}/publish` },
  ]);
}

const url = "https://hooks.example.com/orders";
export const webhookAddress = `webhooks/${url.replaceAll("/", "%2F")}`;

export function webhookPlan(): Plan {
  return buildPlan([
    {
      address: webhookAddress,
      verb: "create",
      method: "POST",
      path: "/webhooks",
      body: { url, events: ["order.completed"] },
    },
    {
      address: webhookAddress,
      verb: "update",
      method: "PATCH",
      path: `/webhooks/{${webhookAddress}}`,
      body: { isActive: false },
    },
  ]);
}
