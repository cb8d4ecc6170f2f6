// A name for a file that every system takes, from a slug that the service made.
import { findSecret } from "../model/secrets.ts";
import { parseUrl } from "../model/value.ts";

const reserved = /^(con|prn|aux|nul|com\d|lpt\d)$/;
const longestStem = 80;

/** The first of the texts that leaves something to name a file by. */
export function fileStem(texts: readonly (string | null)[], otherwise: string): string {
  for (const text of texts) {
    const stem = simplify(text ?? "");
    if (stem !== "") return reserved.test(stem) ? `${stem}-event` : stem;
  }
  return otherwise;
}

/** The stem, with a number appended if it is in use. */
export function freeStem(stem: string, isUsed: (stem: string) => boolean): string {
  if (!isUsed(stem)) return stem;
  for (let number = 2; ; number += 1) {
    if (!isUsed(`${stem}-${number}`)) return `${stem}-${number}`;
  }
}

function simplify(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^a-z0-9_]+/g, "-")
    .slice(0, longestStem)
    .replace(/^[-_]+|(?<![-_])[-_]+$/g, "");
}

const longestSecretName = 60;

/** The name under which a command would store the secret of a webhook: its path in capitals, with the host where that is in use. */
export function secretNameFor(url: string, isUsed: (name: string) => boolean): string {
  const { hostname, pathname } = parseUrl(url) ?? { hostname: "", pathname: "" };
  const path = capitalsOf(pathname);
  const whole = capitalsOf(`${hostname}${pathname}`);
  const names = [path, whole].filter((name) => name !== "").map(named);
  // A path may hold what is better not repeated.
  const harmless = [...names, named(capitalsOf(hostname))].filter((name) => findSecret(name) === null);
  const first = harmless.find((name) => !isUsed(name));
  if (first !== undefined) return first;
  const base = (harmless[0] ?? "WEBHOOK_SECRET").replace(/_SECRET$/, "");
  for (let number = 2; ; number += 1) {
    const name = `${base}_${number}_SECRET`;
    if (!isUsed(name)) return name;
  }
}

/** Letters, digits and underscores: what every store of secrets takes. */
function capitalsOf(text: string): string {
  return text
    .toUpperCase()
    .replace(/[^A-Z0-9]+/g, "_")
    .slice(0, longestSecretName)
    .replace(/^_+|(?<!_)_+$/g, "");
}

// Some stores take no name that begins with a digit, and keep GITHUB_ to themselves.
function named(stem: string): string {
  if (stem === "") return "WEBHOOK_SECRET";
  return /^(\d|GITHUB_)/.test(stem) ? `WEBHOOK_${stem}_SECRET` : `${stem}_WEBHOOK_SECRET`;
}
