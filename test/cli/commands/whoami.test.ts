// `ticketing whoami`, against the embedded sandbox and against answers that show less.
import { afterEach, describe, expect, it } from "vitest";
import { readOwnAccount } from "../../../src/app/operate/service-facts.ts";
import type { World } from "../../../src/app/world.ts";
import { writeAccount } from "../../../src/cli/commands/operate.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import type { Transport } from "../../../src/service/http/transport.ts";
import { apiKey, clientOf, json, type Scripted, scripted } from "../../service/client-of.ts";

const now = Date.UTC(2027, 0, 4, 9);
const target = { environment: "production", baseUrl: "https://tickets.example/open-api/v1" };
let sandbox: Sandbox | undefined;

afterEach(async () => {
  await sandbox?.close();
  sandbox = undefined;
});

async function run(transport: Transport, format: "text" | "json" = "text", pin: string | null = null) {
  const out: string[] = [];
  const err: string[] = [];
  const output = (into: string[]) => ({
    write: (text: string) => void into.push(text),
    isTerminal: false,
    columns: 80,
  });
  const world: World = {
    argv: [],
    env: {},
    cwd: "/",
    now: () => now,
    stdout: output(out),
    stderr: output(err),
    stdin: process.stdin,
    interrupted: new AbortController().signal,
  };
  const client = clientOf({ baseUrl: target.baseUrl, transport });
  const code = writeAccount(world, format, await readOwnAccount(client, target, pin, world.now));
  return { code, out: out.join(""), err: err.join("") };
}

function me(apiKeyFields: object, organization: object = { id: "1", name: "Acme Live", slug: "acme-live" }): Scripted {
  return json(
    200,
    { data: { apiKey: apiKeyFields, organization } },
    { "x-ratelimit-limit": "60", "x-ratelimit-remaining": "57", "x-ratelimit-reset": "30" },
  );
}

const scopes = ["events:read", "events:write", "tickets:read", "tickets:write", "orders:read", "webhooks:manage"];

