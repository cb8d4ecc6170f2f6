import { describe, expect, it } from "vitest";
import { loadSettings } from "../../../src/config/settings/load-settings.ts";
import { memoryFiles } from "../../stage/memory-files.ts";
import { reported } from "../project-of.ts";

function load(text: string) {
  return loadSettings(memoryFiles({ "ticketing.yaml": text }));
}

describe("the project file", () => {
  it("need not be there", async () => {
    const { settings, found, diagnostics } = await loadSettings(memoryFiles({}));
    expect(found).toBe(false);
    expect(diagnostics).toEqual([]);
    expect(settings).toMatchObject({
      events: ["events/**/*.{yaml,yml}"],
      webhooks: ["webhooks.{yaml,yml}"],
      maxDeletes: 5,
      secrets: null,
      state: { backend: "file" },
      allow: [],
    });
  });

  it("is read whole", async () => {
    const { settings, diagnostics } = await load(`version: 1
organization: acme-live
events: [a/*.yaml, b/*.yaml]
webhooks: hooks.yaml
defaultEnvironment: production
environments:
  production:
    baseUrl: https://api.example.com/open-api/v1
    vars: { n: 1, on: true }
  sandbox: { vars: { n: 2 } }
vars: { x: y }
allow: [delete-event]
maxDeletes: 0
secrets: { sink: command, command: [gh, secret, set, "{secretName}"] }
state: { backend: none }
`);
    expect(diagnostics).toEqual([]);
    expect(settings).toEqual({
      organization: "acme-live",
      templates: ["templates/**/*.{yaml,yml}"],
      events: ["a/*.yaml", "b/*.yaml"],
      webhooks: ["hooks.yaml"],
      defaultEnvironment: "production",
      environments: {
        production: {
          baseUrl: "https://api.example.com/open-api/v1",
          apiKeyEnv: "TICKETING_API_KEY",
          organization: null,
          hasVars: true,
        },
        sandbox: { baseUrl: null, apiKeyEnv: "TICKETING_API_KEY", organization: null, hasVars: true },
      },
      allow: [{ risk: "delete-event", source: { file: "ticketing.yaml", line: 12, column: 9 } }],
      timezone: "Asia/Manila",
      unreviewed: "hold",
      maxDeletes: 0,
      secrets: { sink: "command", command: ["gh", "secret", "set", "{secretName}"] },
      state: { backend: "none" },
    });
  });

  it.each([
    ["an unknown key", "evnts: x\n", "ticketing.yaml:1:1 unknown-key"],
    ["another version", "version: 2\n", "ticketing.yaml:1:10 unknown-value"],
    ["an unknown risk", "allow: [delete-evnt]\n", "ticketing.yaml:1:9 unknown-value"],
    [
      "a default environment that is not there",
      "defaultEnvironment: live\n",
      "ticketing.yaml:1:21 unknown-environment",
    ],
    ["an environment without an address", "environments: { p: { vars: {} } }\n", "ticketing.yaml:1:17 missing-field"],
    [
      "an unprotected address",
      "environments: { p: { baseUrl: http://a.example } }\n",
      "ticketing.yaml:1:31 bad-base-url",
    ],
    [
      "an address for the sandbox",
      "environments: { sandbox: { baseUrl: http://a.example } }\n",
      "ticketing.yaml:1:37 sandbox-is-embedded",
    ],
    ["a glob that leads out", "events: ../other/*.yaml\n", "ticketing.yaml:1:9 outside-project"],
    ["a glob that leads out in braces", 'events: ["{a,..}/x.yaml"]\n', "ticketing.yaml:1:10 outside-project"],
    ["an absolute glob", "webhooks: /etc/*.yaml\n", "ticketing.yaml:1:11 outside-project"],
    ["a sink that leads out", "secrets: { sink: file, path: ../x.json }\n", "ticketing.yaml:1:30 outside-project"],
    ["a command sink without a command", "secrets: { sink: command }\n", "ticketing.yaml:1:18 missing-field"],
    ["a list in place of settings", "- a\n", "ticketing.yaml:1:1 wrong-type"],
    ["two documents", "version: 1\n---\nversion: 1\n", "ticketing.yaml:3:1 wrong-type"],
    ["nesting that is wrong", "environments: [a]\n", "ticketing.yaml:1:15 wrong-type"],
  ])("with %s is reported", async (_, text, expected) => {
    expect(reported((await load(text)).diagnostics)).toEqual([expected]);
  });

  it.each(["{name}", "hooks/{secret_name}", "{secretname}", "{{name}}", "{secretName}-{env}"])(
    "with the unknown placeholder of %s in the secrets command is reported: all secrets would have one name",
    async (part) => {
      const { diagnostics } = await load(`secrets: { sink: command, command: [store, "${part}"] }\n`);
      expect(reported(diagnostics)).toEqual(["ticketing.yaml:1:44 wrong-value"]);
      expect(diagnostics[0]?.message).toMatch(/^Unknown placeholder `\{[^}]*\}` in `command`\.$/);
      expect(diagnostics[0]?.hint).toBe(
        "Use `{secretName}` (the webhook's `secretName`) or `{environment}` (the environment's name).",
      );
    },
  );

  it.each([
    "{secretName}",
    "a/{secretName}.txt",
    "${HOME}/x",
    "{ cat; }",
    "{}",
    "{a,b}",
    '{"a": 1}',
    "x{2}",
    "{{.Name}}",
  ])("may have %s in the secrets command", async (part) => {
    const { diagnostics } = await load(`secrets: { sink: command, command: [store, '${part}'] }\n`);
    expect(diagnostics).toEqual([]);
  });

  it.each([
    [
      "a key by its name",
      "environments:\n  p:\n    baseUrl: https://a.example/open-api/v1\n    apiKey: abcdef\n",
      "ticketing.yaml:4:13",
    ],
    [
      "a key for a variable",
      "environments:\n  p: { baseUrl: https://a.example/open-api/v1, apiKeyEnv: tk_live_4f9a8b7c6d5e4f3a }\n",
      "ticketing.yaml:2:59",
    ],
    ["credentials in an address", "vars: { db: postgres://me:hunter2@db/x }\n", "ticketing.yaml:1:13"],
    ["a random value", "vars: { hook: 9f8e7d6c5b4a39281706f5e4d3c2b1a0 }\n", "ticketing.yaml:1:15"],
  ])("with %s is a secret in a file, which is not repeated", async (_, text, place) => {
    const { diagnostics } = await load(text);
    expect(reported(diagnostics)).toEqual([`${place} secret-in-file`]);
    expect(JSON.stringify(diagnostics)).not.toMatch(/abcdef|4f9a8b7c|hunter2|9f8e7d6c/);
  });

  it.each([
    ['schedules: { color: "#f00" }', "bad-color", 'Write "#FF0000", in quotes.'],
    ["tickets: { price: abc }", "price-not-whole", "Write a number such as 1500, which means ₱1,500.00."],
    ["tickets: { quantity: 0 }", "quantity-not-positive", "Write 1 or more."],
    ["currency: USD", "currency-not-php", "Write PHP."],
    ["dateTime: [a]", "unreadable-time", "Write a date and a time, like 2027-03-14T19:00."],
    ["visibility: public", "wrong-case", "Write PUBLIC."],
  ])("has a mistake in its defaults reported as in an event: %s", async (entry, code, hint) => {
    expect((await load(`defaults: { ${entry} }\n`)).diagnostics).toMatchObject([{ code, hint }]);
  });

  it("may hold ids, addresses and names", async () => {
    const { diagnostics } = await load(`vars:
  venue: 5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f
  image: https://cdn.example/4f9a8b7c6d5e4f3a2b1c.jpg
  name: SummerFestival2027Manila
`);
    expect(diagnostics).toEqual([]);
  });

  it("with no environments says where to add the default one, not to look for the file elsewhere", async () => {
    const { diagnostics } = await load("defaultEnvironment: production\n");
    expect(diagnostics.map(({ hint }) => hint)).toEqual([
      "Add it under `environments`, with its `baseUrl`, or write `sandbox`, which is always known.",
    ]);
  });

  it("under its other name is reported, because it would be ignored", async () => {
    const { diagnostics } = await loadSettings(memoryFiles({ "ticketing.yml": "version: 1\n" }));
    expect(reported(diagnostics)).toEqual(["ticketing.yml:1:1 wrong-file-name"]);
  });
});
