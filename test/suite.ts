// What all suites have in common. Each suite is the vitest.config.ts of a folder, and says what is its own.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { defineConfig, type TestUserConfig } from "vitest/config";

const root = fileURLToPath(new URL("..", import.meta.url));

/**
 * Where src lies as JavaScript while tests run: Node loads that by itself. Through vitest, every use of an import goes through a
 * getter, and each suite transforms every file again. Who runs many suites compiles once and says where. Null where somebody
 * watches and edits.
 */
export const nativeSource = process.argv.includes("run")
  ? (process.env.NATIVE_SOURCE ?? join(root, `.native-${process.pid}`))
  : null;

/** For tests that put nothing in the place of a module of ours. */
export const native =
  nativeSource === null
    ? {}
    : { alias: [{ find: /^(?:\.\.?\/)+src\/(.*)\.ts$/, replacement: `${nativeSource}/$1.js` }] };

/**
 * V8 compiles a function for speed after so many bytes of its code have run. Most of ours run too seldom within one suite to earn that back:
 * waiting six times as long saves up to a seventh of the processor time. Later releases of Node have another flag.
 */
const slowlyOptimizing = process.versions.node.startsWith("20.") ? ["--interrupt-budget=400000"] : [];

export function suite(own: TestUserConfig) {
  return defineConfig({
    resolve: own.projects === undefined ? native : {},
    test: {
      globalSetup: ["test/native-source.ts", "test/temporary-folder.ts"],
      setupFiles: ["test/fixed-seed.ts"],
      // What comes by itself comes later on a busy machine.
      expect: { poll: { timeout: 30_000 } },
      testTimeout: 120_000,
      hookTimeout: 60_000,
      // Node reads these certificates whenever it starts, which takes longer than starting: none of the thousands of processes needs them.
      env: { NO_COLOR: "1", NODE_EXTRA_CA_CERTS: "" },
      // Files of one worker share what they import: to load it for each of them takes longer than most tests.
      isolate: false,
      execArgv: slowlyOptimizing,
      server: { deps: { external: [/\/\.native-\w+\//] } },
      ...own,
    },
  });
}
