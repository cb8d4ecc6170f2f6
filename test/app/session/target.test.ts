import { existsSync, mkdtempSync, readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import {
  chooseTarget,
  type OpenTarget,
  openTarget,
  sandboxMismatch,
  type TargetOptions,
} from "../../../src/app/session/target.ts";
import type { World } from "../../../src/app/world.ts";
import { diskFiles } from "../../../src/config/files/disk-files.ts";
import { loadSettings } from "../../../src/config/settings/load-settings.ts";
import type { Settings } from "../../../src/model/wish.ts";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { openProject } from "../../stage/open-project.ts";
import { testWorld } from "../../stage/test-world.ts";

const closing: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), "ticketing-target-"));
}

async function standard(settings: Partial<Settings> = {}): Promise<Settings> {
  const loaded = await loadSettings(diskFiles(newFolder()));
  return { ...loaded.settings, ...settings };
}

async function open(setup: {
  argv?: readonly string[];
  env?: World["env"];
  options?: Partial<TargetOptions>;
  settings?: Partial<Settings>;
}) {
  const directory = newFolder();
  const { world, written } = testWorld(setup.argv ?? [], { cwd: directory, env: setup.env ?? {} });
  const options: TargetOptions = { directory, format: "text", color: false, verbose: false, ...setup.options };
  const settings = await standard(setup.settings);
  const chosen = chooseTarget(world, options, settings);
  const target = chosen.ok
    ? await openTarget(world, options, settings, chosen.environment)
    : { ok: false as const, diagnostics: chosen.diagnostics };
  if (target.ok) closing.push(() => target.close());
  return { target: target as OpenTarget, problems: target.ok ? [] : target.diagnostics, written, directory, world };
}

async function served(): Promise<Sandbox> {
  const sandbox = await startSandbox();
  closing.push(() => sandbox.close());
  return sandbox;
}

describe("an address that would show the key", () => {
  const production = {
    baseUrl: "https://api.example.com/open-api/v1",
    apiKeyEnv: "TICKETING_API_KEY",
    organization: null,
  };

  test("is named by where it came from", async () => {
    const env = { TICKETING_API_KEY: "a-key-of-nobody" };
    const typed = await open({
      env,
      options: { env: "production", baseUrl: "http://evil.example" },
      settings: { environments: { production } },
    });
    expect(typed.problems).toMatchObject([
      { code: "bad-base-url", message: expect.stringMatching(/^The URL in --base-url begins with http:/) },
    ]);
    const written = await open({
      env,
      options: { env: "production" },
      settings: { environments: { production: { ...production, baseUrl: "http://evil.example" } } },
    });
    expect(written.problems[0]?.message).toMatch(/^The URL of the environment "production" begins with http:/);
  });
});

describe("the sandbox", () => {
  test("starts inside the command, in the name of the project's organization", async () => {
    const { target, directory } = await open({ settings: { organization: "acme-live" } });
    const me = await target.client.me();
    expect(me.ok && me.data.organization.slug).toBe("acme-live");
    expect(target.line).toBe("Target: sandbox (the embedded service)");
    expect(existsSync(join(directory, ".ticketing", "sandbox.json"))).toBe(true);
  });

  test.each(["http://127.0.0.1:99/X", "http://localhost:99/", "http://my.localhost:99/", "http://[::1]:99/"])(
    "takes a receiver on this machine over http, as the files may name one there: %s",
    async (url) => {
      const { target } = await open({});
      const made = await target.client.webhooks.create({ url, events: ["order.completed"] });
      expect(made).toMatchObject({ ok: true, data: { url } });
      const elsewhere = await target.client.webhooks.create({ url: "http://hooks.example.com/", events: [] });
      expect(elsewhere).toMatchObject({ ok: false, problem: { status: 400 } });
    },
  );

  test("one that already runs reads such a receiver as it was set to", async () => {
    const directory = newFolder();
    const serving = await startSandbox({ dataFile: join(directory, ".ticketing", "sandbox.json"), standalone: true });
    closing.push(() => serving.close());
    const { target } = await open({ options: { directory } });
    const made = await target.client.webhooks.create({ url: "http://127.0.0.1:99/X", events: ["order.completed"] });
    expect(made).toMatchObject({ ok: false, problem: { status: 400 } });
  });

  test("two commands at once use the one that serves", async () => {
    const directory = newFolder();
    const dataFile = join(directory, ".ticketing", "sandbox.json");
    const serving = await startSandbox({ dataFile, standalone: true });
    closing.push(() => serving.close());
    const { target } = await open({ options: { directory } });
    expect(target.baseUrl).toBe(serving.baseUrl);
  });

  test("is questioned where a key is at hand and no one named it", async () => {
    const env = { TICKETING_API_KEY: "k" };
    const quiet = await open({ env });
    expect(sandboxMismatch(quiet.world, quiet.target.environment)?.hint).toContain("--env sandbox");
    const byFile = await open({ env, settings: { defaultEnvironment: "sandbox" } });
    expect(sandboxMismatch(byFile.world, byFile.target.environment)).not.toBeNull();
    const named = await open({ env, options: { env: "sandbox" } });
    expect(sandboxMismatch(named.world, named.target.environment)).toBeNull();
    const without = await open({});
    expect(sandboxMismatch(without.world, without.target.environment)).toBeNull();
  });
});

