import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { loaders } from "../../src/cli/loaders.ts";
import { parseArguments } from "../../src/cli/program.ts";
import { formatsOf, type Usage } from "../../src/cli/usage/usage.ts";
import { usageGroups, usages } from "../../src/cli/usages.ts";
import { profiles } from "../../src/sandbox/index.ts";
import { testWorld, ticketing } from "../stage/test-world.ts";

interface Found {
  readonly path: string;
  readonly usage: Usage;
}

function everyCommand(list: readonly Usage[] = usages, above = ""): Found[] {
  return list.flatMap((usage) => {
    const path = `${above}${usage.name}`;
    return [{ path, usage }, ...everyCommand(usage.below ?? [], `${path} `)];
  });
}

async function typed(line: string): Promise<Readonly<Record<string, unknown>>> {
  const { world, written } = testWorld(line.split(" "));
  const parsed = await parseArguments(world, usages);
  if (parsed.kind !== "run") throw new Error(`nothing to run: ${written.stderr}`);
  return { path: parsed.typed.path, ...parsed.typed.options };
}

describe("what can be typed", () => {
  test.each(everyCommand())("$path is whole: something behind it, help with examples", async ({ path, usage }) => {
    expect(path in loaders).toBe(usage.group !== true);
    const help = await ticketing([...path.split(" "), "--help"]);
    expect(help.exitCode).toBe(0);
    expect(help.stderr).toBe("");
    expect(help.stdout).toContain(`Usage: ticketing ${path}`);
    expect(help.stdout).toContain("Examples:\n  ");
    const words = help.stdout.replace(/\s+/g, " ");
    for (const flag of usage.flags ?? []) {
      expect(help.stdout.includes(flag.flags)).toBe(flag.description !== "");
      for (const choice of flag.choices ?? []) expect(words).toContain(choice);
    }
    for (const { choices } of usage.parameters ?? []) if (choices) expect(words).toContain(choices.join(", "));
    expect(help.stdout).toContain("--help");
    const all = ["directory", "env", "base-url", "format", "no-color", "verbose"] as const;
    for (const flag of all) {
      const means = usage.group !== true && usage.without?.includes(flag) !== true;
      expect(new RegExp(`^ +(-C, )?--${flag}\\b`, "m").test(help.stdout), flag).toBe(means);
      if (flag === "format" && means) expect(words).toContain(formatsOf(usage).join(", "));
    }
    for (const line of help.stdout.split("\n")) {
      if (!line.includes("ticketing")) expect(line.length).toBeLessThanOrEqual(80);
    }
  });

  test.each([
    ["init", "--env <name> the name of the new environment (default: production)"],
    ["orders", "Usage: ticketing orders [options] <event> List all orders of an event."],
    [
      "status",
      "--sort <by> date (next first), name (A–Z), sold (most), remaining (fewest), gross (highest) (default: date)",
    ],
    ["plan", "--tier <tier> your rate limit, if the service does not show it; one of: free, pro, enterprise"],
  ])("the help of %s says it once, as it is for this command", async (command, said) => {
    expect((await ticketing([command, "--help"])).stdout.replace(/\s+/g, " ")).toContain(said);
  });

  test.each(everyCommand())("the examples of $path can be typed", async ({ usage }) => {
    for (const [line] of usage.examples) {
      const [, words] = /ticketing (.*?)(?: [>|] .*|\)"|$)/.exec(line) ?? [];
      const argv = (words?.match(/"[^"]*"|\S+/g) ?? []).map((word) => word.replaceAll('"', ""));
      const { world, written } = testWorld(argv);
      const parsed = await parseArguments(world, usages);
      expect(written.stderr).toBe("");
      expect(parsed.kind).toBe("run");
    }
  });

  test("nothing behind the program that cannot be typed", () => {
    const paths = everyCommand().map(({ path }) => path);
    for (const path of Object.keys(loaders)) expect(paths).toContain(path);
  });
});

describe("flags that every command takes", () => {
  test("go before or after the command's name", async () => {
    const wanted = { path: "schema", directory: "x", env: "e", format: "json", verbose: true, schema: "event" };
    expect(await typed("-C x --env e --format json --verbose schema event")).toMatchObject(wanted);
    expect(await typed("schema -C x --env e --format json event --verbose")).toMatchObject(wanted);
    expect(await typed("--directory=x schema --env=e event --verbose --format=json")).toMatchObject(wanted);
  });

  test("choices may be typed in any case", async () => {
    expect(await typed("orders gala --status completed")).toMatchObject({ status: "COMPLETED" });
    expect(await typed("plan --tier Pro")).toMatchObject({ tier: "pro" });
  });

  test("the nearer one wins", async () => {
    expect(await typed("--env far sandbox --env near")).toMatchObject({ env: "near" });
    expect(await typed("sandbox --data far sell e t 1")).toMatchObject({ path: "sandbox sell", data: "far", count: 1 });
  });

  test("the first format is the standard one", async () => {
    expect(await typed("sandbox")).toMatchObject({ format: "text", port: 0 });
  });
});

describe("mistakes exit 1 and say what was meant", () => {
  test.each([
    [
      "schemaa",
      /^error\[usage\] Unknown command "schemaa"\.\n {2}fix: Did you mean schema\? See `ticketing --help`\.\n$/,
    ],
    ["frobnicate", /Unknown command "frobnicate"\.\n {2}fix: Choose one of: /],
    ["schema --fromat text", /Unknown option "--fromat"\.\n {2}fix: Did you mean --format\?/],
    ["--evn x schema", /Unknown option "--evn"/],
    ["plan --shard 0/4", /--shard cannot be "0\/4"\.\n {2}fix: Write PART\/TOTAL, such as 2\/4/],
    ["plan --shard 5/4", /--shard cannot be "5\/4"\.\n {2}fix: Write PART\/TOTAL.*with PART from 1 to TOTAL/],
    ["plan --shard a/b", /--shard cannot be "a\/b"\.\n {2}fix: Write PART\/TOTAL/],
    ["plan --shard 1/257", /"1\/257"\.\n.*TOTAL up to 256/],
    [
      "plan --shard 1/4 --shard 2/4",
      /^error\[usage\] --shard was passed twice\.\n {2}fix: Pass it once: each run handles one part\. See /,
    ],
    ["apply --shard=1/4 --yes --shard=1/4", /--shard was passed twice\.\n {2}fix: Pass it once/],
    ["ci apply --shard 1/2", /Unknown option "--shard"/],
    ["ci plan --watch", /Unknown option "--watch"/],
    ["schema --format jsn", /--format cannot be "jsn"\.\n.*Did you mean json\?/],
    ["--format yaml schema", /--format cannot be "yaml"\.\n {2}fix: Choose one of: text, json\./],
    ["schema evnt", /Did you mean event\?/],
    ["schema event event", /Too many arguments/],
    ["plan devconf", /Too many arguments .*\n {2}fix: For one event: --target events\/devconf\. See /],
    ["ci apply events/2027/devconf.yaml", /fix: For one event: --target events\/devconf\. See /],
    [
      "plan --target events/a.yaml events/b.yaml",
      /fix: Put --target in front of each address, and a wildcard in quotes\. See /,
    ],
    [
      "plan --target events/gala events/club",
      /fix: Put --target in front of each address, and a wildcard in quotes\. See /,
    ],
    ["plan Manila Nights", /fix: For one event: --target events\/Nights\. See /],
    ["completion", /Missing required argument "shell"/],
    ["help validat", /Unknown command "validat"\.\n {2}fix: Did you mean validate\?/],
    ["help frobnicate", /Unknown command "frobnicate"\.\n {2}fix: Choose one of: /],
    ["help webhooks lst", /Unknown command "lst"\.\n {2}fix: Did you mean list\?/],
    ["help schema list", /Unknown command "list"/],
    ["sandbox sel", /Unknown command "sel"\.\n {2}fix: Did you mean sell\?/],
    ["sandbox sell e t many", /Write a whole number, 1 or more\./],
    ["sandbox sell e", /Missing required argument "ticket"/],
    ["sandbox --port x", /Write a port from 1 to 65535, or 0 for any/],
    ["schema --env", /Option "--env <name>" argument missing\./],
    ["schema -C nowhere/at/all", /There is no folder "nowhere\/at\/all"\.\n {2}fix: Name the project's folder with -C/],
  ])("%s", async (line, message) => {
    const ran = await ticketing(line.split(" "));
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toBe("");
    expect(ran.stderr).toMatch(message);
  });

  test.each([
    ["plann --format json", 'Unknown command "plann".', "Did you mean plan?"],
    ["plan --bogus --format json", 'Unknown option "--bogus".'],
    ["apply --tier gold --format=json", '--tier cannot be "gold".', "Choose one of: free, pro, enterprise."],
    ["--format json orders", 'Missing required argument "event".'],
  ])("%s says it in JSON too", async (line, message, hint?: string) => {
    const ran = await ticketing(line.split(" "));
    expect(ran.exitCode).toBe(1);
    expect(JSON.parse(ran.stdout)).toEqual({
      formatVersion: 1,
      ok: false,
      diagnostics: [
        { code: "usage", severity: "error", message, hint: expect.stringContaining(hint ?? "See `ticketing") },
      ],
    });
    expect(ran.stderr).toContain(message);
  });

  test.each(["plan", "apply", "status", "import --all", "validate", "whoami"])(
    "%s says in JSON that there is no folder",
    async (line) => {
      const ran = await ticketing([...line.split(" "), "-C", "nowhere/at/all", "--format", "json"]);
      expect(ran.exitCode).toBe(1);
      expect(JSON.parse(ran.stdout)).toMatchObject({
        diagnostics: [{ code: "no-such-folder", message: 'There is no folder "nowhere/at/all".' }],
      });
    },
  );

  test("a mistake points at the help of the command it was made in", async () => {
    expect((await ticketing(["sandbox", "sell", "e"])).stderr).toContain("See `ticketing sandbox sell --help`.");
    expect((await ticketing(["venues", "search"])).stderr).toBe(
      'error[usage] Missing required argument "text".\n  fix: For example: `ticketing venues search palace`. See `ticketing venues search --help`.\n',
    );
  });
});

test("the sandbox names its profiles", async () => {
  const { stdout } = await ticketing(["sandbox", "--help"]);
  expect(stdout.replace(/\s+/g, " ")).toContain(Object.keys(profiles).join(", "));
});

describe("help and version", () => {
  test("no command at all shows the help", async () => {
    const ran = await ticketing([]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toContain("Exit codes:");
    // Each on one line, below the heading for when it is needed.
    for (const { heading, usages: group } of usageGroups) {
      const [, listed = ""] = new RegExp(`^${heading}:\\n([\\s\\S]*?)\\n\\n`, "m").exec(ran.stdout) ?? [];
      expect(listed.split("\n").map((line) => line.trim().split(/ {2,}/))).toEqual(
        group.map(({ name, summary }) => [name, summary]),
      );
    }
    expect(ran.stdout.indexOf("Get started")).toBeLessThan(ran.stdout.indexOf("Options:"));
  });

  test("help by its name", async () => {
    for (const names of [["schema"], ["webhooks"], ["webhooks", "list"], []]) {
      const ran = await ticketing(["help", ...names]);
      expect(ran).toEqual({ ...(await ticketing([...names, "--help"])), exitCode: 0 });
      expect(ran.stdout).toContain("Usage: ticketing");
    }
  });

  test.each([["--version"], ["-V"], ["-C", ".", "--version"]])("%s prints the version", async (...argv) => {
    const { default: manifest } = await import("../../package.json", { with: { type: "json" } });
    expect(await ticketing(argv)).toEqual({ exitCode: 0, stdout: `${manifest.version}\n`, stderr: "" });
  });

  test("-C is where the command works", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ticketing-"));
    expect((await ticketing(["schema"], { cwd: folder })).exitCode).toBe(0);
    expect((await ticketing(["-C", ".", "schema"], { cwd: join(folder, "gone") })).exitCode).toBe(1);
  });
});
