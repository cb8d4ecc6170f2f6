import type { Json, Open } from "../../open.ts";
import { type Probes, sellable } from "./probe.ts";

const failing = { url: "https://127.0.0.1:1/", events: ["order.completed"] };

async function failedDelivery(opened: Open): Promise<Json> {
  const { id } = (await opened.post("/webhooks", failing)).body.data;
  sellable(opened);
  opened.service.control.sell({ event: "gig", ticket: "GA", count: 1 });
  await opened.service.control.settle();
  return (await opened.get(`/webhooks/${id}/deliveries`)).body.data[0];
}

export const webhooksProbes: Pick<
  Probes,
  | "httpLoopback"
  | "webhookSecret"
  | "webhookList"
  | "webhookTest"
  | "webhookOffAfter"
  | "deliveryAttempts"
  | "deliveryBackoff"
  | "inventoryLowAt"
> = {
  httpLoopback: {
    async probe({ post }) {
      const made = (url: string) => post("/webhooks", { ...failing, url });
      return [(await made("http://127.0.0.1:9/")).status, (await made("http://example.com/")).status];
    },
    shows: { refused: [400, 400], accepted: [201, 400] },
  },
  webhookSecret: {
    async probe({ post, get }) {
      const { secret } = (await post("/webhooks", failing)).body.data;
      const [listed] = (await get("/webhooks")).body.data;
      return [listed.secret?.includes("•"), listed.secret === secret];
    },
    shows: { none: [undefined, false], masked: [true, false] },
  },
  webhookList: {
    async probe({ post, get }) {
      for (let n = 0; n < 3; n++) await post("/webhooks", failing);
      const { data, meta } = (await get("/webhooks?take=2")).body;
      return [(data.items ?? data).length, "items" in data, meta?.totalPages];
    },
    shows: { plain: [3, false, undefined], paged: [2, false, 2], wrapped: [3, true, undefined] },
  },
  webhookTest: {
    async probe({ post }) {
      const { id } = (await post("/webhooks", failing)).body.data;
      const { status, body } = await post(`/webhooks/${id}/test`);
      return [status, body.data?.success];
    },
    shows: { "success-false": [200, false], refused: [400, undefined] },
  },
  webhookOffAfter: {
    beside: "deliveryAttempts=1",
    async probe(opened) {
      await failedDelivery(opened);
      return (await opened.get("/webhooks")).body.data[0].isActive;
    },
    shows: { 0: true, 1: false, 2: true },
  },
  deliveryAttempts: {
    beside: "deliveryBackoff=0",
    probe: async (opened) => (await failedDelivery(opened)).attempts,
    shows: { 1: 1, 4: 4 },
  },
  deliveryBackoff: {
    beside: "deliveryAttempts=2",
    async probe(opened) {
      const before = performance.now();
      await failedDelivery(opened);
      return performance.now() - before >= 999;
    },
    shows: { 0: false, 1000: true },
  },
  inventoryLowAt: {
    beside: "deliveryAttempts=1",
    async probe(opened) {
      const { id } = (await opened.post("/webhooks", { ...failing, events: ["ticket.inventory_low"] })).body.data;
      sellable(opened);
      opened.service.control.sell({ event: "gig", ticket: "GA", count: 10 });
      await opened.service.control.settle();
      return (await opened.get(`/webhooks/${id}/deliveries`)).body.meta.total;
    },
    shows: { 10: 0, 50: 1 },
  },
};
