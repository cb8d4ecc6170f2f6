// A service that shows the key back in what is no error at all: no one sees it all the same.
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

/** The answer to a GET of the path. */
function answerTo(path: string): unknown {
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
    response.end(JSON.stringify(answerTo(path)));
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
