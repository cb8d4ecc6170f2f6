// A service that shows more than it should, in words that workflows obey: no output passes a secret, a token in a URL or a
// command to a runner on.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { withoutSecrets } from "../../src/report/text/sanitize.ts";
import { ticketing } from "../stage/test-world.ts";

const ids = {
  event: "11111111-1111-4111-8111-111111111111",
  ticket: "22222222-2222-4222-8222-222222222222",
  order: "33333333-3333-4333-8333-333333333333",
  webhook: "44444444-4444-4444-8444-444444444444",
  venue: "55555555-5555-4555-8555-555555555555",
  organization: "66666666-6666-4666-8666-666666666666",
};
const hush = "hush-9f8e7d6c5b4a";
const command = "##[error]pwned ##vso[task.setvariable]pwned ##VSO[x]pwned";
const url = `https://user:${hush}@hooks.example.com/orders?token=${hush}`;
const named = `Jazz ${command} ${url}`;

const webhook = { id: ids.webhook, url, events: ["order.completed"], isActive: true, secret: hush };
const delivery = {
  id: "d1",
  createdAt: "2027-01-01T00:00:00Z",
  event: "order.completed",
  status: "DELIVERED",
  secret: hush,
  webhook: { signingSecret: hush, apiKey: { value: hush } },
  headers: [{ name: "X-Signature", value: hush }],
  request: { headers: { Authorization: `Bearer ${hush}`, "x-hook-signature": hush } },
  payload: JSON.stringify({
    order: { total: command, buyerName: "Ana Buyer" },
    webhookSecret: hush,
    list: [{ access_token: hush }],
  }),
  answer: command,
};
const event = {
  id: ids.event,
  slug: "jazz",
  name: named,
  status: "PUBLISHED",
  dateTime: "2027-03-14T11:00:00.000Z",
  timezone: "Asia/Manila",
  imageUrl: url,
};
const order = {
  id: ids.order,
  orderNumber: `ORD-1 ${command}`,
  status: "COMPLETED",
  totalAmount: 100,
  currency: "PHP",
  quantity: 1,
  eventId: ids.event,
  orderItems: [{ id: ids.order, quantity: 1, price: 100, eventTicket: { id: ids.ticket, name: named, section: url } }],
  createdAt: "2027-01-01T00:00:00Z",
  payment: { method: "CARD", cardToken: hush, gateway: { clientSecret: hush, receiptUrl: url } },
};

function answer(request: IncomingMessage): unknown {
  const path = new URL(request.url ?? "/", "http://x").pathname.replace("/open-api/v1", "");
  const list = (rows: readonly unknown[]) => ({
    data: rows,
    meta: { page: 1, take: 100, total: rows.length, totalPages: 1 },
  });
  if (path === "/me") {
    return {
      data: {
        apiKey: {
          id: "k",
          name: named,
          scopes: [command, "events:read", "events:write", "tickets:read", "tickets:write", "webhooks:manage"],
          expiresAt: null,
          createdAt: url,
        },
        organization: { id: ids.organization, name: named, slug: "acme-live" },
      },
    };
  }
  if (path === "/webhooks") return list([webhook]);
  if (path.endsWith("/test")) return { data: { success: true, ...delivery } };
  if (path.endsWith("/deliveries")) return list([delivery]);
  if (path === "/venues/search") return list([{ id: ids.venue, name: named, city: url }]);
  if (path === `/orders/${ids.order}`) return { data: order };
  if (path.endsWith("/orders")) return list([order]);
  if (path.endsWith("/tickets")) return list([{ id: ids.ticket, name: named, price: 100, quantity: 9, section: url }]);
  if (path === "/events") return list(/status=ARCHIVED/.test(request.url ?? "") ? [] : [event]);
  if (path === `/events/${ids.event}`) return { data: event };
  return list([]);
}

