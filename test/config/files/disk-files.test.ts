import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { diskFiles } from "../../../src/config/files/disk-files.ts";
import { reported } from "../project-of.ts";

let folder: string;
let root: string;

beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), "ticketing-files-")));
  root = join(folder, "project");
  mkdirSync(join(root, "events", "2027"), { recursive: true });
  write("events/b.yaml", "b");
  write("events/2027/a.yml", "a");
  write("events/notes.txt", "n");
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(path: string, text: string): void {
  writeFileSync(join(root, path), text);
}

function list(...globs: string[]) {
  return diskFiles(root).list(globs.length === 0 ? ["events/**/*.{yaml,yml}"] : globs);
}

async function read(path: string): Promise<string> {
  const bytes = await diskFiles(root).read(path);
  return typeof bytes === "string" ? bytes : new TextDecoder().decode(bytes);
}

describe("files on disk", () => {
  it("are listed by globs, sorted, each once", async () => {
    expect((await list()).files).toEqual(["events/2027/a.yml", "events/b.yaml"]);
    expect((await list("events/*.yaml", "events/**/*.yaml")).files).toEqual(["events/b.yaml"]);
    expect((await list("events/b.yaml")).files).toEqual(["events/b.yaml"]);
    expect(await list("nothing/**")).toEqual({ files: [], diagnostics: [] });
  });

  it("do not come from folders that hold no wishes", async () => {
    for (const name of [".git", ".ticketing", "node_modules"]) {
      mkdirSync(join(root, name));
      write(`${name}/x.yaml`, "x");
    }
    expect((await list("**/*.yaml")).files).toEqual(["events/b.yaml"]);
  });

  it("are read, or it is said why not", async () => {
    expect(await read("events/b.yaml")).toBe("b");
    expect(await read("events/none.yaml")).toBe("missing");
    expect(await read("events/b.yaml/c")).toBe("missing");
    expect(await read("events")).toBe("folder");
    write("events/large.yaml", "x".repeat(1024 * 1024 + 1));
    expect(await read("events/large.yaml")).toBe("too-large");
  });

  it("may be links within the project", async () => {
    symlinkSync(join(root, "events", "2027", "a.yml"), join(root, "events", "link.yaml"));
    mkdirSync(join(root, "shared"));
    write("shared/c.yaml", "c");
    symlinkSync(join("..", "shared"), join(root, "events", "shared"));
    const files = diskFiles(root);
    const listing = await files.list(["events/**/*.yaml"]);
    expect(listing).toEqual({ files: ["events/b.yaml", "events/link.yaml", "events/shared/c.yaml"], diagnostics: [] });
    expect(await files.read("events/link.yaml")).toEqual(new TextEncoder().encode("a"));
  });

  it("are refused when a link leads out of the project", async () => {
    mkdirSync(join(folder, "elsewhere"));
    writeFileSync(join(folder, "elsewhere", "x.yaml"), "x");
    symlinkSync(join(folder, "elsewhere"), join(root, "events", "out"));
    symlinkSync(join(folder, "elsewhere", "x.yaml"), join(root, "events", "x.yaml"));
    const files = diskFiles(root);
    const listing = await files.list(["events/**/*.yaml"]);
    expect(reported(listing.diagnostics)).toEqual(["events/out:1:1 outside-project"]);
    expect(listing.files).toContain("events/x.yaml");
    expect(await files.read("events/x.yaml")).toBe("outside");
    expect(await files.read("../elsewhere/x.yaml")).toBe("outside");
  });

  it("end, although links go in a circle", async () => {
    symlinkSync("..", join(root, "events", "2027", "up"));
    symlinkSync(".", join(root, "events", "2027", "here"));
    expect((await list()).files).toEqual(["events/2027/a.yml", "events/b.yaml"]);
  });

  it("are read once, by their own path, whatever the names of links to their folder", async () => {
    mkdirSync(join(root, "events", "zz", "deep"), { recursive: true });
    write("events/zz/x.yaml", "x");
    write("events/zz/deep/y.yaml", "y");
    symlinkSync("zz", join(root, "events", "aa"));
    symlinkSync(join("zz", "deep"), join(root, "events", "ab"));
    expect(await list("events/**/*.yaml")).toEqual({
      files: ["events/b.yaml", "events/zz/deep/y.yaml", "events/zz/x.yaml"],
      diagnostics: [],
    });
    const globs = ["events/aa/*.yaml", "events/zz/*.yaml"];
    expect((await list(...globs)).files).toEqual(["events/zz/x.yaml"]);
    expect((await list(...globs.reverse())).files).toEqual(["events/zz/x.yaml"]);
    expect((await list("events/aa/*.yaml")).files).toEqual(["events/aa/x.yaml"]);
  });

  it("are read once behind links that lead into each other's folders", async () => {
    mkdirSync(join(root, "shared", "deep"), { recursive: true });
    write("shared/x.yaml", "x");
    write("shared/deep/y.yaml", "y");
    symlinkSync(join("..", "shared", "deep"), join(root, "events", "l1"));
    symlinkSync(join("..", "shared"), join(root, "events", "l2"));
    symlinkSync(join("..", "events"), join(root, "shared", "back"));
    expect((await list("events/**/*.yaml")).files).toEqual(["events/b.yaml", "events/l1/y.yaml", "events/l2/x.yaml"]);
  });

  it("are not listed again by a link to the folder above", async () => {
    write("ticketing.yaml", "version: 1");
    symlinkSync("..", join(root, "events", "aa"));
    expect(await list()).toEqual({ files: ["events/2027/a.yml", "events/b.yaml"], diagnostics: [] });
    symlinkSync(join("..", ".."), join(root, "events", "out"));
    expect(reported((await list()).diagnostics)).toEqual(["events/out:1:1 outside-project"]);
  });

  it("that are folders or links to nothing are reported", async () => {
    mkdirSync(join(root, "events", "c.yaml"));
    symlinkSync("gone", join(root, "events", "d.yaml"));
    expect(reported((await list()).diagnostics).sort()).toEqual([
      "events/c.yaml:1:1 folder-for-file",
      "events/d.yaml:1:1 unreadable-file",
    ]);
  });
});
