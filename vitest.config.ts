import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import attacks from "./test/attacks/vitest.config.ts";
import faults from "./test/faults/vitest.config.ts";
import gitops from "./test/gitops/vitest.config.ts";
import growth from "./test/growth/vitest.config.ts";
import law from "./test/law/vitest.config.ts";
import pages from "./test/pages/vitest.config.ts";
import stores from "./test/stores/vitest.config.ts";

/** These put other modules in the place of ours. */
const mocking = ["test/kinds/made-up-kind.test.ts"];
/** Suites of their own, such as `npm run test:law`. */
const walks = [attacks, faults, gitops, growth, law, pages, stores].flatMap(({ test }) => test?.include ?? []);

export default defineConfig({
  test: {
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // What comes by itself comes later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
    // Many of them wait for a settle time or for a process.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        extends: true,
        test: {
          name: "tests",
          include: ["test/**/*.test.ts"],
          exclude: [...configDefaults.exclude, ...walks, ...mocking],
          // Files of one worker share what they import: to load it for each of them takes longer than most tests.
          isolate: false,
        },
      },
      { extends: true, test: { name: "with other modules", include: mocking } },
    ],
  },
});
