// A project whose secrets go to a command names the secret of each webhook, so imported ones have a name too.
import { describe, expect, it } from "vitest";
import { secretNameFor } from "../../src/import/file-names.ts";
import { lint } from "../../src/lint/lint.ts";
import { importInto, serviceWith } from "../stage/import-into.ts";
import { type Files, load, now, planOf } from "../stage/plan-of.ts";

const project = `version: 1\nsecrets: { sink: command, command: ["true", "{secretName}"] }\n`;
const seed = {
  webhooks: ["https://a.example.com/orders", "https://b.example.com/orders", "https://b.example.com/"].map((url) => ({
    url,
    events: ["order.completed" as const],
  })),
};

async function problemsIn(files: Files): Promise<readonly string[]> {
  const loaded = await load(files);
  return [...loaded.diagnostics, ...lint(loaded, { now, environment: "production" })]
    .filter(({ severity, code }) => severity !== "info" && code !== "no-files-matched")
    .map(({ code }) => code);
}

describe("the name of a secret", () => {
  it("is written for each webhook, from its address and once only", async () => {
    const service = serviceWith(seed);
    const ran = await importInto({ service, files: { "ticketing.yaml": project } });
    expect(ran.files["webhooks.yaml"]?.match(/secretName: \w+/g)).toEqual([
      "secretName: ORDERS_WEBHOOK_SECRET",
      "secretName: B_EXAMPLE_COM_WEBHOOK_SECRET",
      "secretName: B_EXAMPLE_COM_ORDERS_WEBHOOK_SECRET",
    ]);
    expect(await problemsIn(ran.files)).toEqual([]);
    expect((await planOf({ files: ran.files, service, sink: "command" })).plan.changes).toEqual([]);
    expect((await importInto({ service, files: ran.files })).imported.files).toEqual([]);
    const [remark] = ran.diagnostics;
    expect(remark?.code).toBe("secret-not-held");
    expect(remark?.message).toContain("and 2 more have a `secretName` now");
    expect(remark?.hint).toContain("ticketing webhooks rotate https://");
  });

  it("that is there stays, and is taken", async () => {
    const mine = `# ours
- url: https://b.example.com/orders # the shop
  events: [order.completed]
  secretName: ORDERS_WEBHOOK_SECRET
- url: https://b.example.com/
  events: [order.completed]
`;
    const service = serviceWith(seed);
    const ran = await importInto({ service, files: { "ticketing.yaml": project, "webhooks.yaml": mine } });
    expect(ran.files["webhooks.yaml"]).toContain(
      "# the shop\n  events: [order.completed]\n  isActive: true\n  secretName: O",
    );
    expect(ran.files["webhooks.yaml"]?.match(/secretName: \w+/g)).toEqual([
      "secretName: ORDERS_WEBHOOK_SECRET",
      "secretName: B_EXAMPLE_COM_WEBHOOK_SECRET",
      "secretName: A_EXAMPLE_COM_ORDERS_WEBHOOK_SECRET",
    ]);
    expect(await problemsIn(ran.files)).toEqual([]);
    expect((await importInto({ service, files: ran.files })).imported.files).toEqual([]);
  });

  it("is not written where secrets go to a file", async () => {
    const ran = await importInto({ service: serviceWith(seed) });
    expect(ran.files["webhooks.yaml"]).not.toContain("secretName");
    expect(ran.diagnostics).toEqual([]);
  });

  it.each([
    ["https://hooks.example.com/v1/orders?x=1", "V1_ORDERS_WEBHOOK_SECRET"],
    ["https://hooks.example.com/2027/orders", "WEBHOOK_2027_ORDERS_SECRET"],
    ["https://hooks.example.com/github/orders", "WEBHOOK_GITHUB_ORDERS_SECRET"],
    ["https://hooks.example.com/a1B2c3D4e5F6a7B8c9D0e1F2a3B4c5D6", "HOOKS_EXAMPLE_COM_WEBHOOK_SECRET"],
    ["https://müller.example/é", "XN_MLLER_KVA_EXAMPLE_C3_A9_WEBHOOK_SECRET"],
    ["nowhere", "WEBHOOK_SECRET"],
  ])("of %s is one that every store takes", (url, name) => {
    expect(secretNameFor(url, (one) => one === "C3_A9_WEBHOOK_SECRET")).toBe(name);
    expect(name).toMatch(/^[A-Z][A-Z0-9_]*$/);
  });

  it("gets a number where all of them are taken", () => {
    const taken = new Set<string>();
    for (let count = 0; count < 4; count += 1) taken.add(secretNameFor("https://a.example/x", (one) => taken.has(one)));
    expect([...taken]).toEqual([
      "X_WEBHOOK_SECRET",
      "A_EXAMPLE_X_WEBHOOK_SECRET",
      "A_EXAMPLE_WEBHOOK_SECRET",
      "X_WEBHOOK_2_SECRET",
    ]);
  });
});
