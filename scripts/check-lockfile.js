// Every package in the lockfile is held to a digest, and none to an address: what is installed is what was reviewed.
import { readFileSync } from "node:fs";

const file = process.argv[2] ?? new URL("../package-lock.json", import.meta.url);
const { packages } = JSON.parse(readFileSync(file, "utf8"));
const problems = Object.entries(packages).flatMap(([name, entry]) => {
  if (name === "" || entry.link === true) return [];
  return [
    ...(/^sha512-[A-Za-z0-9+/]{86}==$/.test(entry.integrity ?? "") ? [] : [`${name}: no integrity`]),
    ...(entry.resolved === undefined ? [] : [`${name}: an address in \`resolved\``]),
  ];
});
for (const problem of problems) console.error(problem);
console.log(`${Object.keys(packages).length - 1} packages in the lockfile, ${problems.length} problems.`);
process.exitCode = problems.length === 0 ? 0 : 1;
