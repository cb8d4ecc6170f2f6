// The examples of docs/library.md run as they are, against the sandbox.

import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as library from "../../src/index.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";

const root = join(import.meta.dirname, "..", "..");
const page = await readFile(join(root, "docs", "library.md"), "utf8");
const examples = [...page.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1] as string);
let sandbox: Sandbox;
let folder: string;

beforeAll(async () => {
  sandbox = await startSandbox({});
  folder = await mkdtemp(join(tmpdir(), "library-"));
});

afterAll(async () => {
  await sandbox.close();
  await rm(folder, { recursive: true });
});

describe("docs/library.md", () => {
  it("has examples", () => {
    expect(examples.length).toBeGreaterThanOrEqual(3);
  });

  it.each(examples.map((text, index) => ({ text, index })))("example $index runs", async ({ text, index }) => {
    const [source, program] = [join(folder, `${index}.ts`), join(folder, `${index}.mjs`)];
    await writeFile(source, text);
    await build({
      entryPoints: [source],
      outfile: program,
      bundle: true,
      platform: "node",
      format: "esm",
      alias: { "ticketing-as-code": join(root, "src", "index.ts") },
      banner: { js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);' },
    });
    const env = { ...process.env, TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program], { env });
    expect(stderr).toBe("");
    expect(stdout).not.toBe("");
  });

  it("leaves the event it shows published, with its performer", async () => {
    const client = new library.TicketingClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    const events = await client.events.all({ status: "PUBLISHED" });
    const [event] = events.ok ? events.data : [];
    expect(event).toMatchObject({ name: "Manila Nights", status: "PUBLISHED" });
    expect(await client.performers.list(event?.id ?? "")).toMatchObject({ ok: true, data: [{ name: "DJ Ana" }] });
    await client.close();
  });

  it("names every group and method of the client", () => {
    const client = new library.TicketingClient({ baseUrl: sandbox.baseUrl, apiKey: sandbox.apiKey });
    for (const group of [
      "events",
      "tickets",
      "performers",
      "schedules",
      "brands",
      "orders",
      "venues",
      "webhooks",
    ] as const) {
      const line =
        page.split("\n").find((each) => each.startsWith("| `client.") && each.includes(`client.${group}\``)) ?? "";
      for (const method of Object.keys(client[group])) expect(line, `${group}.${method}`).toContain(`\`${method}\``);
    }
  });
});
