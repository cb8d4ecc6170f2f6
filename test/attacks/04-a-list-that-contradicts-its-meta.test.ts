// `{"data":[],"meta":{"total":500}}` is no empty list: it is a failed read. Whatever was concluded from it would be wrong, and a
// second event the first thing to come of it. What merely changes while it is read is read again.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import type { Transport } from "../../src/service/http/transport.ts";
import { makeReader } from "../../src/snapshot/reader.ts";
import { clientOf } from "../service/client-of.ts";
import { ticketing } from "../stage/test-world.ts";

const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers.splice(0)) close();
});

const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const items = (count: number, from = 0) => Array.from({ length: count }, (_, index) => ({ id: id(from + index) }));

type Answer = (page: number, round: number) => { readonly data: readonly unknown[]; readonly meta?: unknown };

/** A list whose every response is given; the round is how often its first page was asked for. */
function listOf(response: Answer): { readonly transport: Transport; readonly asked: string[] } {
  const asked: string[] = [];
  let round = 0;
  return {
    asked,
    transport: {
      close: async () => undefined,
      async send({ path }) {
        const url = new URL(path, "https://x.example");
        asked.push(url.search);
        const page = Number(url.searchParams.get("page") ?? 1);
        if (!url.searchParams.has("page")) round++;
        const body = JSON.stringify(response(page, round));
        return { kind: "response", response: { status: 200, headers: {}, body, cut: null } };
      },
    },
  };
}

const full = { page: 1, take: 10, total: 10, totalPages: 1 };
/** Pages of ten, as they should be, of so many items. */
function honest(total: number): (page: number) => ReturnType<Answer> {
  return (page) => ({
    data: items(Math.max(0, Math.min(10, total - (page - 1) * 10)), (page - 1) * 10),
    meta: { page, take: 10, total, totalPages: Math.ceil(total / 10) },
  });
}

const contradictions: Readonly<Record<string, Answer>> = {
  "an empty list of 500": () => ({ data: [], meta: { total: 500 } }),
  "an empty list of 500 with all numbers": () => ({
    data: [],
    meta: { page: 1, take: 10, total: 500, totalPages: 50 },
  }),
  "an empty list of five pages": () => ({ data: [], meta: { page: 1, take: 10, totalPages: 5 } }),
  "one page of three items that says 500": () => ({
    data: items(3),
    meta: { page: 1, take: 10, total: 500, totalPages: 1 },
  }),
  "a last page that comes short": (page) => ({ ...honest(25)(page), data: items(page < 3 ? 10 : 4, (page - 1) * 10) }),
  "an empty page in the middle": (page) => ({ ...honest(35)(page), data: page === 2 ? [] : honest(35)(page).data }),
  "an empty page in the middle, without a total": (page) => ({
    data: page === 2 ? [] : items(10, page * 10),
    meta: { page, take: 10, totalPages: 4 },
  }),
  "more items than there are": () => ({ data: items(10), meta: { ...full, total: 4 } }),
  "more items than there are, over two pages": (page) => ({
    data: items(10, page * 10),
    meta: { page, total: 15, totalPages: 2 },
  }),
  "items of which there are none": () => ({ data: items(2), meta: { ...full, total: 0, totalPages: 0 } }),
  "fewer pages than its items need": () => ({ data: items(10), meta: { ...full, total: 45, totalPages: 2 } }),
  "more pages than its items need": () => ({ data: items(10), meta: { ...full, totalPages: 4 } }),
  "no pages for its items": () => ({ data: items(10), meta: { ...full, totalPages: 0 } }),
  "pages of nothing": () => ({ data: [], meta: { ...full, total: 0, totalPages: 3 } }),
  "another page than the first": () => ({ data: items(10), meta: { ...full, page: 2 } }),
  "the first page again and again": () => honest(30)(1),
  "the same items under another page number": (page) => ({ ...honest(30)(page), data: items(10) }),
  "one item twice": () => ({ data: [...items(9), ...items(1)], meta: full }),
  "a negative total": () => ({ data: [], meta: { ...full, total: -1 } }),
  "half an item": () => ({ data: items(1), meta: { ...full, total: 1.5 } }),
  "a total in words": () => ({ data: [], meta: { ...full, total: "none" } }),
  "a negative number of pages": () => ({ data: items(10), meta: { ...full, totalPages: -1 } }),
  "a total that no number can hold": () => ({ data: [], meta: { ...full, total: 1e300 } }),
  "totals far apart": (page) => ({
    data: page === 1 ? items(10) : [],
    meta: { page, take: 10, total: page === 1 ? 500 : 10 },
  }),
};

