import { builtInVenues } from "../../../../src/sandbox/index.ts";
import type { Json, Open } from "../../open.ts";
import { colored, doors, keysOf, type Probes, sellable, threeTickets } from "./probe.ts";

const short = "id name slug status";

async function ticketShown({ event, ticket, get }: Open): Promise<Json> {
  const { id } = await event();
  const made = await ticket(id, { published: true });
  return (await get(`/events/${id}/tickets/${made.id}`)).body.data;
}

export const recordsProbes: Pick<
  Probes,
  | "eventRecord"
  | "ticketRecord"
  | "ticketPrice"
  | "scheduleRecord"
  | "nullFields"
  | "embedded"
  | "dates"
  | "colorCase"
  | "payment"
  | "deletedGet"
  | "meScopes"
> = {
  eventRecord: {
    async probe({ event, get }) {
      const { id } = await event({ venueId: builtInVenues[0]?.id });
      const [one, [listed]] = [(await get(`/events/${id}`)).body.data, (await get("/events")).body.data];
      return [one, listed].map((record) => (keysOf(record) === short ? short : (record.venue ?? record.venueId)));
    },
    shows: {
      full: [builtInVenues[0]?.id, builtInVenues[0]?.id],
      minimal: [short, short],
      "short-in-lists": [builtInVenues[0]?.id, short],
      "venue-object": [{ id: builtInVenues[0]?.id }, { id: builtInVenues[0]?.id }],
    },
  },
  ticketRecord: {
    async probe(opened) {
      const record = await ticketShown(opened);
      return [record.quantity, record.published, record.price, record.remainingQuantity];
    },
    shows: {
      full: [100, true, 1500, 100],
      "no-quantity": [undefined, true, 1500, 100],
      "no-published": [100, undefined, 1500, 100],
      neither: [undefined, undefined, 1500, 100],
      minimal: [undefined, undefined, undefined, 100],
    },
  },
  ticketPrice: {
    probe: async (opened) => (await ticketShown(opened)).price,
    shows: { number: 1500, string: "1500", decimal: "1500.00" },
  },
  scheduleRecord: {
    async probe({ service, get }) {
      const seeded = [{ name: "Gig", performers: [{ name: "Ana" }], schedules: [{ ...doors, performer: "Ana" }] }];
      const id = service.control.seed({ events: seeded }).events[0]?.id;
      const [entry] = (await get(`/events/${id}/schedules`)).body.data;
      const [performer] = (await get(`/events/${id}/performers`)).body.data;
      return [entry.title, entry.performerId === performer.id, entry.performer?.id === performer.id];
    },
    shows: {
      full: ["Doors", true, false],
      "no-performer": ["Doors", false, false],
      "performer-object": ["Doors", false, true],
    },
  },
  embedded: {
    async probe(opened) {
      const { data } = (await opened.get(`/events/${await threeTickets(opened)}`)).body;
      return [data.tickets?.length, data.tickets?.[0].price, data.brands];
    },
    shows: { none: [undefined, undefined, undefined], full: [3, 1500, []], partial: [3, undefined, undefined] },
  },
  dates: {
    probe: async ({ event }) => (await event({ dateTime: "2027-03-14T19:00:00+08:00" })).dateTime,
    shows: {
      "utc-ms": "2027-03-14T11:00:00.000Z",
      utc: "2027-03-14T11:00:00Z",
      offset: "2027-03-14T19:00:00+08:00",
      "offset-ms": "2027-03-14T19:00:00.000+08:00",
    },
  },
  nullFields: {
    async probe({ event, get }) {
      const { id } = await event({ description: null, eventCapacity: 9 });
      const { description, eventCapacity } = (await get(`/events/${id}`)).body.data;
      return [description === null, eventCapacity];
    },
    shows: { shown: [true, 9], omitted: [false, 9] },
  },
  colorCase: {
    probe: (opened) => colored(opened, "#Ff8800"),
    shows: { kept: "#Ff8800", lower: "#ff8800", upper: "#FF8800" },
  },
  payment: {
    async probe(opened) {
      sellable(opened);
      const [order] = opened.service.control.sell({ event: "gig", ticket: "GA", count: 1 });
      const { data } = (await opened.get(`/orders/${order?.id}`)).body;
      return [data.payment?.method, data.payments?.[0].method, data.paymentMethod];
    },
    shows: {
      object: ["CARD", undefined, undefined],
      list: [undefined, "CARD", undefined],
      flat: [undefined, undefined, "CARD"],
    },
  },
  deletedGet: {
    async probe({ event, del, get }) {
      const { id } = await event();
      await del(`/events/${id}`);
      const { status, body } = await get(`/events/${id}`);
      return [status, body.data?.status ?? body.error.code, (await get("/events")).body.meta.total];
    },
    shows: { 404: [404, "NOT_FOUND", 0], 410: [410, "GONE", 0], marked: [200, "DELETED", 0] },
  },
  meScopes: {
    async probe({ get, service }) {
      const id = sellable({ service } as Open);
      return [
        (await get("/me")).body.data.apiKey.scopes.includes("orders:read"),
        (await get(`/events/${id}/orders`)).status,
      ];
    },
    shows: { all: [true, 200], "without-orders": [false, 200] },
  },
};
