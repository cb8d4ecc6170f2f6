// The client's rules, over msw: what each response means for each kind of call, and what is sent again.
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Method, Transport } from "../../src/service/http/transport.ts";
import { apiKey, clientOf, id } from "./client-of.ts";
import { fetchTransport } from "./fetch-transport.ts";

const base = "https://tickets.example/open-api/v1";
const server = setupServer();
const path = `/events/${id}`;

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
afterEach(() => server.resetHandlers());
afterAll(() => server.close());

/** Answers with these in turn, the last one forever; counts the calls. */
function answers(...responses: (() => Response)[]): { count: number; readonly seen: Request[] } {
  const tally = { count: 0, seen: [] as Request[] };
  server.use(
    http.all(`${base}/*`, ({ request }) => {
      tally.seen.push(request.clone());
      return (responses[Math.min(tally.count++, responses.length - 1)] as () => Response)();
    }),
  );
  return tally;
}

function client() {
  return clientOf({ baseUrl: `${base}/`, transport: fetchTransport() });
}

function failing(
  status: number,
  body: unknown = { error: { code: "X", message: "no", hint: "do" }, requestId: "r-1" },
) {
  return () => HttpResponse.json(body as never, { status });
}

const good = () => HttpResponse.json({ data: { id, name: "Manila Nights" } });
const lost = () => HttpResponse.error();

describe("what a response means", () => {
  const methods: readonly Method[] = ["GET", "POST", "PATCH", "DELETE"];
  const refusals = [400, 401, 403, 404, 405, 409, 413, 415, 422];

  for (const method of methods) {
    for (const status of refusals) {
      if (method === "DELETE" && status === 404) continue;
      it(`${method} ${status} is refused and not sent again`, async () => {
        const tally = answers(failing(status));
        const result = await client().request(method, path);
        expect(result).toMatchObject({ ok: false, problem: { class: "refused", status, code: "X", requestId: "r-1" } });
        expect(tally.count).toBe(1);
      });
    }
  }

  for (const status of [408, 425, 500, 502, 503, 504]) {
    for (const method of ["GET", "DELETE"] as const) {
      it(`${method} is sent again after ${status}`, async () => {
        const tally = answers(failing(status), failing(status), good);
        expect(await client().request(method, path)).toMatchObject({ ok: true, status: 200 });
        expect(tally.count).toBe(3);
      });
    }
    for (const method of ["POST", "PATCH"] as const) {
      it(`${method} ${status} is ambiguous and left to the caller`, async () => {
        const tally = answers(failing(status), good);
        expect(await client().request(method, path)).toMatchObject({
          ok: false,
          problem: { class: "ambiguous", status },
        });
        expect(tally.count).toBe(1);
      });
    }
  }

  for (const method of methods) {
    it(`${method} is sent again after a 429, because nothing was done`, async () => {
      const tally = answers(failing(429), failing(429, "<html>"), good);
      const own = client();
      expect(await own.request(method, path)).toMatchObject({ ok: true });
      expect(tally.count).toBe(3);
      expect(own.counts.rateLimited).toBe(2);
    });
  }

  it("gives up after a bounded number of faults", async () => {
    const tally = answers(failing(500));
    expect(await client().request("GET", path)).toMatchObject({
      ok: false,
      problem: { class: "ambiguous", status: 500 },
    });
    expect(tally.count).toBe(5);
  });

  it("says which call failed, how often it was tried, and what to do", async () => {
    answers(failing(500, { error: { code: "X", message: "oops", hint: "x" }, requestId: "r" }));
    expect(await client().request("GET", path, { query: { take: 5 } })).toMatchObject({
      problem: {
        message: `The service said: "oops." GET ${path} was tried 5 times; the last response was 500.`,
        hint: "x. Try again in a minute.",
        requestId: "r",
      },
    });
    answers(failing(500, { error: { code: "X", message: "oops", hint: "x" } }));
    expect(await client().request("POST", "/events")).toMatchObject({ problem: { message: "oops", hint: "x" } });
    answers(failing(503, "<html>"));
    const page = await client().request("GET", path);
    expect(!page.ok && page.problem.hint).toBe("Try again in a minute.");
    answers(lost);
    const broken = await client().request("DELETE", path);
    expect(!broken.ok && broken.problem.message).toMatch(new RegExp(`\\. DELETE ${path} was tried 5 times\\.$`));
  });

  it("gives up after a bounded number of refusals for pace", async () => {
    const tally = answers(failing(429));
    expect(await client().request("GET", path)).toMatchObject({
      ok: false,
      problem: { class: "throttled", status: 429 },
    });
    expect(tally.count).toBe(9);
  });

  it("takes a lost connection as a reason to repeat a read, not a create", async () => {
    const read = answers(lost, good);
    expect(await client().request("GET", path)).toMatchObject({ ok: true });
    expect(read.count).toBe(2);
    const create = answers(lost, good);
    expect(await client().request("POST", "/events", { body: {} })).toMatchObject({
      ok: false,
      problem: { class: "ambiguous", status: null, code: "connection-lost" },
    });
    expect(create.count).toBe(1);
  });

  it("takes a DELETE of what is gone as done", async () => {
    answers(failing(404));
    expect(await client().events.delete(id)).toMatchObject({ ok: true, data: null, status: 404 });
    answers(failing(410));
    expect(await client().events.delete(id)).toMatchObject({ ok: true, data: null, status: 410 });
    answers(failing(403, { error: { code: "NOT_FOUND", message: "no" } }));
    expect(await client().events.delete(id)).toMatchObject({ ok: true, data: null, status: 403 });
    answers(failing(403));
    expect(await client().events.delete(id)).toMatchObject({ ok: false, problem: { status: 403 } });
  });

  for (const [name, response] of [
    ["an empty 204", () => new Response(null, { status: 204 })],
    ["data that is null", () => HttpResponse.json({ data: null })],
    ["an empty 201", () => new Response("", { status: 201 })],
  ] as const) {
    it(`takes ${name} as success that shows nothing`, async () => {
      answers(response);
      expect(await client().events.create({ name: "A", dateTime: "2027-03-14T11:00:00Z" })).toMatchObject({
        ok: true,
        data: null,
      });
    });
  }
});

