// ticketing webhooks rotate as it is typed: what it says, where the secret goes, and what it refuses.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { World } from "../../../src/app/world.ts";
import { type Sandbox, startSandbox, type WebhookRow } from "../../../src/sandbox/index.ts";
import { fileStore } from "../../../src/state/file/file-store.ts";
import { openReceiver, type Receiver } from "../../stage/rotation-theater.ts";
import { ticketing } from "../../stage/test-world.ts";

let directory: string;
let sandbox: Sandbox;
let receiver: Receiver;
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-rotate-"));
  sandbox = await startSandbox({ profile: "httpLoopback=accepted", organization: { slug: "acme-live" } });
  receiver = await openReceiver();
  write("ticketing.yaml", "version: 1\nsecrets: { sink: file, path: .ticketing/secrets.json }\n");
});
afterEach(async () => {
  await sandbox.close();
  await receiver.close();
  rmSync(directory, { recursive: true, force: true });
});

function write(file: string, text: string): void {
  writeFileSync(join(directory, file), text);
}

function type(argv: readonly string[], world: Partial<World> = {}) {
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey, ...world.env };
  return ticketing([...argv, "--settle", "0.05"], { cwd: directory, ...world, env });
}

function webhooks(): readonly WebhookRow[] {
  return sandbox.control.dump().webhooks as readonly WebhookRow[];
}

function secrets(): Record<string, { secret: string }> {
  const file = join(directory, ".ticketing/secrets.json");
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")).webhooks : {};
}

test("says what it did and never the secret", async () => {
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const [former] = webhooks();
  const { exitCode, stdout, stderr } = await type(["webhooks", "rotate", receiver.url]);
  const [fresh, ...others] = webhooks();
  expect(exitCode, stderr).toBe(0);
  expect(others).toEqual([]);
  expect(fresh?.id).not.toBe(former?.id);
  expect(secrets()[fresh?.id ?? ""]?.secret).toBe(fresh?.secret);
  expect(stdout.replace(/\s+/g, " ")).toContain(
    `the new webhook is ${fresh?.id}. Its secret is in .ticketing/secrets.json.`,
  );
  expect(stdout + stderr).not.toContain(fresh?.secret);
  const plan = await ticketing(["plan"], {
    cwd: directory,
    env: { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey },
  });
  expect(plan.stdout).toContain("No changes");
});

test.each([
  ["webhooks deliveries", "deliveries?"],
  ["venues search palace", "/venues/search?"],
])("%s asks for large pages", async (line, path) => {
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  await ticketing(line.split(" "), { cwd: directory, env });
  const takes = sandbox.control.calls().flatMap((call) => {
    return call.path.includes(path) ? new URL(call.path, sandbox.baseUrl).searchParams.get("take") : [];
  });
  expect(takes).toEqual(["100", "50"]);
});

test("as JSON, and by id, while a receiver does not know the new secret", async () => {
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const [former] = webhooks();
  receiver.status = 401;
  const first = await type(["webhooks", "rotate", former?.id ?? "", "--format", "json"]);
  expect(first.exitCode).toBe(1);
  expect(JSON.parse(first.stdout)).toMatchObject({ result: "waiting", tested: false, error: { code: "test-failed" } });
  expect(first.stderr).toContain(`ticketing webhooks rotate ${former?.id}`);
  expect(first.stderr).toContain("Check that its receiver is up, responds with 2xx and has the new secret, then run");
  expect(webhooks()).toHaveLength(2);
  receiver.status = 200;
  const second = await type(["webhooks", "rotate", former?.id ?? "", "--format", "json"]);
  expect(second.exitCode, second.stderr).toBe(0);
  expect(JSON.parse(second.stdout)).toMatchObject({ result: "done", tested: true, removed: [former?.id] });
  expect(webhooks()).toHaveLength(1);
  expect(first.stdout + second.stdout).not.toContain(webhooks()[0]?.secret);
});

test("a test that the service refuses is reported in its own words, with its request", async () => {
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const [former] = webhooks();
  sandbox.control.addFault({ kind: "error-before", status: 422, path: "/test", times: 0 });
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const tried = ["webhooks", "test", former?.id ?? "", "--format", "json"];
  const { exitCode, stdout } = await ticketing(tried, { cwd: directory, env });
  expect(exitCode).toBe(1);
  expect(stdout).toMatch(/did not arrive at .+ \(request [-0-9a-f]{36}\)/);
  const rotated = await type(["webhooks", "rotate", former?.id ?? "", "--format", "json"]);
  expect(JSON.parse(rotated.stdout).error.message).toMatch(/did not arrive: .+ \(request [-0-9a-f]{36}\)/);
});

