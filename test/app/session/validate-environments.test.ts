// Environments have their own variables: what one of them lacks is found before it is planned.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ticketing } from "../../stage/test-world.ts";

let directory: string;
const service = "baseUrl: https://api.example.com/open-api/v1";
const environments = `environments:
  production: { ${service}, vars: { city: Manila, img: a.example.com, price: 500 } }
  staging: { ${service}, vars: { city: Cebu, price: 5.5 } }
  trial: { ${service} }
`;
beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-vars-"));
  mkdirSync(join(directory, "events"));
  const tickets = 'tickets: [{ name: GA, price: "${var.price}", quantity: 9, published: true }]';
  const text = `name: A \${var.city}\ndateTime: 2027-03-13T19:00\nimageUrl: https://\${var.img}/a.png\nlocationType: ONLINE\n${tickets}\n`;
  writeFileSync(join(directory, "events", "gala.yaml"), text);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function validate(settings: string, ...flags: string[]) {
  writeFileSync(join(directory, "ticketing.yaml"), settings);
  const { exitCode, stdout } = await ticketing(["validate", "--format", "json", ...flags], { cwd: directory });
  const { target, diagnostics } = JSON.parse(stdout);
  const errors = diagnostics.filter(({ severity }: { severity: string }) => severity === "error");
  return { exitCode, target, errors: errors.map(({ message }: { message: string }) => message) };
}

test("without --env, every environment is checked, and each place says once where its variable is missing", async () => {
  expect(await validate(environments)).toMatchObject({
    exitCode: 1,
    target: { environment: null, checkedAs: "production", alsoCheckedAs: ["staging", "trial"] },
    errors: [
      "The variable `city` is set for production and staging, but not for trial.",
      "The variable `img` is set for production, but not for staging or trial.",
      '"GA" costs ₱5.50. Prices are whole pesos. (in staging)',
      "The variable `price` is set for production and staging, but not for trial.",
    ],
  });
});

test("the default environment is checked as well, and one that is named alone", async () => {
  const byDefault = await validate(`defaultEnvironment: sandbox\nvars: { city: Baguio, price: 5 }\n${environments}`);
  expect(byDefault.target).toMatchObject({ environment: "sandbox", alsoCheckedAs: ["trial", "production", "staging"] });
  expect(byDefault.errors).toEqual([
    "The variable `img` is set for production, but not for sandbox, trial or staging.",
    '"GA" costs ₱5.50. Prices are whole pesos. (in staging)',
  ]);
  const named = await validate(environments, "--env", "production");
  expect(named).toMatchObject({ exitCode: 0, errors: [] });
  expect(named.target).not.toHaveProperty("alsoCheckedAs");
  expect((await validate(environments, "--env", "trial")).errors).toContain(
    "The variable `img` is set for production, but not for trial.",
  );
});

test("a list shows no ${…}: it is read as validate reads the files, or shows the key of the event", async () => {
  writeFileSync(join(directory, "ticketing.yaml"), environments);
  expect((await ticketing(["upcoming"], { cwd: directory })).stdout).toContain("A Manila");
  for (const format of ["text", "ics"]) {
    const { stdout } = await ticketing(["upcoming", "--env", "trial", "--format", format], { cwd: directory });
    expect(stdout).toContain("gala");
    expect(stdout).not.toContain("${");
  }
});

test("--base-url chooses the environment of what is shown, as TICKETING_BASE_URL does", async () => {
  const url = "https://other.example.com/open-api/v1";
  writeFileSync(
    join(directory, "ticketing.yaml"),
    `defaultEnvironment: production\nvars: { city: Baguio, img: b.example.com, price: 5 }\n${environments}`,
  );
  for (const command of [["upcoming"], ["show", "gala"]]) {
    const byDefault = await ticketing(command, { cwd: directory });
    expect(byDefault.stdout).toContain("A Manila");
    const byFlag = await ticketing([...command, "--base-url", url], { cwd: directory });
    expect(byFlag.stdout).toContain("A Baguio");
    const byVariable = await ticketing(command, { cwd: directory, env: { TICKETING_BASE_URL: url } });
    expect(byVariable.stdout).toBe(byFlag.stdout);
  }
});

test("what is shown says first for which environment", async () => {
  writeFileSync(join(directory, "ticketing.yaml"), environments);
  const firstLine = async (...command: readonly string[]) =>
    (await ticketing(command, { cwd: directory })).stdout.split("\n")[0];
  const staging = "Target: staging (https://api.example.com/open-api/v1), offline";
  expect(await firstLine("upcoming", "--env", "staging")).toBe(staging);
  expect(await firstLine("show", "gala", "--env", "staging")).toBe(`# ${staging}`);
  const guessed = "Target: none (offline; checked with the settings of production)";
  expect(await firstLine("upcoming")).toBe(guessed);
  expect(await firstLine("show", "gala")).toBe(`# ${guessed}`);
  for (const command of [
    ["upcoming", "--format", "ics"],
    ["upcoming", "--format", "json"],
    ["show", "gala", "--format", "json"],
  ]) {
    const { stdout, stderr } = await ticketing([...command, "--env", "staging"], { cwd: directory });
    expect([stderr.split("\n")[0], stdout.includes("Target")]).toEqual([staging, false]);
  }
});

test("a file for secrets that git does not ignore is an error", async () => {
  execFileSync("git", ["init", "-q", directory]);
  const { errors } = await validate(`${environments}secrets: { sink: file, path: secrets.json }\n`);
  expect(errors).toContain(
    "The file for webhook secrets, secrets.json, is not ignored by git: secrets would be committed.",
  );
});
