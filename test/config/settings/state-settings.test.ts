// What `state` in the project file may say, and what is said about the rest.
import { describe, expect, it, test } from "vitest";
import { loadSettings } from "../../../src/config/settings/load-settings.ts";
import { memoryFiles } from "../../stage/memory-files.ts";

async function saidOf(text: string): Promise<readonly string[]> {
  const { diagnostics } = await loadSettings(memoryFiles({ "ticketing.yaml": `version: 1\n${text}\n` }));
  return diagnostics.map(({ code, message, hint }) => `${code}: ${message} fix: ${hint}`);
}

describe("a ref is one that git allows", () => {
  it.each(["club", "club/production", "a.b", "a%2Fb/x", "lock", "été"])("refs/ticketing/%s", async (name) => {
    expect(await saidOf(`state: { backend: git, ref: "refs/ticketing/${name}" }`)).toEqual([]);
  });

  it.each(["../heads/main", "x.lock", "x.lock/y", ".x", "x/.y", "x..y", "x//y", "x/", "x.", "x@{y", "", "x y", "x~1"])(
    "not refs/ticketing/%s",
    async (name) => {
      expect(await saidOf(`state: { backend: git, ref: "refs/ticketing/${name}" }`)).toEqual([
        expect.stringMatching(/^wrong-value: `ref` cannot be .* fix: Write a ref that begins with refs\/ticketing\//),
      ]);
    },
  );
});

test.each([
  ["{ backend: git, remote: -x }", /`remote` cannot be "-x"\. fix: Write the name of a git remote, such as origin\./],
  ["{ backend: postgres, schema: Mine }", /fix: Write the name of a schema in lower case, such as ticketing/],
  ["{ backend: postgres, schema: pg_catalog }", /wrong-value: .*PostgreSQL's own/],
  ["{ backend: postgres, schema: pg_toast }", /wrong-value: .*PostgreSQL's own/],
  ["{ backend: postgres, schema: information_schema }", /wrong-value: .*PostgreSQL's own/],
  [
    "{ backend: s3, bucket: a/b }",
    /fix: Write the name of a bucket: 3 to 63 letters, digits, dots or hyphens, such as acme-tickets\./,
  ],
  ["postgres", /fix: Write `state: \{ backend: postgres \}`\./],
  ["{ backend: postgres, password: hunter2 }", /secret-in-file: .* fix: .*PGPASSWORD \(postgres\)/],
  ["{ backend: s3, bucket: acme, secretAccessKey: abcdef }", /fix: .*AWS_SECRET_ACCESS_KEY/],
  [
    "{ backend: postgres, address: https://a.example.com }",
    /`address` belongs to `backend: http`.*`backend: postgres`/,
  ],
  ["{ backend: none, project: x }", /`project` belongs to `backend: postgres`.* fix: Remove it, or write `backend: po/],
  ["{ backend: file, bucket: acme }", /`bucket` belongs to `backend: s3`/],
  ["{ backend: http, address: https://a.example.com/x, ref: refs/ticketing/x }", /`ref` belongs to `backend: git`/],
  [
    '{ backend: http, address: "https://a.example.com/{env}" }',
    /`\{env\}` in `address`.*Did you mean `\{environment\}`/,
  ],
])("state: %s", async (state, said) => {
  const all = await saidOf(`state: ${state}`);
  expect(all).toEqual([expect.stringMatching(said)]);
  expect(all.join()).not.toMatch(/apiKeyEnv|hunter2|abcdef|ticketing schema/);
});

it("takes what belongs to a backend", async () => {
  for (const state of [
    "{ backend: git, remote: upstream, ref: refs/ticketing/x }",
    "{ backend: postgres, schema: pgticketing, project: x }",
    '{ backend: http, address: "https://a.example.com/{environment}", lockMethod: LOCK }',
    "{ backend: s3, bucket: acme-tickets, prefix: x, region: eu-central-1, pathStyle: true }",
  ])
    expect(await saidOf(`state: ${state}`)).toEqual([]);
});

it.each([".", ".."])("an environment is not called %s, which climbs out of an address", async (name) => {
  const environments = `environments:\n  "${name}": { baseUrl: https://api.example.com/open-api/v1 }`;
  expect(await saidOf(environments)).toEqual([expect.stringMatching(/wrong-value: An environment cannot be called/)]);
});

test.each([
  ["{ backend: git, remote: origin, ref: refs/ticketing/a }", "{ ref: refs/ticketing/a, backend: git }"],
  ["{ backend: postgres, schema: ticketing, project: p }", "{ project: p, backend: postgres }"],
  ["{ backend: s3, bucket: b, region: r }", "{ region: r, bucket: b, backend: s3 }"],
])("%s is the same place as %s", async (one, other) => {
  const placeOf = async (state: string) => {
    const { settings } = await loadSettings(memoryFiles({ "ticketing.yaml": `version: 1\nstate: ${state}\n` }));
    return JSON.stringify(settings.state);
  };
  expect(await placeOf(one)).toBe(await placeOf(other));
});
