// Prints what failed, with its first words, and then `N passed, N failed`, from the reports that vitest wrote into a folder:
// every suite once, whatever was run again on other releases of Node. It comes last, because the end of a long log is what people are shown.
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";

const folder = process.argv[2] ?? ".";
let passed = 0;
const failures = [];
for (const file of readdirSync(folder).filter((name) => name.endsWith(".json"))) {
  const report = JSON.parse(readFileSync(join(folder, file), "utf8"));
  if (!file.startsWith("node-")) passed += report.numPassedTests;
  for (const { name, status, message, assertionResults } of report.testResults) {
    const place = relative(process.cwd(), name);
    // A file that does not even load, or fails after its last test, is still a failure.
    if (status === "failed" && assertionResults.every((result) => result.status !== "failed"))
      failures.push({ place, words: message });
    for (const result of assertionResults)
      if (result.status === "failed")
        failures.push({ place: `${place} > ${result.fullName}`, words: result.failureMessages.join("\n") });
  }
}
if (passed === 0 && failures.length === 0) failures.push({ place: folder, words: "no test was counted" });
for (const { place, words } of failures)
  console.log(`failed: ${place}\n${words.split("\n").slice(0, 25).join("\n")}\n`);
console.log(`${passed} passed, ${failures.length} failed`);
