import type { Json, Open } from "../../open.ts";
import { doors, type Probes, sellable } from "./probe.ts";

async function deletedPerformer({ event, post, get, del }: Open): Promise<unknown> {
  const { id } = await event();
  const performer = (await post(`/events/${id}/performers`, { name: "DJ" })).body.data;
  await post(`/events/${id}/schedules`, { ...doors, performerId: performer.id });
  const { status } = await del(`/events/${id}/performers/${performer.id}`);
  const entries = (await get(`/events/${id}/schedules`)).body.data;
  return [status, entries.map(({ performerId }: Json) => performerId !== null)];
}

export const statesProbes: Pick<
  Probes,
  | "slug"
  | "publishAgain"
  | "soldOut"
  | "archiveFrom"
  | "withdraw"
  | "archivedPatch"
  | "performerDelete"
  | "refundReturns"
  | "refusalStatus"
> = {
  slug: {
    async probe({ event, patch, get }) {
      const { id } = await event();
      await patch(`/events/${id}`, { name: "Manila Days" });
      return (await get(`/events/${id}`)).body.data.slug;
    },
    shows: { stable: "manila-nights", follows: "manila-days" },
  },
  publishAgain: {
    async probe({ event, post, ticket }) {
      const { id } = await event();
      const { id: type } = await ticket(id, { published: true });
      const verbs = ["unpublish", "publish", "publish", `tickets/${type}/publish`];
      const answers = [];
      for (const verb of verbs) answers.push((await post(`/events/${id}/${verb}`)).status);
      return answers;
    },
    shows: { refused: [400, 200, 400, 400], ok: [200, 200, 200, 200] },
  },
  soldOut: {
    async probe({ event, ticket, post, get }) {
      const { id } = await event();
      const at = `/events/${id}/tickets/${(await ticket(id, { quantity: 50, published: true })).id}`;
      await post(`${at}/sold-out`);
      const { quantity, remainingQuantity, published } = (await get(at)).body.data;
      return [quantity, remainingQuantity, published];
    },
    shows: { remaining: [50, 0, true], quantity: [0, 0, true], unpublished: [50, 0, false] },
  },
  archiveFrom: {
    async probe({ service, post }) {
      const answers = [];
      for (const status of ["DRAFT", "PUBLISHED"] as const) {
        const [event] = service.control.seed({ events: [{ status }] }).events;
        answers.push((await post(`/events/${event?.id}/archive`)).status);
      }
      return answers;
    },
    shows: { any: [200, 200], published: [400, 200], draft: [200, 400] },
  },
  withdraw: {
    async probe({ event, ticket, patch, get }) {
      const { id } = await event();
      const at = `/events/${id}/tickets/${(await ticket(id, { published: true })).id}`;
      const { status } = await patch(at, { published: false, price: 1 });
      const { published, price } = (await get(at)).body.data;
      return [status, published, price];
    },
    shows: { refused: [400, true, 1500], ignored: [200, true, 1], patch: [200, false, 1] },
  },
  archivedPatch: {
    async probe({ service, patch, post }) {
      const [event] = service.control.seed({ events: [{ status: "ARCHIVED" }] }).events;
      const at = `/events/${event?.id}`;
      return [(await patch(at, { name: "New" })).status, (await post(`${at}/brands`, { name: "B" })).status];
    },
    shows: { refused: [400, 400], accepted: [200, 201] },
  },
  performerDelete: {
    probe: deletedPerformer,
    shows: { refused: [400, [true]], cascade: [200, []], null: [200, [false]] },
  },
  refundReturns: {
    async probe(opened) {
      const id = sellable(opened);
      opened.service.control.sell({ event: "gig", ticket: "GA", count: 5 });
      opened.service.control.refund("ORD-000001");
      await opened.post(`/events/${id}/unpublish`);
      const [ticket] = (await opened.get(`/events/${id}/tickets`)).body.data;
      return [ticket.remainingQuantity, (await opened.del(`/events/${id}`)).status];
    },
    shows: { yes: [20, 200], no: [15, 400] },
  },
  refusalStatus: {
    async probe({ service, del }) {
      const [event] = service.control.seed({ events: [{ status: "PUBLISHED" }] }).events;
      const { status, body } = await del(`/events/${event?.id}`);
      return [status, body.error.code];
    },
    shows: {
      400: [400, "VALIDATION_ERROR"],
      403: [403, "FORBIDDEN"],
      409: [409, "CONFLICT"],
      422: [422, "VALIDATION_ERROR"],
    },
  },
};
