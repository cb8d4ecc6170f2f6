import { expect, test } from "vitest";
import { noSuchId, open } from "../open.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

test("a successful body is an object with data", async () => {
  const { get, event } = open();
  const { id } = await event();
  for (const path of ["/me", "/events", `/events/${id}`, `/events/${id}/tickets`, "/webhooks"]) {
    const { status, body } = await get(path);
    expect([path, status, Object.hasOwn(body, "data")]).toEqual([path, 200, true]);
  }
});

test("a paginated body carries meta with page, take, total and totalPages", async () => {
  const { get, event } = open();
  for (let n = 0; n < 5; n++) await event({ name: `Event ${n}` });
  const { body } = await get("/events?page=2&take=2");
  expect(body.meta).toEqual({ page: 2, take: 2, total: 5, totalPages: 3 });
  expect(body.data.map(({ name }: { name: string }) => name)).toEqual(["Event 2", "Event 3"]);
});

test("pages begin at 1, hold 10 unless asked otherwise, and 50 at most", async () => {
  const { get, service } = open();
  service.control.seed({ events: Array.from({ length: 60 }, (_, n) => ({ name: `Event ${n}` })) });
  expect((await get("/events")).body.meta).toEqual({ page: 1, take: 10, total: 60, totalPages: 6 });
  expect((await get("/events?take=50")).body.data).toHaveLength(50);
  expect((await get("/events?take=51")).body.error.code).toBe("VALIDATION_ERROR");
  expect((await get("/events?page=9")).body).toEqual({
    data: [],
    meta: { page: 9, take: 10, total: 60, totalPages: 6 },
  });
});

test.each(["page=0", "page=-1", "page=x", "take=0", "take=1.5", "take="])("refuses the paging %s", async (query) => {
  const { get } = open();
  const { status, body } = await get(`/events?${query}`);
  expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
});

test("identifiers are UUIDs and date-times are UTC with milliseconds", async () => {
  const { event, ticket } = open();
  const made = await event({ dateTime: "2027-03-14T19:00+08:00", endDateTime: "2027-03-14T15:00:00Z" });
  expect(made.id).toMatch(uuid);
  expect((await ticket(made.id)).id).toMatch(uuid);
  expect([made.dateTime, made.endDateTime]).toEqual(["2027-03-14T11:00:00.000Z", "2027-03-14T15:00:00.000Z"]);
  expect(made.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
});

test("every error has code, message, hint and requestId", async () => {
  const { get, post, del, send, key, event } = open();
  const { id } = await event();
  const answers = [
    await get(`/events/${noSuchId}`),
    await get("/nothing"),
    await get("/events", "wrong"),
    await get("/events", key({ scopes: [] })),
    await post("/events", {}),
    await post("/events", "{"),
    await post(`/events/${id}/unpublish`),
    await del("/events"),
    await send("POST", "/events", "x", { "content-type": "text/plain" }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([404, 404, 401, 403, 400, 400, 400, 405, 415]);
  for (const { body } of answers) {
    expect(Object.keys(body).sort()).toEqual(["error", "requestId"]);
    expect(
      [body.error.code, body.error.message, body.error.hint, body.requestId].every((text) => text.length > 0),
    ).toBe(true);
  }
  expect(new Set(answers.map(({ body }) => body.requestId)).size).toBe(answers.length);
});

test("a missing event is NOT_FOUND, named in the message, with a hint about id and ownership", async () => {
  const { get } = open();
  const { status, body } = await get(`/events/${noSuchId}`);
  expect([status, body.error.code]).toEqual([404, "NOT_FOUND"]);
  expect(body.error.message).toContain(noSuchId);
  expect(body.error.hint).toMatch(/event id.*organization/);
});

test("an event of another organization is NOT_FOUND on every path", async () => {
  const { service, send } = open();
  const [other] = service.control.seed({ organizations: [{ slug: "other" }] }).organizations;
  const [theirs] = service.control.seed({ events: [{ name: "Theirs", organizationId: other?.id ?? "" }] }).events;
  const at = `/events/${theirs?.id}`;
  const calls = [
    ["GET", at],
    ["GET", "/events/theirs"],
    ["PATCH", at],
    ["DELETE", at],
    ["POST", `${at}/publish`],
    ["GET", `${at}/tickets`],
    ["GET", `${at}/orders`],
    ["POST", `${at}/performers`],
  ] as const;
  for (const [method, path] of calls) {
    const { status, body } = await send(method, path, method === "PATCH" ? { name: "Mine" } : undefined);
    expect([method, path, status, body.error.code]).toEqual([method, path, 404, "NOT_FOUND"]);
  }
  expect(service.control.dump().events).toMatchObject([{ name: "Theirs", status: "DRAFT" }]);
});

test("a validation error names each field that is wrong, all at once", async () => {
  const { post } = open();
  const { status, body } = await post("/events", {
    name: 7,
    dateTime: "soon",
    type: "paid",
    tickets: [{ name: "GA" }],
  });
  expect([status, body.error.code]).toEqual([400, "VALIDATION_ERROR"]);
  const fields = body.error.details.map(({ field }: { field: string }) => field);
  expect(fields).toEqual(["name", "dateTime", "type", "tickets.0.price", "tickets.0.quantity"]);
});

test("the version is in the path: nothing is served outside /open-api/v1", async () => {
  const { service } = open();
  for (const path of ["/me", "/open-api/v2/me", "/open-api/v1", "/"]) {
    const response = await service.handle({ method: "GET", path, headers: { "api-key": service.apiKey } });
    expect([path, response.status]).toEqual([path, 404]);
  }
});

test("a body is JSON, an object, and at most 1 MiB", async () => {
  const { post } = open();
  expect((await post("/events", "[]")).status).toBe(400);
  expect((await post("/events", "{")).status).toBe(400);
  expect((await post("/events", { ...{ name: "x".repeat(1024 * 1024) }, dateTime: "2027-01-01" })).status).toBe(413);
});
