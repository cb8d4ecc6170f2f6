// Secrets of webhooks in a private file of the project. None is ever overwritten.

import { realpath } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { sameId } from "../model/address.ts";
import { parseJson } from "../model/value.ts";
import { wayInside } from "../system/inside-project.ts";
import { readPrivate, writePrivate } from "../system/private-files.ts";
import { makeFolder } from "../system/private-folder.ts";
import { ensureFolder, fileProblem, folderOf } from "./file/local-folder.ts";

export interface StoredSecret {
  readonly id: string;
  readonly url: string;
  readonly secret: string;
}

interface SecretFile {
  readonly formatVersion: 1;
  readonly webhooks: Readonly<
    Record<string, { readonly url: string; readonly secret: string; readonly keptAt: string }>
  >;
}

export interface SecretFileSink {
  holds(id: string): Promise<boolean>;
  /** null once the secret is durable; otherwise why it is not, in one sentence. */
  put(secret: StoredSecret): Promise<string | null>;
}

/** `path` is relative to the project's directory and must stay in it. */
export function secretFile(directory: string, path: string, now: () => number): SecretFileSink {
  const file = resolve(directory, path);
  let last: Promise<unknown> = Promise.resolve();

  async function add({ id, url, secret }: StoredSecret): Promise<string | null> {
    try {
      const outside = await whyOutside(directory, file, path);
      if (outside !== null) return outside;
      const kept = await read(file, path);
      if (typeof kept === "string") return kept;
      const before = kept.webhooks[id];
      if (before !== undefined) {
        return before.secret === secret ? null : `${path} already contains a different secret for the webhook ${id}.`;
      }
      const entry = { url, secret, keptAt: new Date(now()).toISOString() };
      const content: SecretFile = { formatVersion: 1, webhooks: { ...kept.webhooks, [id]: entry } };
      await writePrivate(file, `${JSON.stringify(content, null, 2)}\n`);
      return null;
    } catch (error) {
      return fileProblem(error, "Writing", path).message;
    }
  }

  return {
    async holds(id) {
      const kept = await read(file, path).catch(() => "");
      // A list may spell an id differently from the response to the create.
      return typeof kept !== "string" && Object.keys(kept.webhooks).some((each) => sameId(each, id));
    },
    put(secret) {
      // One after another: each reads what the last one wrote.
      const mine = last.then(() => add(secret));
      last = mine;
      return mine;
    },
  };
}

/** None if the file cannot be read. */
export async function storedSecrets(directory: string, path: string): Promise<readonly string[]> {
  const kept = await read(resolve(directory, path), path).catch(() => "");
  const entries = typeof kept === "string" ? [] : Object.values(kept.webhooks);
  return entries.map((entry) => entry?.secret).filter((secret) => typeof secret === "string");
}

async function read(file: string, path: string): Promise<SecretFile | string> {
  const text = readPrivate(file);
  if (text === null) return { formatVersion: 1, webhooks: {} };
  const damaged = `${path} is damaged. Nothing was added, so that nothing in it is lost.`;
  const parsed = parseJson(text) as Partial<SecretFile> | null | undefined;
  if (parsed?.formatVersion !== 1 || typeof parsed.webhooks !== "object" || parsed.webhooks === null) return damaged;
  return { formatVersion: 1, webhooks: parsed.webhooks };
}

/** A link could lead a secret out of the project. */
async function whyOutside(directory: string, file: string, path: string): Promise<string | null> {
  if (isOutside(directory, file)) return `The secrets file ${path} is outside the project.`;
  if (!isOutside(folderOf(directory), file)) ensureFolder(directory);
  makeFolder(dirname(file), 0o700);
  const [root, folder] = await Promise.all([realpath(directory), realpath(dirname(file))]);
  return folder !== root && isOutside(root, folder) ? `The secrets file ${path} is a link out of the project.` : null;
}

function isOutside(root: string, file: string): boolean {
  return (wayInside(root, file) ?? "") === "";
}
