// Keys and secrets written in a file. Files are in git, and git never forgets.
import { type Diagnostic, errorAt, type Source } from "../../model/diagnostic.ts";
import { findSecret, isMixed } from "../../model/value.ts";
import { entryOf, type Located, type LocatedMap, type LocatedScalar } from "../yaml/located.ts";

/** Where an entry is: in the settings, where no key belongs; in an event, a webhook or their defaults; or in `vars`, which people name freely. */
type Surroundings = "settings" | "document" | "vars";

const secretName =
  /^(?:api[-_]?key|(?:client|signing|webhook)?[-_]?secret|password|passwd|pwd|passphrase|credentials?|(?:secret[-_]?)?access[-_]?key|private[-_]?key|(?:access|auth|api|bearer)[-_]?token)$/i;
// Words with other meanings as well: `key` of an event, `token` of a bar.
const vagueName = /^(?:key|token)$/i;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const keyPrefix = /^[a-z]{1,3}_(?:live|test)_(?!\w*key)/;
const credentials = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+@/i;

/** Why an entry looks like a secret, without repeating it; null if it does not. For text as written in the file: what a variable fills in is not in git. */
function whySecret(
  { value, filledFrom, marks }: LocatedScalar,
  name: string,
  surroundings: Surroundings,
): string | null {
  const isKeyName = name === "apiKeyEnv" && surroundings === "settings";
  // A key may be digits only, which YAML reads as a number.
  const text = filledFrom ?? (isKeyName && typeof value === "number" ? String(value) : value);
  if (typeof text !== "string" || text === "") return null;
  // A secret that comes from a variable is where it belongs.
  if (marks === undefined && isSecretByName(name, text, surroundings)) return `\`${name}\` contains a secret`;
  if (credentials.test(text)) return `\`${name}\` contains a user name or password in its URL`;
  if (isKeyName)
    return isVariableName(text) ? null : "`apiKeyEnv` contains what looks like a key, not the NAME of a variable";
  return findSecret(text) === null ? null : `\`${name}\` contains what looks like a key or a secret`;
}

function isSecretByName(name: string, text: string, surroundings: Surroundings): boolean {
  if (vagueName.test(name)) return surroundings === "settings" || isMixed(text);
  if (!secretName.test(name)) return false;
  // A variable called a password may hold an ordinary word; only a value that is hard to remember is a real one.
  return surroundings !== "vars" || isMixed(text) || /^\S{16,}$/.test(text);
}

/** The name that `$PROD_KEY`, `${PROD_KEY}`, `prod-key` or `PROD KEY` stands for. Only words, of which one says what it is: anything else may be a key. */
function variableMeant({ value }: LocatedScalar): string | null {
  const [, dollar, words = ""] = /^(\$?)\{?([a-z]{1,20}(?:[-_ ][a-z]{1,20}){0,4})\}?$/i.exec(String(value)) ?? [];
  if (keyPrefix.test(words) || (dollar !== "$" && !/(?:^|[-_ ])(?:key|token)$/i.test(words))) return null;
  return words.replaceAll(/[- ]/g, "_").toUpperCase() || null;
}

/** Made of words, which a key is not: `k_live_…` has digits all over it. */
function isVariableName(text: string): boolean {
  if (!variableName.test(text) || keyPrefix.test(text) || looksRandom(text)) return false;
  return !text.split("_").some(isScattered);
}

/** A variable's name has digits at the end of a word, if at all. */
function isScattered(part: string): boolean {
  return part.length >= 8 && (/[a-z]\d\d+[a-z]/.test(part) || (isMixed(part) && (part.match(/\d+/g) ?? []).length > 2));
}

/** A long run of letters and digits mixed. Stricter than elsewhere, because a variable's name is made of words. */
function looksRandom(text: string): boolean {
  return (text.match(/[A-Za-z0-9]{16,}/g) ?? []).some((run) => {
    const digits = run.replace(/\D/g, "").length;
    return digits >= 4 && run.length - digits >= 4;
  });
}

