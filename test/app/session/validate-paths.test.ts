// validate with names of files: what is wrong in another file is not called "No problems".
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { ticketing } from "../../stage/test-world.ts";

let directory: string;
const own = "venue: Palace\ntickets: [{ name: GA, price: 500, quantity: 9, published: true }]\n";

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "ticketing-paths-"));
  for (const folder of ["events", "templates"]) mkdirSync(join(directory, folder));
  write("ticketing.yaml", "version: 1\n");
  write("events/club.yaml", `name: Club\ndateTime: 22:00\nseries: { table: dates.csv }\n${own}`);
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

function write(file: string, text: string): void {
  writeFileSync(join(directory, file), text);
}

async function validate(...names: readonly string[]) {
  const { exitCode, stdout } = await ticketing(["validate", ...names], { cwd: directory });
  return { exitCode, stdout: stdout.replace(/\s+/g, " ").trim() };
}

test("a sheet is one of the project's files, by itself and in its folder", async () => {
  write("events/dates.csv", "date,dj\n2027-03-05,Ana,4\n");
  for (const name of ["events/dates.csv", "events", "**/*.csv"]) {
    const { exitCode, stdout } = await validate(name);
    expect(exitCode).toBe(1);
    expect(stdout).toContain('error[bad-sheet] events/dates.csv:2:16 "4" is in a column without a name.');
  }
});

test("a sheet or a template that keeps a file's events from being read is mentioned", async () => {
  const mentioned =
    "No problems in this file. Checked 1 file (0 events). In other files, 1 error keeps its events from being read: run `ticketing validate` without file names.";
  write("events/dates.csv", "date,dj\n2027-03-05,Ana,4\n");
  write("events/gala.yaml", `extends: night\nname: Gala\ndateTime: 2027-03-06T19:00\n${own}`);
  write("templates/night.yaml", "brands: [{ name: Acme }\n");
  for (const name of ["events/club.yaml", "events/gala.yaml"]) {
    const { exitCode, stdout } = await validate(name);
    expect(exitCode).toBe(0);
    expect(stdout.endsWith(mentioned), stdout).toBe(true);
  }
  const both = await validate("events/club.yaml", "events/gala.yaml");
  expect(both.stdout).toContain("In other files, 2 errors keep their events from being read");
});

test("a sheet that is missing is a problem of the file that names it", async () => {
  expect((await validate("events/club.yaml")).stdout).toContain("The sheet events/dates.csv does not exist.");
  expect((await validate("events/dates.csv")).stdout).toContain("error[no-such-path]");
});

test("a file that is none of the project's is refused, with what can be named instead", async () => {
  write("line-up.csv", "date\n");
  const { exitCode, stdout } = await validate("line-up.csv");
  expect(exitCode).toBe(1);
  expect(stdout).toContain(
    '"line-up.csv" exists, but is not one of the project\'s YAML files. fix: Name a YAML file of the project, or a folder that contains some.',
  );
});
