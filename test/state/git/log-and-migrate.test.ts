// `state log` and `state migrate`, typed in clones of a real remote.
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { eventFile, type GitPlace, openGitPlace, production } from "../../stage/git-place.ts";

let place: GitPlace;
afterEach(() => place.close());

describe("state log", () => {
  beforeEach(async () => {
    place = await openGitPlace();
  });

  test("shows who applied which revision, and what came of it, the newest first", async () => {
    const one = place.clone("one");
    const first = place.git(one, "rev-parse", "HEAD");
    await place.run(one, "apply", "--yes");
    place.commit({ "events/gala.yaml": eventFile("Gala").replace("03-14", "05-02") });
    const two = place.clone("two");
    await place.run(two, "apply", "--yes", "--target", "events/gala");
    const { runs, formatVersion } = JSON.parse((await place.run(two, "state", "log", "--format", "json")).stdout);
    expect(formatVersion).toBe(1);
    expect(runs).toMatchObject([
      { revision: place.git(two, "rev-parse", "HEAD"), result: "incomplete", summary: { done: 1 } },
      { revision: first, dirty: false, result: "clean", summary: { done: 1, failed: 0 }, command: "apply" },
    ]);
    const shown = await place.run(two, "state", "log");
    expect(shown.stdout).toMatch(new RegExp(`${first.slice(0, 9)} +clean +1 done +apply by `));
  });

  test("has one entry for runs with nothing to do that follow one another", async () => {
    for (const name of ["one", "two", "three", "four"]) await place.run(place.clone(name), "apply", "--yes");
    place.commit({ "README.md": "Events.\n" });
    for (const name of ["five", "six"]) await place.run(place.clone(name), "apply", "--yes");
    const { runs } = JSON.parse((await place.run(place.clone("seven"), "state", "log", "--format", "json")).stdout);
    expect(runs.map(({ summary }: { summary: { done: number } }) => summary.done)).toEqual([0, 0, 1]);
  });

  test("says so of edits that were not committed, and of a run that never ended", async () => {
    const one = place.clone("one");
    writeFileSync(join(one, "events/gala.yaml"), eventFile("Gala").replace("03-14", "05-02"));
    await place.run(one, "apply", "--yes");
    // As the remote was before the end of that run.
    place.git(place.remote, "update-ref", production, `${production}~1`);
    const { runs } = JSON.parse((await place.run(one, "state", "log", "--format", "json")).stdout);
    expect(runs).toMatchObject([{ dirty: true, result: "running", summary: null }]);
    await place.run(one, "state", "unlock", "--yes");
    const { runs: later } = JSON.parse((await place.run(one, "state", "log", "--format", "json")).stdout);
    expect(later).toMatchObject([{ result: "cut-off" }]);
    const again = await place.run(place.clone("two"), "apply", "--yes", "--settle", "0");
    expect(place.sandbox.service.dump().events, again.stdout).toHaveLength(2);
  });

  test("has the last run of a file", async () => {
    await place.close();
    place = await openGitPlace("");
    const one = place.clone("one");
    expect((await place.run(one, "state", "log")).stdout).toContain("Nothing has been applied yet.");
    await place.run(one, "apply", "--yes");
    const shown = await place.run(one, "state", "log");
    expect(shown.stdout).toContain("clean");
    expect(shown.stdout).toContain("State in a file keeps only the last run");
  });
});

