// Prints what CHANGELOG.md says about a version, for the notes of its release. Fails where that is nothing, or not yet released.
import { readFileSync } from "node:fs";

const [version = "", file = new URL("../CHANGELOG.md", import.meta.url)] = process.argv.slice(2);
const sections = readFileSync(file, "utf8").split(/^## /m).slice(1);
const section = sections.find((text) => text.split(/[,\s]/, 1)[0] === version) ?? "";
const [heading = "", ...lines] = section.split("\n");
const text = lines.join("\n").trim();
if (text === "" || heading.includes("not yet released")) {
  process.stderr.write(
    `CHANGELOG.md has no released section for ${version}: write \`## ${version}, DATE\` above its lines.\n`,
  );
  process.exit(1);
}
process.stdout.write(`${text}\n`);
