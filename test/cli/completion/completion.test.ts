import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shells } from "../../../src/cli/usage/files.ts";
import { ticketing } from "../../stage/test-world.ts";

const folder = mkdtempSync(join(tmpdir(), "ticketing-completion-"));
mkdirSync(join(folder, "a-folder"));
writeFileSync(join(folder, "a-file.json"), "{}");

// The program itself, as the scripts call it.
const program = join(import.meta.dirname, "../../../bin/ticketing.js");
mkdirSync(join(folder, "bin"));
writeFileSync(join(folder, "bin/ticketing"), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, { mode: 0o755 });
const env = { ...process.env, PATH: `${join(folder, "bin")}:${process.env.PATH}`, HOME: folder };

const available = new Set(shells.filter((shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0));

/** What the shell itself offers after these words, the last of which is half typed. */
type Ask = (script: string, words: readonly string[]) => string[];

const ask: Record<(typeof shells)[number], Ask> = {
  bash(script, words) {
    return askBash(script, words, words.join(" "));
  },
  fish(script, words) {
    const run = `${script}\ncomplete -C '${words.join(" ")}'`;
    const response = execFileSync("fish", ["--no-config", "-c", run], { cwd: folder, encoding: "utf8", env });
    return lines(response).map((line) => line.split("\t")[0] ?? "");
  },
  // zsh completes only at a terminal, so its words are caught where they would be offered.
  zsh(script, words) {
    const catcher = `
compdef() { : }
_describe() { shift; local -a list; list=("\${(@P)1}"); print -l -- "\${(@)list%%:*}" }
compadd() { shift; print -l -- "$@" }
_files() { [[ "$1" == "-/" ]] && print -l -- *(/) || print -l -- * }`;
    const line = words.map((word) => `'${word}'`).join(" ");
    const run = `${catcher}\n${script}\nwords=(${line}); CURRENT=${words.length}; PREFIX="\${words[CURRENT]}"; _ticketing`;
    const offered = lines(execFileSync("zsh", ["-f", "-c", run], { cwd: folder, encoding: "utf8", env }));
    return offered.filter((word) => word.startsWith(words.at(-1) ?? ""));
  },
};

function askBash(script: string, words: readonly string[], typed: string): string[] {
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const point = `COMP_LINE=${quoted(typed)}; COMP_POINT=\${#COMP_LINE}; COMP_CWORD=${words.length - 1}`;
  const run = `${script}\nCOMP_WORDS=(${words.map(quoted).join(" ")}); ${point}; _ticketing; printf '%s\\n' "\${COMPREPLY[@]}"`;
  return lines(execFileSync("bash", ["--norc", "-c", run], { cwd: folder, encoding: "utf8", env }));
}

function lines(text: string): string[] {
  return text.split("\n").filter((line) => line !== "");
}

describe.each(shells)("%s", (shell) => {
  const offers = async (...words: string[]) => {
    const { stdout } = await ticketing(["completion", shell]);
    return ask[shell](stdout, ["ticketing", ...words]);
  };
  // Where the shell is not installed there is nothing to ask.
  const here = test.skipIf(!available.has(shell));

  here("commands", async () => {
    expect(await offers("")).toEqual(expect.arrayContaining(["schema", "sandbox", "completion"]));
    expect(await offers("sche")).toEqual(["schema"]);
    expect(await offers("sandbox", "s")).toEqual(["sell"]);
  });

  here("flags, those of every command included", async () => {
    expect(await offers("sandbox", "--p")).toEqual(expect.arrayContaining(["--port", "--profile"]));
    expect(await offers("sandbox", "--ver")).toEqual(["--verbose"]);
    expect(await offers("--base")).toEqual(["--base-url"]);
  });

  here("choices of parameters and flags", async () => {
    expect(await offers("schema", "")).toEqual(expect.arrayContaining(["event", "webhooks"]));
    expect(await offers("schema", "--format", "j")).toEqual(["json"]);
    expect(await offers("completion", "")).toEqual(expect.arrayContaining([...shells]));
  });

  here("codes", async () => {
    expect(await offers("explain", "missing-f")).toEqual(["missing-field"]);
  });

  here("a flag's value is not taken for a command", async () => {
    expect(await offers("--env", "sandbox", "sche")).toEqual(["schema"]);
    expect(await offers("-C", "schema", "")).toEqual(expect.arrayContaining(["completion"]));
  });

  here("files and folders", async () => {
    expect((await offers("sandbox", "--data", "a-")).map(bare).sort()).toEqual(["a-file.json", "a-folder"]);
    expect((await offers("-C", "a-")).map(bare)).toEqual(["a-folder"]);
  });

  test("one script, whole", async () => {
    const ran = await ticketing(["completion", shell]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).not.toMatch(/undefined|\[object/);
  });
});

function bare(path: string): string {
  return path.replace(/\/$/, "");
}

test.skipIf(!available.has("fish"))("fish: --flag=FILE and --flag=value", async () => {
  const { stdout } = await ticketing(["completion", "fish"]);
  expect(ask.fish(stdout, ["ticketing", "plan", "--out=a-f"])).toContain("--out=a-file.json");
  expect(ask.fish(stdout, ["ticketing", "plan", "--format=j"])).toEqual(["--format=json"]);
});

test.skipIf(!available.has("bash"))("bash: --flag=value, as bash splits it", async () => {
  const { stdout } = await ticketing(["completion", "bash"]);
  expect(askBash(stdout, ["ticketing", "schema", "--format", "=", "j"], "ticketing schema --format=j")).toEqual([
    "json",
  ]);
});

const hostile = `$(touch owned) \`touch owned\` "x" 'y' ; touch owned`;
const documents = [
  "key: manila-nights\nname: Manila Nights\nvenue: Palace Pool Club\ndateTime: 2027-03-14T19:00\ntickets:\n  - { name: VIP, price: 1, quantity: 2 }",
  `key: ${JSON.stringify(hostile)}\nname: Hostile\ndateTime: 2027-03-14T19:00`,
  'key: "two\\nlines"\nname: Two lines\ndateTime: 2027-03-14T19:00',
  "key: gala:red\nname: Gala\ndateTime: 2027-03-14T19:00",
  "key: friday\nname: Friday\ndateTime: 22:00\nseries: { every: friday, from: 2027-01-08, count: 2 }",
];
mkdirSync(join(folder, "project/events"), { recursive: true });
writeFileSync(join(folder, "project/events/all.yaml"), documents.join("\n---\n"));
writeFileSync(join(folder, "project/webhooks.yaml"), "- { url: https://hooks.example/a, events: [order.completed] }\n");
writeFileSync(
  join(folder, "project/ticketing.yaml"),
  "environments:\n  production: { baseUrl: https://api.example.com/open-api/v1, apiKeyEnv: TICKETING_API_KEY }\n",
);

describe("names in the project", () => {
  const at = ["-C", "project"];
  const names = async (...words: string[]) => {
    const ran = await ticketing(["__complete", "ticketing", ...words], { cwd: folder });
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    return lines(ran.stdout);
  };

  test("come from its files; a series first, its dates and an event's entries once they are begun", async () => {
    expect(await names(...at, "plan", "--env", "")).toEqual(["production", "sandbox"]);
    expect(await names(...at, "show", "")).toEqual([hostile, "friday", "gala:red", "manila-nights"]);
    expect(await names(...at, "show", "friday@")).toContain("friday@2027-01-15");
    expect(await names(...at, "plan", "--target", "")).toEqual(
      expect.arrayContaining(["events/friday", "webhooks/https:%2F%2Fhooks.example%2Fa"]),
    );
    expect(await names(...at, "plan", "--target", "events/manila-nights/")).toContain(
      "events/manila-nights/tickets/VIP",
    );
    expect(await names(...at, "venues", "search", "")).toEqual(["Palace Pool Club"]);
    expect(await names(...at, "webhooks", "rotate", "")).toEqual(["https://hooks.example/a"]);
  });

  test("of events are offered also where a document cannot be read, or is written unusually", async () => {
    const events = join(folder, "odd/events");
    mkdirSync(events, { recursive: true });
    writeFileSync(join(events, "broken.yaml"), "name: Broken\ndateTime: [\n");
    writeFileSync(join(events, "in {braces} (1)!.yaml"), "{ key: in-braces, name: A, dateTime: 2027-03-14T19:00 }\n");
    writeFileSync(join(events, "plain.yaml"), "name: A\ndateTime: 2027-03-14T19:00\n");
    expect(await names("-C", "odd", "show", "")).toEqual(["broken", "in-braces", "plain"]);
    expect(await names("-C", "odd", "plan", "--target", "events/")).toEqual([
      "events/broken",
      "events/in-braces",
      "events/plain",
    ]);
  });

  test("nothing, without a word, where there is no project or it cannot be read", async () => {
    for (const words of [
      ["-C", "nowhere", "show", ""],
      ["show", ""],
      ["plan", "--base-url", ""],
    ])
      expect(await names(...words)).toEqual([]);
  });

  describe.each(shells)("%s", (shell) => {
    const here = test.skipIf(!available.has(shell));
    const offers = async (...words: string[]) => {
      const { stdout } = await ticketing(["completion", shell]);
      return ask[shell](stdout, ["ticketing", ...at, ...words]);
    };

    here("environments, events, addresses and venues are offered", async () => {
      expect(await offers("plan", "--env", "pro")).toEqual(["production"]);
      expect(await offers("show", "man")).toEqual(["manila-nights"]);
      expect(await offers("plan", "--target", "events/man")).toEqual(["events/manila-nights"]);
      expect(await offers("venues", "search", "Pal")).toEqual([
        shell === "bash" ? "Palace\\ Pool\\ Club" : "Palace Pool Club",
      ]);
    });

    here("a hostile key runs nothing, and in bash arrives as text", async () => {
      const found = await offers("show", "");
      expect(found).toEqual(expect.arrayContaining(["manila-nights"]));
      expect(existsSync(join(folder, "owned"))).toBe(false);
      if (shell !== "bash") return;
      const escaped = found.find((name) => name.includes("touch")) ?? "";
      const echoed = execFileSync("bash", ["-c", `printf %s ${escaped}`], { cwd: folder, encoding: "utf8" });
      expect(echoed).toBe(hostile);
      expect(existsSync(join(folder, "owned"))).toBe(false);
    });
  });

  test.skipIf(!available.has("bash"))("bash: only what follows the last colon or @ is put in", async () => {
    const { stdout } = await ticketing(["completion", "bash"]);
    const typed = (last: string, ...words: string[]) =>
      askBash(stdout, ["ticketing", ...at, "show", ...words], `ticketing -C project show ${last}`);
    expect(typed("gala:r", "gala", ":", "r")).toEqual(["red"]);
    expect(typed("friday@2027-01-1", "friday", "@", "2027-01-1")).toEqual(["2027-01-15"]);
    // Within quotes only names that mean nothing to the shell.
    expect(typed('"', '"')).toEqual(["friday", "gala:red", "manila-nights"]);
  });
});
