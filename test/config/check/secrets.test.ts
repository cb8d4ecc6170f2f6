import { describe, expect, it } from "vitest";
import { projectOf, reported } from "../project-of.ts";

const start = "name: A\ndateTime: 2027-03-14T19:00\n";
const secret = "whsec_SECRETSECRET0123456789abcdef";

async function reportedInEvent(text: string, settings = "") {
  const { diagnostics } = await projectOf({ "ticketing.yaml": settings, "events/a.yaml": start + text });
  expect(JSON.stringify(diagnostics)).not.toContain("SECRETSECRET");
  return reported(diagnostics);
}

describe("a secret under a key that does not exist", () => {
  it.each([
    ["by its look", `apiKey: ${secret}`, "3:9"],
    ["by its look, whatever the key", `notes: ${secret}`, "3:8"],
    ["by its name", "password: hunter", "3:11"],
    ["below the key", `auth: { scheme: Bearer, value: ${secret} }`, "3:32"],
    ["in a list", `hooks:\n  - ${secret}`, "4:5"],
    ["of a ticket type", "tickets:\n  - { name: GA, price: 1, quantity: 1, secret: hush }", "4:48"],
    ["beside a variable", `apiKey: "${secret} \${var.x}"`, "3:9"],
  ])("is reported as one: %s", async (_, text, place) => {
    expect(await reportedInEvent(text, "vars: { x: y }\n")).toEqual([`events/a.yaml:${place} secret-in-file`]);
  });

  it("is reported in a webhook, without a guess at the key", async () => {
    const { diagnostics } = await projectOf({
      "events/a.yaml": start,
      "webhooks.yaml": `- url: https://hooks.example.com\n  events: [order.completed]\n  secret: ${secret}\n`,
    });
    expect(diagnostics).toMatchObject([
      {
        code: "secret-in-file",
        severity: "error",
        message: "`secret` contains a secret. Files are in git, which never forgets.",
        hint: "Remove it from the file, and get a new one if it was pushed.",
        address: "webhooks/https:%2F%2Fhooks.example.com",
        source: { file: "webhooks.yaml", line: 3, column: 11 },
      },
    ]);
  });

  it("is none where the value is a plain word or a variable", async () => {
    expect(await reportedInEvent("token: summer2027")).toEqual(["events/a.yaml:3:1 unknown-key"]);
    expect(await reportedInEvent("secret: ${var.word}", "vars: { word: hush }\n")).toEqual([
      "events/a.yaml:3:1 unknown-key",
    ]);
  });
});

describe("a secret in place of another value is reported as one, and not repeated:", () => {
  it.each([
    ["a choice", `status: ${secret}`, "3:9"],
    ["a number", `eventCapacity: ${secret}`, "3:16"],
    ["a switch", `absorbFees: ${secret}`, "3:13"],
    ["a list", `tickets: ${secret}`, "3:10"],
    ["an id", `venueId: ${secret}`, "3:10"],
    ["a time", `endDateTime: ${secret}`, "3:14"],
    ["a code", `ignore: [${secret}]`, "3:10"],
    ["a risk", `allow: [${secret}]`, "3:9"],
    [
      "a performer",
      `schedules: [{ title: a, startTime: 2027-03-14T19:00, endTime: 2027-03-14T20:00, performer: ${secret} }]`,
      "3:92",
    ],
  ])("%s", async (_, text, place) => {
    expect(await reportedInEvent(text)).toEqual([`events/a.yaml:${place} secret-in-file`]);
  });

  it("a setting", async () => {
    expect(await reportedInEvent("", `maxDeletes: ${secret}\n`)).toEqual(["ticketing.yaml:1:13 secret-in-file"]);
  });
});

describe("vars", () => {
  it.each([
    "key: summer",
    "token: summer2027",
    "key: manila-nights-2027",
    "password: sesame",
    "secret: summer",
    "key: 2027",
  ])("may be called as people like: %s", async (entry) => {
    expect(await reportedInEvent("", `vars: { ${entry} }\n`)).toEqual([]);
    expect(await reportedInEvent("", `environments:\n  sandbox: { vars: { ${entry} } }\n`)).toEqual([]);
  });

  it.each([
    "key: 9f8e7d6c5b4a",
    "token: aB3dE6gH9jK2",
    `anything: ${secret}`,
    "apiKey: 4f9a8b7c6d5e",
    "password: correcthorsebatterystaple",
    "secret: 5a9c2f0e-6a1b-4c3d-8e4f-0a1b2c3d4e5f",
    "hook: https://me:hunter2@hooks.example.com",
  ])("that hold a secret are reported: %s", async (entry) => {
    const column = 9 + entry.indexOf(" ") + 1;
    expect(await reportedInEvent("", `vars: { ${entry} }\n`)).toEqual([`ticketing.yaml:1:${column} secret-in-file`]);
  });
});

