import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { shells } from "../../src/cli/usage/files.ts";
import { ticketing } from "../stage/test-world.ts";

const folder = mkdtempSync(join(tmpdir(), "ticketing-completion-"));
mkdirSync(join(folder, "a-folder"));
writeFileSync(join(folder, "a-file.json"), "{}");

const available = new Set(shells.filter((shell) => spawnSync(shell, ["-c", "exit 0"]).status === 0));

/** What the shell itself offers after these words, the last of which is half typed. */
type Ask = (script: string, words: readonly string[]) => string[];

const ask: Record<(typeof shells)[number], Ask> = {
  bash(script, words) {
    const line = words.map((word) => `'${word}'`).join(" ");
    const run = `${script}\nCOMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _ticketing; printf '%s\\n' "\${COMPREPLY[@]}"`;
    return lines(execFileSync("bash", ["--norc", "-c", run], { cwd: folder, encoding: "utf8" }));
  },
  fish(script, words) {
    const run = `${script}\ncomplete -C '${words.join(" ")}'`;
    const answer = execFileSync("fish", ["--no-config", "-c", run], { cwd: folder, encoding: "utf8" });
    return lines(answer).map((line) => line.split("\t")[0] ?? "");
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
    const offered = lines(execFileSync("zsh", ["-f", "-c", run], { cwd: folder, encoding: "utf8" }));
    return offered.filter((word) => word.startsWith(words.at(-1) ?? ""));
  },
};

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

test.skipIf(!available.has("bash"))("bash: --flag=value, as bash splits it", async () => {
  const { stdout } = await ticketing(["completion", "bash"]);
  expect(ask.bash(stdout, ["ticketing", "schema", "--format", "=", "j"])).toEqual(["json"]);
});
