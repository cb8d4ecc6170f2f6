import { availableParallelism } from "node:os";
import { configDefaults } from "vitest/config";
import { suite } from "../suite.ts";

// The program as people install it, in separate processes; `npm test` leaves it out.
// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default suite({
  include: ["test/bin/*.test.ts", "test/mistakes/18-a-damaged-start-up-cache.test.ts"],
  // It compares times: `npm run test:growth`.
  exclude: [...configDefaults.exclude, "test/bin/many-events.test.ts"],
  // Most of the time they wait for a process.
  maxWorkers: availableParallelism() + 1,
});