const baseUrl = "https://tickets.example/open-api/v1";
const lists = {
  "a list of events": (client: ReturnType<typeof clientOf>) => client.events.all({ status: "DRAFT" }),
  "ticket types": (client: ReturnType<typeof clientOf>) => client.tickets.list(id(1)),
  performers: (client: ReturnType<typeof clientOf>) => client.performers.list(id(1)),
  schedules: (client: ReturnType<typeof clientOf>) => client.schedules.list(id(1)),
  brands: (client: ReturnType<typeof clientOf>) => client.brands.list(id(1)),
  orders: (client: ReturnType<typeof clientOf>) => client.orders.all(id(1)),
  venues: (client: ReturnType<typeof clientOf>) => client.venues.searchAll("Palace"),
  webhooks: (client: ReturnType<typeof clientOf>) => client.webhooks.list(),
  deliveries: (client: ReturnType<typeof clientOf>) => client.webhooks.allDeliveries(id(1)),
};

describe.each(Object.entries(contradictions))("%s", (_name, response) => {
  test.each(Object.entries(lists))("is no list of anything: %s", async (_list, read) => {
    const { transport, asked } = listOf(response);
    expect(await read(clientOf({ baseUrl, transport }))).toMatchObject({
      ok: false,
      problem: {
        class: "refused",
        code: "unexpected-response",
        message: expect.stringMatching(/contradicts itself: .*meta\./),
      },
    });
    expect(asked.length).toBeLessThan(4 * 51);
  });

  test("fails page by page and in the reader of plans, and is not kept for the next run", async () => {
    const pages: unknown[] = [];
    for await (const page of clientOf({ baseUrl, transport: listOf(response).transport }).pages(
      "/events",
      {},
      { sized: true },
    ))
      pages.push(page.ok || page.problem.code);
    expect(pages.at(-1)).toBe("unexpected-response");
    const { transport, asked } = listOf(response);
    const reader = makeReader(clientOf({ baseUrl, transport }));
    await expect(reader.all("/events", {}, true)).rejects.toMatchObject({
      why: { problem: { code: "unexpected-response" } },
    });
    // Each read asked the service again, not its own memory.
    expect(asked.filter((search) => !search.includes("page="))).toHaveLength(4);
  });
});

const legitimate: Readonly<Record<string, readonly [Answer, number]>> = {
  "nothing, in no page": [() => ({ data: [], meta: { page: 1, take: 10, total: 0, totalPages: 0 } }), 0],
  "nothing, in one page": [() => ({ data: [], meta: { page: 1, take: 10, total: 0, totalPages: 1 } }), 0],
  "nothing, with an empty meta": [() => ({ data: [], meta: {} }), 0],
  "pages that are smaller than the take they repeat": [
    (page) => ({ data: honest(25)(page).data, meta: { page, take: 100, total: 25, totalPages: 3 } }),
    25,
  ],
  "the same without a number of pages": [
    (page) => ({ data: honest(25)(page).data, meta: { page, take: 100, total: 25 } }),
    25,
  ],
  "all at once, although there are pages": [
    () => ({ data: items(25), meta: { page: 1, take: 10, total: 25, totalPages: 3 } }),
    25,
  ],
  "pages that only say which they are": [(page) => ({ data: honest(25)(page).data, meta: { page, take: 10 } }), 25],
  "numbers as text": [
    (page) => ({ data: honest(25)(page).data, meta: { page: `${page}`, total: "25", totalPages: "3" } }),
    25,
  ],
  "a plain array with a null meta": [() => ({ data: items(7), meta: null }), 7],
};

describe("what is odd but does not contradict itself is read", () => {
  test.each(Object.entries(legitimate))("%s", async (_name, [response, count]) => {
    const { transport } = listOf(response);
    const client = clientOf({ baseUrl, transport });
    const read = await client.events.all();
    expect(read).toMatchObject({ ok: true, data: { length: count } });
  });

  test("pages that are counted from 0", async () => {
    const asked: string[] = [];
    const transport: Transport = {
      close: async () => undefined,
      async send({ path }) {
        const url = new URL(path, "https://x.example");
        asked.push(url.search);
        const page = Number(url.searchParams.get("page") ?? 0);
        const body = { data: honest(25)(page + 1).data, meta: { page, take: 10, total: 25, totalPages: 3 } };
        return { kind: "response", response: { status: 200, headers: {}, body: JSON.stringify(body), cut: null } };
      },
    };
    expect(await clientOf({ baseUrl, transport }).webhooks.list()).toMatchObject({ ok: true, data: { length: 25 } });
    expect(asked).toEqual(["", "?page=1", "?page=2"]);
  });
});

