// One ledger of the pace for all that share a store: no update is lost, whoever writes at the same time.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { outsideCalls } from "../../../src/service/transport.ts";
import { fileStore } from "../../../src/state/file/file-store.ts";
import { gitStore } from "../../../src/state/git/git-store.ts";
import { standardTimes } from "../../../src/state/shared/lock-times.ts";
import { storeFailure } from "../../../src/state/shared/shared-files.ts";
import { sharedPace } from "../../../src/state/shared/shared-pace.ts";
import type { StateStore } from "../../../src/state/store.ts";
import { removeFolder } from "../../stage/remove-folder.ts";

const outside = { ...outsideCalls({}), env: {}, keepSecret: () => undefined, disagreement: async () => null };
const service = { baseUrl: "https://tickets.example/open-api/v1", secrets: () => ({ current: "key", previous: null }) };
let root: string;
const opened: StateStore[] = [];

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), "shared-pace-"));
  git(root, "init", "-q", "--bare", "remote.git");
});
afterEach(async () => {
  for (const store of opened.splice(0)) await store.close?.();
  removeFolder(root);
});

function git(cwd: string, ...args: string[]): string {
  return execFileSync("git", args, { cwd, stdio: ["ignore", "pipe", "ignore"] })
    .toString()
    .trim();
}

function keep(store: StateStore): StateStore {
  opened.push(store);
  return store;
}

function clone(name: string, environment = "production", account = "acme-live"): StateStore {
  git(root, "clone", "-q", "remote.git", name);
  return keep(
    gitStore(
      { backend: "git", remote: "origin" },
      { ...service, directory: join(root, name), environment, account, times: standardTimes, outside },
    ),
  );
}

function folder(environment = "production", account = "acme-live"): StateStore {
  return keep(fileStore({ ...service, directory: root, environment, account }));
}

function add(value: string): (kept: unknown) => unknown {
  return (kept) => [...(Array.isArray(kept) ? kept : []), value];
}

describe.each([
  ["files in one folder", (environment: string, account?: string) => folder(environment, account)],
  [
    "clones of one repository",
    (environment: string, account?: string) => clone(`${environment}-${opened.length}`, environment, account),
  ],
] as const)("%s", (_name, open) => {
  test("lose no update, not even of another environment at the same service", async () => {
    const stores = [open("production"), open("production"), open("staging")];
    await Promise.all(stores.flatMap((store, nth) => [1, 2].map((time) => store.pace.update(add(`${nth}.${time}`)))));
    const kept = (await open("production").pace.load()) as string[];
    expect(kept.sort()).toEqual(["0.1", "0.2", "1.1", "1.2", "2.1", "2.2"]);
  });

  test("distinguish another organization's ledger from theirs", async () => {
    await open("production").pace.update(add("ours"));
    expect(await open("production", "other-live").pace.load()).toBeNull();
  });

  test("write nothing where nothing is to change", async () => {
    const store = open("production");
    await store.pace.update(add("first"));
    await store.pace.update(() => undefined);
    expect(await open("production").pace.load()).toEqual(["first"]);
  });
});

describe("a clone", () => {
  test("writes its own ref, and no note of what others need not see", async () => {
    const store = clone("one");
    await store.pace.note?.(add("noted"));
    expect(git(join(root, "remote.git"), "for-each-ref")).toBe("");
    expect(await store.pace.load()).toEqual(["noted"]);
    await store.pace.update(add("told"));
    expect(git(join(root, "remote.git"), "for-each-ref", "--format=%(refname)")).toMatch(
      /^refs\/ticketing\/pace\/[0-9a-f]{16}$/,
    );
  });

  test("that may only read keeps its own ledger without a word", async () => {
    const hooks = join(root, "remote.git", "hooks");
    mkdirSync(hooks, { recursive: true });
    writeFileSync(join(hooks, "pre-receive"), "#!/bin/sh\necho no >&2; exit 1\n", { mode: 0o755 });
    const store = clone("one");
    await store.pace.update(add("first"));
    await store.pace.update(add("second"));
    expect(await store.pace.load()).toEqual(["first", "second"]);
    expect(git(join(root, "remote.git"), "for-each-ref")).toBe("");
  });
});

test("what cannot be reached is said, so that calls do not wait for it", async () => {
  const store = clone("one");
  rmSync(join(root, "remote.git"), { recursive: true });
  git(join(root, "one"), "remote", "set-url", "origin", "http://127.0.0.1:1/a.git");
  await expect(store.pace.update(add("lost"))).rejects.toThrow();
});

test("whoever is beaten again and again waits for its turn", async () => {
  let beaten = 0;
  let kept: unknown = null;
  const pace = sharedPace({
    open: async () => ({
      ok: true,
      value: {
        name: "memory",
        tip: async () => ({ ok: true, value: null }),
        read: async () => ({ ok: true, value: null }),
        async write(files) {
          beaten += 1;
          if (beaten <= 12) return storeFailure("moved", "another run was faster");
          kept = files.get("pace.json");
          return { ok: true, value: { id: "1", files } };
        },
        close: async () => undefined,
      },
    }),
    local: { load: async () => null, update: () => Promise.reject(new Error("not this one")) },
  });
  await pace.update(add("at last"));
  expect(kept).toBe('["at last"]');
}, 30_000);
