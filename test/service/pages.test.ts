// Lists of every shape: pages by meta, plain arrays, a smallest common `take`, items that shift while they are read.
import { describe, expect, it } from "vitest";
import type { Transport } from "../../src/service/http/transport.ts";
import { clientOf } from "./client-of.ts";

const baseUrl = "https://tickets.example/open-api/v1";

interface Library {
  readonly transport: Transport;
  readonly asked: string[];
}

interface Rules {
  readonly total: number;
  readonly takeDefault?: number;
  readonly takeMax?: number;
  readonly above?: "refused" | "clamped" | 422;
  readonly meta?: "full" | "without-pages" | "strings" | "none" | "silent";
  /** Called before each response, to shift the list. */
  readonly shift?: (ids: string[], call: number) => void;
  readonly refusal?: unknown;
}

function uuid(number: number): string {
  return `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
}

function library(rules: Rules): Library {
  const asked: string[] = [];
  const ids = Array.from({ length: rules.total }, (_, index) => uuid(index));
  const max = rules.takeMax ?? 50;
  return {
    asked,
    transport: {
      close: async () => {},
      async send({ path }) {
        const url = new URL(path, "https://x.example");
        asked.push(url.search);
        rules.shift?.(ids, asked.length);
        const wanted = Number(url.searchParams.get("take") ?? rules.takeDefault ?? 10);
        if (wanted > max && rules.above !== "clamped") {
          const body = rules.refusal ?? { error: { code: "VALIDATION_ERROR", message: "take is too large" } };
          return response(rules.above === 422 ? 422 : 400, body);
        }
        const take = Math.min(wanted, max);
        const page = Number(url.searchParams.get("page") ?? 1);
        const data = ids.slice((page - 1) * take, page * take).map((id) => ({ id }));
        return response(200, {
          data: rules.meta === "none" ? ids.map((id) => ({ id })) : data,
          meta: metaOf(rules, page, take, ids.length),
        });
      },
    },
  };
}

/** A service whose meta has nothing to do with what its pages hold. */
function lying(sizeOf: (page: number) => number, meta: object, shownPage = (page: number) => page): Library {
  const asked: string[] = [];
  return {
    asked,
    transport: {
      close: async () => {},
      async send({ path }) {
        const { search, searchParams } = new URL(path, "https://x.example");
        asked.push(search);
        const page = Number(searchParams.get("page") ?? 1);
        const begin = shownPage(page) * 1000;
        const data = Array.from({ length: sizeOf(page) }, (_, index) => ({ id: uuid(begin + index) }));
        return response(200, { data, meta: { page, ...meta } });
      },
    },
  };
}

function metaOf(rules: Rules, page: number, take: number, total: number): unknown {
  const meta = { page, take, total, totalPages: Math.ceil(total / take) };
  switch (rules.meta ?? "full") {
    case "full":
      return meta;
    case "without-pages":
      return { page, take, total };
    case "strings":
      return Object.fromEntries(Object.entries(meta).map(([name, value]) => [name, String(value)]));
    case "none":
    case "silent":
      return undefined;
  }
}

function response(status: number, body: unknown) {
  return { kind: "response", response: { status, headers: {}, body: JSON.stringify(body), cut: null } } as const;
}

describe("a list inside an object", () => {
  const webhooksOf = async (...pages: readonly unknown[]) => {
    const bodies = pages.values();
    const transport = { close: async () => {}, send: async () => response(200, bodies.next().value) };
    const result = await clientOf({ baseUrl, transport }).webhooks.list();
    return result.ok ? result.data.map(({ id }) => id) : result.problem.code;
  };
  const [one, two] = [{ id: uuid(1) }, { id: uuid(2) }];

  it.each(["webhooks", "items", "data"])("is found by its name: %s", async (name) => {
    expect(await webhooksOf({ data: { [name]: [one, two] } })).toEqual([uuid(1), uuid(2)]);
  });

  it.each([
    ["beside", (page: number) => ({ page, take: 1, total: 2, totalPages: 2 })],
    ["in a meta beside", (page: number) => ({ meta: { page, take: 1, total: 2, totalPages: 2 } })],
  ])("is read to its last page: paging is %s", async (_, paging) => {
    const pages = [one, two].map((record, index) => ({ data: { webhooks: [record], ...paging(index + 1) } }));
    expect(await webhooksOf(...pages)).toEqual([uuid(1), uuid(2)]);
  });

  it("is found for a search, and for each caller that reads a list as it comes", async () => {
    const transport = { close: async () => {}, send: async () => response(200, { data: { venues: [one] } }) };
    const result = await clientOf({ baseUrl, transport }).request("GET", "/venues/search", {
      query: { query: "Hall" },
    });
    expect(result.ok && result.data).toEqual([one]);
  });

  it("is found in the event that it belongs to, and the items of an order are not taken for a list", async () => {
    const data = { ...two, tickets: [one], items: [one] };
    const transport = { close: async () => {}, send: async () => response(200, { data }) };
    const client = clientOf({ baseUrl, transport });
    expect(await client.tickets.list(two.id)).toMatchObject({ ok: true, data: [one] });
    expect(await client.orders.get(two.id)).toMatchObject({ ok: true, data });
    expect(await client.request("GET", `/events/${one.id}/tickets/${two.id}`)).toMatchObject({ ok: true, data });
  });

  it("is not guessed at: an empty list of something else is not an empty list of webhooks", async () => {
    expect(await webhooksOf({ errors: [] })).toBe("unexpected-response");
  });
});

describe("all pages of a list", () => {
  for (const meta of ["full", "without-pages", "strings"] as const) {
    it(`are read by meta (${meta})`, async () => {
      const { transport, asked } = library({ total: 237, takeMax: 100, meta });
      const result = await clientOf({ baseUrl, transport }).events.all({ status: "DRAFT" });
      expect(result.ok && result.data.map(({ id }) => id)).toEqual(
        Array.from({ length: 237 }, (_, index) => uuid(index)),
      );
      expect(result.ok && result.meta?.total).toBe(237);
      expect(asked).toEqual([
        "?status=DRAFT&take=100",
        "?status=DRAFT&page=2&take=100",
        "?status=DRAFT&page=3&take=100",
      ]);
    });
  }

  it.each([
    [237, 100, 3],
    [200, 100, 3],
    [25, 10, 3],
    [25, 7, 4],
    [9, 10, 2],
  ])(
    "are read until nothing more comes where nothing is said of %i items in pages of %i",
    async (total, takeMax, calls) => {
      const { transport, asked } = library({ total, takeMax, above: "clamped", meta: "silent" });
      const client = clientOf({ baseUrl, transport });
      const all = await client.events.all();
      expect(all).toMatchObject({ ok: true, data: { length: total } });
      expect(asked).toHaveLength(calls);
      let paged = 0;
      for await (const page of client.pages("/events", {}, { sized: true })) paged += page.ok ? page.data.length : 0;
      expect(paged).toBe(total);
    },
  );

  it.each([
    [50, ["?take=100", "?take=50"]],
    [30, ["?take=100", "?take=50", "?take=25"]],
    [10, ["?take=100", "?take=50", "?take=25", "?take=10"]],
  ])("ask for less where more than %i is refused, and remember it", async (takeMax, tries) => {
    const { transport, asked } = library({ total: 3, takeMax });
    const client = clientOf({ baseUrl, transport });
    expect(await client.events.all()).toMatchObject({ ok: true, data: { length: 3 } });
    expect(asked).toEqual(tries);
    await client.venues.searchAll("Palace");
    expect(asked.slice(tries.length)).toEqual([`?query=Palace&${tries.at(-1)?.slice(1)}`]);
  });

  it("ask for less after a 422 too", async () => {
    const { transport } = library({ total: 60, takeMax: 25, above: 422 });
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({ ok: true, data: { length: 60 } });
  });

  it("trust the take of meta where a larger one is clamped", async () => {
    const { transport, asked } = library({ total: 25, takeMax: 10, above: "clamped" });
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({ ok: true, data: { length: 25 } });
    expect(asked).toHaveLength(3);
  });

  it("do not blame take for a refusal of another field", async () => {
    const refusal = {
      error: { code: "VALIDATION_ERROR", message: "no", details: [{ field: "status", message: "unknown" }] },
    };
    const { transport, asked } = library({ total: 3, takeMax: 10, refusal });
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({ ok: false, problem: { status: 400 } });
    expect(asked).toHaveLength(1);
  });

  it("report the first refusal where no take helps", async () => {
    const { transport, asked } = library({ total: 3, takeMax: 5 });
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({
      ok: false,
      problem: { message: "take is too large" },
    });
    expect(asked).toHaveLength(4);
  });

  it("are asked without take where the document names none, and read on by meta", async () => {
    const { transport, asked } = library({ total: 25, takeDefault: 10 });
    expect(await clientOf({ baseUrl, transport }).performers.list(uuid(1))).toMatchObject({
      ok: true,
      data: { length: 25 },
    });
    expect(asked).toEqual(["", "?page=2", "?page=3"]);
  });

  it("may be one plain array", async () => {
    const { transport, asked } = library({ total: 120, meta: "none" });
    expect(await clientOf({ baseUrl, transport }).tickets.list(uuid(1))).toMatchObject({
      ok: true,
      data: { length: 120 },
      meta: null,
    });
    expect(asked).toHaveLength(1);
  });

  it("drop what is read twice, when something is added in front meanwhile", async () => {
    const { transport } = library({
      total: 20,
      takeMax: 100,
      shift: (ids, call) => call === 2 && ids.unshift(uuid(999)),
    });
    const client = clientOf({ baseUrl, transport });
    const result = await client.listAll("/webhooks");
    const ids = result.ok ? result.data.map((item) => (item as { id: string }).id) : [];
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toContain(uuid(19));
  });

  it("look again, when something slips to an earlier page because another was deleted", async () => {
    const { transport } = library({ total: 21, shift: (ids, call) => call === 2 && ids.shift() });
    const result = await clientOf({ baseUrl, transport, concurrency: 1 }).listAll("/webhooks");
    const ids = result.ok ? result.data.map((item) => (item as { id: string }).id) : [];
    expect(ids).toEqual(expect.arrayContaining(Array.from({ length: 20 }, (_, index) => uuid(index + 1))));
  });

  it("end, whatever a service says about their number", async () => {
    let calls = 0;
    const transport: Transport = {
      close: async () => {},
      async send() {
        calls++;
        return response(200, { data: [], meta: { page: 1, take: 10, total: 1e15, totalPages: 1e15 } });
      },
    };
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({
      ok: false,
      problem: { code: "unexpected-response" },
    });
    expect(calls).toBe(4);
  });

  it("fail where the service counts more items than it shows, and stop at the first empty page", async () => {
    const { transport, asked } = lying((page) => (page <= 2 ? 10 : 0), { take: 10, total: 1000, totalPages: 100 });
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({
      ok: false,
      problem: {
        class: "refused",
        code: "unexpected-response",
        message: expect.stringContaining("total is 1,000 and page 3 is empty"),
      },
    });
    // One group of pages in each of four reads.
    expect(asked.length).toBeLessThanOrEqual(4 * 51);
  });

  it("end where a service that does not know pages shows items without ids again and again", async () => {
    const asked: string[] = [];
    const data = [{ event: "order.completed" }, { event: "order.completed" }];
    const transport = {
      close: async () => {},
      send: async ({ path }: { readonly path: string }) => {
        asked.push(path);
        return response(200, { data });
      },
    };
    const list = await clientOf({ baseUrl, transport }).webhooks.allDeliveries(uuid(1));
    expect(list).toMatchObject({ ok: true, data });
    expect(asked).toHaveLength(2);
  });

  it("fail where every page is the first one again", async () => {
    const transport = lying(
      () => 10,
      { take: 10, total: 25, totalPages: 3 },
      () => 1,
    ).transport;
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({
      ok: false,
      problem: { code: "unexpected-response" },
    });
  });

  it.each([20_000, null])(
    "fail where there are more pages than can be read (total %s)",
    async (total) => {
      const { transport, asked } = lying(() => 1, { take: 1, total, totalPages: 20_000 });
      expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({
        ok: false,
        problem: { code: "unexpected-response" },
      });
      expect(asked.length).toBeLessThanOrEqual(10_000);
    },
    60_000,
  );

  it("are read on by the size of the first page where meta names nothing but a total", async () => {
    const { transport } = lying((page) => (page <= 2 ? 10 : 5), { total: "25" });
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({ ok: true, data: { length: 25 } });
  });

  it("are taken as they come where no total is named", async () => {
    const { transport } = lying((page) => (page <= 2 ? 10 : 5), { take: 10, totalPages: 3 });
    expect(await clientOf({ baseUrl, transport }).events.all()).toMatchObject({ ok: true, data: { length: 25 } });
  });

  it("fail as a whole where one page fails", async () => {
    const { transport } = library({
      total: 30,
      shift: (_ids, call) => {
        if (call === 3) throw new Error("unreachable by design");
      },
    });
    const failing: Transport = {
      ...transport,
      send: (call) => transport.send(call).catch(() => response(403, { error: { code: "FORBIDDEN", message: "no" } })),
    };
    expect(await clientOf({ baseUrl, transport: failing }).webhooks.list()).toMatchObject({
      ok: false,
      problem: { code: "FORBIDDEN" },
    });
  });
});

describe("a list page by page", () => {
  it("comes in order and without repeats", async () => {
    const { transport } = library({ total: 25, shift: (ids, call) => call === 2 && ids.unshift(uuid(999)) });
    const sizes: number[] = [];
    for await (const page of clientOf({ baseUrl, transport }).pages("/events", {}, {}))
      sizes.push(page.ok ? page.data.length : -1);
    // Read once more, because it grew meanwhile: what came in front is not lost.
    expect(sizes).toEqual([10, 9, 6, 1]);
  });

  it("ends with a problem where items that were counted did not come", async () => {
    const { transport, asked } = lying((page) => (page === 1 ? 10 : 0), { take: 10, total: 35, totalPages: 4 });
    const pages: unknown[] = [];
    for await (const page of clientOf({ baseUrl, transport }).pages("/events", {}, {}))
      pages.push(page.ok ? page.data.length : page.problem.code);
    expect(pages).toEqual([10, 0, "unexpected-response"]);
    expect(asked).toHaveLength(8);
  });

  it("ends with the problem of the page that failed", async () => {
    const { transport } = library({ total: 3, takeMax: 5 });
    const pages: boolean[] = [];
    for await (const page of clientOf({ baseUrl, transport }).pages("/events", {}, { sized: true }))
      pages.push(page.ok);
    expect(pages).toEqual([false]);
  });
});