describe("whoami", () => {
  it("shows key, scopes, expiry, organization and limits", async () => {
    const { code, out, err } = await run(
      scripted(me({ id: "k-1", name: "CI", scopes, expiresAt: "2028-01-01T00:00:00.000Z", lastUsedAt: null })),
    );
    expect(out).toBe(
      [
        "Target: production (https://tickets.example/open-api/v1)",
        "Organization: Acme Live (acme-live)",
        "Key: CI, id k-1",
        "Expires: Sat 1 Jan 2028 08:00 Asia/Manila (00:00Z), in 361 days",
        `Scopes: ${scopes.join(", ")}`,
        "Rate limit per minute (free tier): 57 of 60 calls left, resets in 31 s",
        "Rate limit per hour (free tier): about 995 of 1,000 calls left",
        "",
      ].join("\n"),
    );
    expect([code, err]).toEqual([0, ""]);
  });

  it("shows which commands each missing scope disables", async () => {
    const { out } = await run(scripted(me({ name: "CI", scopes: ["events:read"], expiresAt: null })));
    expect(out).toContain("Expires: never");
    expect(out.match(/^Missing scope .*$/gm)).toHaveLength(5);
    expect(out).toContain(
      "Missing scope webhooks:manage: needed for webhooks, and for planning and applying webhooks.yaml.",
    );
  });

  it("warns of an expiry that is near, and fails for one that is past", async () => {
    const near = await run(scripted(me({ name: "CI", scopes, expiresAt: "2027-01-07T09:00:00.000Z" })));
    expect(near.out).toContain("expires in 3 days. Create a new API key");
    expect(near.code).toBe(0);
    const past = await run(scripted(me({ name: "CI", scopes, expiresAt: "2027-01-01T09:00:00.000Z" })), "json");
    expect(JSON.parse(past.out)).toMatchObject({ apiKey: { expiry: "past", expiresAt: "2027-01-01T09:00:00.000Z" } });
    expect(past.code).toBe(1);
  });

  it.each(["text", "json"] as const)("fails for the key of another organization, as %s", async (format) => {
    const key = me({ name: "CI", scopes, expiresAt: null });
    const other = await run(scripted(key), format, "other-live");
    expect(other.out).toContain("acme-live");
    expect(other.err).toContain('error[wrong-organization] The API key belongs to the organization "acme-live", but');
    expect(other.code).toBe(1);
    expect(await run(scripted(key), format, "acme-live")).toMatchObject({ code: 0 });
  });

  it("prints the same as JSON", async () => {
    const { out } = await run(scripted(me({ name: "CI", scopes: scopes.slice(0, 5), expiresAt: null })), "json");
    expect(JSON.parse(out)).toMatchObject({
      formatVersion: 1,
      target,
      organization: { slug: "acme-live" },
      apiKey: { name: "CI", missingScopes: [{ scope: "webhooks:manage" }], expiry: "never" },
      limits: {
        tier: "free",
        callsLeft: 57,
        windows: [
          { span: "minute", limit: 60, left: 57 },
          { span: "hour", left: 995 },
        ],
      },
    });
  });

  it("bears a service that shows nothing", async () => {
    const { code, out } = await run(scripted(json(200, { data: {} })));
    expect(code).toBe(0);
    expect(out).toContain("Organization: not shown by the service");
    expect(out).toContain("Scopes: not shown by the service");
    expect(out).toContain("Key: not shown by the service");
    expect(out).toContain("Expires: not shown by the service");
    expect(out).toContain("Rate limit: not shown by the service");
  });

  it("takes only null for a key that never expires", async () => {
    for (const [shown, expiry, words] of [
      [{ expiresAt: null }, "never", "Expires: never\n"],
      [{}, "unknown", "Expires: not shown by the service\n"],
      [{ expiresAt: "" }, "unknown", "Expires: not shown by the service\n"],
      [{ expiresAt: "some day" }, "unknown", "Expires: some day (not a readable time)"],
    ] as const) {
      expect((await run(scripted(me({ name: "CI", scopes, ...shown })))).out).toContain(words);
      const { out } = await run(scripted(me({ name: "CI", scopes, ...shown })), "json");
      expect(JSON.parse(out)).toMatchObject({ apiKey: { expiry } });
    }
  });

  it("reports a failure in the words of every other command", async () => {
    const fault = { code: "unreachable", detail: "ECONNREFUSED", sent: false } as const;
    const { out, err } = await run(scripted({ fault }), "json");
    expect(err).toMatch(
      /^Target: production .*\nerror\[unreachable\] The service at tickets\.example .*\n {2}fix: .*Check the URL/,
    );
    expect(JSON.parse(out)).toMatchObject({
      formatVersion: 1,
      ok: false,
      target,
      error: { code: "unreachable" },
      diagnostics: [{ code: "unreachable", severity: "error" }],
    });
  });

  it("shows names as data", async () => {
    const { out } = await run(scripted(me({ name: "CI\u001b[31m\nScopes: all", scopes, expiresAt: null })));
    expect(out).not.toContain("\u001b");
    expect(out.match(/^Scopes:/gm)).toHaveLength(1);
  });

  it.each(["text", "json"] as const)("reports a refusal with its hint and request id (%s)", async (format) => {
    const refusal = json(401, {
      error: { code: "UNAUTHORIZED", message: `No key ${apiKey}.`, hint: "Get another." },
      requestId: "r-9",
    });
    const { code, out, err } = await run(scripted(refusal), format);
    expect(code).toBe(1);
    expect(err).toContain("No key ***.");
    expect(err).toContain("Get another.");
    expect(err).toContain("r-9");
    if (format === "json")
      expect(JSON.parse(out)).toMatchObject({ error: { code: "UNAUTHORIZED", requestId: "r-9", status: 401 } });
    else expect(out).toBe("");
  });

  it("works against the sandbox, even with a key that has expired or is wrong", async () => {
    sandbox = await startSandbox({});
    const { TicketingClient } = await import("../../../src/service/client.ts");
    for (const [key, ok] of [
      [sandbox.apiKey, true],
      ["wrong-key", false],
    ] as const) {
      const client = new TicketingClient({ baseUrl: sandbox.baseUrl, apiKey: key });
      const result = await client.me();
      expect(result.ok).toBe(ok);
      if (!result.ok) expect(result.problem).toMatchObject({ class: "refused", status: 401, code: "UNAUTHORIZED" });
      await client.close();
    }
  });
});
