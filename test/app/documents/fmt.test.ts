// ticketing fmt: files in one layout, from the command line.
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { importInto, serviceWith } from "../../stage/import-into.ts";
import { organization } from "../../stage/organization.ts";
import { ticketing } from "../../stage/test-world.ts";

function project(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "ticketing-fmt-"));
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), text);
  }
  return folder;
}

const untidy = `# yaml-language-server: $schema=../schemas/event.json
tickets:
    - {price: 1500,   name: 'GA', quantity: 500} # the cheap one
    # for friends
    - price: 4500
      quantity: 20
      name: "VIP"
dateTime:   "2027-03-14T19:00"  # doors


name: 'Manila Nights'
`;

const tidy = `# yaml-language-server: $schema=../schemas/event.json
name: Manila Nights
dateTime: 2027-03-14T19:00 # doors

tickets:
  - { name: GA, price: 1500, quantity: 500 } # the cheap one
  # for friends
  - { name: VIP, price: 4500, quantity: 20 }
`;

const yearAfter = { now: () => Date.parse("2026-11-15T00:00:00Z") };

describe("ticketing fmt", () => {
  test("puts a file into the one layout, with its comments, its mode and nothing else touched", async () => {
    const sheet = "date,headliner\r\n2027-01-08,Ana\r\n";
    const folder = project({
      "ticketing.yaml": "version: 1\n",
      "events/a.yaml": untidy,
      "events/b.yaml": tidy,
      "events/c.csv": sheet,
    });
    chmodSync(join(folder, "events/a.yaml"), 0o664);
    const ran = await ticketing(["fmt", "-C", folder]);
    expect(ran).toEqual({ exitCode: 0, stdout: "events/a.yaml\n1 of 3 files formatted.\n", stderr: "" });
    expect(readFileSync(join(folder, "events/a.yaml"), "utf8")).toBe(tidy);
    expect(statSync(join(folder, "events/a.yaml")).mode & 0o777).toBe(0o664);
    expect(readFileSync(join(folder, "events/c.csv"), "utf8")).toBe(sheet);
    expect(readdirSync(join(folder, "events"))).toEqual(["a.yaml", "b.yaml", "c.csv"]);
    expect(await ticketing(["fmt", "-C", folder])).toEqual({
      exitCode: 0,
      stdout: "3 files were already formatted.\n",
      stderr: "",
    });
  });

  test("leaves a file alone that it reports, and says nothing else where no file is found", async () => {
    const folder = project({ "events/a.yaml": untidy, "events/A.yaml": untidy });
    const ran = await ticketing(["fmt", "-C", folder]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("error[wrong-file-name] events/a.yaml:1:1");
    expect(readFileSync(join(folder, "events/a.yaml"), "utf8")).toBe(untidy);
    expect(readFileSync(join(folder, "events/A.yaml"), "utf8")).toBe(tidy);
    const none = await ticketing(["fmt", "--check", "nope.yaml", "-C", folder]);
    expect(none).toMatchObject({ exitCode: 1, stdout: "" });
    expect(none.stderr).toContain("error[no-such-path]");
  });

  test("--check writes nothing and fails; --verbose shows what would change", async () => {
    const folder = project({ "events/a.yaml": untidy, "events/b.yaml": tidy });
    const ran = await ticketing(["fmt", "--check", "-C", folder]);
    expect(ran).toEqual({
      exitCode: 1,
      stdout: "events/a.yaml\n1 of 2 files would change: run `ticketing fmt`.\n",
      stderr: "",
    });
    const shown = await ticketing(["fmt", "--check", "--verbose", "-C", folder]);
    expect(shown.stdout).toContain("  -name: 'Manila Nights'\n");
    expect(shown.stdout).toContain("  +name: Manila Nights\n");
    const json = await ticketing(["fmt", "--check", "--format", "json", "-C", folder]);
    expect(JSON.parse(json.stdout)).toEqual({
      formatVersion: 1,
      ok: false,
      check: true,
      files: 2,
      changed: ["events/a.yaml"],
      diagnostics: [],
    });
    expect(readFileSync(join(folder, "events/a.yaml"), "utf8")).toBe(untidy);
    expect((await ticketing(["fmt", "--check", "-C", folder, "events/b.yaml"])).exitCode).toBe(0);
  });

  test("says what the system refuses to write, and formats the others", async () => {
    // No draft fits next to a name of this length, whatever this user may do.
    const long = `events/${"a".repeat(245)}.yaml`;
    const folder = project({ [long]: untidy, "events/b.yaml": untidy });
    const ran = await ticketing(["fmt", "-C", folder]);
    expect(ran).toEqual({
      exitCode: 1,
      stdout: "events/b.yaml\n1 of 2 files formatted. 1 file could not be formatted.\n",
      stderr: `error[not-written] ${long}:1:1 ${long} cannot be written: its path is too long for this disk.\n    1 | ${untidy.split("\n")[0]}\n      | ^\n  fix: Shorten the name, or move the project to a shorter path.\n`,
    });
    expect(readFileSync(join(folder, long), "utf8")).toBe(untidy);
    expect(readFileSync(join(folder, "events/b.yaml"), "utf8")).toBe(tidy);
  });

  test("leaves alone and reports what cannot be read, an unknown field and tags; the others are formatted", async () => {
    const files = {
      "events/broken.yaml": "name: [a\n",
      "events/field.yaml": "dateTime: 2027-03-14T19:00\nnmae: A\n",
      "events/tag.yaml": "name: !!str 5\n",
      "events/twice.yaml": "name: A\nname: B\n",
    };
    const folder = project({ ...files, "events/ok.yaml": untidy });
    const ran = await ticketing(["fmt", "-C", folder]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stdout).toBe("events/ok.yaml\n1 of 5 files formatted. 4 files could not be formatted.\n");
    expect(ran.stderr).toContain(
      "error[unknown-key] events/field.yaml:2:1 Unknown field `nmae`.\n    2 | nmae: A\n      | ^\n  fix: Did you mean `name`?",
    );
    for (const code of [
      "yaml-syntax] events/broken.yaml",
      "not-formatted] events/tag.yaml",
      "yaml-trap] events/twice.yaml",
    ])
      expect(ran.stderr).toContain(`error[${code}`);
    for (const [file, text] of Object.entries(files)) expect(readFileSync(join(folder, file), "utf8")).toBe(text);
    const json = JSON.parse((await ticketing(["fmt", "--format", "json", "-C", folder])).stdout);
    expect(json).toMatchObject({ ok: false, changed: [] });
  });

  test("no link leads a write out of the project, and links within it stay links", async () => {
    const outside = project({ "secret.yaml": untidy });
    const folder = project({ "shared/real.yaml": untidy, "events/own.yaml": tidy });
    symlinkSync(join(outside, "secret.yaml"), join(folder, "events/out.yaml"));
    symlinkSync(outside, join(folder, "events/folder"));
    symlinkSync("../shared/real.yaml", join(folder, "events/in.yaml"));
    const ran = await ticketing(["fmt", "-C", folder]);
    expect(ran.exitCode).toBe(1);
    expect(ran.stderr).toContain("error[outside-project] events/out.yaml");
    expect(readFileSync(join(outside, "secret.yaml"), "utf8")).toBe(untidy);
    expect(lstatSync(join(folder, "events/in.yaml")).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, "shared/real.yaml"), "utf8")).toBe(tidy);
    expect((await ticketing(["fmt", "-C", folder, "../elsewhere.yaml"])).stderr).toContain("error[no-such-path]");
    expect((await ticketing(["fmt", "-C", join(folder, "nowhere")])).exitCode).toBe(1);
  });

  test("several links to one file are one file", async () => {
    const folder = project({ "events/real.yaml": untidy });
    symlinkSync("real.yaml", join(folder, "events/link.yaml"));
    const ran = await ticketing(["fmt", "-C", folder]);
    expect(ran).toMatchObject({ exitCode: 0, stderr: "" });
    expect(ran.stdout).toContain("1 of 1 file formatted.");
    expect(readFileSync(join(folder, "events/real.yaml"), "utf8")).toBe(tidy);
    expect(lstatSync(join(folder, "events/link.yaml")).isSymbolicLink()).toBe(true);
  });

  test("anchors, merges, variables, several documents and blocks stay what they are", async () => {
    const text = `name: Nights \${var.season}
dateTime: 2027-03-14T19:00
description: >-
  One sentence to a line.
  Another one.
imageUrl: "\${env.TICKETING_VAR_COVER}"
callbackUrl: \${env.TICKETING_VAR_HOOK}

tickets:
  - &vip { name: VIP, price: 4500, quantity: 200 }
  - { <<: *vip, name: Door, price: 1500 }
---
# The second one.
key: other
name: "yes"
dateTime: 22:00
description: |
  Two
    lines.
ignore: &codes [far-future] # kept
`;
    const folder = project({ "events/a.yaml": text });
    expect(await ticketing(["fmt", "-C", folder])).toEqual({
      exitCode: 0,
      stdout: "1 file was already formatted.\n",
      stderr: "",
    });
    // An anchor must come before its alias: then the order of fields is kept.
    const aliased = "brands:\n  - { name: A, description: &text Hello }\nname: B\ndescription: *text\n";
    writeFileSync(join(folder, "events/a.yaml"), aliased);
    expect((await ticketing(["fmt", "-C", folder])).exitCode).toBe(0);
    expect(readFileSync(join(folder, "events/a.yaml"), "utf8")).toBe(aliased);
  });

  test("a secret is shown neither with a problem nor in what changes", async () => {
    const folder = project({
      "ticketing.yaml": "version: 1\n",
      "events/a.yaml": `${untidy}vars: { apiKey:   tk_live_9f8a7b6c5d4e }\n`,
      "events/b.yaml": `${untidy}# whsec_9f8a7b6c5d4e3f2a1b0c\n`,
      "webhooks.yaml": "- { url: https://example.com/a, events: [order.completed], secret: whsec_9f8a7b6c5d4e }\n",
    });
    const ran = await ticketing(["fmt", "--check", "--verbose", "-C", folder]);
    expect(`${ran.stdout}${ran.stderr}`).not.toContain("9f8a7b6c");
    expect(ran.stdout.match(/ {2}\(not shown: it contains a secret\)/g)).toHaveLength(2);
    expect(ran.stderr).toContain("error[secret-in-file] webhooks.yaml:1:68");
    expect(ran.stderr).not.toContain("unknown-key");
  });

  test("validate and plan see the same before and after", async () => {
    const folder = project({
      "events/a.yaml": untidy,
      "ticketing.yaml": "defaults: {timezone: 'Asia/Manila'}\nversion: 1\n",
    });
    const plan = async () => {
      const { changes } = JSON.parse((await ticketing(["plan", "--format", "json", "-C", folder], yearAfter)).stdout);
      return (changes as { source: unknown }[]).map(({ source: _, ...change }) => change);
    };
    const before = await plan();
    expect(before.length).toBeGreaterThan(2);
    await ticketing(["fmt", "-C", folder]);
    expect(readFileSync(join(folder, "ticketing.yaml"), "utf8")).toBe(
      "version: 1\ndefaults:\n  timezone: Asia/Manila\n",
    );
    expect(await plan()).toEqual(before);
  });
});

