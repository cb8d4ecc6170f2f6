import { configDefaults, defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    // Long walks with suites of their own: `npm run test:law`, `npm run test:faults`.
    exclude: [...configDefaults.exclude, "test/law/**", "test/faults/**"],
    setupFiles: ["test/fixed-seed.ts"],
    testTimeout: 120_000,
    hookTimeout: 60_000,
    env: { NO_COLOR: "1" },
  },
});
