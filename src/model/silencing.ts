// Which rules `ignore` reaches. A remark can be wrong about an object; that something cannot be read is never an opinion.
import { rules } from "./rules.ts";

/** What becomes of a code in `ignore`; "unreadable" and "elsewhere" silence nothing. */
export type Silencing = "silenced" | "unreadable" | "elsewhere" | "unknown";

/** What cannot be read, or cannot be sent, as it is written. */
const unreadable: ReadonlySet<string> = new Set([
  "bad-color",
  "bad-id",
  "currency-not-php",
  "duplicate-key",
  "empty-text",
  "max-purchase-not-positive",
  "missing-key",
  "price-not-whole",
  "quantity-not-positive",
  "unknown-event-type",
  "unknown-key",
  "unknown-performer",
  "unknown-timezone",
  "unknown-value",
  "unknown-variable",
  "unreadable-time",
  "venue-twice",
  "wrong-case",
  "wrong-type",
  "wrong-value",
  "yaml-syntax",
  "yaml-trap",
]);

/** What is about files, settings, the key or the run, and not about an object that could ignore it. */
const elsewhere: ReadonlySet<string> = new Set([
  "address-changed",
  "bad-base-url",
  "empty-file",
  "file-too-large",
  "folder-for-file",
  "forbidden-key",
  "git-failed",
  "key-expires-soon",
  "no-files-matched",
  "no-git",
  "no-such-folder",
  "no-such-path",
  "not-a-repository",
  "not-text",
  "outside-project",
  "over-budget",
  "sandbox-is-embedded",
  "scope-missing",
  "secrets-exposed",
  "shallow-clone",
  "sink-changed",
  "too-complex",
  "too-deep",
  "too-long",
  "too-many-documents",
  "too-many-keys",
  "unknown-code",
  "unknown-environment",
  "unknown-revision",
  "unreadable-file",
  "variable-circle",
  "wrong-file-name",
  "wrong-organization",
]);

export function silencingOf(code: string): Silencing {
  if (unreadable.has(code)) return "unreadable";
  if (elsewhere.has(code)) return "elsewhere";
  return Object.hasOwn(rules, code) ? "silenced" : "unknown";
}
