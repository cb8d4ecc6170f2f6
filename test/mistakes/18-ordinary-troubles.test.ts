// What goes wrong around the files: backends that are not there, keys that may not see everything, odd names of files,
// and a system that refuses. Each is an ordinary error with a fix.
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { buildProgram, cleanEnv, program } from "../bin/program.ts";
import { openProject, type Project } from "../stage/open-project.ts";
import { ticketing } from "../stage/test-world.ts";

const good = "name: Manila Nights\ndateTime: 2027-03-14T19:00\n";

interface Told {
  readonly code: string;
  readonly severity: string;
  readonly message: string;
  readonly hint: string;
}

function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-trouble-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function errorsIn(files: Readonly<Record<string, string>>): Promise<readonly Told[]> {
  const ran = await ticketing(["validate", "--format", "json"], { cwd: folderOf(files) });
  const { diagnostics } = JSON.parse(ran.stdout) as { diagnostics: readonly Told[] };
  const errors = diagnostics.filter(({ severity }) => severity === "error");
  expect(ran.exitCode).toBe(errors.length > 0 ? 1 : 0);
  return errors;
}

describe("a state backend that is not built", () => {
  it.each(["consul", "redis", "gitlab"])("%s is refused with those that are", async (backend) => {
    const files = { "ticketing.yaml": `state: { backend: ${backend} }\n`, "events/a.yaml": good };
    const [error, ...more] = await errorsIn(files);
    expect(more).toEqual([]);
    expect(error).toMatchObject({ code: "unknown-value", message: expect.stringContaining("no such backend") });
    expect(error?.hint).toMatch(/`backend: git`.*`http`.*`file`.*`none`/);
  });

  it("is not offered by the schema", async () => {
    const ran = await ticketing(["schema", "project"]);
    const { properties } = JSON.parse(ran.stdout);
    expect(properties.state.properties.backend.enum).toEqual(["file", "none", "git", "postgres", "http", "s3"]);
    expect(properties.state.additionalProperties).toBe(false);
  });
});

describe("a key that may not see webhooks", () => {
  let project: Project;
  const scopes = ["events:read", "events:write", "tickets:read", "tickets:write", "orders:read"] as const;
  const hook = (path: string) => `- { url: "https://hooks.example.com/${path}", events: [order.completed] }\n`;

  afterEach(() => project.close());

  async function open(): Promise<void> {
    project = await openProject({ "events/a.yaml": good, "webhooks.yaml": hook("a") });
    project.sandbox.control.seed({ keys: [{ value: "no-webhooks", name: "CI", scopes }] });
  }

  function useFullKey(full: boolean): void {
    const keys = [project.sandbox.apiKey, "no-webhooks"] as const;
    project.env.TICKETING_API_KEY = keys[full ? 0 : 1];
    // State is sealed with the key that wrote it.
    project.env.TICKETING_PREVIOUS_API_KEY = keys[full ? 1 : 0];
  }

  it("plans everything else, and says what it did not see", async () => {
    await open();
    useFullKey(false);
    const { plan, exitCode } = await project.plan();
    expect(exitCode).toBe(0);
    expect(plan.changes.map(({ address }) => address)).toEqual(["events/a"]);
    expect(plan.diagnostics.filter(({ code }) => code === "scope-missing")).toEqual([
      expect.objectContaining({
        severity: "warning",
        message: expect.stringMatching(/Webhooks were not read.*"CI".*webhooks:manage/),
      }),
    ]);
  });

  it("does not call everything as the files say where it did not see webhooks", async () => {
    await open();
    expect((await project.apply()).exitCode).toBe(0);
    // Without state the lists are read, and what is unmanaged in them is counted.
    await project.remove(".ticketing/state.default.json");
    expect((await project.plan()).plan.summary.unmanaged).toBe(0);
    useFullKey(false);
    const { plan } = await project.plan();
    expect(plan.summary.unmanaged).toBeNull();
    expect(plan.compared).toMatchObject({ base: null, webhooks: false, webhooksUnread: true });
    expect((await project.run(["plan"])).stdout.replace(/\s+/g, " ")).toContain(
      "the service matches the files (1 object checked), except webhooks, which this API key cannot see.",
    );
  });

  it("does not apply while the files want webhooks, unless they are left out", async () => {
    await open();
    useFullKey(false);
    project.writes();
    const refused = await project.apply();
    expect(refused.exitCode).toBe(1);
    expect(project.writes()).toEqual([]);
    expect(refused.stdout).toContain("webhooks:manage");
    const some = await project.apply("--target", "events/*");
    expect(some.exitCode).toBe(0);
    expect(project.writes()).toEqual(["POST /events"]);
  });

  it("applies events where state knows the webhooks as the files have them, and removes none", async () => {
    await open();
    expect((await project.apply()).exitCode).toBe(0);
    project.writes();
    useFullKey(false);
    await project.write("events/a.yaml", `${good}eventCapacity: 20\n`);
    const ran = await project.apply();
    expect(ran.exitCode).toBe(0);
    expect(ran.report.plan.diagnostics.map(({ code }) => code)).toContain("webhooks-not-read");
    expect(project.writes()).toEqual(["PATCH /events/ID"]);
    // A webhook taken out of the file is a change that this key cannot make.
    await project.write("webhooks.yaml", "[]\n");
    expect((await project.apply()).exitCode).toBe(1);
    expect(project.writes()).toEqual([]);
    useFullKey(true);
    expect((await project.plan("--allow", "delete-webhook")).plan.summary.delete).toBe(1);
  });

  it("makes a plan that another key applies", async () => {
    await open();
    useFullKey(false);
    expect((await project.run(["plan", "--out", "p.json"])).exitCode).toBe(0);
    useFullKey(true);
    project.writes();
    expect((await project.apply("p.json")).exitCode).toBe(0);
    expect(project.writes()).toEqual(["POST /events"]);
  });

  it("is an error where webhooks are all that is asked for", async () => {
    await open();
    useFullKey(false);
    const ran = await project.plan("--target", "webhooks/*");
    expect(ran.exitCode).toBe(1);
    expect(ran.plan.diagnostics).toContainEqual(expect.objectContaining({ code: "scope-missing", severity: "error" }));
  });
});

