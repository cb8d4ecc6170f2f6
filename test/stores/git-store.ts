// A separate remote and repositories that know it, as a place for state.
import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { refsOn } from "../../src/state/git/git-store.ts";
import { refName } from "../../src/state/git/remote-place.ts";
import { removeFolder } from "../stage/remove-folder.ts";
import type { StartedStore, StoreUnderTest } from "./store-under-test.ts";

export const gitUnderTest: StoreUnderTest = { name: "git", start };

async function start(): Promise<StartedStore> {
  const root = mkdtempSync(join(tmpdir(), "git-store-"));
  const remote = join(root, "remote.git");
  let folders = 0;

  function git(cwd: string, args: readonly string[], input = ""): string {
    const identity = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
    return execFileSync("git", [...identity, ...args], { cwd, input, encoding: "utf8", stdio: "pipe" }).trim();
  }

  function folder(): string {
    const name = `clone-${++folders}`;
    git(root, ["init", "-q", name]);
    git(join(root, name), ["remote", "add", "origin", remote]);
    return join(root, name);
  }

  function hook(name: string, script: string): void {
    mkdirSync(join(remote, "hooks"), { recursive: true });
    writeFileSync(join(remote, "hooks", name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(remote, "hooks", name), 0o755);
  }

  git(root, ["init", "-q", "--bare", "-b", "main", remote]);
  return {
    settings: { backend: "git", remote: "origin" },
    env: {},
    secrets: [],
    folder,
    async files(environment) {
      const ref = await refsOn(folder(), "origin")(environment);
      if (!ref.ok) throw new Error(ref.message);
      return ref.value;
    },
    async plant(environment, files) {
      const blobs = Object.entries(files).map(([file, text]) => {
        const blob = git(remote, ["hash-object", "-w", "--stdin"], text);
        return `100644 blob ${blob}\t${file}\n`;
      });
      const commit = git(remote, ["commit-tree", git(remote, ["mktree"], blobs.sort().join("")), "-m", "planted"]);
      git(remote, ["update-ref", refName("", environment), commit]);
    },
    async loseNextResponse() {
      // By then the ref is written; what notifies the other side of it is killed.
      hook("post-receive", `rm -f "$0"\nkill -9 $PPID`);
    },
    async away() {
      renameSync(remote, `${remote}.away`);
    },
    async back() {
      if (existsSync(`${remote}.away`)) renameSync(`${remote}.away`, remote);
    },
    async stop() {
      removeFolder(root);
    },
  };
}