describe("vars of an event that hold a secret are reported where they are written:", () => {
  it("its own, and those of a phase", async () => {
    expect(await reportedInEvent(`vars: { hook: ${secret} }`)).toEqual(["events/a.yaml:3:15 secret-in-file"]);
    const phase = `description: y\nphases: [{ from: -1d, description: x, vars: { hook: ${secret} } }]`;
    expect(await reportedInEvent(phase)).toEqual(["events/a.yaml:4:53 secret-in-file"]);
  });

  it("those of a template, of a date, and of a sheet", async () => {
    const { diagnostics } = await projectOf({
      "templates/t.yaml": `vars: { hook: ${secret} }\n`,
      "events/a.yaml": `name: A\nextends: t\ndateTime: 22:00\nseries:\n  every: friday\n  from: 2027-01-08\n  count: 2\n  table: s.csv\n  dates: { 2027-01-08: { vars: { hook: ${secret} } } }\n`,
      "events/s.csv": `date,pass\n2027-01-15,${secret}\n`,
    });
    expect(JSON.stringify(diagnostics)).not.toContain("SECRETSECRET");
    expect(reported(diagnostics).filter((one) => one.endsWith("secret-in-file"))).toEqual([
      "templates/t.yaml:1:15 secret-in-file",
      "events/a.yaml:9:40 secret-in-file",
      "events/s.csv:2:12 secret-in-file",
    ]);
  });
});

describe("apiKeyEnv", () => {
  it.each([
    "k_live_3f9V2AuJL3uZ",
    "Xk29vLq81ZpW04",
    "9f8e7d6c5b4a",
    "k_live_abc123def",
    "k_live_abcdefgh",
    "abc123def456",
    "F9E8D7C6B5A4",
    "123456789012",
    "0123456789012345",
    "0x1234567890abcdef",
    "correct-horse",
  ])("is not a key: %s", async (key) => {
    const settings = `defaultEnvironment: sandbox\nenvironments: { live: { baseUrl: https://a.example.com/open-api/v1, apiKeyEnv: ${key} } }\n`;
    const { diagnostics } = await projectOf({ "ticketing.yaml": settings, "events/a.yaml": start });
    expect(JSON.stringify(diagnostics)).not.toContain(key);
    expect(reported(diagnostics)).toEqual([
      `ticketing.yaml:2:${settings.indexOf(key) - settings.indexOf("\n")} secret-in-file`,
    ]);
  });

  it.each([
    "TICKETING_API_KEY",
    "acme_key_2027",
    "KEY_OF_ACME_V2",
    "AWS_S3_KEY_V2",
    "oauth2token",
    "acmeKey2",
    "AcmeApiKey2027",
    "apiKeyEuWest1",
    "API_KEY_PHILIPPINESFESTIVAL",
  ])("is the name of a variable: %s", async (name) => {
    const settings = `defaultEnvironment: sandbox\nenvironments: { live: { baseUrl: https://a.example.com/open-api/v1, apiKeyEnv: ${name} } }\n`;
    expect(await reportedInEvent("", settings)).toEqual([]);
  });
});

describe("defaults", () => {
  it("know no `key`, as they know no `id`", async () => {
    const { diagnostics } = await projectOf({ "ticketing.yaml": "defaults: { key: zz }\n", "events/a.yaml": start });
    expect(reported(diagnostics)).toEqual(["ticketing.yaml:1:13 unknown-key"]);
    expect(diagnostics[0]?.message).toBe("`key` belongs to the event itself, so `defaults` cannot have it.");
  });

  it("may hold no secret", async () => {
    expect(await reportedInEvent("", `defaults: { apiKey: x, tickets: { note: ${secret} } }\n`)).toEqual([
      "ticketing.yaml:1:21 secret-in-file",
      "ticketing.yaml:1:41 secret-in-file",
    ]);
  });
});
