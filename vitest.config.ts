import { availableParallelism } from "node:os";
import { configDefaults } from "vitest/config";
import attacks from "./test/attacks/vitest.config.ts";
import bin from "./test/bin/vitest.config.ts";
import faults from "./test/faults/vitest.config.ts";
import gitops from "./test/gitops/vitest.config.ts";
import growth from "./test/growth/vitest.config.ts";
import law from "./test/law/vitest.config.ts";
import pages from "./test/pages/vitest.config.ts";
import stores from "./test/stores/vitest.config.ts";
import { native, suite } from "./test/suite.ts";

/** These put other modules in the place of ours. */
const mocking = ["test/kinds/made-up-kind.test.ts"];
/** Suites of their own, such as `npm run test:law`. */
const walks = [attacks, bin, faults, gitops, growth, law, pages, stores].flatMap(({ test }) => test?.include ?? []);

export default suite({
  // Many of them wait for a settle time or for a process.
  maxWorkers: availableParallelism() + 3,
  projects: [
    {
      extends: true,
      resolve: native,
      test: {
        name: "tests",
        include: ["test/**/*.test.ts"],
        exclude: [...configDefaults.exclude, ...walks, ...mocking],
      },
    },
    { extends: true, test: { name: "with other modules", include: mocking, isolate: true } },
  ],
});
