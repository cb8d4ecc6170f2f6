// Keeps in the file that SECOND_TRIES names which tests passed at the second try only: a machine may stumble once, but whoever
// reads the log should know.
import { appendFileSync } from "node:fs";

// biome-ignore lint/style/noDefaultExport: this is where vitest looks
export default class SecondTries {
  onTestRunEnd(modules) {
    for (const module of modules)
      for (const test of module.children.allTests("passed")) {
        if (!test.diagnostic()?.flaky) continue;
        const words =
          test
            .result()
            .errors?.map((error) => error.message)
            .join("\n") ?? "";
        appendFileSync(
          process.env.SECOND_TRIES ?? "/dev/stderr",
          `passed at the second try only: ${module.relativeModuleId} > ${test.fullName}\n${words}\n`,
        );
      }
  }
}