test.each(["the new one is there", "somebody took it away"])(
  "where lists lag longer than anybody waits, the new webhook is asked for by its id: %s",
  async (which) => {
    sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
    const [former] = webhooks();
    sandbox.control.setProfile("httpLoopback=accepted,listLag=60000");
    const isThere = which === "the new one is there";
    if (!isThere) sandbox.control.addFault({ kind: "error-before", status: 404, path: "/deliveries" });
    const { exitCode, stdout, stderr } = await type(["webhooks", "rotate", receiver.url, "--format", "json"]);
    const report = JSON.parse(stdout);
    if (isThere) {
      expect(exitCode, stderr).toBe(0);
      expect(report).toMatchObject({ result: "done", removed: [former?.id] });
      expect(webhooks().map(({ id }) => id)).toEqual([report.webhook]);
    } else {
      expect(exitCode).toBe(1);
      expect(report).toMatchObject({ result: "failed", error: { code: "webhook-gone" } });
      expect(webhooks().map(({ id }) => id)).toContain(former?.id);
    }
  },
);

test("hands the secret to a command under its name, and asks a workflow to hide it", async () => {
  write(
    "ticketing.yaml",
    `version: 1\nsecrets: { sink: command, command: ["${process.execPath}", keep.cjs, "{secretName}"] }\n`,
  );
  write("keep.cjs", 'require("fs").writeFileSync(process.argv[2], require("fs").readFileSync(0));');
  write("webhooks.yaml", `- { url: "${receiver.url}", events: [order.completed], secretName: ORDERS }\n`);
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const { exitCode, stdout, stderr } = await type(["webhooks", "rotate", receiver.url], {
    env: { GITHUB_ACTIONS: "true" },
  });
  expect(exitCode, stdout + stderr).toBe(0);
  const [fresh] = webhooks();
  expect(readFileSync(join(directory, "ORDERS"), "utf8")).toBe(fresh?.secret);
  expect(stderr).toContain(`::add-mask::${fresh?.secret}`);
});

test("cut off while a command stores the secret: every command says so, however often", async () => {
  const url = "https://hooks.example.com/orders";
  const local = join(directory, ".ticketing");
  write(
    "ticketing.yaml",
    `version: 1\nsecrets: { sink: command, command: ["${process.execPath}", keep.cjs, "{secretName}"] }\n`,
  );
  // What a run leaves that dies while its command runs.
  write("keep.cjs", 'require("fs").cpSync(".ticketing", "cut", { recursive: true });');
  write("webhooks.yaml", `- { url: "${url}", events: [order.completed], secretName: ORDERS }\n`);
  await type(["apply", "--yes"]);
  await type(["webhooks", "rotate", url]);
  rmSync(local, { recursive: true });
  renameSync(join(directory, "cut"), local);
  for (const name of readdirSync(local)) if (/\block\b/.test(name)) rmSync(join(local, name));
  for (const command of ["plan", "apply", "plan", "apply"]) {
    const { exitCode, stdout } = await run(command === "apply" ? ["apply", "--yes"] : ["plan"]);
    expect(stdout).toContain("warning[rotation-unfinished]");
    expect(exitCode).toBe(command === "apply" ? 1 : 0);
    const list = await listed();
    expect(list.stderr).toContain("warning[rotation-unfinished]");
    expect(list.held).toEqual([null, null]);
  }

  function run(argv: readonly string[]) {
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    return ticketing(argv, { cwd: directory, env });
  }

  async function listed() {
    const { stdout, stderr } = await run(["webhooks", "list", "--format", "json"]);
    const held = JSON.parse(stdout).webhooks.map(({ secretHeld }: { secretHeld: unknown }) => secretHeld);
    return { held, stderr };
  }
});

test("a plan shows the name that a command gets; after a change of it, nothing is stored under the new one until a rotation", async () => {
  const url = "https://hooks.example.com/orders";
  const hook = (name: string) => `- { url: "${url}", events: [order.completed], secretName: ${name} }\n`;
  const command = `[${process.execPath}, -e, "process.stdin.resume()", "{secretName}"]`;
  write("ticketing.yaml", `version: 1\nsecrets: { sink: command, command: ${command} }\n`);
  write("webhooks.yaml", hook("ORDERS"));
  expect(await used()).toMatchObject([{ severity: "info", message: expect.stringContaining("`ORDERS`") }]);
  const other = "https://hooks.example.com/other";
  write("webhooks.yaml", `${hook("ORDERS")}- { url: "${other}", events: [order.completed], secretName: OTHER }\n`);
  expect(await used()).toHaveLength(2);
  const targeted = await used("--target", "webhooks/https:%2F%2Fhooks.example.com%2Fother");
  expect(targeted).toMatchObject([{ message: expect.stringContaining("`OTHER`") }]);
  write("webhooks.yaml", hook("ORDERS"));
  await type(["apply", "--yes"]);
  expect(await used()).toEqual([]);
  write("webhooks.yaml", hook("SALES"));
  for (let run = 1; run <= 2; run++) {
    expect(await used()).toMatchObject([{ severity: "warning", message: expect.stringContaining("`SALES`") }]);
    expect((await type(["apply", "--yes"])).exitCode).toBe(0);
    expect((await read(["webhooks", "list"])).webhooks).toMatchObject([{ secretHeld: false }]);
  }
  await type(["webhooks", "rotate", url, "--untested"]);
  expect(await used()).toEqual([]);
  expect((await read(["webhooks", "list"])).webhooks).toMatchObject([{ secretHeld: true }]);

  async function read(argv: readonly string[]) {
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    return JSON.parse((await ticketing([...argv, "--format", "json"], { cwd: directory, env })).stdout);
  }

  async function used(...flags: readonly string[]) {
    const { diagnostics } = await read(["plan", ...flags]);
    return diagnostics.filter(({ code }: { code: string }) => code === "secret-name-used");
  }
});

