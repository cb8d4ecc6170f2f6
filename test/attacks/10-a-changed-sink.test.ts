// A pull request that sends webhook secrets elsewhere, or to its own command, is shown in its plan, and nothing runs.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { keyNames } from "../../src/app/session/guarded-settings.ts";
import type { Environment } from "../../src/config/environment.ts";
import type { Plan } from "../../src/model/plan.ts";
import type { Settings } from "../../src/model/wish.ts";
import { type Sandbox, startSandbox } from "../../src/sandbox/index.ts";
import { hasGit } from "../stage/has-git.ts";
import { type Ran, testWorld, ticketing } from "../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
const command = 'secrets: { sink: command, command: [sh, -c, "env > seen; cat > stolen"] }\n';
const file = "secrets: { sink: file, path: .ticketing/secrets.json }\n";
const webhook = "- { url: https://hooks.example.com/orders, events: [order.completed], secretName: HOOK }\n";
let root: string;
let sandbox: Sandbox;

beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), "ticketing-sink-"));
  sandbox = await startSandbox({ now });
  write("ticketing.yaml", "version: 1\n");
  write(".gitignore", ".ticketing/\nseen\nstolen\n");
  write("events/one.yaml", "name: One\ndateTime: 2027-03-14T19:00\n");
  if (hasGit) git("init", "--quiet");
  commit();
});

afterEach(async () => {
  await sandbox.close();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(root, path)), { recursive: true });
  writeFileSync(join(root, path), text);
}

function git(...argv: readonly string[]): void {
  const identity = ["-c", "user.name=t", "-c", "user.email=t@example.com", "-c", "init.defaultBranch=main"];
  execFileSync("git", [...identity, ...argv], { cwd: root, stdio: "pipe" });
}

function commit(): void {
  if (!hasGit) return;
  git("add", "--all");
  git("commit", "--quiet", "--message", "Next");
}

function pullRequest(secrets: string): void {
  git("switch", "--quiet", "--create", "pull-request");
  write("ticketing.yaml", `version: 1\n${secrets}`);
  write("webhooks.yaml", webhook);
  commit();
}

function run(argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  const target = {
    TICKETING_BASE_URL: sandbox.baseUrl,
    TICKETING_API_KEY: sandbox.apiKey,
    PATH: process.env.PATH ?? "",
  };
  return ticketing([...argv, "-C", root], { env: { ...target, ...env }, now, cwd: root });
}

