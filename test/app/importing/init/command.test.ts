// `ticketing init` as people and scripts type it.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { version } from "../../../../src/app/world.ts";
import { type Seed, startSandbox } from "../../../../src/sandbox/index.ts";
import { organization } from "../../../stage/organization.ts";
import { type Ran, ticketing } from "../../../stage/test-world.ts";

const now = () => Date.parse("2027-01-10T00:00:00Z");
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ticketing-init-"));
});

function run(argv: readonly string[], env: Record<string, string> = {}): Promise<Ran> {
  return ticketing(argv, { env, now, cwd: folder });
}

function read(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

function write(file: string, text: string): void {
  mkdirSync(join(folder, file, ".."), { recursive: true });
  writeFileSync(join(folder, file), text);
}

function filesIn(directory: string): readonly string[] {
  return readdirSync(join(folder, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(join(folder, directory).length + 1))
    .sort();
}

async function withSandbox(
  seed: Seed,
  work: (flags: string[], env: Record<string, string>) => Promise<void>,
): Promise<void> {
  const sandbox = await startSandbox({ now, organization: { slug: "acme-live" } });
  sandbox.control.seed(seed);
  try {
    await work(["--base-url", sandbox.baseUrl], { TICKETING_API_KEY: sandbox.apiKey });
  } finally {
    await sandbox.close();
  }
}

const all = [
  ".github/workflows/ticketing.yml",
  ".gitignore",
  ".vscode/settings.json",
  "events/open-mic.yaml",
  "schemas/event.json",
  "schemas/project.json",
  "schemas/template.json",
  "schemas/webhooks.json",
  "ticketing.yaml",
  `vendor/ticketing-${version}.tgz`,
];

describe("ticketing init --yes", () => {
  test("writes a project that validates strictly, plans and applies in the sandbox", async () => {
    const ran = await run(["init", "tickets", "--yes", "--organization", "acme-live"]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^Target: sandbox \(the embedded service\), offline\n/);
    expect(ran.stdout).toContain("  cd tickets\n");
    expect(filesIn("tickets")).toEqual(all);
    expect(read("tickets/ticketing.yaml")).toContain("\norganization: acme-live ");
    expect(await run(["validate", "--strict", "-C", "tickets"])).toMatchObject({ exitCode: 0 });
    expect((await run(["plan", "--detailed-exitcode", "-C", "tickets"])).exitCode).toBe(2);
    expect((await run(["apply", "--yes", "-C", "tickets"])).exitCode).toBe(0);
    expect((await run(["plan", "--detailed-exitcode", "-C", "tickets"])).exitCode).toBe(0);
  });

  test("writes the environment with its address, and keeps the sandbox for trying things out", async () => {
    const ran = await run(["init", "--yes", "--env", "staging", "--base-url", "https://api.example.com/open-api/v1"]);
    expect(ran.stdout).toMatch(/ {2}ticketing import --all --env staging +write files for what is live/);
    const text = read("ticketing.yaml");
    expect(text).toContain("defaultEnvironment: sandbox ");
    expect(text).toContain("  staging:\n    baseUrl: https://api.example.com/open-api/v1\n");
    expect(await run(["validate", "--strict"])).toMatchObject({ exitCode: 0 });
    expect(await run(["validate", "--strict", "--env", "staging"])).toMatchObject({ exitCode: 0 });
  });

  test("says the same a second time, and changes nothing", async () => {
    await run(["init", "--yes"]);
    const ran = await run(["init", "--yes", "--format", "json"]);
    const reported = JSON.parse(ran.stdout);
    expect(reported).toMatchObject({ formatVersion: 1, ok: true, directory: folder });
    expect(new Set(reported.files.map((file: { action: string }) => file.action))).toEqual(new Set(["unchanged"]));
  });

  test("overwrites no file: it names them and writes nothing", async () => {
    write("ticketing.yaml", "version: 1 # mine\n");
    write(".github/workflows/ticketing.yml", "mine\n");
    const ran = await run(["init", "--yes"]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("error[would-overwrite] ticketing.yaml already exists");
    expect(ran.stderr).toContain("error[would-overwrite] .github/workflows/ticketing.yml already exists");
    expect(filesIn(".")).toEqual([".github/workflows/ticketing.yml", "ticketing.yaml"]);
  });

  test("adds to the files that are only added to", async () => {
    write(".gitignore", "node_modules/\r\n*.log");
    write(".vscode/settings.json", '{\n\t"editor.rulers": [120]\n}\n');
    expect((await run(["init", "--yes"])).exitCode).toBe(0);
    expect(read(".gitignore")).toBe("node_modules/\r\n*.log\r\n.ticketing/\r\n");
    const settings = JSON.parse(read(".vscode/settings.json"));
    expect(settings["editor.rulers"]).toEqual([120]);
    for (const schema of Object.keys(settings["yaml.schemas"])) expect(existsSync(join(folder, schema))).toBe(true);
    expect(read(".vscode/settings.json")).toContain('\n\t"editor.rulers": [120]\n}\n');
    expect((await run(["init", "--yes"])).exitCode).toBe(0);
    expect(read(".gitignore").match(/ticketing/g)).toHaveLength(1);
  });

  test("adds to editor settings with comments and commas as the editor takes them", async () => {
    const mine =
      '// {of all}\n{\n  // mine, "x": {\n  "a": "// no, comment,]", /* { */\n  "editor.rulers": [120,],\n}\n';
    write(".vscode/settings.json", mine);
    expect(await run(["init", "--yes"])).toMatchObject({ exitCode: 0, stderr: "" });
    expect(filesIn(".")).toEqual(all);
    const [head, tail] = mine.split("\n{");
    const text = read(".vscode/settings.json");
    expect(text).toMatch(/^\/\/ \{of all\}\n\{\n {2}"yaml.schemas": \{\n {4}"\.\/schemas\/event\.json": \[/);
    expect(text.startsWith(`${head}\n{`) && text.endsWith(`  },${tail}`)).toBe(true);
    await run(["init", "--yes"]);
    expect(read(".vscode/settings.json")).toBe(text);
  });

  test.each([
    ["that have schemas of their own", '{ "yaml.schemas": { "./a.json": "a.yaml" } } // mine\n'],
    ["that cannot be read", '{ "editor.rulers": \n'],
  ])("leaves editor settings alone %s, says what to add, and goes on", async (_, mine) => {
    write(".vscode/settings.json", mine);
    const ran = await run(["init", "--yes"]);
    expect(ran.exitCode).toBe(0);
    expect(ran.stdout).toContain("! .vscode/settings.json (not changed)\n");
    expect(ran.stderr).toMatch(
      /^notice\[editor-settings-left\] \.vscode\/settings\.json was not changed.*\n.*"\.\/schemas\/event\.json":\[/,
    );
    expect(filesIn(".")).toEqual(all);
    expect(read(".vscode/settings.json")).toBe(mine);
  });

  test("writes no first event where there are events", async () => {
    write("events/mine.yaml", "name: Mine\ndateTime: 2027-03-14T19:00\nlocationType: ONLINE\n");
    await run(["init", "--yes"]);
    expect(filesIn("events")).toEqual(["mine.yaml"]);
  });

  test("says what is wrong with its flags, and that no one can be asked", async () => {
    for (const [argv, words] of [
      [["init"], "There is no terminal to ask on"],
      [["init", "--ci", "gitlab"], "fix: Add `--yes` to this command (and for your service, --organization SLUG"],
      [["init", "--yes", "--env", "production"], "needs the URL of its service"],
      [["init", "--yes", "--base-url", "http://api.example.com/v1"], "unprotected"],
      [["init", "--yes", "--base-url", "https://api.example.com"], "does not end in /open-api/v1"],
      [["init", "--yes", "--organization", "two words"], "A slug is one word"],
      [["init", "--yes", "--env", "a b", "--base-url", "https://api.example.com/open-api/v1"], "Use letters, digits"],
      [["init", "--yes", "--env", "sandbox", "--base-url", "https://api.example.com/open-api/v1"], "has no URL"],
    ] as const) {
      const ran = await run(argv);
      expect(ran.exitCode).toBe(1);
      expect(ran.stderr).toContain(words);
    }
    expect(filesIn(".")).toEqual([]);
    write("ticketing.yaml", "version: 1\n");
    for (const argv of [["init"], ["init", "--ci", "none"]])
      expect((await run(argv)).stderr).toContain(
        "ticketing.yaml is there already. To add jobs for CI, run `ticketing init --ci",
      );
    write("file", "");
    expect((await run(["init", "file", "--yes"])).stderr).toContain("file is a file, not a folder.");
  });
});

describe("ticketing init --yes --import", () => {
  test("writes files for what is live: they validate, and the plan is empty", async () => {
    await withSandbox(organization, async (flags, env) => {
      const ran = await run(["init", "--yes", "--import", ...flags], env);
      expect(ran.exitCode).toBe(0);
      expect(ran.stdout).toMatch(/^Target: production \(http:\/\/127\.0\.0\.1:\d+\/open-api\/v1\)\n/);
      expect(filesIn(".")).toEqual(expect.arrayContaining(["events/bayside-sounds.yaml", "webhooks.yaml"]));
      expect(filesIn(".")).not.toContain("events/open-mic.yaml");
      expect(read("ticketing.yaml")).toContain("\norganization: acme-live ");
      expect(read("events/bayside-sounds.yaml")).toMatch(
        /^# yaml-language-server: \$schema=\.\.\/schemas\/event\.json\n/,
      );
      expect((await run(["validate", "--strict"])).exitCode).toBe(0);
      expect((await run(["plan", "--env", "production", "--detailed-exitcode"], env)).exitCode).toBe(0);
    });
  });

  test("says the same a second time, and changes nothing", async () => {
    for (const seed of [organization, {}]) {
      folder = mkdtempSync(join(tmpdir(), "ticketing-init-"));
      await withSandbox(seed, async (flags, env) => {
        await run(["init", "--yes", "--import", ...flags], env);
        const before = filesIn(".").map((file) => [file, file.startsWith(".ticketing/") ? "" : read(file)]);
        const ran = await run(["init", "--yes", "--import", "--format", "json", ...flags], env);
        expect(ran.exitCode).toBe(0);
        const reported = JSON.parse(ran.stdout);
        expect(new Set(reported.files.map((file: { action: string }) => file.action))).toEqual(new Set(["unchanged"]));
        expect(filesIn(".").map((file) => [file, file.startsWith(".ticketing/") ? "" : read(file)])).toEqual(before);
      });
    }
  });

  test("overwrites no file: it names them and writes nothing", async () => {
    await withSandbox(organization, async (flags, env) => {
      write("ticketing.yaml", "version: 1 # mine\n");
      const ran = await run(["init", "--yes", "--import", ...flags], env);
      expect(ran.exitCode).toBe(1);
      expect(ran.stderr).toContain("error[would-overwrite] ticketing.yaml already exists");
      expect(filesIn(".").filter((file) => !file.startsWith(".ticketing/"))).toEqual(["ticketing.yaml"]);
    });
  });

  test("writes a first event where none is live, and keeps the sandbox for trying it out", async () => {
    await withSandbox({ webhooks: organization.webhooks ?? [] }, async (flags, env) => {
      const ran = await run(["init", "--yes", "--import", ...flags], env);
      expect(ran.exitCode).toBe(0);
      expect(ran.stdout).toMatch(/^Target: production \(http.*\)\n/);
      expect(ran.stdout).toContain("show what would change in the embedded sandbox");
      expect(filesIn("events")).toEqual(["open-mic.yaml"]);
      expect(read("ticketing.yaml")).toContain("\norganization: acme-live ");
      expect(read("ticketing.yaml")).toContain("\ndefaultEnvironment: sandbox ");
      expect((await run(["validate", "--strict"])).exitCode).toBe(0);
    });
  });

  test("writes no project where the service cannot be asked, or is another organization's", async () => {
    await withSandbox(organization, async (flags, env) => {
      expect((await run(["init", "--yes", "--import", ...flags])).stderr).toContain("TICKETING_API_KEY is not set");
      const other = await run(["init", "--yes", "--import", "--organization", "other", ...flags], env);
      expect(other.exitCode).toBe(1);
      expect(other.stderr).toContain('the project is for "other"');
    });
    expect(readdirSync(folder)).toEqual([]);
  });

  test("leaves not even the folder where no project comes of it, and keeps what was there", async () => {
    await withSandbox(organization, async (flags, env) => {
      const other = ["--yes", "--import", "--organization", "other", ...flags];
      expect((await run(["init", "tickets", ...other], env)).exitCode).toBe(1);
      expect(readdirSync(folder)).toEqual([]);
      write(".ticketing/state.production.json", "{}");
      expect((await run(["init", ...other], env)).exitCode).toBe(1);
      expect(read(".ticketing/state.production.json")).toBe("{}");
    });
  });
});
