import { noSuchId, type Open } from "../../open.ts";
import { namesOf, type Probes, threeTickets } from "./probe.ts";

async function search(opened: Open, text: string): Promise<string> {
  for (const name of ["Jazz Night", "Jazzy"]) await opened.event({ name });
  return namesOf(await opened.get(`/events?search=${text}`));
}

/** What reads show of a ticket type that was renamed, of one that was deleted, and of one that is new. */
async function readAfterWrites(opened: Open): Promise<readonly unknown[]> {
  const { service, get, patch, post, pass } = opened;
  const id = await threeTickets(opened);
  pass(1000);
  const list = `/events/${id}/tickets`;
  const [a, b] = (await get(list)).body.data;
  await patch(`${list}/${a.id}`, { name: "Z" });
  await service.call("DELETE", `${list}/${b.id}`);
  const { body } = await post(list, { name: "New", price: 1, quantity: 1 });
  const seen: unknown[] = [];
  for (let n = 0; n < 2; n++, pass(1000)) {
    const byId = await Promise.all([a, b, body.data].map((each) => get(`${list}/${each.id}`)));
    seen.push(namesOf(await get(list)), byId.map((each) => each.body.data?.name ?? each.status).join(" "));
  }
  return seen;
}

export const listsProbes: Pick<
  Probes,
  | "listOrder"
  | "childLists"
  | "takeDefault"
  | "takeMax"
  | "takeAbove"
  | "listLag"
  | "readLag"
  | "readLagIn"
  | "statusDefault"
  | "search"
> = {
  listOrder: {
    async probe({ service, get }) {
      const ids = ["1", "2", "3", "4"].map((digit) => noSuchId.replace(/0$/, digit));
      service.control.seed({ events: ids.map((id) => ({ id, name: id.slice(-1) })) });
      const pages = [await get("/events?take=2"), await get("/events?take=2&page=2")];
      return pages.map(namesOf).join(" ");
    },
    shows: { created: "1 2 3 4", reversed: "4 3 2 1", shuffled: "1 3 4 2" },
  },
  childLists: {
    async probe(opened) {
      const id = await threeTickets(opened);
      const counts = [];
      for (const kind of ["tickets", "performers", "schedules", "brands"]) {
        counts.push((await opened.get(`/events/${id}/${kind}?take=2`)).body.meta?.total);
      }
      return [namesOf(await opened.get(`/events/${id}/tickets?take=2`)), ...counts];
    },
    shows: { plain: ["A B C", undefined, undefined, undefined, undefined], paged: ["A B", 3, 0, 0, 0] },
  },
  takeDefault: { probe: async ({ get }) => (await get("/events")).body.meta.take, shows: { 10: 10, 25: 25 } },
  takeMax: { probe: async ({ get }) => (await get("/events?take=40")).status, shows: { 50: 200, 39: 400 } },
  takeAbove: {
    async probe({ get }) {
      const { status, body } = await get("/events?take=100");
      return body.meta?.take ?? status;
    },
    shows: { refused: 400, clamped: 50 },
  },
  listLag: {
    async probe({ event, get, pass }) {
      const { id } = await event();
      const seen = [];
      for (let n = 0; n < 3; n++, pass(500)) seen.push((await get("/events")).body.meta.total);
      return [...seen, (await get(`/events/${id}`)).status];
    },
    shows: { 0: [1, 1, 1, 200], 1000: [0, 0, 1, 200] },
  },
  readLag: {
    probe: readAfterWrites,
    shows: {
      0: ["Z C New", "Z 404 New", "Z C New", "Z 404 New"],
      1000: ["A B C", "Z 404 New", "Z C New", "Z 404 New"],
    },
  },
  readLagIn: {
    beside: "readLag=1000",
    probe: readAfterWrites,
    shows: {
      lists: ["A B C", "Z 404 New", "Z C New", "Z 404 New"],
      everywhere: ["A B C", "A B New", "Z C New", "Z 404 New"],
    },
  },
  statusDefault: {
    async probe({ service, get }) {
      service.control.seed({ events: [{ name: "Past", status: "ARCHIVED" }, { name: "Next" }] });
      return [namesOf(await get("/events")), namesOf(await get("/events?status=ARCHIVED"))];
    },
    shows: { all: ["Past Next", "Past"], "without-archived": ["Next", "Past"] },
  },
  search: {
    probe: (opened) => search(opened, "jazz"),
    shows: { substring: "Jazz Night Jazzy", words: "Jazz Night", ignored: "Jazz Night Jazzy", broken: "" },
  },
};