describe.skipIf(!hasGit)("a sink that a pull request changes", () => {
  test.each(["CI", "TF_BUILD", "JENKINS_URL"])(
    "is not agreed on by a base of its own, nor in any CI: %s",
    async (runner) => {
      pullRequest(command);
      write("events/two.yaml", "name: Two\ndateTime: 2027-03-15T19:00\n");
      commit();
      for (const base of [["--base", "HEAD"], ["--base", "HEAD~1"], []]) {
        const ran = await run(["apply", "--yes", "--settle", "0", ...base], { [runner]: "true" });
        expect(ran.exitCode).toBe(1);
        expect((ran.stdout + ran.stderr).replace(/\s+/g, " ")).toMatch(
          /none is set on the default branch \(main\), here it is the command/,
        );
      }
      expect(existsSync(join(root, "stolen"))).toBe(false);
      expect(sandbox.control.calls()).toEqual([]);
    },
  );

  test.each([
    ["a command", command, /none is set at the base revision, here it is the command \["sh","-c",/],
    [
      "a file",
      "secrets: { sink: file, path: .ticketing/other.json }\n",
      /here it is the file "\.ticketing\/other\.json"/,
    ],
  ])("is part of the plan in every format, and nothing is sent: %s", async (_, secrets, words) => {
    pullRequest(secrets);
    for (const format of ["text", "json", "markdown", "html"]) {
      const ran = await run(["plan", "--base", "main", "--format", format]);
      expect(ran.exitCode).toBe(1);
      const shown = ran.stdout.replaceAll("&quot;", '"').replaceAll('\\"', '"').replaceAll(/\s+/g, " ");
      expect(shown).toContain("The place for webhook secrets changes");
      expect(shown.replaceAll("`", "")).toMatch(words);
    }
    expect(sandbox.control.calls()).toEqual([]);
  });

  test("is not used: neither with a base, nor in CI without one", async () => {
    pullRequest(command);
    for (const [argv, env] of [
      [["apply", "--yes", "--base", "main"], {}],
      [["apply", "--yes", "--base", "last"], {}],
      [["apply", "--yes"], { CI: "true" }],
      [["webhooks", "rotate", "https://hooks.example.com/orders", "--yes"], { CI: "true" }],
    ] as const) {
      const ran = await run(argv, env);
      expect(ran.exitCode).toBe(1);
      expect(ran.stdout + ran.stderr).toMatch(/The place for webhook secrets\s+changes/);
    }
    expect(sandbox.control.calls().filter(({ method }) => method !== "GET")).toEqual([]);
    expect(existsSync(join(root, "stolen"))).toBe(false);
  });

  test("is part of the plan where the base has no project file, and where no key is set", async () => {
    git("rm", "--quiet", "ticketing.yaml");
    commit();
    pullRequest(command);
    const plan = JSON.parse((await run(["plan", "--base", "main", "--format", "json"])).stdout) as Plan;
    expect(plan.diagnostics).toContainEqual(expect.objectContaining({ code: "sink-changed", severity: "error" }));
    const keyless = { TICKETING_BASE_URL: "", TICKETING_API_KEY: "" };
    const rehearsed = await run(["plan", "--base", "main", "--env", "sandbox", "--format", "json"], keyless);
    expect((JSON.parse(rehearsed.stdout) as Plan).diagnostics).toContainEqual(
      expect.objectContaining({
        code: "sink-changed",
        severity: "warning",
        hint: "Check the command: `apply` runs it with each new secret.",
      }),
    );
  });

  test("is used once it is merged: the default branch has it", async () => {
    pullRequest(command);
    git("switch", "--quiet", "main");
    git("merge", "--quiet", "pull-request");
    const ran = await run(["apply", "--yes", "--base", "last"], { CI: "true" });
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(existsSync(join(root, "stolen"))).toBe(true);
    // The next change of it is reported, since what was applied last had another one.
    write("ticketing.yaml", `version: 1\n${file}`);
    commit();
    const next = JSON.parse((await run(["plan", "--base", "last", "--format", "json"], { CI: "true" })).stdout) as Plan;
    expect(next.diagnostics).toContainEqual(expect.objectContaining({ code: "sink-changed", severity: "info" }));
  });

  test("a command that nothing can be compared with is not run in CI", async () => {
    pullRequest(command);
    git("branch", "--quiet", "--delete", "--force", "main");
    const ran = await run(["apply", "--yes", "--base", "last"], { CI: "true" });
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(/cannot\s+be\s+compared/);
    expect(existsSync(join(root, "stolen"))).toBe(false);
  });
});

describe.skipIf(process.platform === "win32")("a command sink", () => {
  test("sees no key, under whatever name", async () => {
    write(
      "ticketing.yaml",
      `version: 1\n${command}environments: { live: { baseUrl: "${sandbox.baseUrl}", apiKeyEnv: LIVE } }\n`,
    );
    write("webhooks.yaml", webhook);
    const keys = { LIVE: "key-of-live", TICKETING_PLAN_KEY: "key-of-plans", TICKETING_PREVIOUS_API_KEY: "key-before" };
    const ran = await run(["apply", "--yes"], { ...keys, COPY: sandbox.apiKey, GH_TOKEN: "token-of-the-command" });
    expect(ran).toMatchObject({ exitCode: 0 });
    expect(readFileSync(join(root, "stolen"), "utf8")).not.toBe("");
    const seen = readFileSync(join(root, "seen"), "utf8");
    expect(seen).toContain("GH_TOKEN=token-of-the-command");
    expect(seen).not.toContain(sandbox.apiKey);
    expect(seen).not.toMatch(/key-of-|key-before/);
  });
});

describe("what leads to the state is kept from a command sink", () => {
  const credentials = {
    s3: { AWS_ACCESS_KEY_ID: "a", AWS_SECRET_ACCESS_KEY: "b", AWS_SESSION_TOKEN: "c" },
    postgres: { PGPASSWORD: "d", PGPASSFILE: "/e", TICKETING_STATE_URL: "postgres://f" },
    http: { CI_JOB_TOKEN: "g", TICKETING_STATE_USERNAME: "h", TICKETING_STATE_PASSWORD: "i" },
  };
  const all: Readonly<Record<string, string>> = Object.assign(
    { AWS_REGION: "x", GH_TOKEN: "y" },
    ...Object.values(credentials),
  );

  test.each(Object.entries(credentials))("%s", (backend, hidden) => {
    const { world } = testWorld([], { env: all });
    const settings = { environments: {}, state: { backend } } as unknown as Settings;
    const names = keyNames(world, settings, { apiKeyEnv: "LIVE" } as Environment);
    expect(names).toEqual(expect.arrayContaining(Object.keys(hidden)));
    const passed = Object.keys(all).filter((name) => !names.includes(name));
    // With state elsewhere they are the command's own: it may be `aws secretsmanager`.
    const others = Object.entries(credentials).filter(([name]) => name !== backend);
    const own = others.flatMap(([, each]) => Object.keys(each)).filter((name) => !name.startsWith("TICKETING_"));
    expect(passed).toEqual(expect.arrayContaining(["AWS_REGION", "GH_TOKEN", ...own]));
  });
});

describe("a file for secrets that others would see", () => {
  test.each([
    ["events/secrets.yaml", "secrets-exposed"],
    ["./events//deep/../secrets.yml", "outside-project"],
    ["webhooks.yaml", "secrets-exposed"],
    ["./ticketing.yaml", "secrets-exposed"],
    ["../secrets.json", "outside-project"],
    ["/tmp/secrets.json", "outside-project"],
  ])("is an error in the file: %s", async (path, code) => {
    write("ticketing.yaml", `version: 1\nsecrets: { sink: file, path: "${path}" }\n`);
    const ran = await run(["validate", "--format", "json"]);
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stdout).diagnostics.map((each: { code: string }) => each.code)).toContain(code);
  });

  test.skipIf(!hasGit)("is refused where git has it, or would take it", async () => {
    write("webhooks.yaml", webhook);
    write("ticketing.yaml", "version: 1\nsecrets: { sink: file, path: keep/secrets.json }\n");
    for (const argv of [
      ["plan"],
      ["apply", "--yes"],
      ["webhooks", "rotate", "https://hooks.example.com/orders", "--yes"],
    ]) {
      const ran = await run(argv);
      expect(ran.exitCode).toBe(1);
      expect(ran.stdout + ran.stderr).toMatch(/is not\s+ignored by\s+git/);
    }
    write(".gitignore", ".ticketing/\nkeep/\n");
    expect(await run(["apply", "--yes"])).toMatchObject({ exitCode: 0 });
    git("add", "--force", "keep/secrets.json");
    const ran = await run(["plan"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toMatch(/is\s+tracked by\s+git/);
  });

  test.skipIf(!hasGit)("is refused where git has it in the folder of local data", async () => {
    write("webhooks.yaml", webhook);
    write("ticketing.yaml", `version: 1\n${file}`);
    write(".ticketing/secrets.json", "{}");
    chmodSync(join(root, ".ticketing"), 0o700);
    git("add", "--force", ".ticketing/secrets.json");
    const ran = await run(["apply", "--yes"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout + ran.stderr).toMatch(/tracked by\s+git/);
  });
});
