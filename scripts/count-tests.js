// Prints `N passed, N failed` from the reports that vitest wrote into a folder: the count of `npm test`, and failures of any run.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const folder = process.argv[2] ?? ".";
let passed = 0;
let failed = 0;
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const report = JSON.parse(readFileSync(join(folder, file), "utf8"));
  if (file === "tests.json") passed = report.numPassedTests;
  // A file that does not even load has no tests to count, and is a failure all the same.
  const broken = report.testResults.filter(
    (result) => result.status === "failed" && result.assertionResults.length === 0,
  );
  failed += report.numFailedTests + broken.length;
}
if (passed === 0 && failed === 0) failed = 1;
console.log(`${passed} passed, ${failed} failed`);
