import { describe, expect, test } from "vitest";
import { loadProject } from "../../../src/config/project.ts";
import { lint } from "../../../src/lint/lint.ts";
import { memoryFiles } from "../../stage/memory-files.ts";
import { now } from "../../stage/short-wishes.ts";

async function codes(secrets: string, more = "", settings = ""): Promise<readonly string[]> {
  const files = memoryFiles({
    "ticketing.yaml": `version: 1\nsecrets: ${secrets}\n${settings}`,
    "webhooks.yaml": `- { url: "https://hooks.example.com/orders", events: [order.completed]${more} }\n`,
  });
  const project = await loadProject(files, { environment: { name: "production" }, env: {}, now: 0 });
  const mistakes = project.diagnostics.filter(({ source }) => source?.file === "webhooks.yaml");
  return [...mistakes, ...lint(project, { now, environment: "production" })].map((one) => one.code);
}

const command = '{ sink: command, command: [store, "{secretName}"] }';

test("a command sink needs a name for each webhook's secret", async () => {
  expect(await codes(command)).toEqual(["secret-name-missing"]);
});

test("with a name, or with a file, nothing is missing", async () => {
  expect(await codes(command, ", secretName: ORDERS")).toEqual([]);
  expect(await codes("{ sink: file, path: .ticketing/secrets.json }")).toEqual([]);
});

test.each([
  "--env-file=events/evil.env",
  "-x",
  "../../other/password",
  "a/b",
  "_X",
  "A B",
  "$(id)",
  "Ticketing_api_key",
])("%s is no name that a command may be given", async (name) => {
  expect(await codes(command, `, secretName: "${name}"`)).toEqual(["wrong-value"]);
  expect(await codes(command, `, secretName: "${name}", ignore: [wrong-value]`)).toContain("wrong-value");
});

test("nor is that of the variable with an API key", async () => {
  const environments = "environments: { production: { baseUrl: https://a.example.com/v1, apiKeyEnv: LIVE_KEY } }\n";
  expect(await codes(command, ", secretName: live_key", environments)).toEqual(["wrong-value"]);
});

test.each(["ORDERS_WEBHOOK_SECRET", "orders-webhook.v2", "2027"])("%s is", async (name) => {
  expect(await codes(command, `, secretName: "${name}"`)).toEqual([]);
});

describe("two webhooks", () => {
  const second = (name: string) =>
    `, secretName: ORDERS }\n- { url: "https://hooks.example.com/refunds", events: [order.refunded], secretName: ${name}`;

  test.each(["ORDERS", "orders"])("of the names ORDERS and %s would overwrite each other's secret", async (name) => {
    expect(await codes(command, second(name))).toEqual(["secret-name-shared"]);
  });

  test("overwrite each other's secret where the command is given no name; one alone does not", async () => {
    const nameless = "{ sink: command, command: [store] }";
    expect(await codes(nameless, second("REFUNDS"))).toEqual(["secret-name-shared"]);
    expect(await codes(nameless, ", secretName: ORDERS")).toEqual([]);
  });

  test("have their own names, or a file that keeps their secrets by URL", async () => {
    expect(await codes(command, second("REFUNDS"))).toEqual([]);
    expect(await codes("{ sink: file, path: .ticketing/secrets.json }", second("ORDERS"))).toEqual([]);
  });
});

describe("several environments", () => {
  const [staging, production] = ["staging", "production"].map(
    (name) => `${name}: { baseUrl: https://${name}.example.com/v1 }`,
  );
  const both = `environments: { ${staging}, ${production} }\n`;
  const named = ", secretName: ORDERS";

  test("overwrite each other's secret of one name", async () => {
    expect(await codes(command, named, both)).toEqual(["secret-name-shared"]);
  });

  test.each([
    ["{environment} in the command", command.replace("]", ', "{environment}"]'), both],
    ["variables of theirs", command, both.replace(" }", ", vars: { suffix: LIVE } }")],
    ["one service alone", command, `environments: { ${production}, rehearsal: {} }\n`],
  ])("do not with %s", async (_name, secrets, settings) => {
    expect(await codes(secrets, named, settings)).toEqual([]);
  });
});
