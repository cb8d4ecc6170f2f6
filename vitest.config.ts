import { configDefaults, defineConfig } from "vitest/config";

/** These put other modules in the place of ours. */
const mocking = ["test/kinds/made-up-kind.test.ts"];
/** Long walks with suites of their own: `npm run test:gitops`, `npm run test:law`, `npm run test:faults`, `npm run test:stores`, `npm run test:growth`, `npm run test:pages`. */
const walks = [
  ...["test/gitops/**", "test/state/git/**", "test/cli/init/{gitlab-pipeline,install-step}.test.ts"],
  ...["test/law/**", "test/plan/properties.test.ts", "test/import/any-layout.test.ts"],
  ...["test/faults/**", "test/stores/**", "test/growth/**", "test/pages/**"],
];

export default defineConfig({
  test: {
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
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