describe("names of files", () => {
  it.each(["events/a\nb.yaml", "events/a\u0001b.yaml", "events/x\ny/a.yaml"])("%j is refused", async (path) => {
    const [error, ...more] = await errorsIn({ "events/ok.yaml": good, [path]: good.replace("Manila", "Other") });
    expect(more).toEqual([]);
    expect(error?.code).toBe("wrong-file-name");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be shown
    expect(error?.message).not.toMatch(/[\u0000-\u001f]/);
  });

  it("that no glob asks for may be anything", async () => {
    expect(await errorsIn({ "events/ok.yaml": good, "events/a\nb.txt": "x", "notes\n.md": "x" })).toEqual([]);
  });

  it.skipIf(existsSync(join(tmpdir().toUpperCase())))("that differ by case only are refused", async () => {
    const other = good.replace("Manila", "Other");
    expect(await errorsIn({ "events/Gala.yaml": good, "events/gala.yaml": other })).toEqual([
      expect.objectContaining({ code: "wrong-file-name", message: expect.stringContaining("events/Gala.yaml") }),
    ]);
    expect(await errorsIn({ "events/A/x.yaml": `key: one\n${good}`, "events/a/x.yaml": `key: two\n${other}` })).toEqual(
      [expect.objectContaining({ code: "wrong-file-name" })],
    );
  });

  it("keys that differ by case only are refused", async () => {
    const other = good.replace("Manila", "Other");
    const message = 'The event keys "Gala" and "gala" differ only in case.';
    const expected = [expect.objectContaining({ code: "duplicate-key", message })];
    expect(await errorsIn({ "events/1.yaml": `key: Gala\n${good}`, "events/2.yaml": `key: gala\n${other}` })).toEqual(
      expected,
    );
    expect(await errorsIn({ "events/1.yaml": `key: Gala\n${good}---\nkey: gala\n${other}` })).toEqual(expected);
  });
});