describe("answers that are not what was promised", () => {
  it("reports a create as ambiguous when its response breaks off", async () => {
    const tally = answers(
      () => new Response('{"data":{"id":"3f0c9a52', { status: 201, headers: { "content-type": "application/json" } }),
    );
    expect(await client().events.create({ name: "A", dateTime: "2027" })).toMatchObject({
      ok: false,
      problem: { class: "ambiguous", status: 201, code: "not-json" },
    });
    expect(tally.count).toBe(1);
  });

  it("reads again where a read breaks off", async () => {
    const tally = answers(
      () => new Response('{"data":[{"id"', { headers: { "content-type": "application/json" } }),
      () => HttpResponse.json({ data: [] }),
    );
    expect(await client().performers.list(id)).toMatchObject({ ok: true, data: [] });
    expect(tally.count).toBe(2);
  });

  it("says so where a web page comes in place of data", async () => {
    const tally = answers(() => HttpResponse.html("<!doctype html><title>Log in</title>"));
    const result = await client().me();
    expect(result).toMatchObject({ ok: false, problem: { class: "refused", code: "not-json" } });
    expect(!result.ok && result.problem.message).toContain("web page");
    expect(tally.count).toBe(1);
  });

  it.each([200, 500])("is no data if it is nested so deeply that nothing could walk it (%i)", async (status) => {
    answers(() => new Response(`{"data":${"[".repeat(20_000)}${"]".repeat(20_000)}}`, { status }));
    expect(await client().request("GET", "/webhooks")).toMatchObject({ ok: false, problem: { class: "ambiguous" } });
  });

  it("may have any text, however many brackets are in it", async () => {
    answers(() => HttpResponse.json({ data: ['"'.repeat(9) + "[".repeat(20_000)] }));
    expect(await client().request("GET", "/webhooks")).toMatchObject({ ok: true });
  });

  it("explains an error page of a gateway by its status", async () => {
    answers(() => HttpResponse.html("<html>Bad Gateway</html>", { status: 502 }));
    const result = await client().request("POST", "/events", { body: {} });
    expect(result).toMatchObject({ ok: false, problem: { class: "ambiguous", status: 502, code: "HTTP_502" } });
    expect(!result.ok && result.problem.message).toContain("502");
  });

  it.each([["whsec_****"], [null], [""]])("takes the secret beside a record that shows it as %j", async (hidden) => {
    const webhook = { id, url: "https://hooks.example.com", events: ["order.completed"], secret: hidden };
    answers(() => HttpResponse.json({ data: { webhook, secret: "whsec_shown-once" } }));
    const { url, events } = webhook;
    expect(await client().webhooks.create({ url, events })).toMatchObject({
      ok: true,
      data: { id, secret: "whsec_shown-once" },
    });
  });

  it("takes a record without a proper id for a problem, not for a record", async () => {
    answers(() => HttpResponse.json({ data: { id: "../../etc", name: "A" } }));
    expect(await client().events.get("some-slug")).toMatchObject({
      ok: false,
      problem: { class: "refused", code: "unexpected-response" },
    });
    expect(await client().events.create({ name: "A", dateTime: "2027" })).toMatchObject({
      ok: false,
      problem: { class: "ambiguous" },
    });
    answers(() => HttpResponse.json({ data: null, meta: { total: 0 } }));
    expect(await client().webhooks.list()).toMatchObject({
      problem: { message: expect.stringContaining("with 200, but the response shows null instead of a list") },
    });
    answers(() => HttpResponse.json({ data: [{ id }, { name: "no id" }] }));
    expect(await client().webhooks.list()).toMatchObject({
      ok: false,
      problem: {
        code: "unexpected-response",
        message:
          "The service responded to GET /webhooks with 200, but the response does not show a list of records with ids.",
      },
    });
  });
});