let directory: string;
let server: Server;
let env: Record<string, string>;
const sent: { readonly method: string; readonly url: string; readonly body: string }[] = [];
beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      sent.push({ method: request.method ?? "", url: request.url ?? "", body });
      const made = request.method === "POST" && request.url?.endsWith("/webhooks");
      response.writeHead(made ? 201 : 200, { "content-type": "application/json" });
      const hook = made ? { ...JSON.parse(body), id: "77777777-7777-4777-8777-777777777777", secret: hush } : null;
      response.end(JSON.stringify(hook === null ? answer(request) : { data: hook }));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  const { port } = server.address() as AddressInfo;
  env = { TICKETING_BASE_URL: `http://127.0.0.1:${port}/open-api/v1`, TICKETING_API_KEY: "some-key-of-ours" };
});
beforeEach(() => {
  sent.length = 0;
  directory = mkdtempSync(join(tmpdir(), "ticketing-output-"));
  mkdirSync(join(directory, "events"));
  writeFileSync(
    join(directory, "events", "night.yaml"),
    `name: "Night ${command}"\ndateTime: "2027-03-01T20:00"\nlocationType: ONLINE\nimageUrl: https://example.com/i.jpg?w=1&sig=${hush}\n`,
  );
  return () => rmSync(directory, { recursive: true, force: true });
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

const commands: readonly string[] = [
  "webhooks list",
  `webhooks test ${ids.webhook}`,
  "webhooks deliveries",
  `orders ${ids.event}`,
  `orders ${ids.event} --with-buyers`,
  `orders show ${ids.order}`,
  `orders show ${ids.order} --with-buyers`,
  "venues search jazz",
  "status",
  "whoami",
  "plan",
];

describe("whatever the service shows", () => {
  test.each(
    commands
      .flatMap((line) => ["text", "json"].map((format) => `${line} --format ${format}`))
      .concat(
        `orders ${ids.event} --format csv`,
        `orders ${ids.event} --format ndjson --with-buyers`,
        "status --format csv",
        "status --format markdown",
        "plan --format markdown",
        "plan --format html",
        "validate --format json",
        "validate --format sarif",
        "validate --format github",
        "validate",
      ),
  )("neither secrets nor commands pass: %s", async (line) => {
    const ran = await ticketing(line.split(" "), { cwd: directory, env });
    const text = ran.stdout + ran.stderr;
    expect(text.length).toBeGreaterThan(40);
    expect(text).not.toContain(hush);
    expect(text).not.toContain("Ana Buyer");
    expect(text).not.toMatch(/##(\[|vso\[)/i);
    if (line.includes("--format json")) expect(JSON.parse(ran.stdout)).toMatchObject({ formatVersion: 1 });
  });

  test("JSON says the same once it is read", async () => {
    const ran = await ticketing(["venues", "search", "jazz", "--format", "json"], { cwd: directory, env });
    expect(ran.stdout).toContain("\\u0023[error]");
    expect(JSON.parse(ran.stdout).venues[0].name).toContain("##[error]pwned ##vso[task.setvariable]pwned");
  });

  test("a webhook is found by its address as output shows it", async () => {
    const shown = "https://***@hooks.example.com/orders?***";
    const ran = await ticketing(["webhooks", "test", shown], { cwd: directory, env });
    expect(ran.exitCode).toBe(0);
  });
});

test("what a field is called decides, at any depth", () => {
  const given = {
    token: "a",
    Passwords: ["a"],
    keyId: 7,
    author: "b",
    monkey: "b",
    secretHeld: true,
    replaced: false,
    list: [
      { key: "Authorization", value: "a" },
      { key: "Accept", value: "b" },
    ],
    text: '{"client_secret":"a","id":"b"}',
  };
  expect(withoutSecrets(given)).toEqual({
    token: "***",
    Passwords: "***",
    keyId: "***",
    author: "b",
    monkey: "b",
    secretHeld: true,
    replaced: false,
    list: [
      { key: "Authorization", value: "***" },
      { key: "Accept", value: "b" },
    ],
    text: '{"client_secret":"***","id":"b"}',
  });
});

test("a saved plan sends the whole URL, and only what is printed is masked", async () => {
  const hook = `https://hooks.example.com/new?channel=${hush}`;
  rmSync(join(directory, "events"), { recursive: true });
  writeFileSync(
    join(directory, "webhooks.yaml"),
    `- { url: "${hook}", events: [order.completed], ignore: [secret-in-file] }\n`,
  );
  writeFileSync(
    join(directory, "ticketing.yaml"),
    "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n",
  );
  const printed = await ticketing(["plan", "--format", "json", "--out", "plan.json"], { cwd: directory, env });
  expect(printed.exitCode, printed.stdout + printed.stderr).toBe(0);
  expect(printed.stdout).not.toContain(hush);
  const [operation] = JSON.parse(printed.stdout).operations;
  expect(operation.body.url).toBe("https://hooks.example.com/new?***");
  expect(JSON.parse(readFileSync(join(directory, "plan.json"), "utf8")).operations[0].body.url).toBe(hook);
  writeFileSync(join(directory, "printed.json"), printed.stdout);
  const refused = await ticketing(["apply", "printed.json", "--yes"], { cwd: directory, env });
  expect(refused.exitCode).toBe(1);
  expect(refused.stdout + refused.stderr).toContain("was printed, not saved");
  const applied = await ticketing(["apply", "plan.json", "--yes", "--format", "json", "--settle", "0"], {
    cwd: directory,
    env,
  });
  expect(applied.exitCode, applied.stderr).toBe(0);
  expect(applied.stdout + applied.stderr).not.toContain(hush);
  const create = sent.find(({ method }) => method === "POST");
  expect(JSON.parse(create?.body ?? "{}").url).toBe(hook);
});
