// A key or secret itself in the project file. The file is in git, and git never forgets.
import type { Diagnostic } from "../model/diagnostic.ts";
import { findSecret } from "../model/secret-shape.ts";
import type { Source } from "../model/source.ts";
import type { Located } from "./located.ts";

const secretName =
  /^(?:api[-_]?key|key|token|secret|password|passwd|passphrase|credentials?|(?:secret[-_]?)?access[-_]?key|private[-_]?key)$/i;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;
const credentials = /^[a-z][a-z0-9+.-]*:\/\/[^/?#@\s]+@/i;

/** Problems with a place each, never with the secret itself; and the keys that are told about, so that nobody tells twice. */
export function findSecrets(root: Located, problems: Diagnostic[]): ReadonlySet<Source> {
  const keys = new Set<Source>();
  walk(root, "");
  return keys;

  function walk(node: Located, key: string): void {
    if (node.type === "map") {
      for (const [name, entry] of node.entries) {
        if (secretName.test(name) && isText(entry.value)) {
          keys.add(entry.key);
          problems.push(secretInFile(`\`${name}\` holds a secret`, entry.value.source));
        } else walk(entry.value, name);
      }
    } else if (node.type === "list") {
      for (const item of node.items) walk(item, key);
    } else if (typeof node.value === "string") {
      const reason = whySecret(node.value, key);
      if (reason !== null) problems.push(secretInFile(reason, node.source));
    }
  }
}

function isText(node: Located): boolean {
  return node.type === "scalar" && typeof node.value === "string" && node.value !== "" && node.marks === undefined;
}

function whySecret(text: string, key: string): string | null {
  if (credentials.test(text)) return `\`${key}\` carries a user name or password in its address`;
  if (key === "apiKeyEnv") {
    if (!variableName.test(text) || looksRandom(text))
      return "`apiKeyEnv` holds what looks like a key, not the NAME of a variable";
    return null;
  }
  return findSecret(text) === null ? null : `\`${key}\` holds what looks like a key or a secret`;
}

/** A long run of letters and digits mixed. Stricter than elsewhere: a variable's name is made of words. */
function looksRandom(text: string): boolean {
  return (text.match(/[A-Za-z0-9]{16,}/g) ?? []).some((run) => {
    const digits = run.replace(/\D/g, "").length;
    return digits >= 4 && run.length - digits >= 4;
  });
}

function secretInFile(what: string, source: Source): Diagnostic {
  return {
    code: "secret-in-file",
    severity: "error",
    message: `${what}. Files are kept in git, which never forgets.`,
    hint: "Put it into an environment variable and write only the variable's name (`apiKeyEnv: TICKETING_API_KEY`). Revoke it if it was pushed.",
    source,
  };
}