describe("state migrate", () => {
  beforeEach(async () => {
    place = await openGitPlace("");
  });
  const inGit = (text: string) => text.replace("version: 1\n", "version: 1\nstate: { backend: git }\n");
  const projectFile = () => place.git(join(place.root, "author"), "show", "HEAD:ticketing.yaml");

  test("to git and back: the plan is empty at both ends", async () => {
    const one = place.clone("one");
    await place.run(one, "apply", "--yes");
    const moved = await place.run(one, "state", "migrate", "--to", "git");
    expect(moved.exitCode, moved.stderr).toBe(0);
    expect(moved.stdout).toContain(
      'Copied 2 objects from .ticketing/state.production.json to the git remote "origin".',
    );
    expect(moved.stdout).toContain("Add `state: { backend: git }` to ticketing.yaml.");
    expect(JSON.parse(place.stored("state.json") ?? "null").objects).toHaveProperty("events/manila-nights");
    place.commit({ "ticketing.yaml": inGit(projectFile()) });
    const two = place.clone("two");
    expect((await place.run(two, "state", "list")).stdout).toContain("events/manila-nights");
    expect((await place.run(two, "state", "log")).stdout).toMatch(
      new RegExp(`${place.git(one, "rev-parse", "HEAD").slice(0, 9)} +clean\\s*$`),
    );
    const back = await place.run(two, "state", "migrate", "--to", "file");
    expect(back.stdout).toContain("Replace `state` (line 2 of ticketing.yaml) with `state: { backend: file }`.");
    const again = await place.run(two, "state", "migrate", "--to", "file");
    expect(again.stdout).toContain("This state is already in .ticketing/state.production.json.");
  });

  test("names the line of the setting however it is written", async () => {
    place.commit({ "ticketing.yaml": inGit(projectFile()).replace("state:", '"state":') });
    const one = place.clone("one");
    await place.run(one, "apply", "--yes");
    const { stdout } = await place.run(one, "state", "migrate", "--to", "file", "--format", "json");
    expect(JSON.parse(stdout)).toMatchObject({ setting: { setting: "state: { backend: file }", line: 2 } });
  });

  test("leaves a copy that no run uses: a job of an older commit cannot go by it", async () => {
    const one = place.clone("one");
    await place.run(one, "apply", "--yes");
    await place.run(one, "state", "migrate", "--to", "git");
    place.commit({ "ticketing.yaml": inGit(projectFile()), "events/gala.yaml": eventFile("Gala") });
    const two = place.clone("two");
    expect((await place.run(two, "apply", "--yes")).exitCode).toBe(0);
    const before = place.writes().length;
    writeFileSync(join(one, "events/manila-nights.yaml"), eventFile("Manila Nights", "description: old\n"));
    for (const argv of [["plan"], ["apply", "--yes"], ["ci", "apply", "--env", "production", "--no-comment"]]) {
      const { exitCode, stdout, stderr } = await place.run(one, ...argv);
      expect(exitCode).toBe(1);
      expect(`${stdout}${stderr}`.replace(/\s+/g, " ")).toMatch(
        /error\[state-moved\] The state was moved from \.ticketing\/state\.production\.json to the git remote "origin" by .* on Sun 10 Jan 2027 08:00 Asia\/Manila \(00:00Z\) \(revision [0-9a-f]{12}, serial 1\)/,
      );
    }
    expect(place.writes()).toHaveLength(before);
    for (const argv of [
      ["state", "rm", "events/manila-nights", "--yes"],
      ["webhooks", "rotate", "https://hooks.acme.example/none", "--yes"],
    ])
      expect((await place.run(one, ...argv)).stderr).toContain("error[state-moved]");
    const listed = await place.run(one, "state", "list");
    expect(listed.exitCode).toBe(0);
    expect(listed.stderr).toContain("warning[state-moved]");
  });

  test("the copy that is left can be used again on purpose, and by moving the state back", async () => {
    const one = place.clone("one");
    await place.run(one, "apply", "--yes");
    await place.run(one, "state", "migrate", "--to", "git");
    const meant = await place.run(one, "apply", "--yes", "--allow", "state-moved");
    expect(meant.exitCode).toBe(0);
    expect(meant.stdout + meant.stderr).toContain("warning[state-moved]");
    expect((await place.run(one, "plan")).stdout).not.toContain("state-moved");
    expect((await place.run(one, "state", "migrate", "--to", "git")).exitCode).toBe(0);
    const back = await place.run(one, "state", "migrate", "--from", "git", "--to", "file");
    expect(back.stdout).toContain("Copied 2 objects");
    expect((await place.run(one, "apply", "--yes")).exitCode).toBe(0);
    const stale = await place.run(one, "state", "migrate", "--from", "git", "--to", "postgres");
    expect(stale.exitCode).toBe(1);
  });

  test("where the setting was changed first, copies from where the default branch keeps it", async () => {
    place.commit({ "ticketing.yaml": inGit(projectFile()) });
    const one = place.clone("one");
    await place.run(one, "apply", "--yes");
    const settings = inGit(projectFile()).replace(/state: .*\n/, "");
    writeFileSync(join(one, "ticketing.yaml"), settings);
    const moved = await place.run(one, "state", "migrate", "--to", "file");
    expect(moved.stdout).toContain('Copied 2 objects from the git remote "origin" to .ticketing/');
  });

  test("says that there is nothing to copy where the setting was changed first", async () => {
    place.commit({ "ticketing.yaml": inGit(projectFile()) });
    const { exitCode, stderr } = await place.run(place.clone("one"), "state", "migrate", "--to", "git");
    expect(exitCode).toBe(1);
    expect(stderr.replace(/\s+/g, " ")).toContain(
      "error[nothing-to-migrate] There is no state in .ticketing/state.production.json, and ticketing.yaml already has the new setting: there is nothing to copy. fix: If the state was in a different backend before, name it with --from.",
    );
  });

  test("never overwrites another lineage, nor what is newer", async () => {
    const one = place.clone("one");
    await place.run(one, "apply", "--yes");
    await place.run(one, "state", "migrate", "--to", "git");
    place.commit({ "ticketing.yaml": inGit(projectFile()) });
    const two = place.clone("two");
    await place.run(two, "state", "rm", "events/manila-nights", "--yes");
    const before = place.stored("state.json");
    const older = await place.run(one, "state", "migrate", "--to", "git");
    expect(older.exitCode).toBe(1);
    expect(older.stderr).toContain("state-is-newer");
    rmSync(join(one, ".ticketing"), { recursive: true });
    await place.run(one, "apply", "--yes");
    const other = await place.run(one, "state", "migrate", "--to", "git");
    expect(other.exitCode).toBe(1);
    expect(other.stderr).toContain("state-of-another-lineage");
    expect(place.stored("state.json")).toBe(before);
  });

  test("has nothing to copy, or nowhere to", async () => {
    const one = place.clone("one");
    expect((await place.run(one, "state", "migrate", "--to", "git")).stderr).toContain("nothing-to-migrate");
    expect((await place.run(one, "state", "migrate")).stderr).toContain(
      "Pass --to git, --to postgres, --to http, --to s3 or --to file.",
    );
    const inSandbox = await place.run(one, "state", "migrate", "--to", "git", "--env", "sandbox");
    expect(inSandbox.stderr).toContain("sandbox-stays");
  });

  test.each([
    [
      "git",
      ["--to", "http"],
      "Set `state: { backend: http, address: URL }` in ticketing.yaml, then run `… --from git --to http`.",
    ],
    ["git", ["--from", "http", "--to", "git"], "While `state:` has the settings of `backend: http`, run `… --to git`."],
    [
      "http",
      ["--to", "s3"],
      "Run `… --to file`. Set `state: { backend: s3, bucket: NAME }` in ticketing.yaml, then run `… --from file --to s3`.",
    ],
    [
      "http",
      ["--from", "s3", "--to", "http"],
      "While `state:` has the settings of `backend: s3`, run `… --to file`. Set `state: { backend: http, address: URL }` in ticketing.yaml",
    ],
    ["postgres", ["--to", "s3"], "Run `… --to file`. Set `state: { backend: s3, bucket: NAME }` in ticketing.yaml"],
    [
      "file",
      ["--to", "file"],
      "`--to file` needs a different backend to copy from. fix: Name it, such as --from git --to file.",
    ],
    ["none", ["--to", "file"], "`--to file` needs a different backend to copy from."],
    ["git", ["--from", "git", "--to", "git"], "Name it, such as --from file --to git."],
  ] as const)("from a project with state in %s, %o: the fix leads there", async (backend, argv, fix) => {
    await place.close();
    const settings = {
      file: "{ backend: file }",
      none: "{ backend: none }",
      git: "{ backend: git }",
      http: '{ backend: http, address: "https://states.example/{environment}" }',
      postgres: "{ backend: postgres, schema: acme }",
    };
    place = await openGitPlace(`state: ${settings[backend]}\n`);
    const { exitCode, stderr } = await place.run(place.clone("one"), "state", "migrate", ...argv);
    expect(exitCode).toBe(1);
    expect(stderr).toContain("error[no-backend]");
    expect(stderr.replaceAll("ticketing state migrate", "…").replace(/\s+/g, " ")).toContain(fix);
  });
});
