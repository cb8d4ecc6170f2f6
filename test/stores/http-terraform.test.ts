// Terraform's own client as a witness: the servers of these tests are what it takes them for, and it and this program keep
// out of each other's way.
import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { lockFiles } from "../../src/state/shared/lock-files.ts";
import { type Flavor, type StateServer, startStateServer } from "./http-server.ts";
import { openFiles } from "./http-store.ts";
import { quickTimes } from "./store-under-test.ts";

const token = "glpat-terraform";
const hasTerraform = canRun();
if (!hasTerraform) process.stderr.write("terraform is not installed: its witness is left out\n");

function canRun(): boolean {
  try {
    execFileSync("terraform", ["version"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

describe.skipIf(!hasTerraform).each<Flavor>(["plain", "gitlab"])("terraform at a %s server", (flavor) => {
  let server: StateServer;
  let folder: string;
  beforeEach(async () => {
    server = await startStateServer({ flavor, tokens: { [token]: "maintainer" } });
    folder = mkdtempSync(join(tmpdir(), "terraform-"));
    configure("one");
  });
  afterEach(async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function configure(input: string, command = "true"): void {
    const provisioner = `provisioner "local-exec" { command = "${command}" }`;
    const resource = `resource "terraform_data" "it" {\n  input = "${input}"\n  ${provisioner}\n}\n`;
    writeFileSync(join(folder, "main.tf"), `terraform {\n  backend "http" {}\n}\n${resource}`);
    writeFileSync(join(folder, "terraformrc"), "");
  }

  function terraform(...args: readonly string[]): Promise<{ readonly code: number; readonly output: string }> {
    const address = `${server.base}/production`;
    const lock = flavor === "gitlab" ? `${address}/lock` : address;
    const env = {
      PATH: process.env.PATH,
      HOME: folder,
      CHECKPOINT_DISABLE: "1",
      TF_CLI_CONFIG_FILE: join(folder, "terraformrc"),
      TF_HTTP_ADDRESS: address,
      TF_HTTP_LOCK_ADDRESS: lock,
      TF_HTTP_UNLOCK_ADDRESS: lock,
      ...(flavor === "gitlab" ? { TF_HTTP_LOCK_METHOD: "POST", TF_HTTP_UNLOCK_METHOD: "DELETE" } : {}),
      TF_HTTP_USERNAME: "ana",
      TF_HTTP_PASSWORD: token,
    };
    return new Promise((resolve) => {
      execFile("terraform", [...args, "-no-color"], { cwd: folder, env }, (error, stdout, stderr) => {
        const output = `${stdout}${stderr}`.replace(/[│╷╵\s]+/g, " ");
        resolve({ code: error === null ? 0 : Number(error.code ?? 1), output });
      });
    });
  }

  async function applied(...args: readonly string[]): Promise<void> {
    for (const words of [["init"], ["apply", "-auto-approve", ...args]]) {
      const { code, output } = await terraform(...words);
      expect(code, output).toBe(0);
    }
  }

  const ours = () => openFiles(`${server.base}/{environment}`, token, "production");

  test("keeps its state there, under its lock, twice", async () => {
    await applied();
    const first = JSON.parse(server.at("production").document ?? "");
    expect(first).toMatchObject({ version: 4, serial: expect.any(Number), resources: [{ type: "terraform_data" }] });
    configure("two");
    await applied();
    const second = JSON.parse(server.at("production").document ?? "");
    expect(second).toMatchObject({ lineage: first.lineage });
    expect(second.serial).toBeGreaterThan(first.serial);
    expect(server.at("production").lock).toBeNull();
    expect(server.calls.filter(({ bytes, md5 }) => bytes > 0 && md5 !== "right")).toEqual([]);
  });

  test("is shown who of ours holds the lock; its force-unlock opens it, and our run takes it again", async () => {
    const { code, output } = await terraform("init");
    expect(code, output).toBe(0);
    const files = await ours();
    const locked = await lockFiles(files, { command: "apply", run: null, timeoutMs: 0, times: quickTimes });
    if (!locked.ok) throw new Error("not locked");
    const id = server.at("production").lock?.ID ?? "";
    expect(id).toMatch(/^ticketing-/);
    const refused = await terraform("apply", "-auto-approve");
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("Error acquiring the state lock");
    expect(refused.output).toContain(`ID=${id}`);
    const unlocked = await terraform("force-unlock", "-force", id);
    expect(unlocked.code, unlocked.output).toBe(0);
    locked.held.set("state.json", "{}\n");
    expect(await locked.held.flush()).toBeNull();
    expect(await locked.held.confirm()).toBeNull();
    await sleep(quickTimes.renewMs * 2);
    expect(locked.held.isHeld()).toBe(true);
    expect(await locked.held.release()).toBeNull();
    expect(server.at("production").lock).toBeNull();
    await files.close();
  });

  test("refuses a document of ours, and does not write over it", async () => {
    const files = await ours();
    expect(await files.write(new Map([["state.json", "{}\n"]]), null, "first")).toMatchObject({ ok: true });
    await files.close();
    const before = server.at("production").document;
    const ended = [await terraform("init"), await terraform("apply", "-auto-approve")];
    expect(ended.map(({ code }) => code)).toContain(1);
    expect(ended.map(({ output }) => output).join(" ")).toMatch(/unsupported|does not have a "version"/i);
    expect(server.at("production").document).toBe(before);
    expect(server.at("production").lock).toBeNull();
  });

  test("has its state left alone by us, and its lock even before it wrote", async () => {
    configure("slow", "sleep 3");
    const applying = applied();
    while (server.at("production").lock === null) await sleep(20);
    const files = await ours();
    const waiting = await lockFiles(files, { command: "apply", run: null, timeoutMs: 2_000, times: quickTimes });
    // Longer than the lease, and still not taken for dead.
    expect(waiting).toMatchObject({
      ok: false,
      reason: "held",
      holder: { token: expect.not.stringMatching(/^ticketing-/) },
    });
    await applying;
    const before = server.at("production").document;
    server.calls.length = 0;
    const late = await lockFiles(files, { command: "apply", run: null, timeoutMs: 0, times: quickTimes });
    expect(late).toMatchObject({ ok: false, reason: "foreign" });
    expect(await files.read()).toMatchObject({ message: expect.stringContaining("contains a state of Terraform 1.") });
    expect(server.calls.filter(({ method }) => method !== "GET")).toEqual([]);
    expect(server.at("production").document).toBe(before);
    await files.close();
  });
});