test("without a name for such a secret, nothing is sent", async () => {
  write("ticketing.yaml", 'version: 1\nsecrets: { sink: command, command: [keep, "{secretName}"] }\n');
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const { exitCode, stderr } = await type(["webhooks", "rotate", receiver.url]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("secretName");
  expect(sandbox.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
});

test("a test event that the sandbox does not send is not called lost, and the fix works there", async () => {
  const url = "https://hooks.example.com/orders";
  sandbox.control.seed({ webhooks: [{ url }, { url: receiver.url }] });
  const { exitCode, stdout, stderr } = await type(["webhooks", "rotate", url]);
  const said = stderr.replace(/\s+/g, " ");
  expect(exitCode).toBe(1);
  expect(stdout.replace(/\s+/g, " ")).toContain("The old one stays live until a test event has arrived at the new one");
  expect(said).toContain("The test event to the new webhook was not sent: the sandbox delivers only to this machine");
  expect(said).toContain("fix: Start `ticketing sandbox --deliver-outside` in another terminal, then run");
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const list = await ticketing(["webhooks", "list"], { cwd: directory, env });
  const [old] = webhooks();
  expect(list.stdout.match(/the old one: deleted once/g)).toHaveLength(1);
  expect(list.stdout).toMatch(new RegExp(`${old?.id} .*\\n  the old one: deleted once a test event`));
  expect(readFileSync(join(directory, ".ticketing/state.default.json"), "utf8")).not.toContain("replacedWebhooks");
  const other = await type(["webhooks", "rotate", receiver.url]);
  expect(other.exitCode, other.stderr).toBe(0);
  expect(other.stdout).toContain("its rotation is not finished; ");
  expect(other.stdout).toContain(" is deleted once a test event has reached the webhook that replaces it");
  expect(other.stdout).not.toContain("deleting");
});

test("webhooks of one URL with different events are not to be rotated together: other advice is given", async () => {
  const url = "https://hooks.example.com/orders";
  sandbox.control.seed({
    webhooks: [
      { url, events: ["order.completed"] },
      { url, events: ["order.refunded"] },
    ],
  });
  write("webhooks.yaml", `- { url: "${url}", events: [order.completed, order.refunded] }\n`);
  const { exitCode, stderr } = await type(["webhooks", "rotate", url]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("fix: Name the one to rotate by its id");
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  const plan = JSON.parse((await ticketing(["plan", "--format", "json"], { cwd: directory, env })).stdout);
  expect(plan.changes[0].blockedBy[0].hint).toContain("In the dashboard, delete all but the one whose secret");
  const list = await ticketing(["webhooks", "list"], { cwd: directory, env });
  expect(list.stdout.replace(/\s+/g, " ")).toMatch(/`ticketing webhooks rotate [0-9a-f-]{36}` creates a new one/);
});

test("a sink that fails leaves the old webhook alone", async () => {
  mkdirSync(join(directory, ".ticketing"));
  write(".ticketing/secrets.json", "{ half");
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const before = webhooks();
  const { exitCode, stderr } = await type(["webhooks", "rotate", receiver.url]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("damaged");
  expect(stderr).toContain("The webhook that was to be replaced is unchanged.");
  expect(webhooks()).toEqual(before);
});

test("a service that takes one webhook per URL is met with a way that works", async () => {
  sandbox.control.seed({ webhooks: [{ url: "http://hooks.example.com/refused" }] });
  const before = webhooks();
  const { exitCode, stderr } = await type(["webhooks", "rotate", "http://hooks.example.com/refused"]);
  expect(exitCode).toBe(1);
  expect(stderr).toContain("If the service allows only one webhook per URL, delete the webhook in the dashboard");
  expect(webhooks()).toEqual(before);
});

test("waits for no one unless asked to, and names who is at work", async () => {
  sandbox.control.seed({ webhooks: [{ url: receiver.url }] });
  const locked = await fileStore({ directory, environment: "default", baseUrl: null, secrets: () => null }).lock({
    command: "apply",
    timeoutMs: 0,
  });
  try {
    const { exitCode, stderr } = await type(["webhooks", "rotate", receiver.url]);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("Another run is active in this project: apply by");
    expect(sandbox.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
  } finally {
    if (locked.ok) await locked.lock.release();
  }
});

test("a key that is meant for another place does not rotate in the sandbox by mistake", async () => {
  const env = { TICKETING_API_KEY: "some-key" };
  const { exitCode, stderr } = await ticketing(["webhooks", "rotate", receiver.url], { cwd: directory, env });
  expect(exitCode).toBe(1);
  expect(stderr).toContain("--env sandbox");
});
