// `ticketing import` as people and scripts type it.
import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Sandbox, startSandbox } from "../../../src/sandbox/index.ts";
import { fakeTerminal } from "../../stage/fake-terminal.ts";
import { eventIds, organization } from "../../stage/organization.ts";
import { type Ran, ticketing } from "../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let sandbox: Sandbox;
let folder: string;

beforeEach(async () => {
  sandbox = await startSandbox({ now });
  sandbox.control.seed(organization);
  folder = mkdtempSync(join(tmpdir(), "ticketing-import-"));
});

afterEach(async () => {
  await sandbox.close();
});

function run(...argv: readonly string[]): Promise<Ran> {
  const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
  return ticketing([...argv, "-C", folder], { env, now });
}

function read(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

function write(file: string, text: string): void {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), text);
}

describe("ticketing import", () => {
  test("adopts a whole organization: the files validate and the plan is empty", async () => {
    const ran = await run("import", "--all", "--webhooks");
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(ran.stdout.split("\n")[0]).toBe(`Target: default (${sandbox.baseUrl})`);
    expect(ran.stdout).toContain("+  events/bayside-sounds.yaml");
    expect(ran.stdout).toContain("Created 6 files (5 events, 2 webhooks). Review the files; `ticketing plan`");
    expect(existsSync(join(folder, "events/old-times.yaml"))).toBe(false);
    expect((await run("validate")).exitCode).toBe(0);
    const plan = await run("plan", "--detailed-exitcode", "--format", "json");
    expect(plan.exitCode).toBe(0);
    expect(JSON.parse(plan.stdout).changes).toEqual([]);
    expect(sandbox.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
  });

  test("writes nothing the second time, not even the times of the files", async () => {
    await run("import", "--all", "--webhooks");
    const before = statSync(join(folder, "events/bayside-sounds.yaml")).mtimeMs;
    const ran = await run("import", "--all", "--webhooks", "--format", "json");
    expect(ran.exitCode).toBe(0);
    const reported = JSON.parse(ran.stdout);
    expect(reported.formatVersion).toBe(1);
    expect(reported.events.map((event: { action: string }) => event.action)).toEqual(Array(5).fill("unchanged"));
    expect(reported.webhooks).toEqual({ file: "webhooks.yaml", action: "unchanged", count: 2 });
    expect(statSync(join(folder, "events/bayside-sounds.yaml")).mtimeMs).toBe(before);
  });

  test("promises an empty plan only where the project holds nothing else", async () => {
    const promise = "`ticketing plan` should show no changes.";
    const saying = async (...words: readonly string[]) => (await run("import", ...words)).stdout.replace(/\s+/g, " ");
    expect(await saying("nul")).toContain(promise);
    expect(await saying("bayside-sounds")).not.toContain(promise);
    expect(await saying("--all")).toContain(promise);
    write("webhooks.yaml", "- { url: https://later.example.com/x, events: [order.completed] }\n");
    expect(await saying("--all")).not.toContain(promise);
    expect(await saying("--all", "--webhooks")).not.toContain(promise);
    write("webhooks.yaml", "- { url: https://hooks.example.com/orders, events: [order.completed] }\n");
    expect(await saying("--all", "--webhooks")).toContain(promise);
    write("events/later.yaml", "name: Later\ndateTime: 2027-09-01T19:00\n");
    const said = await saying("--all", "--webhooks");
    expect(said).toContain("Nothing changed (5 events, 2 webhooks).");
    expect(said).toContain("`ticketing plan` shows whether anything still differs.");
  });

  test("takes archived events only where they are asked for", async () => {
    await run("import", "--all", "--status", "ARCHIVED");
    expect(read("events/old-times.yaml")).toContain("status: ARCHIVED\n");
    expect(existsSync(join(folder, "events/bayside-sounds.yaml"))).toBe(false);
    expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(0);
  });

  test("takes events by id or slug into another folder", async () => {
    const ran = await run("import", eventIds.online, "bayside-sounds", "--out", "events/2027");
    expect(ran.exitCode).toBe(0);
    expect(existsSync(join(folder, "events/2027/nul-event.yaml"))).toBe(true);
    expect(existsSync(join(folder, "events/2027/bayside-sounds.yaml"))).toBe(true);
  });

  test("takes the webhooks alone, and adds to a file that is there", async () => {
    write("webhooks.yaml", "# ours\n- url: https://hooks.example.com/orders # the shop\n  events: [order.completed]\n");
    expect((await run("import", "--webhooks")).exitCode).toBe(0);
    expect(read("webhooks.yaml")).toBe(
      "# ours\n- url: https://hooks.example.com/orders # the shop\n  events: [order.completed, order.refunded]\n  isActive: true\n" +
        "- url: https://hooks.example.com/inventory\n  events: [ticket.inventory_low]\n  isActive: false\n",
    );
    expect((await run("plan", "--detailed-exitcode")).exitCode).toBe(0);
    expect(existsSync(join(folder, "events"))).toBe(false);
  });

  test("fills an empty list of webhooks, and leaves what is around it", async () => {
    write("webhooks.yml", "# none yet\n[] # for now\n");
    await run("import", "--webhooks");
    expect(read("webhooks.yml")).toMatch(/^# none yet\n- \{ url: .*\n- \{ url: .* \} # for now\n$/);
    expect(existsSync(join(folder, "webhooks.yaml"))).toBe(false);
  });

  test("keeps what a link leads to, the rights of a file and its byte order mark", async () => {
    write("kept/party.yaml", "\ufeffname: Stream # ours\ndateTime: 2027-05-01T10:00\n");
    chmodSync(join(folder, "kept/party.yaml"), 0o640);
    mkdirSync(join(folder, "events"));
    symlinkSync("../kept/party.yaml", join(folder, "events/party.yaml"));
    expect((await run("import", "nul")).exitCode).toBe(0);
    const text = read("kept/party.yaml");
    expect(text).toMatch(/^\ufeffid: .*\nstatus: DRAFT\nname: Stream # ours\n/);
    expect(statSync(join(folder, "kept/party.yaml")).mode & 0o777).toBe(0o640);
  });

  test("takes out what is not live only where git has the file as it is", async () => {
    const text = "name: Stream\ndateTime: 2027-05-01T10:00\nbrands:\n  - { name: Ghost }\n";
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=Ana", "-c", "user.email=ana@example.com", ...args], { cwd: folder });
    const importing = async () => {
      const ran = await run("import", "nul");
      return { ...ran, kept: read("events/party.yaml").includes("Ghost") };
    };
    write("events/party.yaml", text);
    const outside = await importing();
    expect(outside).toMatchObject({ exitCode: 0, kept: true });
    expect(outside.stderr).toContain('The brand "Ghost" is not live; the next apply would create it.');
    expect(outside.stdout.replace(/\s+/g, " ")).not.toContain("should show no changes");

    git("init", "--quiet");
    expect((await importing()).kept).toBe(true);
    git("add", ".");
    expect((await importing()).kept).toBe(true);
    git("commit", "--quiet", "--message", "ours");
    write("events/party.yaml", `${read("events/party.yaml")}# more\n`);
    expect((await importing()).kept).toBe(true);
    git("commit", "--quiet", "--all", "--message", "more");
    const committed = await importing();
    expect(committed).toMatchObject({ exitCode: 0, kept: false });
    expect(committed.stderr).toContain("undo that change");
    expect(committed.stdout.replace(/\s+/g, " ")).toContain("should show no changes");
  });

  test("says what is missing, and touches nothing", async () => {
    for (const [argv, words] of [
      [["import"], "You did not say what to import."],
      [["import", "--all", "--out", "../elsewhere"], "is outside the project"],
      [["import", "no-such-thing"], 'No live event has the id, slug or key "no-such-thing".'],
      [["import", "bayside-sound"], "Did you mean bayside-sounds?"],
    ] as const) {
      const ran = await run(...argv);
      expect(ran.exitCode).toBe(1);
      expect(ran.stderr).toContain(words);
    }
    expect(existsSync(join(folder, "events"))).toBe(false);
  });

  test("takes a key of the project, also if nothing was applied, and before an equal slug of a different event", async () => {
    await run("import", "bayside-sounds");
    const text = read("events/bayside-sounds.yaml");
    rmSync(join(folder, "events/bayside-sounds.yaml"));
    write("events/bay.yaml", text.replace(/^id:.*\n/m, ""));
    expect(await run("import", "bay")).toMatchObject({
      exitCode: 0,
      stdout: expect.stringContaining("events/bay.yaml"),
    });
    rmSync(join(folder, "events/bay.yaml"));
    write("events/nul.yaml", text);
    expect((await run("import", "nul")).stdout).toMatch(/=\s+events\/nul\.yaml\s+Bayside/);
  });

  test("does not begin where files of the project cannot be read", async () => {
    write("events/broken.yaml", "name: [\n");
    const ran = await run("import", "--all", "--format", "json");
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stdout).diagnostics.at(-1).code).toBe("files-have-errors");
    expect(existsSync(join(folder, "events/bayside-sounds.yaml"))).toBe(false);
  });

  test("does not read a second thing with the key of another organization", async () => {
    write("ticketing.yaml", "version: 1\norganization: acme-live\n");
    const ran = await run("import", "--all");
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain('the project is for "acme-live"');
    expect(sandbox.control.calls()).toHaveLength(1);
  });

  test("goes where the project looks for its files", async () => {
    write("ticketing.yaml", "version: 1\nevents: gigs/**/*.yaml\nwebhooks: hooks/*.yml\n");
    write("hooks/README.md", "");
    const ran = await run("import", "--all", "--webhooks");
    expect(ran.stderr).not.toContain("outside-globs");
    expect(existsSync(join(folder, "gigs/bayside-sounds.yaml"))).toBe(true);
    expect(existsSync(join(folder, "events"))).toBe(false);
    expect(JSON.parse((await run("plan", "--format", "json")).stdout).changes).toEqual([]);
    write("ticketing.yaml", "version: 1\nevents: gigs/*/event.yaml\nwebhooks: hooks.yaml\n");
    const nowhere = await run("import", "--all", "--webhooks");
    expect(nowhere.stderr).toContain("or move the files to where it matches them.");
    expect(existsSync(join(folder, "hooks.yaml"))).toBe(true);
  });

  test("counts the files that were not changed apart from the others", async () => {
    await run("import", "--all");
    write(
      "events/bayside-sounds.yaml",
      read("events/bayside-sounds.yaml").replace(/^eventCapacity: .*$/m, "eventCapacity: 7"),
    );
    const ran = await run("import", "--all");
    expect(ran.stdout).toContain("Updated 1 file; 4 files are unchanged (5 events).");
  });

  test("of a status that no event has says so, and adds no project file to a project", async () => {
    const seeded = await startSandbox({ now });
    seeded.control.seed({ events: [{ name: "Gala", slug: "gala", status: "PUBLISHED" }] });
    const env = { TICKETING_BASE_URL: seeded.baseUrl, TICKETING_API_KEY: seeded.apiKey };
    await ticketing(["import", "gala", "-C", folder], { env, now });
    const ran = await ticketing(["import", "--status", "DRAFT", "-C", folder], { env, now });
    await seeded.close();
    expect(ran.stderr).toContain("The organization has no DRAFT event, so no file was written.");
    expect(ran.stderr).toContain("fix: Leave out `--status` to import all events that are not archived");
    expect(existsSync(join(folder, "ticketing.yaml"))).toBe(false);
  });

  test("is reported where the organization is empty", async () => {
    const empty = await startSandbox({ now });
    const env = { TICKETING_BASE_URL: empty.baseUrl, TICKETING_API_KEY: empty.apiKey };
    const ran = await ticketing(["import", "--all", "--webhooks", "-C", folder], { env, now });
    await empty.close();
    expect(ran.exitCode).toBe(0);
    expect(ran.stderr).toContain("no published or draft event");
  });

  test("names the fix where there is no service", async () => {
    const env = { TICKETING_BASE_URL: "http://127.0.0.1:9/open-api/v1", TICKETING_API_KEY: "key" };
    const ran = await ticketing(["import", "--all", "-C", folder], { env, now });
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toMatch(/^error\[unreachable\] .*\n {2}fix: \S/);
  }, 60_000);

  test("shows on a terminal how far it is, and takes that away", async () => {
    sandbox.control.addFault({ kind: "slow", path: "/events", delayMs: 600 });
    sandbox.control.addFault({ kind: "slow", path: "/tickets", delayMs: 600, times: 0 });
    const terminal = fakeTerminal(80);
    let reported = "";
    function write(text: string): void {
      reported += text;
      terminal.write(text);
    }
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    await ticketing(["import", "--all", "-C", folder], { env, now, stderr: { ...terminal, write } });
    expect(reported).toContain("reading 0 of 5 events\n");
    expect(terminal.lines()[0]).toMatch(/^warning\[live-like-this\] events\/bayside-sounds\.yaml:\d+:5 /);
  });

  test("stops at Ctrl-C without a file written", async () => {
    const interruption = new AbortController();
    interruption.abort();
    const env = { TICKETING_BASE_URL: sandbox.baseUrl, TICKETING_API_KEY: sandbox.apiKey };
    const world = { env, now, interrupted: interruption.signal };
    const ran = await ticketing(["import", "--all", "-C", folder], world);
    expect(ran.exitCode).toBe(130);
    expect(ran.stderr).toContain("no file was written");
    expect(existsSync(join(folder, "events"))).toBe(false);
    const asJson = await ticketing(["import", "--all", "--format", "json", "-C", folder], world);
    expect(asJson.exitCode).toBe(130);
    expect(JSON.parse(asJson.stdout)).toMatchObject({ ok: false, diagnostics: [{ code: "interrupted" }] });
  });
});