describe("a service elsewhere", () => {
  test("is reached with the key of its variable", async () => {
    const { baseUrl, apiKey } = await served();
    const { target } = await open({ env: { TICKETING_BASE_URL: baseUrl, TICKETING_API_KEY: apiKey } });
    expect((await target.client.me()).ok).toBe(true);
    expect(target.environment.name).toBe("default");
    expect(target.line).toBe(`Target: default (${baseUrl})`);
  });

  test("a missing key is named by its variable", async () => {
    const production = {
      baseUrl: "https://api.example.com/open-api/v1",
      apiKeyEnv: "ACME_KEY",
      organization: null,
    };
    const { problems } = await open({ options: { env: "production" }, settings: { environments: { production } } });
    expect(problems).toHaveLength(1);
    expect(problems[0]?.message).toContain("ACME_KEY is not set");
    expect(problems[0]?.hint).toMatch(/ --env sandbox\.$/);
    const inJob = await open({ options: { baseUrl: production.baseUrl, inJob: true } });
    expect(inJob.problems[0]?.hint).toMatch(/ \(dashboard: Settings, API Keys\)\.$/);
    const typed = await open({ options: { baseUrl: production.baseUrl } });
    expect(typed.problems[0]?.hint).toMatch(/ --env sandbox instead of --base-url\.$/);
  });

  test("advice names no environment to a job that has the URL from a variable", async () => {
    const env = { TICKETING_BASE_URL: "https://api.example.com/open-api/v1" };
    const { world } = testWorld([], { env, advice: { target: null } });
    chooseTarget(world, {}, await standard());
    expect(world.advice?.target).toMatchObject({ flags: [], inJob: [] });
  });

  test("an environment that is not there is an error with a suggestion", async () => {
    const { problems } = await open({ options: { env: "sandbx" } });
    expect(problems[0]?.hint).toBe("Did you mean sandbox?");
  });

  test("--verbose shows each call, never the key", async () => {
    const { baseUrl, apiKey } = await served();
    const { target, written } = await open({
      env: { TICKETING_API_KEY: apiKey },
      options: { baseUrl, verbose: true },
    });
    await target.client.me();
    await target.client.events.get("no-such-event");
    expect(written.stderr).toMatch(
      /^ {2}GET \/me 200 \(\d+ ms\)\n {2}GET \/events\/no-such-event 404 NOT_FOUND \(\d+ ms\)\n$/,
    );
    expect(written.stderr).not.toContain(apiKey);
    expect(written.stdout).toBe("");
  });

  test("our calls are remembered for the next run's pace", async () => {
    const { baseUrl, apiKey } = await served();
    const { target, directory } = await open({ env: { TICKETING_BASE_URL: baseUrl, TICKETING_API_KEY: apiKey } });
    await target.client.me();
    await target.close();
    const file = readdirSync(join(directory, ".ticketing")).find(
      (name) => name.startsWith("pace.") && name.endsWith(".json"),
    );
    const text = readFileSync(join(directory, ".ticketing", file ?? ""), "utf8");
    expect(JSON.parse(text)).toMatchObject({ version: 2, calls: [[expect.any(Number), 1]] });
    expect(text).not.toContain(apiKey);
  });
});

test("a run that writes says that the file has its service under another name", async () => {
  const project = await openProject({ "events/gala.yaml": "name: Gala\ndateTime: 2027-03-14T19:00\n" });
  closing.push(() => project.close());
  const { baseUrl } = project.sandbox;
  await project.edit("ticketing.yaml", (text) => `${text}environments: { production: { baseUrl: "${baseUrl}/" } }\n`);
  const told = "warning[service-named-twice]";
  const text = async (...argv: readonly string[]) => {
    const { exitCode, stdout, stderr } = await project.run(argv);
    expect(exitCode, stderr).toBe(0);
    return stdout + stderr;
  };
  for (const argv of [["plan", "--out", "plan.json"], ["validate"], ["status"], ["state", "list"]])
    expect(await text(...argv)).not.toContain(told);
  expect(await text("apply", "plan.json", "--yes")).toContain(told);
  expect(await text("apply", "--yes")).toContain(told);
  expect(await text("apply", "--yes", "--env", "production")).not.toContain(told);
  project.sandbox.control.seed({ webhooks: [{ url: "https://hooks.example.com/orders" }] });
  const rotate = ["webhooks", "rotate", "https://hooks.example.com/orders", "--yes", "--untested", "--settle", "0"];
  expect(await text(...rotate)).toContain(told);
});
