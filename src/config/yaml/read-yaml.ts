import type { Diagnostic } from "../../model/diagnostic.ts";
import { maximumLength, tooLong } from "./locate.ts";
import type { Located, LocatedEntry, YamlDocument } from "./located.ts";
import { readPlainYaml } from "./plain-yaml.ts";

/** The documents of a file. Most files are plain, and the full parser is not even loaded for them. */
export async function readYaml(file: string, text: string, problems: Diagnostic[]): Promise<readonly YamlDocument[]> {
  const documents = await readDocuments(file, text, problems);
  // A file that is no longer than that holds no text that is.
  return text.length <= maximumLength ? documents : documents.map((document) => shortened(document, problems));
}

async function readDocuments(file: string, text: string, problems: Diagnostic[]): Promise<readonly YamlDocument[]> {
  const plain = readPlainYaml(file, text);
  if (plain !== null) return plain.map((content) => ({ content, source: content.source }));
  const { parseYaml } = await import("./parse-yaml.ts");
  return parseYaml(file, text, problems);
}

/** The same document with the beginnings of those texts that are too long: nothing that comes later has to cope with them. */
function shortened(document: YamlDocument, problems: Diagnostic[]): YamlDocument {
  // An alias shows one value at several places.
  const seen = new Map<Located, Located>();
  function visit(node: Located): Located {
    const known = seen.get(node);
    if (known !== undefined) return known;
    const visited = visitOnce(node);
    seen.set(node, visited);
    return visited;
  }
  function visitOnce(node: Located): Located {
    switch (node.type) {
      case "scalar": {
        const { value, source, plain } = node;
        if (typeof value !== "string" || value.length <= maximumLength) return node;
        problems.push(tooLong(source, value.length));
        return { type: "scalar", value: value.slice(0, 100), source, plain, reported: true };
      }
      case "list":
        return { ...node, items: node.items.map(visit) };
      case "map": {
        const entries = new Map<string, LocatedEntry>();
        for (const [key, entry] of node.entries) entries.set(key, { key: entry.key, value: visit(entry.value) });
        return { ...node, entries };
      }
    }
  }
  return document.content === null ? document : { ...document, content: visit(document.content) };
}
