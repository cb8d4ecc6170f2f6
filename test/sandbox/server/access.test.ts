import { expect, test } from "vitest";
import { scopes } from "../../../src/sandbox/data/rows.ts";
import { routes } from "../../../src/sandbox/server/respond.ts";
import { noSuchId, open } from "../open.ts";

test("every request needs the api-key header with a valid key", async () => {
  const { service, get } = open();
  const path = "/open-api/v1/me";
  expect((await service.handle({ method: "GET", path, headers: {} })).status).toBe(401);
  expect(await get("/me", "wrong")).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
  expect((await get("/me", "")).status).toBe(401);
});

test("an expired key is refused from the moment it expires", async () => {
  let now = Date.parse("2027-01-01T00:00:00Z");
  const { get, key } = open("likely", { now: () => now });
  const mortal = key({ expiresAt: "2027-01-01T01:00:00.000Z" });
  expect((await get("/me", mortal)).body.data.apiKey.expiresAt).toBe("2027-01-01T01:00:00.000Z");
  now = Date.parse("2027-01-01T01:00:00Z");
  expect(await get("/me", mortal)).toMatchObject({ status: 401, body: { error: { code: "UNAUTHORIZED" } } });
});

test("an allowlist restricts a key to its addresses", async () => {
  const { send, key } = open();
  const fenced = { "api-key": key({ allowlist: ["10.0.0.1"] }) };
  const at = async (from: string) => (await send("GET", "/me", undefined, fenced, from)).status;
  expect([await at("10.0.0.1"), await at("::ffff:10.0.0.1"), await at("127.0.0.1")]).toEqual([200, 200, 403]);
});

test("each endpoint needs its own scope and no other", async () => {
  const { service, send } = open();
  for (const { method, path, scope } of routes) {
    const { keys } = service.control.seed({
      keys: [{ scopes: scopes.filter((each) => each !== scope) }, { scopes: scope === undefined ? [] : [scope] }],
    });
    const at = path.replace(/:\w+/g, noSuchId);
    const [without, only] = await Promise.all(
      keys.map(({ value }) => send(method, at, method === "GET" ? undefined : {}, { "api-key": value })),
    );
    expect([method, path, only?.body.error?.code === "SCOPE_REQUIRED"]).toEqual([method, path, false]);
    if (scope === undefined) continue;
    expect([method, path, without?.status, without?.body.error.code]).toEqual([method, path, 403, "SCOPE_REQUIRED"]);
    expect(without?.body.error.message).toContain(scope);
  }
});

test("there are exactly the documented endpoints", () => {
  expect(routes).toHaveLength(35);
  expect(new Set(routes.flatMap(({ scope }) => scope ?? []))).toEqual(new Set(scopes));
});

test("GET /me shows key and organization, and never the key itself", async () => {
  const { service, get } = open("likely", { organization: { slug: "acme-live", name: "Acme Live" } });
  const { body } = await get("/me");
  expect(Object.keys(body.data.apiKey).sort()).toEqual([
    "callbackUrl",
    "createdAt",
    "expiresAt",
    "id",
    "lastUsedAt",
    "name",
    "scopes",
  ]);
  expect(body.data.apiKey).toMatchObject({ scopes, expiresAt: null });
  expect(body.data.organization).toEqual({ id: expect.any(String), name: "Acme Live", slug: "acme-live" });
  expect(JSON.stringify(body)).not.toContain(service.apiKey);
});

test("a key records when it was last used", async () => {
  let now = Date.parse("2027-01-01T00:00:00Z");
  const { get, key } = open("likely", { now: () => now });
  const other = key();
  await get("/events", other);
  now += 60_000;
  expect((await get("/me")).body.data.apiKey.lastUsedAt).toBe("2027-01-01T00:01:00.000Z");
  expect((await get("/me", other)).body.data.apiKey.lastUsedAt).toBe("2027-01-01T00:01:00.000Z");
});

test("a key acts on the data of its own organization alone", async () => {
  const { service, get, event, key } = open();
  await event();
  const [other] = service.control.seed({ organizations: [{ slug: "other" }] }).organizations;
  const theirs = key({ organizationId: other?.id ?? "" });
  expect((await get("/events", theirs)).body.meta.total).toBe(0);
  expect((await get("/me", theirs)).body.data.organization.slug).toBe("other");
});
