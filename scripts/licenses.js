import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licenses of the packages that bundled files come from: they ask to be handed on with the code. */
export function licensesOf(inputs) {
  const folders = new Set();
  for (const input of inputs) {
    const [, folder] = /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input) ?? [];
    if (folder !== undefined) folders.add(folder);
  }
  return [...folders]
    .sort()
    .map(licenseIn)
    .join(`\n${"-".repeat(78)}\n\n`);
}

function licenseIn(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
  const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry));
  const text = file === undefined ? "" : `\n${readFileSync(join(folder, file), "utf8").trim()}\n`;
  return `${name} ${version} (${license})\n${text}`;
}
