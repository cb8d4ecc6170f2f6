// What the YAML parser alone needs for the files of a folder: `node yaml-alone.mjs FOLDER` prints milliseconds.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { LineCounter, parseAllDocuments } from "yaml";

const folder = process.argv[2] ?? ".";
const texts = readdirSync(folder).map((file) => readFileSync(join(folder, file), "utf8"));
const start = performance.now();
for (const text of texts) parseAllDocuments(text, { lineCounter: new LineCounter() });
process.stdout.write(String(performance.now() - start));
