import { availableParallelism } from "node:os";
import { configDefaults } from "vitest/config";
import { suite } from "../suite.ts";

// What every place for shared state must do, with real processes of the program; `npm test` leaves it out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: ["test/stores/**/*.test.ts"],
  // It needs Ceph: `npm run test:s3`.
  exclude: [...configDefaults.exclude, "test/stores/ceph/**"],
  hookTimeout: 120_000,
  // Most of the time they wait for a lease to run out.
  maxWorkers: 2 * availableParallelism(),
});
