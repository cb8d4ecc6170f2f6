import type { Diagnostic } from "../model/diagnostic.ts";
import type { YamlDocument } from "./located.ts";
import { readPlainYaml } from "./plain-yaml.ts";

/** The documents of a file. Most files are plain, and the full parser is not even loaded for them. */
export async function readYaml(file: string, text: string, problems: Diagnostic[]): Promise<readonly YamlDocument[]> {
  const plain = readPlainYaml(file, text);
  if (plain !== null) return plain.map((content) => ({ content, source: content.source }));
  const { parseYaml } = await import("./parse-yaml.ts");
  return parseYaml(file, text, problems);
}
