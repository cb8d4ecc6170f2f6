// A key or secret itself in a file. Files are in git, and git never forgets.

import type { Diagnostic, Source } from "../../model/diagnostic.ts";
import { findSecret, isMixed } from "../../model/secrets.ts";
import type { Located, LocatedScalar } from "../yaml/located.ts";

/**
 * Where an entry stands: among the settings, where a key has no business; in an event, a webhook or the defaults of one; or
 * among the vars, which people name as they like.
 */
export type Surroundings = "settings" | "document" | "vars";

const secretName =
  /^(?:api[-_]?key|(?:client|signing|webhook)?[-_]?secret|password|passwd|pwd|passphrase|credentials?|(?:secret[-_]?)?access[-_]?key|private[-_]?key|(?:access|auth|api|bearer)[-_]?token)$/i;
// Words with other meanings as well: `key` of an event, `token` of a bar.
const vagueName = /^(?:key|token)$/i;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const credentials = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+@/i;

/** What makes an entry look like a secret, without the secret; null where nothing does. `filled`: a variable is in it. */
export function whySecret(name: string, text: string, surroundings: Surroundings, filled: boolean): string | null {
  // What goes by the name of a secret and comes from a variable is where it belongs.
  if (!filled && isSecretByName(name, text, surroundings)) return `\`${name}\` holds a secret`;
  if (credentials.test(text)) return `\`${name}\` carries a user name or password in its address`;
  if (name === "apiKeyEnv" && surroundings === "settings") {
    if (!variableName.test(text) || looksRandom(text))
      return "`apiKeyEnv` holds what looks like a key, not the NAME of a variable";
    return null;
  }
  return findSecret(text) === null ? null : `\`${name}\` holds what looks like a key or a secret`;
}

function isSecretByName(name: string, text: string, surroundings: Surroundings): boolean {
  if (vagueName.test(name)) return surroundings === "settings" || isMixed(text);
  if (!secretName.test(name)) return false;
  // The word of the day may be called a password; what no person would type by heart is one.
  return surroundings !== "vars" || isMixed(text) || /^\S{16,}$/.test(text);
}

/** A long run of letters and digits mixed. Stricter than elsewhere: a variable's name is made of words. */
function looksRandom(text: string): boolean {
  return (text.match(/[A-Za-z0-9]{16,}/g) ?? []).some((run) => {
    const digits = run.replace(/\D/g, "").length;
    return digits >= 4 && run.length - digits >= 4;
  });
}

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
