// A service that shows a secret back, even in what is no error at all: no one sees it all the same.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { ticketing } from "../stage/test-world.ts";

// No piece of them can come up by chance: fingerprints and ports are made of other letters.
const short = 'k-zq8"7\\xwv4';
const long = 'tk_live-zq8"e7d6\\xwv4a3-0123456789-abcdefghijklmnopqrstuvwxyz-98q76w5432';
let key = short;
const id = "3f0c9a52-1111-4222-8333-444455556666";
const scopes = ["events:read", "events:write", "tickets:read", "tickets:write", "orders:read", "webhooks:manage"];

const stored = "whsec_zq8-0123456789-abcdefghijklmnopqrstuvwxyz-98q76w5432-stored";
const issued = "whsec_xwv-0123456789-abcdefghijklmnopqrstuvwxyz-98q76w5432-issued";
const hook = { url: "https://hooks.example.com/orders", events: ["order.completed"], isActive: true };
const fresh = "3f0c9a52-2222-4222-8333-444455556666";
let hooks = [{ id, ...hook }];

/** What the service says of webhooks holds their secrets. */
function webhookResponse(method: string, path: string): unknown {
  if (path.endsWith("/test")) return { data: { success: false, error: `signed with ${stored} or ${issued}` } };
  if (path.endsWith("/deliveries"))
    return { data: [{ id: "d1", event: "order.completed", status: "FAILED", error: `${stored} is wrong` }] };
  if (method !== "POST") return { data: hooks };
  hooks = [...hooks, { id: fresh, ...hook }];
  return { data: { id: fresh, ...hook, secret: issued } };
}

/** The response to a GET of the path. */
function respondTo(path: string): unknown {
  const organization = { id, name: `Bayside ${key}`, slug: `bayside-${key}` };
  if (path === "/me") return { data: { organization, apiKey: { id, name: `key ${key}`, scopes } } };
  const event = {
    id,
    name: `Manila Nights ${key}`,
    slug: "manila-nights",
    status: "DRAFT",
    dateTime: "2027-03-01T12:00:00.000Z",
    description: `about ${key}, see https://example.com/?key=${encodeURIComponent(key)}`,
    locationType: "ONLINE",
  };
  if (path === `/events/${id}`) return { data: event };
  return path === "/events" ? { data: [event], meta: { page: 1, take: 100, total: 1, totalPages: 1 } } : { data: [] };
}

let directory: string;
let server: Server;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-echo-"));
  mkdirSync(join(directory, "events"));
  server = createServer((request, response) => {
    const path = (request.url ?? "").replace(/^\/open-api\/v1|\?.*$/g, "");
    response.writeHead(200, { "content-type": "application/json" });
    const isHook = path.startsWith("/webhooks");
    response.end(JSON.stringify(isHook ? webhookResponse(request.method ?? "", path) : respondTo(path)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  writeFileSync(
    join(directory, "ticketing.yaml"),
    `version: 1\nenvironments:\n  live:\n    baseUrl: http://127.0.0.1:${port}/open-api/v1\n    apiKeyEnv: BAYSIDE\n`,
  );
});
beforeEach(() => {
  writeFileSync(
    join(directory, "events", "night.yaml"),
    `key: night\nid: ${id}\nname: Another Night\ndateTime: "2027-03-01T20:00"\nlocationType: ONLINE\ndescription: Short.\n`,
  );
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  rmSync(directory, { recursive: true, force: true });
});

const commands = [
  "whoami",
  "whoami --format json",
  "plan",
  "plan --verbose",
  "plan --format json",
  "plan --format markdown",
  "plan --format html",
  "plan --out plan.json",
  "status",
  "status --format json",
  "status --format csv",
  "orders night",
  "import --all --format json",
];

describe.each([
  ["short", short, ["zq8", "xwv4"]],
  ["long", long, ["zq8", "xwv4", "abcdefgh", "rstuvwxyz", "98q7"]],
])("a %s key", (_, used, pieces) => {
  test.each(commands)("is not shown by %s", async (line) => {
    key = used;
    const ran = await ticketing([...line.split(" "), "--env", "live"], { cwd: directory, env: { BAYSIDE: key } });
    const saved = line.includes("--out") ? readFileSync(join(directory, "plan.json"), "utf8") : "";
    const text = ran.stdout + ran.stderr + saved;
    expect(text).toContain("***");
    for (const piece of pieces) expect(text).not.toContain(piece);
    if (line.includes("json") && saved === "") expect(() => JSON.parse(ran.stdout)).not.toThrow();
    if (saved !== "") expect(JSON.parse(saved)).toHaveProperty("formatVersion");
  });
});

describe("the secret of a webhook", () => {
  const file = () => join(directory, ".ticketing", "secrets.json");

  test.each([
    `webhooks rotate ${hook.url} --yes`,
    `webhooks rotate ${hook.url} --yes --format json`,
    `webhooks test ${hook.url}`,
    `webhooks test ${hook.url} --format json`,
    "webhooks deliveries",
    "webhooks deliveries --format json",
  ])("is not shown by %s, whether it was stored before or has just been issued", async (line) => {
    hooks = [{ id, ...hook }];
    key = long;
    const settings = join(directory, "ticketing.yaml");
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, `${before}secrets: { sink: file, path: .ticketing/secrets.json }\n`);
    rmSync(join(directory, ".ticketing"), { recursive: true, force: true });
    mkdirSync(join(directory, ".ticketing"), { mode: 0o700 });
    const webhooks = { [id]: { url: hook.url, secret: stored, keptAt: "2027-01-01T00:00:00Z" } };
    writeFileSync(file(), JSON.stringify({ formatVersion: 1, webhooks }), { mode: 0o600 });
    const ran = await ticketing(
      [...line.split(" "), "--env", "live", ...(line.includes("rotate") ? ["--settle", "0.05"] : [])],
      {
        cwd: directory,
        env: { BAYSIDE: key },
      },
    );
    writeFileSync(settings, before);
    const text = ran.stdout + ran.stderr;
    expect(text).toContain("***");
    const rotates = line.includes("rotate");
    for (const piece of ["zq8", "stored", ...(rotates ? ["xwv", "issued"] : [])]) expect(text).not.toContain(piece);
    if (rotates) expect(JSON.parse(readFileSync(file(), "utf8")).webhooks[fresh].secret).toBe(issued);
  });
});
