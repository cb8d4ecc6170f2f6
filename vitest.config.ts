import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Long walks with suites of their own: `npm run test:law`, `npm run test:faults`, `npm run test:growth`.
    exclude: [...configDefaults.exclude, "test/law/**", "test/faults/**", "test/growth/**"],
    // Files of one worker share what they import: to load it for each of them takes longer than most tests.
    isolate: false,
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
  },
});
