import { expect, test } from "vitest";
import { type Answer, type Open, open, start } from "../open.ts";

function limits({ headers }: Answer): (string | undefined)[] {
  return ["Limit", "Remaining", "Reset"].map((name) => headers[`X-RateLimit-${name}`]);
}

async function untilRefused({ get }: Open, most = 2000): Promise<number> {
  for (let calls = 0; calls < most; calls++) if ((await get("/me")).status === 429) return calls;
  return most;
}

test("every response carries the three rate headers, errors too, with the limit off too", async () => {
  const { get, post, service } = open();
  const unknown = await service.handle({ method: "GET", path: "/nowhere", headers: {} });
  const answers = [await get("/me"), await get("/nothing"), await get("/me", "wrong"), await post("/events", {})];
  for (const { headers } of [...answers, unknown]) {
    for (const name of ["Limit", "Remaining", "Reset"]) expect(headers[`X-RateLimit-${name}`]).toMatch(/^\d+$/);
  }
});

test.each([
  ["free", 60],
  ["pro", 300],
  ["enterprise", 1000],
])("the %s tier allows %i calls a minute", async (tier, perMinute) => {
  const opened = open(`tier=${tier}`);
  expect(limits(await opened.get("/me"))).toEqual([String(perMinute), String(perMinute - 1), "60"]);
  expect(await untilRefused(opened)).toBe(perMinute - 1);
  opened.pass(60_000);
  expect((await opened.get("/me")).status).toBe(200);
});

test.each([
  ["free", 60, 1000],
  ["pro", 300, 5000],
  ["enterprise", 1000, 20_000],
])("the %s tier allows %i a minute and %i calls an hour", async (tier, perMinute, perHour) => {
  const opened = open(`tier=${tier}`);
  let calls = 0;
  for (let minute = 0; minute < 59; minute++, opened.pass(60_000)) {
    opened.service.control.spend(Math.min(perMinute - 1, perHour - 1 - calls));
    calls = Math.min(perHour - 1, calls + perMinute - 1);
  }
  expect((await opened.get("/me")).status).toBe(200);
  expect((await opened.get("/me")).status).toBe(429);
  opened.pass(60_000);
  expect((await opened.get("/me")).status).toBe(200);
});

test("a refused call does nothing, says RATE_LIMITED and when to come back", async () => {
  const opened = open("tier=free");
  opened.service.control.spend(60);
  opened.pass(20_500);
  const response = await opened.post("/events", { name: "A", dateTime: "2027-03-14" });
  expect(response).toMatchObject({
    status: 429,
    body: { error: { code: "RATE_LIMITED" } },
    headers: { "Retry-After": "40" },
  });
  expect(response.body.error.hint.length * response.body.requestId.length).toBeGreaterThan(0);
  expect(limits(response)).toEqual(["60", "0", "40"]);
  expect(opened.service.control.dump().events).toEqual([]);
});

test("keys have their own limits", async () => {
  const opened = open("tier=free");
  const other = opened.key();
  opened.service.control.spend(60);
  expect((await opened.get("/me")).status).toBe(429);
  expect((await opened.get("/me", other)).status).toBe(200);
});

test("a sliding window frees a call when the oldest falls out", async () => {
  const opened = open("tier=free,window=sliding");
  await opened.get("/me");
  opened.pass(30_000);
  expect(await untilRefused(opened)).toBe(59);
  opened.pass(29_999);
  expect((await opened.get("/me")).status).toBe(429);
  opened.pass(1);
  expect((await opened.get("/me")).status).toBe(200);
  expect((await opened.get("/me")).headers["Retry-After"]).toBe("30");
});

test("an aligned window starts on the minute or the hour", async () => {
  const opened = open("tier=free,window=aligned");
  expect(limits(await opened.get("/me"))[2]).toBe("30");
  opened.service.control.spend(59);
  opened.pass(29_499);
  expect((await opened.get("/me")).status).toBe(429);
  opened.pass(1);
  expect((await opened.get("/me")).status).toBe(200);
});

test.each([
  ["seconds", "60"],
  ["epoch-seconds", String(Math.ceil(start / 1000) + 60)],
  ["epoch-ms", String(start + 60_000)],
  ["iso", "2027-01-01T00:01:30.500Z"],
  ["http-date", "Fri, 01 Jan 2027 00:01:31 GMT"],
])("Reset as %s", async (unit, expected) => {
  expect(limits(await open(`tier=free,resetUnit=${unit}`).get("/me"))[2]).toBe(expected);
});

test("the headers speak of the minute, the hour or the tighter one", async () => {
  const spoken = async (window: string, spent: number) => {
    const opened = open(`tier=free,headerWindow=${window}`);
    for (let minute = 0; minute < spent / 50; minute++, opened.pass(60_000)) opened.service.control.spend(50);
    return limits(await opened.get("/me")).slice(0, 2);
  };
  expect(await spoken("minute", 950)).toEqual(["60", "59"]);
  expect(await spoken("hour", 0)).toEqual(["1000", "999"]);
  expect(await spoken("tighter", 0)).toEqual(["60", "59"]);
  expect(await spoken("tighter", 950)).toEqual(["1000", "49"]);
});

test("headers may be missing on a 429, or carry a suffix", async () => {
  const bare = open("tier=free,rateHeaders=not-on-429");
  expect(limits(await bare.get("/me"))[0]).toBe("60");
  bare.service.control.spend(60);
  expect(limits(await bare.get("/me"))).toEqual([undefined, undefined, undefined]);
  const { headers } = await open("tier=free,rateHeaders=suffixed").get("/me");
  expect(headers).toMatchObject({ "X-RateLimit-Remaining-Minute": "59", "X-RateLimit-Remaining-Hour": "999" });
  expect(headers["X-RateLimit-Limit"]).toBeUndefined();
});

test("a 429 may come without Retry-After, with a date, and as HTML", async () => {
  const refused = async (knobs: string) => {
    const opened = open(`tier=free,${knobs}`);
    opened.service.control.spend(60);
    return opened.get("/me");
  };
  expect((await refused("retryAfter=none")).headers["Retry-After"]).toBeUndefined();
  expect((await refused("retryAfter=date")).headers["Retry-After"]).toBe("Fri, 01 Jan 2027 00:01:30 GMT");
  const html = await refused("limitBody=html");
  expect([html.status, html.headers["Content-Type"]]).toEqual([429, "text/html"]);
});

test("refused calls may count too", async () => {
  const left = async (refusedCount: string) => {
    const opened = open(`tier=free,window=sliding,refusedCount=${refusedCount}`);
    opened.service.control.spend(60);
    for (let n = 0; n < 20; n++, opened.pass(3_000)) expect((await opened.get("/me")).status).toBe(429);
    return limits(await opened.get("/me"))[1];
  };
  expect([await left("no"), await left("yes")]).toEqual(["59", "40"]);
});
