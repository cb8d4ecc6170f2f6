import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "./program.ts";

interface Locked {
  readonly packages: Readonly<
    Record<string, { readonly resolved?: string; readonly optionalDependencies?: Readonly<Record<string, string>> }>
  >;
}

const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8")) as Locked;

test("the lockfile names no download host", () => {
  for (const [path, entry] of Object.entries(packages)) expect(entry.resolved, path).toBeUndefined();
});

// `npm ci` refuses a lockfile that leaves one out, on every system.
test("the lockfile holds the native parts for every system", () => {
  const names = new Set(
    Object.keys(packages).map((path) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length)),
  );
  for (const entry of Object.values(packages)) {
    for (const name of Object.keys(entry.optionalDependencies ?? {})) expect(names).toContain(name);
  }
});
