// Stores that only look like S3: each is tried out before it is trusted, and distinguished from one that is merely out of order.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { outsideCalls } from "../../src/service/transport.ts";
import { openS3Files } from "../../src/state/s3/s3-store.ts";
import type { SharedFiles } from "../../src/state/shared/shared-files.ts";
import { type S3Habits, S3Server } from "./s3-server.ts";
import { s3Env, s3Settings } from "./s3-store.ts";

let server: S3Server;
const opened: SharedFiles[] = [];
beforeEach(async () => {
  server = new S3Server();
  await server.start();
});
afterEach(async () => {
  for (const files of opened.splice(0)) await files.close();
  await server.stop();
});

interface Differently {
  readonly env?: Readonly<Record<string, string>>;
  readonly settings?: Readonly<Record<string, string>>;
}

async function open({ env, settings }: Differently = {}): Promise<SharedFiles> {
  const outside = {
    ...outsideCalls({}),
    env: { ...s3Env("writer"), ...env },
    keepSecret: () => undefined,
    disagreement: async () => null,
  };
  const files = await openS3Files({ ...s3Settings(server), ...settings }, "/", "production", outside);
  if (!files.ok) throw new Error(files.message);
  opened.push(files.value);
  return files.value;
}

const one = new Map([["state.json", "{}"]]);
const head = "acme/events/production/head.json";

function leftovers(): readonly string[] {
  return [...server.objects.keys()].filter((key) => key.includes("probe"));
}

describe("a store that does not keep two runs apart is refused, and nothing is left there", () => {
  test.each<[string, S3Habits, string]>([
    ["creates what exists", { ignores: "if-none-match" }, "lets two runs create"],
    ["replaces what has changed", { ignores: "if-match" }, "lets a run replace an object of another version"],
    ["shows what was there before", { isBehind: true }, "does not show what was written last"],
    ["gives no ETags", { etags: "none" }, "gives its objects no ETag"],
    ["knows no conditions", { conflict: 501 }, "does not support conditional writes"],
  ])("%s", async (_name, habits, said) => {
    server.habits = habits;
    const files = await open();
    expect(await files.read()).toEqual({ ok: true, value: null });
    expect(await files.write(one, null, "first")).toMatchObject({
      ok: false,
      reason: "unsafe",
      message: expect.stringContaining(said),
    });
    expect([...server.objects.keys()]).toEqual([]);
  });
});

test.each<S3Habits>([{ conflict: 409 }, { etags: "given-bare" }, { etags: "compared-bare" }])(
  "one that keeps them apart in its own manner serves: %o",
  async (habits) => {
    server.habits = habits;
    const files = await open();
    const first = await files.write(one, null, "first");
    if (!first.ok) throw new Error(first.message);
    const second = await files.write(one, first.value, "second");
    expect(second).toMatchObject({ ok: true });
    expect(await files.write(one, first.value, "stale")).toMatchObject({ ok: false, reason: "moved" });
    expect(await files.write(one, null, "first again")).toMatchObject({ ok: false, reason: "moved" });
  },
);

test.each([
  ["a load balancer without the bucket", { status: 404, code: "NotFound" }],
  ["a redirect", { status: 301, code: "PermanentRedirect" }],
])("a write whose response is lost is found, although %s answers next", async (_who, response) => {
  const files = await open();
  const large = new Map([["state.json", "x".repeat(200_000)]]);
  const lost: string[] = [];
  server.fault = ({ method, key }) => {
    if (key !== head) return null;
    lost.push(method);
    return lost.length === 1 ? "after" : lost.length === 2 ? response : null;
  };
  expect(await files.write(large, null, "first")).toMatchObject({ ok: false, reason: "unreachable" });
  expect(lost).toEqual(["PUT", "GET"]);
  await files.close();
  const found = await (await open()).read();
  expect(found.ok ? found.value?.files.get("state.json") : found).toBe(large.get("state.json"));
});

test("what was found out is remembered in the bucket, and forgotten with a copy of it elsewhere", async () => {
  server.habits = { etags: "compared-bare" };
  const files = await open();
  expect(await files.write(one, null, "first")).toMatchObject({ ok: true });
  expect(leftovers()).toEqual([]);
  const again = await open();
  const read = await again.read();
  if (!read.ok) throw new Error(read.message);
  server.calls.length = 0;
  expect(await again.write(one, read.value, "second")).toMatchObject({ ok: true });
  expect(server.calls.map(({ method }) => method)).toEqual(["PUT"]);
  // Somebody copies all of it into another store, which only looks like one.
  const copy = new S3Server({ ignores: "if-match" });
  await copy.start();
  for (const [key, text] of server.objects) copy.objects.set(key, text);
  await server.stop();
  server = copy;
  const elsewhere = await open();
  const copied = await elsewhere.read();
  if (!copied.ok) throw new Error(copied.message);
  expect(await elsewhere.write(one, copied.value, "third")).toMatchObject({ ok: false, reason: "unsafe" });
});

