// A revision is read next to the files of now: what has the same content is not read again, and nothing else is taken for the same.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { diskFiles, type FileSource, gitFiles } from "../../src/config/files.ts";
import { type LoadOptions, loadProject, startReading } from "../../src/config/project.ts";
import type { Project } from "../../src/model/wish.ts";
import { hasGit } from "../stage/has-git.ts";

const root = mkdtempSync(join(tmpdir(), "ticketing-like-"));
const now = Date.parse("2027-01-10T00:00:00Z");
const options: LoadOptions = { environment: { name: "production" }, env: {}, now };
let count = 0;
let folder = "";

const before = {
  "ticketing.yaml": "version: 1\ndefaults: { description: By the bay }\n",
  "templates/club.yaml": "eventCapacity: 100\n",
  "events/a.yaml": "name: A\ndateTime: 2027-03-14T19:00\n",
  "events/b.yaml": "name: B\nextends: club\ndateTime: 2027-03-15T19:00\n",
  "events/phased.yaml":
    "name: Phased\ndateTime: 2027-03-16T19:00\nphases: [{ from: 2027-01-15T10:00, description: Soon }]\n",
  "events/weekly.yaml": "name: Weekly\ndateTime: 20:00\nseries: { table: dates.csv }\n",
  "events/dates.csv": "date,name\n2027-03-01,First\n",
};

function git(...argv: readonly string[]): void {
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", ...argv], {
    cwd: folder,
    stdio: "ignore",
  });
}

function write(files: Readonly<Record<string, string>>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

beforeEach(() => {
  folder = join(root, String(count++));
  mkdirSync(folder);
  git("init", "-q", "-b", "main");
  write(before);
  git("add", ".");
  git("commit", "-qm", "before");
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

async function base(): Promise<FileSource> {
  const found = await gitFiles(folder, "HEAD");
  if (!found.ok) throw new Error(found.diagnostics[0]?.message);
  return found.files;
}

/** The base next to the files of now: what was read of it, and that it says what it says alone. */
async function readBeside(at = now): Promise<{ readonly read: readonly string[]; readonly project: Project }> {
  const files = diskFiles(folder, { compared: true });
  const like = startReading(files, now);
  await loadProject(files, { ...options, reading: like });
  const source = await base();
  const read: string[] = [];
  const watched: FileSource = {
    ...source,
    read(path) {
      read.push(path);
      return source.read(path);
    },
  };
  const project = await loadProject(watched, { ...options, now: at, like });
  const alone = await loadProject(await base(), { ...options, now: at });
  // What is to come of what was read is not asked for.
  expect({ ...project, upcoming: [] }).toEqual({ ...alone, upcoming: [] });
  return { read: read.filter((path) => path.startsWith("events/")).sort(), project };
}

describe.skipIf(!hasGit)("a revision beside the files of now", () => {
  it("reads no event file that is the same", async () => {
    expect((await readBeside()).read).toEqual([]);
  });

  it("reads the one that was edited, and the one that is gone", async () => {
    write({ "events/a.yaml": "name: A\ndateTime: 2027-03-14T20:00\n" });
    rmSync(join(folder, "events/b.yaml"));
    const { read, project } = await readBeside();
    expect(read).toEqual(["events/a.yaml", "events/b.yaml"]);
    expect(project.events.map(({ name }) => name)).toEqual(["A", "B", "Phased", "Weekly"]);
  });

  it.each([
    ["defaults", { "ticketing.yaml": "version: 1\ndefaults: { description: By the sea }\n" }],
    ["a template", { "templates/club.yaml": "eventCapacity: 200\n" }],
    ["one template more", { "templates/bar.yaml": "eventCapacity: 200\n" }],
  ])("reads all of them if %s changed", async (_, edit) => {
    write(edit);
    expect((await readBeside()).read).toContain("events/a.yaml");
  });

  it("reads a series again if its sheet changed", async () => {
    write({ "events/dates.csv": "date,name\n2027-03-08,Second\n" });
    const { read, project } = await readBeside();
    expect(read).toEqual(["events/dates.csv", "events/weekly.yaml"]);
    expect(project.events.map(({ address }) => address)).toContain("events/weekly@2027-03-01");
  });

  it("reads again, for another time, what changes with time", async () => {
    const { read, project } = await readBeside(Date.parse("2027-01-20T00:00:00Z"));
    expect(read).toEqual(["events/dates.csv", "events/phased.yaml", "events/weekly.yaml"]);
    expect(project.events.find(({ name }) => name === "Phased")?.fields.description).toBe("Soon");
  });

  it("counts the events of one key again", async () => {
    write({ "events/0.yaml": "key: b\nname: Zero\ndateTime: 2027-03-14T19:00\n" });
    git("add", ".");
    git("commit", "-qm", "two of one key");
    rmSync(join(folder, "events/0.yaml"));
    expect((await readBeside()).project.events.map(({ address }) => address)).toContain("events/b#2");
  });

  it("takes no file with other line ends, or without a mark at its beginning, for the same", async () => {
    write({
      "events/a.yaml": before["events/a.yaml"].replaceAll("\n", "\r\n"),
      "events/b.yaml": `\ufeff${before["events/b.yaml"]}`,
    });
    expect((await readBeside()).read).toEqual(["events/a.yaml", "events/b.yaml"]);
  });
});