describe("a number that is not kept as it is written", () => {
  it.each([
    ["price: 1e-400", "yaml-trap"],
    ["price: -1e-400", "yaml-trap"],
    ["price: 1500.00000000000000001", "yaml-trap"],
    ["price: 1e400", "price-not-whole"],
  ])("%s", async (line, code) => {
    const event = `${good}tickets:\n  - { name: GA, ${line}, quantity: 5, published: true }\n`;
    expect((await errorsIn({ "events/a.yaml": event })).map((one) => one.code)).toEqual([code]);
  });

  it("is said to be too small, or to have too many digits, whichever is true", async () => {
    const event = (price: string) =>
      `${good}tickets:\n  - { name: GA, price: ${price}, quantity: 5, published: true }\n`;
    const [small] = await errorsIn({ "events/a.yaml": event("1e-400") });
    expect(small?.message).toBe("`1e-400` is too small and would be read as 0.");
    const [long] = await errorsIn({ "events/a.yaml": event("1500.00000000000000001") });
    expect(long?.message).toContain("has too many digits and would be read as 1500");
  });

  it.each(["1500.00", "1.5e3", "0.0", "15e2", "1500.", "+1500"])("but %s is", async (price) => {
    const event = `${good}type: ${price === "0.0" ? "FREE" : "PAID"}\ntickets:\n  - { name: GA, price: ${price}, quantity: 5, published: true }\n`;
    expect(await errorsIn({ "events/a.yaml": event })).toEqual([]);
  });
});

describe.skipIf(process.platform === "win32")("a system that refuses", () => {
  beforeAll(buildProgram);

  function shell(script: string, cwd: string) {
    const ran = spawnSync("bash", ["-c", script, "bash", process.execPath, program], {
      cwd,
      env: cleanEnv(),
      encoding: "utf8",
    });
    return { exitCode: ran.status, said: `${ran.stdout}${ran.stderr}` };
  }

  it("to open more files is reported with the limit to raise, and never as a bug", () => {
    const cwd = folderOf({ "events/a.yaml": good });
    let reported = 0;
    // With a base, git is run before anything is connected to: so that each try is short.
    for (const limit of [18, 19, 20, 21, 22, 23, 24]) {
      const ran = shell(`ulimit -n ${limit}; "$1" "$2" plan --base HEAD`, cwd);
      expect(ran.said, `${limit}`).not.toMatch(/This is a bug|reading "on"/);
      if (ran.exitCode !== 0 && ran.said.includes("ulimit -n 1024")) reported += 1;
    }
    expect(reported).toBeGreaterThan(0);
  });

  it("a folder that was deleted is an ordinary error, and another one can be named", () => {
    const cwd = folderOf({ "events/a.yaml": good });
    const gone = 'mkdir gone; cd gone; rmdir "$PWD";';
    for (const command of ["validate", "plan", "apply --yes", "plan --format json"]) {
      const ran = shell(`${gone} "$1" "$2" ${command}`, cwd);
      expect(ran.exitCode, command).toBe(1);
      expect(ran.said).toMatch(/There is no folder[\s\S]*gone/);
      expect(ran.said).not.toMatch(/This is a bug|\n {4}at /);
    }
    const elsewhere = shell(`${gone} "$1" "$2" validate --format json -C "${cwd}"`, cwd);
    expect(JSON.parse(elsewhere.said)).toMatchObject({ ok: true, events: 1 });
  });

  it.skipIf(!existsSync("/dev/full"))("output that cannot be written is a failure, and stops no apply", () => {
    const cwd = folderOf({ "events/a.yaml": good });
    expect(shell('"$1" "$2" validate > /dev/full', cwd)).toMatchObject({
      exitCode: 1,
      said: expect.stringMatching(/The disk is full\.\n {2}fix: Free some space/),
    });
    expect(shell('"$1" "$2" apply --yes > /dev/full', cwd).exitCode).toBe(1);
    expect(shell('"$1" "$2" plan', cwd).said).toContain("No changes");
    // Closing the pipe early is not a failure.
    expect(shell('set -o pipefail; "$1" "$2" validate --format json | head -1', cwd).exitCode).toBe(0);
  });

  it.each([
    ["through a file", "events/a.yaml/x"],
    ["that is too long", "a".repeat(300)],
    ["of control characters", "a\u0001b"],
  ])("a folder %s is not there", (_what, folder) => {
    const cwd = folderOf({ "events/a.yaml": good });
    const ran = spawnSync(process.execPath, [program, "validate", "-C", folder], {
      cwd,
      env: cleanEnv(),
      encoding: "utf8",
    });
    expect(ran.status).toBe(1);
    expect(ran.stdout).toContain("no-such-folder");
  });
});