describe("a large state", () => {
  const large = Array.from({ length: 200_000 }, (_, line) => `{"line":${line},"text":"${"x".repeat(60)}"}\n`).join("");

  test("is one object, and is sent compressed", async () => {
    const files = await open();
    const first = await files.write(new Map([["state.json", large]]), null, "first");
    if (!first.ok) throw new Error(first.message);
    server.calls.length = 0;
    const renewed = await files.write(new Map([...first.value.files, ["lock.json", "{}"]]), first.value, "renewed");
    expect(renewed).toMatchObject({ ok: true });
    expect(server.calls).toMatchObject([{ method: "PUT", key: head }]);
    expect(server.calls[0]?.bytes).toBeLessThan(large.length / 8);
    expect([...server.objects.keys()]).toEqual([head]);
    const found = await (await open()).read();
    expect(found.ok ? found.value?.files.get("state.json") === large : found).toBe(true);
  });

  test("that is damaged is not used", async () => {
    const files = await open();
    expect(await files.write(new Map([["state.json", large]]), null, "first")).toMatchObject({ ok: true });
    const text = JSON.parse(server.objects.get(head) ?? "");
    text.files["state.json"].gzip = text.files["state.json"].gzip.replace(/^.{40}/, "x".repeat(40));
    server.objects.set(head, JSON.stringify(text));
    expect(await files.read()).toMatchObject({
      reason: "foreign",
      message: expect.stringContaining("cannot be unpacked"),
    });
  });
});

describe("is reported clearly", () => {
  test.each<[string, Differently, string, RegExp]>([
    ["a bucket that is not there", { settings: { bucket: "elsewhere" } }, "setup", /no such bucket/],
    [
      "a key that is unknown",
      { env: { AWS_ACCESS_KEY_ID: "AKIDNOBODY" } },
      "refused",
      /does not know the key in AWS_ACCESS_KEY_ID/,
    ],
    ["a wrong secret", { env: { AWS_SECRET_ACCESS_KEY: "a-wrong-one" } }, "refused", /does not belong to the key/],
  ])("%s", async (_name, differently, reason, said) => {
    const files = await open(differently);
    expect(await files.read()).toMatchObject({ ok: false, reason, message: expect.stringMatching(said) });
    expect(await files.write(one, null, "first")).toMatchObject({ ok: false, reason });
  });

  test("a clock that differs", async () => {
    server.habits = { aheadMs: 3_600_000 };
    expect(await (await open()).read()).toMatchObject({
      ok: false,
      reason: "setup",
      message: expect.stringContaining("clock"),
      hint: expect.stringContaining("Set the clock"),
    });
  });

  test.each([
    [503, "SlowDown", "unreachable"],
    [500, "InternalError", "unreachable"],
    [404, "NotAnObjectStore", "setup"],
    [301, "PermanentRedirect", "setup"],
    [400, "AuthorizationHeaderMalformed", "setup"],
    [400, "ExpiredToken", "refused"],
    [403, "AccessDenied", "refused"],
    [403, "QuotaExceeded", "refused"],
    [507, "InsufficientStorage", "unreachable"],
  ])("%s %s", async (status, code, reason) => {
    server.fault = () => ({ status, code });
    const files = await open();
    expect(await files.tip()).toMatchObject({ ok: false, reason });
    expect(await files.write(one, null, "first")).toMatchObject({ ok: false, reason });
  });

  test("who may only read: nothing is written", async () => {
    await (await open()).write(one, null, "first");
    const before = [...server.objects];
    const files = await open({ env: s3Env("reader") });
    const read = await files.read();
    if (!read.ok) throw new Error(read.message);
    expect(read.value?.files.get("state.json")).toBe("{}");
    expect(await files.write(one, read.value, "second")).toMatchObject({ ok: false, reason: "refused" });
    expect([...server.objects]).toEqual(before);
  });

  test("half a response", async () => {
    const files = await open();
    expect(await files.write(one, null, "first")).toMatchObject({ ok: true });
    server.fault = () => "truncated";
    expect(await files.read()).toMatchObject({
      ok: false,
      reason: "unreachable",
      message: expect.stringMatching(/was cut off/),
    });
  });

  test("silence, within the time that calls wait for it", async () => {
    const files = await open();
    server.fault = () => "hang";
    const began = performance.now();
    expect(await files.tip()).toMatchObject({ ok: false, reason: "unreachable" });
    expect(performance.now() - began).toBeLessThan(20_000);
  });
});

test("a write that lands late, after somebody else's, changes nothing", async () => {
  const [mine, others] = [await open(), await open()];
  const first = await mine.write(one, null, "first");
  if (!first.ok) throw new Error(first.message);
  const reported: string[] = [];
  server.fault = ({ method }) => (method === "PUT" ? "before" : null);
  expect(await mine.write(one, first.value, "lost", ({ id }) => void reported.push(id))).toMatchObject({
    reason: "unreachable",
  });
  server.fault = null;
  const seen = await others.read();
  if (!seen.ok) throw new Error(seen.message);
  expect(await others.write(one, seen.value, "others")).toMatchObject({ ok: true });
  expect(await mine.write(one, first.value, "again")).toMatchObject({ ok: false, reason: "moved" });
  const tip = await mine.tip();
  expect(reported).toHaveLength(1);
  expect(tip.ok && reported.includes(tip.value ?? "")).toBe(false);
});
