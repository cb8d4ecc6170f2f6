import { describe, expect, it } from "vitest";
import { chooseEnvironment, type EnvironmentChoice, namedTwice } from "../../src/config/environment.ts";
import { loadSettings } from "../../src/config/settings/load-settings.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import { memoryFiles } from "../stage/memory-files.ts";

const production = "https://api.example.com/open-api/v1";
const two = `organization: acme
vars: { a: 1, b: 2 }
environments:
  production: { baseUrl: "${production}", apiKeyEnv: LIVE_KEY, organization: acme-live, vars: { b: 3 } }
  staging: { baseUrl: "https://staging.example.com/open-api/v1" }
`;
const one = `environments: { production: { baseUrl: "${production}" } }\n`;

async function choose(settings: string, choice: Partial<EnvironmentChoice> = {}) {
  const loaded = await loadSettings(memoryFiles({ "ticketing.yaml": settings }));
  expect(loaded.diagnostics).toEqual([]);
  const chosen = chooseEnvironment(loaded.settings, { env: {}, ...choice });
  return chosen.ok ? chosen.environment : chosen.diagnostics;
}

const key = { TICKETING_API_KEY: "k" };
const address = { TICKETING_BASE_URL: "https://other.example/open-api/v1" };

describe("the environment", () => {
  it.each<[string, string, Partial<EnvironmentChoice>, object]>([
    ["--env", two, { flagEnv: "staging", env: { TICKETING_ENV: "production" } }, { name: "staging", chosenBy: "flag" }],
    [
      "TICKETING_ENV",
      two,
      { env: { TICKETING_ENV: "production", ...key } },
      { name: "production", chosenBy: "variable" },
    ],
    ["--base-url", two, { flagBaseUrl: production }, { name: "default", baseUrl: production, chosenBy: "base-url" }],
    ["TICKETING_BASE_URL with a key", two, { env: { ...key, ...address } }, { name: "default", chosenBy: "base-url" }],
    ["defaultEnvironment", `${two}defaultEnvironment: staging\n`, {}, { name: "staging", chosenBy: "default" }],
    ["TICKETING_BASE_URL without a key", one, { env: address }, { name: "default", chosenBy: "base-url" }],
    [
      "defaultEnvironment with a key of its own, which TICKETING_BASE_URL confirms",
      `${two}defaultEnvironment: production\n`,
      { env: { TICKETING_BASE_URL: production, LIVE_KEY: "k" } },
      { name: "production", chosenBy: "default" },
    ],
    ["nothing", "version: 1\n", {}, { name: "sandbox", baseUrl: null, chosenBy: "sandbox-by-default" }],
    ["nothing, with empty variables", "version: 1\n", { env: { TICKETING_ENV: "" } }, { name: "sandbox" }],
    [
      "nothing, where the file has only vars for the sandbox",
      "environments: { sandbox: { vars: { a: 1 } } }\n",
      {},
      { name: "sandbox" },
    ],
    ["the sandbox by name", one, { flagEnv: "sandbox" }, { name: "sandbox", baseUrl: null, chosenBy: "flag" }],
  ])("is chosen by %s", async (_, settings, choice, expected) => {
    expect(await choose(settings, choice)).toMatchObject(expected);
  });

  it.each([
    [one, "production"],
    [two, "production and staging"],
  ])("is not guessed: those of the file are listed", async (settings, list) => {
    const [problem] = (await choose(settings, { env: { ...key, TICKETING_ENV: "" } })) as Diagnostic[];
    expect(problem).toMatchObject({ code: "environment-not-chosen", message: expect.stringContaining(list) });
    expect(problem?.hint).toContain("--env production");
    expect(problem?.hint).toContain("--env sandbox");
  });

  it("whose name is empty is refused", async () => {
    expect(await choose(one, { flagEnv: "" })).toMatchObject([
      { code: "unknown-environment", message: "The name of the environment is empty." },
    ]);
  });

  it("brings its own key and organization", async () => {
    expect(await choose(two, { flagEnv: "production" })).toEqual({
      name: "production",
      baseUrl: production,
      apiKeyEnv: "LIVE_KEY",
      organization: "acme-live",
      chosenBy: "flag",
    });
    expect(await choose(two, { flagEnv: "staging" })).toMatchObject({
      apiKeyEnv: "TICKETING_API_KEY",
      organization: "acme",
    });
  });

  it.each<[string, string, Partial<EnvironmentChoice>, readonly string[]]>([
    ["the URL alone", one, { flagBaseUrl: production }, ["production"]],
    [
      "the URL written in another way",
      one,
      { flagBaseUrl: "HTTPS://API.example.com:443/open-api/v1/" },
      ["production"],
    ],
    ["a variable", one, { env: { ...key, TICKETING_BASE_URL: production } }, ["production"]],
    ["its name", one, { flagEnv: "production", env: { ...key, TICKETING_BASE_URL: production } }, []],
    ["another URL", one, { env: { ...key, ...address } }, []],
    ["the URL, for another organization", two, { flagBaseUrl: production }, []],
    ["the URL, where its name is default", one.replace("production", "default"), { flagBaseUrl: production }, []],
  ])("has another name in the file: chosen by %s", async (_, text, choice, names) => {
    const { settings } = await loadSettings(memoryFiles({ "ticketing.yaml": text }));
    const chosen = chooseEnvironment(settings, { env: {}, ...choice });
    const found = chosen.ok ? namedTwice(settings, chosen.environment) : chosen.diagnostics;
    expect(found.map(({ severity, code, hint }) => `${severity} ${code} ${hint}`)).toEqual(
      names.map(
        (name) => `warning service-named-twice Pass \`--env ${name}\`, or set \`TICKETING_ENV=${name}\`, in every run.`,
      ),
    );
  });

  it("that is unknown is reported with a suggestion", async () => {
    expect(await choose(two, { flagEnv: "prodution" })).toMatchObject([
      { code: "unknown-environment", hint: "Did you mean production?" },
    ]);
    expect(await choose(two, { flagEnv: "__proto__" })).toMatchObject([{ code: "unknown-environment" }]);
  });

  it("is refused when the file and TICKETING_BASE_URL differ while its key is set", async () => {
    const env = { ...address, LIVE_KEY: "k" };
    expect(await choose(two, { flagEnv: "production", env })).toMatchObject([{ code: "address-changed" }]);
    expect(await choose(two, { flagEnv: "production", env: address })).toMatchObject({ name: "production" });
    const same = { TICKETING_BASE_URL: `${production}/`, LIVE_KEY: "k" };
    expect(await choose(two, { flagEnv: "production", env: same })).toMatchObject({ name: "production" });
    expect(await choose(two, { flagEnv: "sandbox", env })).toMatchObject({ name: "sandbox" });
  });

  it.each([
    ["http://api.example.com/open-api/v1", "unprotected"],
    ["https://me:secret@api.example.com/", "user name or password"],
    ["https://api.example.com/v1?key=1", "query"],
    ["api.example.com", "not a URL"],
    ["ftp://api.example.com", "unprotected"],
    ["https:api.example.com/v1", "not a URL"],
    ["https:///api.example.com/v1", "not a URL"],
    ["https://@api.example.com/v1", "user name or password"],
    ["https://api.example.com\\@evil.example/v1", "backslash"],
    ["https://api.example.com\\.evil.example/v1", "backslash"],
    ["https://api.exa\nmple.com/v1", "control character"],
    ["https://api.exa\tmple.com/v1", "control character"],
    ["https://api.exa\u200bmple.com/v1", "control character"],
    [" https://api.example.com/v1", "space"],
    ["https://api.example.com/v1 ", "space"],
  ])("is never at %s", async (flagBaseUrl, words) => {
    const refused = await choose("version: 1\n", { flagBaseUrl });
    expect(refused).toMatchObject([{ code: "bad-base-url", message: expect.stringContaining(words) }]);
    expect(JSON.stringify(refused)).not.toContain("secret");
  });

  it.each([
    ["https://API.Example.com:443/open-api/v1", "https://api.example.com/open-api/v1"],
    ["https://api.example.com/a/../open-api/v1", "https://api.example.com/open-api/v1"],
    ["https://b\u00fccher.example/v1", "https://xn--bcher-kva.example/v1"],
    ["https://\uff41pi.example.com/v1", "https://api.example.com/v1"],
    ["https://api.example.com", "https://api.example.com/"],
  ])("at %s is shown as calls reach it", async (flagBaseUrl, shown) => {
    expect(await choose("version: 1\n", { flagBaseUrl })).toMatchObject({ baseUrl: shown });
  });

  it.each(["http://127.0.0.1:8080/open-api/v1", "http://localhost:1/x", "http://[::1]:5/x"])(
    "may be at %s, which is this machine",
    async (flagBaseUrl) => {
      expect(await choose("version: 1\n", { flagBaseUrl })).toMatchObject({ baseUrl: flagBaseUrl });
    },
  );
});