/** Reports the secrets of a file, never with the secret itself; returns their places, so that none is reported twice. */
export function findSecrets(
  root: Located,
  problems: Diagnostic[],
  surroundings: "settings" | "document" = "settings",
): ReadonlySet<Source> {
  const places = new Set<Source>();
  const hint = surroundings === "settings" ? settingsHint : documentHint;
  walk(root, { name: "", surroundings, hint }, problems, places);
  return places;
}

/** The same below one entry of an event or a webhook; whether there was any. */
export function findSecretsBelow(name: string, node: Located, problems: Diagnostic[]): boolean {
  const places = new Set<Source>();
  walk(node, { name, surroundings: "document", hint: documentHint }, problems, places);
  return places.size > 0;
}

/** The same among the variables of an event or a template: its own, those of its phases, and those of its dates. */
export function findSecretsInVars({ entries }: LocatedMap, problems: Diagnostic[]): void {
  const phases = entries.get("phases")?.value;
  const dates = entryOf(entries.get("series")?.value, "dates");
  const parts = [
    ...(phases?.type === "list" ? phases.items : []),
    ...(dates?.type === "map" ? [...dates.entries.values()].map(({ value }) => value) : []),
  ];
  for (const part of parts) if (part.type === "map") findSecretsInVars(part, problems);
  const vars = entries.get("vars")?.value;
  if (vars !== undefined) walk(vars, { name: "vars", surroundings: "vars", hint: documentHint }, problems, new Set());
}

/** Whether a value that does not fit its field, or a cell of a sheet, looks like a secret; null if it does not. */
export function secretAt(name: string, node: Located, surroundings: Surroundings = "document"): Diagnostic | null {
  const reason = node.type === "scalar" ? whySecret(node, name, surroundings) : null;
  return reason === null ? null : secretError(reason, node.source, documentHint);
}

interface Position {
  readonly name: string;
  readonly surroundings: Surroundings;
  readonly hint: string;
}

function walk(node: Located, position: Position, problems: Diagnostic[], places: Set<Source>, key?: Source): void {
  if (node.type === "map") {
    for (const [name, entry] of node.entries) {
      walk(
        entry.value,
        { name, surroundings: within(position.surroundings, name), hint: hintWithin(position, name) },
        problems,
        places,
        entry.key,
      );
    }
  } else if (node.type === "list") {
    for (const item of node.items) walk(item, position, problems, places, key);
  } else {
    const reason = whySecret(node, position.name, position.surroundings);
    if (reason === null) return;
    const variable = position.name === "apiKeyEnv" && position.surroundings === "settings" ? variableMeant(node) : null;
    if (variable !== null) {
      const message = `\`apiKeyEnv\` is the name of a variable, and ${JSON.stringify(node.value)} is not such a name.`;
      problems.push(errorAt("wrong-value", node.source, message, `Write \`apiKeyEnv: ${variable}\`.`));
    } else problems.push(secretError(reason, node.source, position.name === "baseUrl" ? addressHint : position.hint));
    places.add(node.source);
    if (key !== undefined) places.add(key);
  }
}

function within(surroundings: Surroundings, name: string): Surroundings {
  if (surroundings !== "settings") return surroundings;
  return name === "vars" ? "vars" : name === "defaults" ? "document" : surroundings;
}

function hintWithin({ name, surroundings, hint }: Position, inner: string): string {
  return name === "" && surroundings === "settings" && inner === "state" ? stateHint : hint;
}

const settingsHint =
  "Put it in an environment variable, and write only the name of the variable (`apiKeyEnv: TICKETING_API_KEY`). Revoke it if it was pushed.";
const addressHint =
  "Remove it from the URL: the API key comes from the variable that `apiKeyEnv` names. Revoke it if it was pushed.";
const stateHint =
  "Remove it: credentials for the state come only from environment variables: TICKETING_STATE_URL or PGPASSWORD (postgres), TICKETING_STATE_USERNAME and TICKETING_STATE_PASSWORD (http), AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (s3). Revoke it if it was pushed.";
const documentHint = "Remove it from the file, and get a new one if it was pushed.";

function secretError(what: string, source: Source, hint: string): Diagnostic {
  return errorAt("secret-in-file", source, `${what}. Files are in git, which never forgets.`, hint);
}
