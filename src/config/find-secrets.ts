// A key or secret itself in a file. Files are in git, and git never forgets.
import type { Diagnostic } from "../model/diagnostic.ts";
import type { Source } from "../model/source.ts";
import type { Located, LocatedScalar } from "./located.ts";
import { type Surroundings, whySecret } from "./why-secret.ts";

/**
 * The secrets of the project file: problems with a place each, never with the secret itself; and the places that are told
 * about, so that nobody tells twice.
 */
export function findSecrets(root: Located, problems: Diagnostic[]): ReadonlySet<Source> {
  const told = new Set<Source>();
  walk(root, { name: "", surroundings: "settings", hint: settingsHint }, problems, told);
  return told;
}

/** The same below one entry of an event or a webhook; whether there was any. */
export function findSecretsBelow(name: string, node: Located, problems: Diagnostic[]): boolean {
  const told = new Set<Source>();
  walk(node, { name, surroundings: "document", hint: documentHint }, problems, told);
  return told.size > 0;
}

/** Says of a value that cannot be what its field is, that it is a secret; null where it does not look like one. */
export function secretAt(name: string, node: Located): Diagnostic | null {
  const reason = node.type === "scalar" ? judge(node, name, "document") : null;
  return reason === null ? null : secretInFile(reason, node.source, documentHint);
}

interface Way {
  readonly name: string;
  readonly surroundings: Surroundings;
  readonly hint: string;
}

function walk(node: Located, way: Way, problems: Diagnostic[], told: Set<Source>, key?: Source): void {
  if (node.type === "map") {
    for (const [name, entry] of node.entries) {
      walk(entry.value, { ...way, name, surroundings: within(way.surroundings, name) }, problems, told, entry.key);
    }
  } else if (node.type === "list") {
    for (const item of node.items) walk(item, way, problems, told, key);
  } else {
    const reason = judge(node, way.name, way.surroundings);
    if (reason === null) return;
    problems.push(secretInFile(reason, node.source, way.hint));
    told.add(node.source);
    if (key !== undefined) told.add(key);
  }
}

function within(surroundings: Surroundings, name: string): Surroundings {
  if (surroundings !== "settings") return surroundings;
  return name === "vars" ? "vars" : name === "defaults" ? "document" : surroundings;
}

/** Of a text as it stands in the file: what a variable fills in is not in git. */
function judge({ value, filledFrom, marks }: LocatedScalar, name: string, surroundings: Surroundings): string | null {
  const text = filledFrom ?? value;
  if (typeof text !== "string" || text === "") return null;
  return whySecret(name, text, surroundings, marks !== undefined);
}

const settingsHint =
  "Put it into an environment variable and write only the variable's name (`apiKeyEnv: TICKETING_API_KEY`). Revoke it if it was pushed.";
const documentHint = "Take it out of the file, and have a new one issued if it was pushed.";

function secretInFile(what: string, source: Source, hint: string): Diagnostic {
  return {
    code: "secret-in-file",
    severity: "error",
    message: `${what}. Files are kept in git, which never forgets.`,
    hint,
    source,
  };
}