describe("what we write ourselves needs no formatting", () => {
  const unchanged = async (folder: string) =>
    expect(await ticketing(["fmt", "--check", "--verbose", "-C", folder])).toMatchObject({
      exitCode: 0,
      stderr: "",
      stdout: expect.stringContaining("already"),
    });

  test.each(readdirSync("examples"))("examples/%s", async (name) => {
    await unchanged(join("examples", name));
  });

  test.each([
    ["alone", []],
    [
      "with a service and jobs",
      ["--base-url", "https://api.example.com/open-api/v1", "--organization", "acme", "--ci", "gitlab"],
    ],
  ])("init %s", async (_, flags) => {
    const folder = project({});
    expect((await ticketing(["init", folder, "--yes", ...flags])).exitCode).toBe(0);
    await unchanged(folder);
  });

  test.each([
    ["one file each", {}],
    ["as series", { series: true }],
  ])("import, %s", async (_, options) => {
    const ran = await importInto({
      service: serviceWith(organization),
      statuses: ["PUBLISHED", "DRAFT", "ARCHIVED"],
      webhooks: true,
      ...options,
    });
    await unchanged(project(ran.files as Record<string, string>));
  });

  test("copy", async () => {
    const folder = mkdtempSync(join(tmpdir(), "ticketing-fmt-"));
    cpSync("examples/festival", folder, { recursive: true });
    expect((await ticketing(["copy", "bayside-sounds", "--to", "2028-04-08", "-C", folder])).exitCode).toBe(0);
    await unchanged(folder);
  });
});