describe("a list that changes while it is read", () => {
  test("is read again, and what the second read shows holds", async () => {
    const { transport, asked } = listOf((page, round) =>
      round === 1 && page === 2 ? honest(11)(page) : honest(round === 1 ? 12 : 11)(page),
    );
    const read = await clientOf({ baseUrl, transport }).events.all();
    expect(read).toMatchObject({ ok: true, data: { length: 11 } });
    expect(asked).toHaveLength(4);
  });

  test("is read although it grows with every page: nothing of it is missing", async () => {
    let total = 40;
    const { transport } = listOf((page) => {
      total++;
      // The newest comes first, so that everything else moves on by one.
      const all = items(total).reverse();
      return {
        data: all.slice((page - 1) * 10, page * 10),
        meta: { page, take: 10, total, totalPages: Math.ceil(total / 10) },
      };
    });
    const read = await clientOf({ baseUrl, transport }).orders.all(id(1));
    const ids = read.ok ? read.data.map((order) => order.id) : [];
    expect(ids).toEqual(expect.arrayContaining(items(40).map((item) => item.id)));
  });

  test("is read where its number was right a moment later", async () => {
    const { transport } = listOf((page, round) => (round < 3 ? { data: [], meta: { total: 1 } } : honest(1)(page)));
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({ ok: true, data: { length: 1 } });
  });
});

interface Liar {
  readonly env: Readonly<Record<string, string>>;
  readonly directory: string;
  readonly writes: string[];
}

/** A whole service with nothing in it that lies about one list, and a project with one event. */
async function lyingService(lie: string): Promise<Liar> {
  const writes: string[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://x.example");
    const path = url.pathname.replace("/open-api/v1", "");
    if (request.method !== "GET") writes.push(`${request.method} ${path}`);
    const me = {
      apiKey: {
        scopes: ["events:read", "events:write", "tickets:read", "tickets:write", "orders:read", "webhooks:manage"],
      },
      organization: { id: id(9), name: "Acme", slug: "acme" },
    };
    const lied = `${path}${url.search}`.includes(lie);
    const empty = { data: [], meta: { page: 1, take: 10, total: lied ? 500 : 0, totalPages: lied ? 50 : 0 } };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(
      JSON.stringify(path === "/me" ? { data: me } : request.method === "GET" ? empty : { data: { id: id(1) } }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const directory = mkdtempSync(join(tmpdir(), "ticketing-liar-"));
  closers.push(() => {
    server.closeAllConnections();
    server.close();
    rmSync(directory, { recursive: true, force: true });
  });
  mkdirSync(join(directory, "events"));
  writeFileSync(
    join(directory, "events/night.yaml"),
    "name: Night\ndateTime: 2027-03-01T20:00\nvenue: Palace\ntickets: [{ name: GA, price: 100, quantity: 5 }]\n",
  );
  writeFileSync(
    join(directory, "ticketing.yaml"),
    "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n",
  );
  writeFileSync(
    join(directory, "webhooks.yaml"),
    '- { url: "https://hooks.example.com/a", events: [order.completed] }\n',
  );
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/open-api/v1`;
  return { env: { TICKETING_BASE_URL: address, TICKETING_API_KEY: "some-key-of-ours" }, directory, writes };
}

test.concurrent.each(["status=DRAFT", "status=PUBLISHED", "status=ARCHIVED", "/webhooks", "/venues/search"])(
  "apply makes nothing where the list %s lies",
  async (lie) => {
    const { env, directory, writes } = await lyingService(lie);
    const ran = await ticketing(["apply", "--yes", "-C", directory], { env });
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(
      /unexpected-response.*contradicts itself: meta\.total is 500 and page 1 is empty/s,
    );
    expect(writes).toEqual([]);
  },
  20_000,
);

test.concurrent("import, status and orders do not take such a list for an empty one either", async () => {
  const { env, directory } = await lyingService("status=DRAFT");
  const lines = ["import --all", "status", "orders night"];
  const runs = await Promise.all(lines.map((line) => ticketing([...line.split(" "), "-C", directory], { env })));
  for (const ran of runs) {
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toContain("contradicts itself");
  }
}, 20_000);
