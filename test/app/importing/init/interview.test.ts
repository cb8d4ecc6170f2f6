// The questions of init, answered by a script.
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { Interviewer } from "../../../../src/app/importing/init/answers.ts";
import { runInit } from "../../../../src/cli/commands/init.ts";
import { startSandbox } from "../../../../src/sandbox/index.ts";
import { testWorld } from "../../../stage/test-world.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "ticketing-interview-"));
});

/** Answers by a word of the question; null stops. */
function scripted(answers: Readonly<Record<string, string | boolean | null>>) {
  const heard: string[] = [];
  function answer(message: string): string | boolean | null {
    const word = Object.keys(answers).find((key) => message.includes(key));
    if (word === undefined) throw new Error(`nobody expected: ${message}`);
    heard.push(`${message} ${String(answers[word])}`);
    return answers[word] ?? null;
  }
  const who: Interviewer = {
    begin: (title) => heard.push(title),
    async text({ message, check }) {
      const given = answer(message);
      expect(check?.(String(given ?? ""))).toBeUndefined();
      return given as string | null;
    },
    confirm: async (message) => answer(message) as boolean | null,
    info: (message) => heard.push(message),
    warn: (message) => heard.push(message),
    end: (message) => heard.push(message),
  };
  return { who, heard };
}

async function make(answers: Parameters<typeof scripted>[0], env: Record<string, string> = {}, directory = folder) {
  const { who, heard } = scripted(answers);
  const { world, written } = testWorld([], { cwd: folder, env, now: () => Date.parse("2027-01-10T00:00:00Z") });
  const options = { directory, format: "text", color: false, verbose: false };
  const exitCode = await runInit(world, options, async () => who);
  return { exitCode, heard, ...written };
}

function read(file: string): string {
  return readFileSync(join(folder, file), "utf8");
}

test("a sandbox needs one answer", async () => {
  const { exitCode } = await make({ "API URL": "", slug: "acme-live" });
  expect(exitCode).toBe(0);
  expect(read("ticketing.yaml")).toContain("organization: acme-live");
  expect(existsSync(join(folder, "events/open-mic.yaml"))).toBe(true);
});

test("with a key the service is asked whose it is, and what is live is offered", async () => {
  const sandbox = await startSandbox({ organization: { slug: "acme-live" } });
  sandbox.control.seed({ events: [{ name: "Party", slug: "party" }] });
  const { exitCode, heard } = await make(
    { "API URL": sandbox.baseUrl, Name: "production", live: true },
    { TICKETING_API_KEY: sandbox.apiKey },
  );
  await sandbox.close();
  expect(exitCode).toBe(0);
  expect(heard).toContain("The API key belongs to the organization acme-live.");
  expect(read("ticketing.yaml")).toContain("defaultEnvironment: sandbox ");
  expect(read("events/party.yaml")).toContain("name: Party\n");
});

test("a service that cannot be asked is reported, and the rest continues", async () => {
  const { exitCode, heard } = await make(
    { "API URL": "http://127.0.0.1:9/open-api/v1", Name: "production", slug: "" },
    { TICKETING_API_KEY: "key" },
  );
  expect(exitCode).toBe(0);
  expect(heard.some((line) => line.startsWith("The API key could not be checked:"))).toBe(true);
}, 60_000);

test("without a key it says what to do once there is one", async () => {
  const { heard } = await make({ "API URL": "https://api.example.com/open-api/v1", Name: "production", slug: "" });
  expect(heard.some((line) => line.includes("`ticketing import --env production --all --webhooks`"))).toBe(true);
});

test("a file that is there is overwritten only by a yes", async () => {
  writeFileSync(join(folder, "ticketing.yaml"), "version: 1 # mine\n");
  mkdirSync(join(folder, "schemas"));
  writeFileSync(join(folder, "schemas/event.json"), "{}\n");
  const { stdout } = await make({ "API URL": "", slug: "", "ticketing.yaml": false, "schemas/event.json": true });
  expect(read("ticketing.yaml")).toBe("version: 1 # mine\n");
  expect(read("schemas/event.json")).toContain("Manila Nights");
  expect(stdout).toContain("! ticketing.yaml (not changed)\n");
  expect(stdout).toContain("~ schemas/event.json\n");
});

test("whoever stops has nothing written", async () => {
  for (const answers of [{ "API URL": null }, { "API URL": "", slug: null }]) {
    const { exitCode, heard } = await make(answers);
    expect(exitCode).toBe(130);
    expect(heard.at(-1)).toBe("Stopped: nothing was written.");
  }
  expect(existsSync(join(folder, "ticketing.yaml"))).toBe(false);
});
