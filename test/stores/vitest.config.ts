import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";

// What every place for shared state must do, with real processes of the program; `npm test` leaves it out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default defineConfig({
  test: {
    include: ["test/stores/**/*.test.ts"],
    // It needs Ceph: `npm run test:s3`.
    exclude: [...configDefaults.exclude, "test/stores/ceph/**"],
    globalSetup: ["test/temporary-folder.ts"],
    setupFiles: ["test/fixed-seed.ts"],
    // What comes by itself comes later on a busy machine.
    expect: { poll: { timeout: 30_000 } },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    env: { NO_COLOR: "1" },
    // Most of the time they wait for a lease to run out.
    maxWorkers: 2 * availableParallelism(),
    isolate: false,
  },
});