test("copy warns of a start in the past, unless the file ignores that", async () => {
  const text = "name: Gala\ndateTime: 2027-03-14T19:00\n";
  const said = async (more: string) => {
    const folder = project({ "events/gala.yaml": `${text}${more}` });
    const ran = await ticketing(["copy", "gala", "--to", "2020-01-01", "-C", folder, "--format", "json"]);
    return (JSON.parse(ran.stdout) as { diagnostics: object[] }).diagnostics;
  };
  const source = { file: "events/gala-2020-01-01.yaml", line: 2, column: 11 };
  expect(await said("")).toMatchObject([{ code: "starts-in-the-past", severity: "warning", source }]);
  expect(await said("ignore: [starts-in-the-past]\n")).toEqual([]);
});

test.each([
  ["name: B\ndateTime: !!str 2027-05-01T10:00\n", "2:11", "`!!str`"],
  ["%YAML 1.2\n---\nname: B\ndateTime: 2027-05-01T10:00\n", "1:1", "`%YAML`"],
])("what keeps a file from being formatted is named where it is: %j", async (text, place, what) => {
  const { stderr } = await ticketing([
    "fmt",
    "-C",
    project({ "ticketing.yaml": "version: 1\n", "events/b.yaml": text }),
  ]);
  expect(stderr).toContain(`error[not-formatted] events/b.yaml:${place} events/b.yaml was left as it is: ${what}`);
});

test.each([["validate"], ["fmt"], ["fmt", "--check"], ["upcoming"]])(
  "in a folder without a project, %s fails",
  async (...argv) => {
    const folder = project({});
    const ran = await ticketing([...argv, "-C", folder]);
    expect([ran.exitCode, ran.stdout + ran.stderr]).toEqual([1, expect.stringContaining("error[no-files-matched]")]);
    expect(ran.stdout).not.toMatch(/Nothing is coming up|already formatted/);
    writeFileSync(join(folder, "ticketing.yaml"), "version: 1\n");
    expect((await ticketing([...argv, "-C", folder])).exitCode).toBe(0);
  },
);