describe("a transport that breaks its promise", () => {
  it("does not hold up the calls after it", async () => {
    let calls = 0;
    const transport: Transport = {
      close: async () => {},
      async send() {
        calls++;
        if (calls === 1) throw new Error("a bug");
        return { kind: "response", response: { status: 200, headers: {}, body: "", cut: null } };
      },
    };
    const own = clientOf({ baseUrl: base, transport });
    expect(await own.request("POST", "/events")).toMatchObject({
      ok: false,
      problem: { class: "ambiguous", code: "connection-lost" },
    });
    expect(await own.request("POST", "/events")).toMatchObject({ ok: true });
  });
});

describe("redirects", () => {
  for (const status of [301, 302, 303, 307, 308]) {
    it(`never follows a ${status}, so the key stays here`, async () => {
      let elsewhere = 0;
      server.use(
        http.all("https://elsewhere.example/*", () => {
          elsewhere++;
          return HttpResponse.json({ data: {} });
        }),
      );
      const tally = answers(
        () => new Response(null, { status, headers: { location: "https://elsewhere.example/?key=1" } }),
      );
      const read = await client().request("GET", "/me");
      expect(read).toMatchObject({ ok: false, problem: { class: "refused", code: "redirect", status } });
      expect(!read.ok && read.problem.message).toContain("https://elsewhere.example.");
      expect(await client().request("PATCH", path, { body: {} })).toMatchObject({
        ok: false,
        problem: { class: "ambiguous" },
      });
      expect(await client().request("DELETE", path)).toMatchObject({ ok: false, problem: { class: "ambiguous" } });
      expect([elsewhere, tally.count]).toEqual([0, 3]);
    });
  }

  it.each(["/open-api/v2/me?token=1", `${base}/../v2/me`])("names the path on the same host: %s", async (location) => {
    answers(() => new Response(null, { status: 308, headers: { location } }));
    const read = await client().request("GET", path);
    expect(!read.ok && read.problem.message).toContain("redirects to the path /open-api/v2/me.");
  });
});

describe("what the service says", () => {
  it("is handed on in full", async () => {
    answers(
      failing(400, {
        error: {
          code: "VALIDATION_ERROR",
          message: "Two fields are wrong.",
          hint: "Look at details.",
          details: [{ field: "price", message: "must be whole" }, { field: "name", message: "is required" }, "odd", 7],
        },
        requestId: "req-77",
      }),
    );
    expect(await client().request("POST", "/events", { body: {} })).toEqual({
      ok: false,
      problem: {
        class: "refused",
        status: 400,
        code: "VALIDATION_ERROR",
        message: "Two fields are wrong.",
        hint: "Look at details.",
        details: [
          { field: "price", message: "must be whole" },
          { field: "name", message: "is required" },
          { field: "", message: "odd" },
        ],
        requestId: "req-77",
      },
    });
  });

  it.each([
    [401, "UNAUTHORIZED", "does not accept the API key"],
    [403, "FORBIDDEN", "is not allowed to do this"],
    [404, "NOT_FOUND", "has nothing at this URL"],
    [429, "RATE_LIMITED", "Too many calls"],
    [500, "INTERNAL_ERROR", "failed"],
  ])("has words of our own where a %i brings none", async (status, code, words) => {
    answers(failing(status, {}));
    const result = await client().request("POST", "/events");
    expect(result).toMatchObject({ ok: false, problem: { code, status } });
    expect(!result.ok && result.problem.message).toContain(words);
    expect(!result.ok && result.problem.hint).toBeTruthy();
  });

  it("never hands the key back, even where the service repeats it", async () => {
    answers(
      failing(401, {
        error: {
          code: apiKey,
          message: `Bad key ${apiKey}`,
          hint: `see https://u:p@x.example/?k=${apiKey}`,
          details: [{ field: apiKey, message: apiKey }],
        },
        requestId: apiKey,
      }),
    );
    const result = await client().me();
    expect(result.ok).toBe(false);
    expect(JSON.stringify(result)).not.toContain(apiKey);
    expect(JSON.stringify(result)).not.toContain("u:p@");
  });
});

describe("what is sent", () => {
  it("carries the key, and a content type only with a body", async () => {
    const tally = answers(good);
    await client().events.publish(id);
    await client().events.update(id, { name: "B" });
    const [bare, full] = tally.seen as [Request, Request];
    expect([bare.headers.get("api-key"), bare.headers.get("content-type")]).toEqual([apiKey, null]);
    expect([full.headers.get("content-type"), await full.json()]).toEqual(["application/json", { name: "B" }]);
    expect(bare.url).toBe(`${base}/events/${id}/publish`);
  });

  it("asks for responses that are not compressed: without a word on it, any encoding may come", async () => {
    const tally = answers(good);
    await client().request("GET", path);
    expect(tally.seen[0]?.headers.get("accept-encoding")).toBe("identity");
  });

  it("counts reads, writes and refusals for pace", async () => {
    answers(good, failing(500), good, failing(429), good);
    const own = client();
    await own.request("GET", path);
    await own.request("DELETE", path);
    await own.request("PATCH", path, { body: {} });
    expect(own.counts).toEqual({ reads: 1, writes: 4, rateLimited: 1 });
  });

  it("knows the service's own time", async () => {
    answers(() => HttpResponse.json({ data: {} }, { headers: { date: "Mon, 04 Jan 2027 09:00:00 GMT" } }));
    const own = client();
    expect(own.serverDate).toBeNull();
    await own.me();
    expect(own.serverDate?.toISOString()).toBe("2027-01-04T09:00:00.000Z");
  });
});
